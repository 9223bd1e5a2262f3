"""贵州捉鸡 as a state machine: which seats are asked what, and what follows from an answer.

Only this module, `offers` and `ending` judge; `evolve` only moves. A discard, or a tile laid onto a 碰, ends its entry
and opens a window with a hold, even when nobody can claim (GZ-19.4). All tiles come from the front of the wall.
Points move once, at the end. The kernel decides who sees what (GZ-19.1, GZ-19.2).

Phases: `deal` within the first entry, then `turn` until `over`.

    state      command                  events                                               next
    (none)     start                    RoundStarted HandDealt… Marked(weekday) PhaseBegan   turn of the dealer
    turn       discard (with 报听)      [Marked] TileDiscarded                               window, discard
    turn       闷豆, hidden 憨包豆      MeldMade TileDrawn(replacement)                      turn, same seat
    turn       爬坡豆, added 憨包豆     TileLaid                                             window, rob
    turn       win                      Won … RoundEnded                                     over
    window     an answer, the hold      Answered | HoldEnded, and when due the outcome:
      discard  nobody                   [Marked(charge)] TileDrawn                           turn, next seat
      discard  nobody, wall empty       [Marked(charge)] HandsRevealed … RoundEnded          over
      discard  碰                       MeldMade [Marked(duty)]                              turn, claimant
      discard  点豆                     MeldMade [Marked(duty)] TileDrawn(replacement)       turn, claimant
      discard  win (several)            [Marked(duty)] Won… … RoundEnded                     over
      rob      nobody                   MeldExtended TileDrawn(replacement)                  turn, same seat
      rob      win (several)            TileRobbed Won… … RoundEnded                         over
    any        Abort                    RoundEnded(void)                                     over

Clauses: GZ-3.1, GZ-4.1, GZ-5.2, GZ-6.1, GZ-10.2, GZ-14.2, GZ-17.2.
"""

from __future__ import annotations

from typing import Final

from app.kernel import events as ev
from app.kernel.actions import PASS, WIN, Action
from app.kernel.errors import InvariantViolation, Rejection
from app.kernel.melds import MeldKind
from app.kernel.play.claims import Window, still_asked, takers
from app.kernel.play.commands import Abort, Command
from app.kernel.play.decisions import Clock, Decision, answer, hold, question
from app.kernel.play.entry import EntryBuilder
from app.kernel.seats import next_seat, others_after, turn_order
from app.kernel.tiles import Tile, sort_tiles
from app.kernel.variant import Setup, Step, round_started
from app.variants.guizhou.chickens import default_kinds
from app.variants.guizhou.ending import claimed_win, exhausted, own_win, void, won
from app.variants.guizhou.offers import claim_offers, claim_rank, rob_offers, silent_choice, turn_offers
from app.variants.guizhou.rules import META
from app.variants.guizhou.state import (
    CHARGE,
    DECLARED,
    DUTY,
    WEEKDAY,
    GuizhouState,
    decided_firsts,
    declared,
    evolve,
    next_tile,
    position_of,
)

HAND_SIZE: Final = 13
_DAY_MS: Final = 86_400_000
_SHANGHAI_MS: Final = 8 * 3_600_000
"""Asia/Shanghai is UTC+8 all year round (GZ-13.4)."""
_EPOCH_WEEKDAY: Final = 3
"""1970-01-01 was a Thursday, counted from Monday 0."""


