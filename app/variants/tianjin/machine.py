"""天津麻将 as a state machine: which seats are asked what, and what follows from an answer.

Only `decisions` and `decide` judge. A discard ends its entry, and a window follows whether or not anybody can claim.
Offers come from `offers`, points from `scoring`, the wall from `wall`; the kernel decides who sees what (TJ-16.1,
TJ-16.2). Silence and 托管 answer as `silent_choice` says, except that 托管 wins where it can (TJ-17.1, TJ-17.2).

    phase / window   asked                            then
    answers          dealer: sit · others: pull,      the 4th answer: reveal, dice, deal, dice, indicator
                     all at once (TJ-3.3)             (TJ-4.2, TJ-4.7)
    turn             the seat to move (TJ-5.1)
      after deal, draw or replacement                 win → the round ends (TJ-9.1)
                                                      kong, extend → replacement, turn again (TJ-6.7)
                                                      discard → window (TJ-5.2)
      on the last live tile                           win or pass (TJ-4.12); no win to offer → exhausted (TJ-4.11)
      after its own pong                              discard → window (TJ-5.3)
    discard window   the one seat that can claim,     pong → its turn (TJ-5.5) · kong → replacement (TJ-5.6)
                     the hold                         nobody → the next seat draws (TJ-5.12)
    over             nobody
    any              Abort                            void, nothing counts (TJ-2.8)

Readiness, series and first dealer are the match's, which reads META (TJ-2.2, TJ-2.6); clocks are the table's.
"""

from __future__ import annotations

from typing import Final

from app.kernel import events as ev
from app.kernel.actions import PASS, Action, Choice
from app.kernel.errors import InvariantViolation, Rejection
from app.kernel.melds import MeldKind
from app.kernel.play.claims import still_asked, takers
from app.kernel.play.commands import Abort, Command
from app.kernel.play.decisions import Decision, answer, hold, question
from app.kernel.play.entry import EntryBuilder
from app.kernel.seats import next_seat, others_after, turn_order
from app.kernel.tiles import Tile
from app.kernel.variant import Setup, Step, round_started
from app.variants.tianjin import wall as walls
from app.variants.tianjin.ending import exhausted, void, won
from app.variants.tianjin.offers import (
    answer_offers,
    claim_offers,
    claim_rank,
    is_dead,
    silent_choice,
    turn_offers,
    turn_win,
    wilds_seen,
)
from app.variants.tianjin.rules import META, PLAYERS
from app.variants.tianjin.state import TianjinState, evolve, position_of
from app.variants.tianjin.winning import Wilds, wilds_of

_KONGS: Final[dict[Choice, MeldKind]] = {
    "kong_exposed": "kong_exposed", "kong_concealed": "kong_concealed", "kong_gold": "kong_gold",
}  # fmt: skip
"""Kind of kong by the choice of an action."""


def start(setup: Setup) -> Step[TianjinState]:
    """Open the round: the four are asked for 坐庄 and 拉庄 before any tile is dealt (TJ-3.1, TJ-4.2)."""
    entry = EntryBuilder(evolve, None)
    entry.add(round_started(META, setup), ev.PhaseBegan("answers", None, walls.TILES))
    return entry.step()


def decisions(state: TianjinState) -> tuple[Decision, ...]:
    """Open questions: secret answers, claims with the hold, or the turn of one seat. Empty when the round is over."""
    table, window = state.table, state.window
    if table.phase == "over":
        return ()
    if window is None:
        return (_turn_decision(state),)
    if window.kind == "answers":
        return tuple(
            [
                question(table.tick, seat, "answer", offers, offers[0])
                for seat in range(PLAYERS)
                if window.answers[seat] is None
                for offers in (answer_offers(seat == table.facts.dealer),)
            ]
        )
    offers = _window_offers(state)
    asked = [
        question(table.tick, seat, "claim", offers[seat], PASS)
        for seat in still_asked(window, offers, claim_rank, several=False)
    ]
    return tuple(asked) if window.held else (*asked, hold(table.tick))


