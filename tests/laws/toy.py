"""A tiny game that exercises every mechanic of the kernel, so that the laws never depend on a real variant alone.

2–4 seats, twelve kinds, seven tiles each, two sets and a pair. Secret answers before the deal, face-down covers paid at
the end, exposed kongs on covers, robbable added kongs, several winners, points in mid-round, a private pass lock.
The mutants (`mutants.py`) wrap it with planted leaks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.kernel import events as ev
from app.kernel.actions import PASS, WIN, Action, action
from app.kernel.errors import Rejection
from app.kernel.ledger import Line, net, reversal
from app.kernel.play.claims import Window, evolve_window, open_window, still_asked, takers
from app.kernel.play.commands import Abort, Command
from app.kernel.play.decisions import Decision, answer, hold, question
from app.kernel.play.entry import EntryBuilder
from app.kernel.seats import others_after, turn_order
from app.kernel.shapes.counts import Hand, count, tiles_of
from app.kernel.shapes.sets import waits
from app.kernel.table import TableState, evolve_table
from app.kernel.tiles import Tile
from app.kernel.variant import Facts, Hint, Setup, Step, Variant, Wait, round_started
from app.kernel.views import reveal
from tests.laws.toy_rules import (
    HAND_SIZE,
    KINDS,
    META,
    ToyRules,
    answer_options,
    claim_offers,
    parse_rules,
    rank,
    rob_offers,
    score,
    turn_offers,
)


@dataclass(frozen=True, slots=True)
class ToyState:
    """`wall` in drawing order, `drawn` of it are gone; `fresh`: the turn began with a draw."""

    table: TableState
    rules: ToyRules
    wall: tuple[Tile, ...]
    seed: str
    drawn: int
    window: Window | None
    fresh: bool


def evolve(state: ToyState | None, event: ev.Event) -> ToyState:
    """Fold: tiles by the kernel, here the window, the wall's place and whether the turn is fresh."""
    table = evolve_table(state.table if state else None, event)
    if isinstance(event, ev.RoundStarted):
        rules = ToyRules(**dict(event.rules))  # type: ignore[arg-type]
        return ToyState(table, rules, event.wall or (), event.seed or "", 0, None, False)
    assert state is not None
    window, drawn, fresh, players = state.window, state.drawn, state.fresh, table.facts.players
    match event:
        case ev.HandDealt(_, size):
            drawn += size
        case ev.PhaseBegan("answers"):
            window = open_window("answers", table.facts.dealer, None, players)
        case ev.PhaseBegan():
            window, fresh = None, True
        case ev.TileDrawn():
            drawn, window, fresh = drawn + 1, None, True
        case ev.TileFlipped():
            drawn += 1
        case ev.TileDiscarded(seat, tile):
            window, fresh = open_window("discard", seat, tile, players), False
        case ev.TileLaid(seat, _, tile):
            window = open_window("rob", seat, tile, players)
        case ev.Answered() | ev.HoldEnded():
            assert window is not None
            window = evolve_window(window, event)
        case ev.MeldMade():
            window, fresh = None, fresh if event.source == "own" else False
        case ev.MeldExtended() | ev.TileRobbed() | ev.RoundEnded():
            window = None
    return ToyState(table, state.rules, state.wall, state.seed, drawn, window, fresh)


def start(setup: Setup) -> Step[ToyState]:
    """RoundStarted, then the secret answers or the deal."""
    story = EntryBuilder(evolve, None)
    story.add(round_started(META, setup))
    if setup.rules.secret:
        story.add(ev.PhaseBegan("answers", None, len(setup.wall)))
    else:
        _deal(story)
    return story.step()


def _deal(story: EntryBuilder[ToyState]) -> None:
    table, wall, at = story.state.table, story.state.wall, 0
    dealer = table.facts.dealer
    for seat in turn_order(dealer, table.facts.players):
        size = HAND_SIZE + (seat == dealer)
        tiles = wall[at : at + size]
        story.add(ev.HandDealt(seat, size, tiles, tiles[-1] if seat == dealer else None))
        at += size
    story.add(ev.TileFlipped("indicator", wall[at], len(wall) - at - 1))
    story.add(ev.PhaseBegan("turn", dealer, len(wall) - at - 1))


def _window_offers(state: ToyState) -> dict[int, tuple[Action, ...]]:
    window, table = state.window, state.table
    assert window is not None and window.tile is not None
    offers = {}
    for seat in others_after(window.seat, table.facts.players):
        tiles, locked = table.seats[seat], table.mark("lock", seat) is True
        assert tiles.hand is not None
        if window.kind == "discard":
            found = claim_offers(tiles.hand, tiles.melds, locked, window.tile, table.left)
        else:
            found = rob_offers(tiles.hand, locked, window.tile) if state.rules.rob else ()
        if found:
            offers[seat] = found
    return offers