def weekday_of(dealt_at_ms: int) -> int:
    """The weekday in Asia/Shanghai, Monday 1 … Sunday 7, of a time in milliseconds since 1970 UTC (GZ-13.4)."""
    return ((dealt_at_ms + _SHANGHAI_MS) // _DAY_MS + _EPOCH_WEEKDAY) % 7 + 1


def start(setup: Setup) -> Step[GuizhouState]:
    """Deal: 14 tiles to the dealer, who plays first without a draw, 13 to the others (GZ-3.1, GZ-3.2, GZ-4.2)."""
    order = turn_order(setup.dealer, setup.players)
    hands = [setup.wall[at * HAND_SIZE : (at + 1) * HAND_SIZE] for at in range(setup.players)]
    dealt = HAND_SIZE * setup.players + 1
    hands[0] = (*hands[0], setup.wall[dealt - 1])
    entry = EntryBuilder(evolve, None)
    entry.add(
        round_started(META, setup),
        *[ev.HandDealt(seat, len(hand), sort_tiles(hand)) for seat, hand in zip(order, hands, strict=True)],
        ev.Marked(None, WEEKDAY, weekday_of(setup.dealt_at_ms)),
        ev.PhaseBegan("turn", setup.dealer, len(setup.wall) - dealt),
    )
    return entry.step()


def decisions(state: GuizhouState) -> tuple[Decision, ...]:
    """Open questions: the seat in turn, or the seats of a window and its hold; each follows from what its seat sees."""
    table, window = state.table, state.window
    if table.phase == "over":
        return ()
    if window is None:
        return (_turn_decision(state),)
    offers = _window_offers(state, window)
    asked = [
        question(table.tick, seat, "claim", offers[seat], PASS)
        for seat in still_asked(window, offers, claim_rank, several=True)
    ]
    return tuple(asked) if window.held else (*asked, hold(table.tick))


def _turn_decision(state: GuizhouState) -> Decision:
    seat = state.table.turn
    if seat is None:
        raise InvariantViolation("nobody is to move")
    position = position_of(state.table, seat, state.late[seat])
    clock: Clock = "forced" if position.declared else "turn"
    return question(state.table.tick, seat, clock, turn_offers(position), silent_choice(position))


def _window_offers(state: GuizhouState, window: Window) -> dict[int, tuple[Action, ...]]:
    """The choices of each seat in the window; seats without a choice are left out (GZ-5.1, GZ-7.8)."""
    assert window.tile is not None
    exempt = state.hot or declared(state.table, window.seat)
    offers: dict[int, tuple[Action, ...]] = {}
    for seat in others_after(window.seat, state.table.facts.players):
        position = position_of(state.table, seat, state.late[seat])
        if window.kind == "rob":
            options = rob_offers(position, window.tile)
        else:
            options = claim_offers(position, window.tile, exempt)
        if options:
            offers[seat] = options
    return offers


def decide(state: GuizhouState, open_: tuple[Decision, ...], command: Command) -> Step[GuizhouState] | Rejection:
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
    elif decision.clock == "claim":
        declined = WIN in decision.options and choice != WIN
        entry.add(ev.Answered(decision.seat, choice, declined))
        _close_window(entry, open_)
    else:
        _act_in_turn(entry, decision.seat, choice)
    return entry.step()


def _act_in_turn(entry: EntryBuilder[GuizhouState], seat: int, choice: Action) -> None:
    """The choice of the seat in turn (GZ-4.1)."""
    match choice.verb:
        case "win":
            won(entry, own_win(entry.state, seat))
        case "kong":
            _make_kong(entry, seat, choice)
        case "extend":
            _extend(entry, seat, choice)
        case _:
            _discard(entry, seat, choice)


def _discard(entry: EntryBuilder[GuizhouState], seat: int, choice: Action) -> None:
    """A discard, with 报听 as one action: the mark comes before the tile (GZ-10.2)."""
    if choice.choice == "declare_ready":
        entry.add(ev.Marked(seat, DECLARED, True))
    entry.add(ev.TileDiscarded(seat, choice.tiles[0]))


def _make_kong(entry: EntryBuilder[GuizhouState], seat: int, choice: Action) -> None:
    """闷豆 or concealed 憨包豆: face down, alike for others (GZ-19.3), then the replacement (GZ-4.4)."""
    tile = choice.tiles[0]
    kind: MeldKind = "kong_late" if choice.choice == "kong_late" else "kong_concealed"
    place = len(entry.state.table.seats[seat].melds)
    entry.add(ev.MeldMade(seat, place, kind, 4, "own", face_down=True, tiles=(tile,) * 4))
    _draw(entry, seat, replacement=True)


def _extend(entry: EntryBuilder[GuizhouState], seat: int, choice: Action) -> None:
    """The fourth tile onto a 碰: it may be robbed before the kong exists (GZ-7.8)."""
    tile = choice.tiles[0]
    kind: MeldKind = "kong_late" if choice.choice == "kong_late" else "kong_added"
    melds = entry.state.table.seats[seat].melds
    place = next(place for place, meld in enumerate(melds) if meld.kind == "pong" and meld.tiles[0] == tile)
    entry.add(ev.TileLaid(seat, place, tile, kind))


def _draw(entry: EntryBuilder[GuizhouState], seat: int, replacement: bool) -> None:
    """The front tile of the wall, for a replacement too (GZ-3.3)."""
    state = entry.state
    entry.add(ev.TileDrawn(seat, "head", replacement, state.table.left - 1, next_tile(state)))


def _close_window(entry: EntryBuilder[GuizhouState], open_: tuple[Decision, ...]) -> None:
    """Close the window when its hold is over and no open answer can matter any more (GZ-5.2)."""
    window = entry.state.window
    if window is None:
        raise InvariantViolation("a claim without a window")
    offers = {decision.seat: decision.options for decision in open_ if decision.seat is not None}
    if not window.held or still_asked(window, offers, claim_rank, several=True):
        return
    taken = takers(window, claim_rank, several=True)
    if window.kind == "rob":
        _close_rob(entry, tuple([seat for seat, _ in taken]))
    else:
        _close_discard(entry, window, taken)


def _close_rob(entry: EntryBuilder[GuizhouState], winners: tuple[int, ...]) -> None:
    """抢杠胡, or the kong forms and is replaced (GZ-7.8, GZ-7.9)."""
    laid = entry.state.table.laid
    if laid is None:
        raise InvariantViolation("no tile is laid")
    if winners:
        win = claimed_win(entry.state, winners, laid.tile, laid.seat, robbed=True)
        entry.add(ev.TileRobbed(laid.seat, laid.tile, winners, "win"))
        won(entry, win)
        return
    tiles = (laid.tile,) * 4
    entry.add(ev.MeldExtended(laid.seat, laid.meld, laid.kind, 4, laid.tile, "laid", tiles))
    _draw(entry, laid.seat, replacement=True)


def _close_discard(entry: EntryBuilder[GuizhouState], window: Window, taken: tuple[tuple[int, Action], ...]) -> None:
    """The outcome of a discard: winners together, else one 碰 or 点豆, else the next seat draws (GZ-5.3, GZ-4.5)."""
    tile = window.tile
    assert tile is not None
    seats = tuple([seat for seat, _ in taken])
    mark = _first_copy_mark(entry.state, tile, window.seat, seats)
    if taken and taken[0][1] != WIN:
        _claim(entry, window, *taken[0], mark)
        return
    entry.add(*mark)
    if taken:
        won(entry, claimed_win(entry.state, seats, tile, window.seat, robbed=False))
    elif entry.state.table.left:
        _draw(entry, next_seat(window.seat, entry.state.table.facts.players), replacement=False)
    else:
        exhausted(entry)


def _claim(
    entry: EntryBuilder[GuizhouState], window: Window, seat: int, choice: Action, mark: tuple[ev.Marked, ...]
) -> None:
    """碰, or 点豆 and its replacement; a first copy claimed is marked with the meld (GZ-4.4, GZ-14.4)."""
    tile = window.tile
    assert tile is not None
    kind: MeldKind = "pong" if choice.verb == "pong" else "kong_exposed"
    size = 3 if kind == "pong" else 4
    place = len(entry.state.table.seats[seat].melds)
    entry.add(ev.MeldMade(seat, place, kind, size, "row", window.seat, tile, tiles=(tile,) * size), *mark)
    if kind != "pong":
        _draw(entry, seat, replacement=True)


def _first_copy_mark(state: GuizhouState, tile: Tile, seat: int, claimants: tuple[int, ...]) -> tuple[ev.Marked, ...]:
    """冲锋 or 责任: fixed with the first discarded copy of each default kind, never reopened.

    GZ-14.2, GZ-14.3, GZ-14.4, GZ-14.5, GZ-14.6.
    """
    if tile not in default_kinds(state.rules):
        return ()
    firsts = decided_firsts(state.table)
    if any(first.kind == tile for first in firsts):
        return ()
    name = DUTY if claimants else CHARGE
    before = tuple(
        [(first.kind, first.seat, first.claimants) for first in firsts if bool(first.claimants) == bool(claimants)]
    )
    return (ev.Marked(None, name, (*before, (tile, seat, claimants))),)