def _turn_decision(state: TianjinState) -> Decision:
    seat = state.table.turn
    if seat is None:
        raise InvariantViolation("nobody is to move")
    position = position_of(state, seat)
    return question(state.table.tick, seat, "turn", turn_offers(position), silent_choice(position))


def _wilds(state: TianjinState) -> Wilds:
    wilds = wilds_seen(state.table)
    if wilds is None:
        raise InvariantViolation("tiles are played before the indicator is flipped")
    return wilds


def _window_offers(state: TianjinState) -> dict[int, tuple[Action, ...]]:
    """Claims on the discard by seat, each from the seat's own hand and open facts."""
    table, rules, wilds = state.table, state.rules, _wilds(state)
    if table.last is None:
        raise InvariantViolation("a claim window without a discard")
    source, tile = table.last
    offers: dict[int, tuple[Action, ...]] = {}
    for seat in others_after(source, PLAYERS):
        hand = table.seats[seat].hand
        if hand is not None and (options := claim_offers(hand, tile, wilds, table.left, rules.any_gold)):
            offers[seat] = options
    return offers


def decide(state: TianjinState, open_: tuple[Decision, ...], command: Command) -> Step[TianjinState] | Rejection:
    """The step that a command causes, or the reason of its refusal; `open_` is `decisions(state)`."""
    entry = EntryBuilder(evolve, state)
    if isinstance(command, Abort):
        if not open_:
            return Rejection("round_over")
        void(entry)
        return entry.step()
    answered = answer(open_, command)
    if isinstance(answered, Rejection):
        return answered
    decision, choice = answered
    if decision.seat is None or choice is None:
        entry.add(ev.HoldEnded())
        _close_window(entry, open_)
    elif decision.clock == "answer":
        _answer_stakes(entry, decision.seat, choice)
    elif decision.clock == "turn":
        _act_in_turn(entry, decision.seat, choice)
    else:
        entry.add(ev.Answered(decision.seat, choice))
        _close_window(entry, open_)
    return entry.step()


def _answer_stakes(entry: EntryBuilder[TianjinState], seat: int, choice: Action) -> None:
    """Note a hidden answer; the fourth reveals all of them and the round is dealt (TJ-3.3, TJ-4.2)."""
    entry.add(ev.Answered(seat, choice))
    window = entry.state.window
    if window is None or None in window.answers:
        return
    values = tuple([given.choice for given in window.answers if given is not None and isinstance(given.choice, int)])
    entry.add(ev.AnswersRevealed("sit_pull", values))
    _deal(entry)


def _deal(entry: EntryBuilder[TianjinState]) -> None:
    """Dice, deal, second dice, indicator; then the dealer's first turn.

    TJ-2.10, TJ-4.2, TJ-4.3, TJ-4.4, TJ-4.5, TJ-4.6.
    """
    state = entry.state
    dealer, secret, tiles = state.table.facts.dealer, state.secret, state.wall.tiles
    entry.add(ev.DiceRolled(dealer, secret.dice[:2], "break"))
    for place, seat in enumerate(turn_order(dealer, PLAYERS)):
        hand = tuple([tiles[index] for index in walls.dealt_indices(place)])
        entry.add(ev.HandDealt(seat, len(hand), hand, hand[-1] if seat == dealer else None))
    indicator, left = tiles[state.wall.indicator], walls.live_left(state.wall)
    entry.add(
        ev.DiceRolled((dealer + 2) % PLAYERS, secret.dice[2:], "indicator"),
        ev.TileFlipped("indicator", indicator, left),
        ev.Marked(None, "wilds", wilds_of(indicator)),
        ev.PhaseBegan("turn", dealer, left),
    )


def _act_in_turn(entry: EntryBuilder[TianjinState], seat: int, choice: Action) -> None:
    """The choice of the seat to move (TJ-5.2, TJ-6.1, TJ-9.1)."""
    match choice.verb:
        case "win":
            won(entry, seat)
        case "kong":
            _make_kong(entry, seat, choice)
        case "extend":
            _extend(entry, seat, choice.tiles[0])
        case "discard":
            _discard(entry, seat, choice.tiles[0])
        case _:
            exhausted(entry)