def _secret_decisions(window: Window, table: TableState) -> tuple[Decision, ...]:
    found = []
    for seat in range(table.facts.players):
        if window.answers[seat] is None:
            options = answer_options(seat, table.facts.dealer)
            found.append(question(table.tick, seat, "answer", options, options[0]))
    return tuple(found)


def decisions(state: ToyState) -> tuple[Decision, ...]:
    """Open questions; the hold of a window comes last."""
    table, window = state.table, state.window
    if table.phase == "over":
        return ()
    if window is not None and window.kind == "answers":
        return _secret_decisions(window, table)
    if window is not None:
        offers = _window_offers(state)
        asked = [
            question(table.tick, seat, "claim", offers[seat], PASS) for seat in still_asked(window, offers, rank, True)
        ]
        return tuple(asked) if window.held else (*asked, hold(table.tick))
    seat = table.turn
    assert seat is not None
    tiles = table.seats[seat]
    assert tiles.hand is not None
    options = turn_offers(tiles.hand, tiles.melds, state.fresh, table.left)
    throw = action("discard", tiles.drawn or tiles_of(tiles.hand)[-1])
    return (question(table.tick, seat, "turn", options, throw),)


# ── decide ──


def decide(state: ToyState, open_: tuple[Decision, ...], command: Command) -> Step[ToyState] | Rejection:
    """The step of a command, or why it is refused."""
    story = EntryBuilder(evolve, state)
    if isinstance(command, Abort):
        if not open_:
            return Rejection("round_over")
        story.book(reversal(state.table.lines, META.void_clause))
        _end(story, "void", (), state.table.facts.dealer)
        return story.step()
    found = answer(open_, command)
    if isinstance(found, Rejection):
        return found
    decision, act = found
    if decision.seat is None:
        story.add(ev.HoldEnded())
        _resolve(story)
    elif decision.clock == "turn":
        assert act is not None
        _turn(story, decision.seat, act)
    else:
        assert act is not None
        _note_answer(story, decision, act)
    return story.step()


def _note_answer(story: EntryBuilder[ToyState], decision: Decision, act: Action) -> None:
    seat = decision.seat
    assert seat is not None
    declined = WIN in decision.options and act is not WIN
    story.add(ev.Answered(seat, act, declined))
    if declined:
        story.add(ev.Marked(seat, "lock", True, private=True))
    if story.state.window.kind != "answers":
        _resolve(story)
    elif None not in story.state.window.answers:
        story.add(ev.AnswersRevealed("sit_pull", tuple([a.choice for a in story.state.window.answers])))
        story.add(ev.DiceRolled(story.state.table.facts.dealer, (1, 2), "break"))
        _deal(story)


def _draw(story: EntryBuilder[ToyState], seat: int, replacement: bool) -> None:
    state = story.state
    if not state.table.left:
        return _exhausted(story)
    tile = state.wall[state.drawn]
    story.add(ev.TileDrawn(seat, "head", replacement, state.table.left - 1, tile))
    if state.table.mark("lock", seat):
        story.add(ev.Marked(seat, "lock", None, private=True))
    return None


def _turn(story: EntryBuilder[ToyState], seat: int, act: Action) -> None:
    table = story.state.table
    match act.verb:
        case "win":
            payers = others_after(seat, table.facts.players)
            _win(story, (seat,), table.seats[seat].drawn, "draw", None, {seat: payers})
        case "cover":
            (tile,) = act.tiles
            number = len(table.seats[seat].melds)
            story.add(ev.MeldMade(seat, number, "cover", 3, "own", face_down=True, tiles=(tile,) * 3))
        case "extend":
            (tile,) = act.tiles
            number = next(n for n, m in enumerate(table.seats[seat].melds) if m.kind == "pong" and m.tiles[0] == tile)
            story.add(ev.TileLaid(seat, number, tile, "kong_added"))
        case _:
            story.add(ev.TileDiscarded(seat, act.tiles[0]))


def _resolve(story: EntryBuilder[ToyState]) -> None:
    """Settle the window when the hold is over and no open answer can still matter."""
    state = story.state
    window, table = state.window, state.table
    if not window.held or still_asked(window, _window_offers(state), rank, True):
        return None
    winners = takers(window, rank, True)
    if not winners:
        if window.kind == "discard":
            return _draw(story, (window.seat + 1) % table.facts.players, False)
        return _extend(story, window)
    if winners[0][1].verb == "win":
        seats = tuple([seat for seat, _ in winners])
        if window.kind == "rob":
            story.add(ev.TileRobbed(window.seat, window.tile, seats, "win"))
        origin: ev.Origin = "rob_kong" if window.kind == "rob" else "discard"
        return _win(story, seats, window.tile, origin, window.seat, dict.fromkeys(seats, (window.seat,)))
    seat, act = winners[0]
    return _claim(story, window, seat, act)