def _make_kong(entry: EntryBuilder[TianjinState], seat: int, choice: Action) -> None:
    """A kong from the hand or on the last discard, open in every case; then its replacement (TJ-6.7, TJ-6.8)."""
    place, kind = len(entry.state.table.seats[seat].melds), _KONGS[choice.choice]
    tiles = choice.tiles * 4 if len(choice.tiles) == 1 else choice.tiles
    last = entry.state.table.last
    if last is None:
        entry.add(ev.MeldMade(seat, place, kind, 4, "own", tiles=tiles))
    else:
        entry.add(ev.MeldMade(seat, place, kind, 4, "row", *last, tiles=tiles))
    _draw(entry, seat, replacement=True)


def _extend(entry: EntryBuilder[TianjinState], seat: int, tile: Tile) -> None:
    """The fourth tile joins an own pong; no seat may rob it (TJ-5.9, TJ-6.1, TJ-6.5)."""
    melds = entry.state.table.seats[seat].melds
    place = next(i for i, meld in enumerate(melds) if meld.kind == "pong" and meld.tiles[0] == tile)
    entry.add(ev.MeldExtended(seat, place, "kong_added", 4, tile, "own", (tile,) * 4))
    _draw(entry, seat, replacement=True)


def _discard(entry: EntryBuilder[TianjinState], seat: int, tile: Tile) -> None:
    """A discard; a wild one makes a 小相公 (TJ-7.1, TJ-7.4), the fourth equal first one a 铲 (TJ-8.1, TJ-8.5)."""
    dead = tile in _wilds(entry.state) and not is_dead(entry.state.table, seat)
    before = entry.state.firsts
    entry.add(ev.TileDiscarded(seat, tile))
    if dead:
        entry.add(ev.Marked(seat, "dead_hand", True))
    if before is not None and before == (tile,) * (PLAYERS - 1):
        entry.add(ev.Marked(None, "follow", True))


def _close_window(entry: EntryBuilder[TianjinState], open_: tuple[Decision, ...]) -> None:
    """Close the window when its hold is over and no open answer can matter any more (TJ-5.12, TJ-16.3)."""
    window = entry.state.window
    if window is None:
        raise InvariantViolation("a claim without a window")
    offers = {decision.seat: decision.options for decision in open_ if decision.seat is not None}
    if not window.held or still_asked(window, offers, claim_rank, several=False):
        return
    taken = takers(window, claim_rank, several=False)
    if taken:
        _claim(entry, *taken[0])
    else:
        _draw(entry, next_seat(window.seat, PLAYERS), replacement=False)


def _claim(entry: EntryBuilder[TianjinState], seat: int, choice: Action) -> None:
    """The claim that succeeds: a kong, or a pong and the turn of its owner (TJ-5.5, TJ-5.6)."""
    last = entry.state.table.last
    if last is None:
        raise InvariantViolation("no tile to be claimed")
    source, tile = last
    if choice.verb == "kong":
        _make_kong(entry, seat, choice)
        return
    place = len(entry.state.table.seats[seat].melds)
    entry.add(ev.MeldMade(seat, place, "pong", 3, "row", source, tile, tiles=(tile,) * 3))


def _draw(entry: EntryBuilder[TianjinState], seat: int, replacement: bool) -> None:
    """A front draw or a replacement; the last live tile without a win to offer ends the round.

    TJ-4.8, TJ-4.9, TJ-4.10, TJ-4.11, TJ-4.12.
    """
    wall = entry.state.wall
    tile, rest = walls.replacement(wall) if replacement else walls.front(wall)
    left = walls.live_left(rest)
    entry.add(ev.TileDrawn(seat, "tail" if replacement else "head", replacement, left, tile))
    if left == 0 and turn_win(position_of(entry.state, seat)) is None:
        exhausted(entry)