def _claim(story: EntryBuilder[ToyState], window: Window, seat: int, act: Action) -> None:
    table, base, tile = story.state.table, story.state.rules.base, window.tile
    assert tile is not None
    if act.verb == "pong":
        number = len(table.seats[seat].melds)
        story.add(
            ev.MeldMade(seat, number, "pong", 3, "row", window.seat, tile, tiles=(tile,) * 3),
            ev.PointsMoved((Line("pong", "TOY-5", window.seat, seat, base),)),
        )
        return None
    number = next(n for n, m in enumerate(table.seats[seat].melds) if m.kind == "cover" and m.tiles[0] == tile)
    story.add(
        ev.MeldExtended(seat, number, "kong_exposed", 4, tile, "row", (tile,) * 4, window.seat),
        ev.PointsMoved((Line("kong", "TOY-6", window.seat, seat, 4 * base, (("kong", 4),)),)),
    )
    return _draw(story, seat, True)


def _extend(story: EntryBuilder[ToyState], window: Window) -> None:
    laid = story.state.table.laid
    assert laid is not None
    story.add(ev.MeldExtended(laid.seat, laid.meld, "kong_added", 4, laid.tile, "laid", (laid.tile,) * 4))
    return _draw(story, laid.seat, True)


def _win(
    story: EntryBuilder[ToyState], seats: tuple[int, ...], tile: Tile | None, origin: ev.Origin, source: int | None,
    payers: Mapping[int, tuple[int, ...]],
) -> None:  # fmt: skip
    points = story.state.rules.base * (4 if story.state.rules.price == "high" else 2)
    for seat in seats:
        story.add(ev.Won(seat, tile, origin, source, points, ev.Reading((("set", 2),), points, ("1s1s1s",))))
    lines = [Line("win", "TOY-7", payer, seat, points, (("set", points),)) for seat in seats for payer in payers[seat]]
    story.add(ev.PointsMoved(tuple(lines)))
    _end(story, "won", seats, seats[0])


def _exhausted(story: EntryBuilder[ToyState]) -> None:
    _end(story, "exhausted", (), story.state.table.facts.dealer)


def _cover_lines(state: ToyState) -> tuple[Line, ...]:
    """A cover is paid at the end only: its amount (2 for numbers, 6 for honours) would tell its class."""
    players = state.table.facts.players
    return tuple(
        [
            Line("cover", "TOY-8", payer, seat, 6 if meld.tiles[0][1] == "z" else 2)
            for seat, tiles in enumerate(state.table.seats)
            for meld in tiles.melds
            if meld.kind == "cover"
            for payer in others_after(seat, players)
        ]
    )


def _end(story: EntryBuilder[ToyState], outcome: ev.Outcome, winners: tuple[int, ...], next_dealer: int) -> None:
    state: ToyState = story.state
    if outcome != "void":
        story.add(reveal(state.table, tuple([_waits(tiles.hand or 0) for tiles in state.table.seats])))
        story.book(_cover_lines(state))
    story.add(ev.RoundEnded(outcome, winners, next_dealer, state.seed, state.wall))


def _waits(hand: Hand) -> tuple[Tile, ...] | None:
    found = waits(hand, KINDS)
    return found or None


def facts(state: ToyState) -> Facts:
    """Dealer and outcome."""
    points = net(state.table.lines, state.table.facts.players)
    return Facts({"dealer": state.table.facts.dealer}, tuple([{"points": of_seat} for of_seat in points]))


def advise(view: TableState, seat: int) -> tuple[Hint, ...]:
    """Waits of the standing hand."""
    hand = view.seats[seat].hand or 0
    found = waits(hand, KINDS)
    return (Hint(None, tuple([Wait(kind, 4 - count(hand, kind), 4, 4) for kind in found])),) if found else ()


TOY: Variant[ToyState] = Variant(META, parse_rules, start, decisions, decide, evolve, facts, score, advise)


def setup_of(hands: tuple[str, ...], rest: str, *, dealer: int = 0, **options: object) -> Setup:
    """A constructed round: `hands` by seat from the dealer on as tile pairs (`1s1s…`), then the rest of the wall."""
    text = "".join(hands) + rest
    wall = tuple([text[at : at + 2] for at in range(0, len(text), 2)])
    rules = parse_rules({"secret": False, **options})
    return Setup(rules, len(hands), dealer, wall, (1, 2), 0, "", "", ("",) * len(hands))
