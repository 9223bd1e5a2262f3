"""The round of 贵州捉鸡 as a machine: who is asked what, and what an answer makes happen.

Rules of the house: judgement stands here, in `offers` and in `ending`; `evolve` (state.py) only moves. A discard or a
tile laid onto a 碰 ends its entry and opens a window with a hold, even when nobody can claim. All tiles come from the
front of the wall. Points move once, at the end.

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

Clauses: GZ-2, GZ-3, GZ-4, GZ-5, GZ-6, GZ-10.2–10.3, GZ-14.2–14.6 (marks), GZ-17.2, GZ-20.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from app.kernel import events as ev
from app.kernel.actions import PASS, WIN, Action, Verb
from app.kernel.claims import Window, still_asked, takers
from app.kernel.commands import Abort, Command
from app.kernel.decisions import Clock, Decision, answer, hold, question
from app.kernel.entry import Entry
from app.kernel.errors import InvariantViolation, Rejection
from app.kernel.melds import LateKind, MeldKind
from app.kernel.seats import next_seat, others_after, turn_order
from app.kernel.tiles import Tile, sort_tiles
from app.kernel.variant import Setup, Step, round_started
from app.variants.guizhou.chickens import default_kinds
from app.variants.guizhou.ending import claimed_win, exhausted_events, own_win, void_events, won_events
from app.variants.guizhou.offers import claim_options, claim_rank, rob_options, turn_default, turn_options
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

GuizhouStep = Step[GuizhouState]
Events = tuple[ev.Event, ...]

HAND_SIZE: Final = 13
_DAY_MS: Final = 86_400_000
_SHANGHAI_MS: Final = 8 * 3_600_000
"""Asia/Shanghai is UTC+8 all year round (GZ-13.4)."""
_EPOCH_WEEKDAY: Final = 3
"""1970-01-01 was a Thursday, counted from Monday 0."""


def weekday_of(dealt_at_ms: int) -> int:
    """The weekday in Asia/Shanghai, Monday 1 … Sunday 7, of a time in milliseconds since 1970 UTC (GZ-13.4)."""
    return ((dealt_at_ms + _SHANGHAI_MS) // _DAY_MS + _EPOCH_WEEKDAY) % 7 + 1


def start(setup: Setup) -> GuizhouStep:
    """Deal: 14 tiles to the dealer, 13 to the others, seat after seat from the front of the wall (GZ-3)."""
    order = turn_order(setup.dealer, setup.players)
    hands = [setup.wall[at * HAND_SIZE : (at + 1) * HAND_SIZE] for at in range(setup.players)]
    dealt = HAND_SIZE * setup.players + 1
    hands[0] = (*hands[0], setup.wall[dealt - 1])
    events: Events = (
        round_started(META, setup),
        *[ev.HandDealt(seat, len(hand), sort_tiles(hand)) for seat, hand in zip(order, hands, strict=True)],
        ev.Marked(None, WEEKDAY, weekday_of(setup.dealt_at_ms)),
        ev.PhaseBegan("turn", setup.dealer, len(setup.wall) - dealt),
    )
    return _step(None, events)


def decisions(state: GuizhouState) -> tuple[Decision, ...]:
    """Open questions: the seat in turn, or the seats of a window and its hold; each follows from what its seat sees."""
    if state.table.phase == "over":
        return ()
    if state.window is None:
        return (_turn_decision(state),)
    tick, offers = state.table.tick, _window_offers(state, state.window)
    asked = [
        question(tick, seat, "claim", offers[seat], PASS)
        for seat in still_asked(state.window, offers, claim_rank, several=True)
    ]
    return (*asked, *(() if state.window.held else (hold(tick),)))


def _turn_decision(state: GuizhouState) -> Decision:
    seat = state.table.turn
    if seat is None:
        raise InvariantViolation("nobody is in turn")
    position = position_of(state.table, seat, state.late[seat])
    clock: Clock = "forced" if position.declared else "turn"
    return question(state.table.tick, seat, clock, turn_options(position), turn_default(position))


def _window_offers(state: GuizhouState, window: Window) -> dict[int, tuple[Action, ...]]:
    """Who is asked in the window: seats with something to choose (GZ-5.1, GZ-7.8)."""
    assert window.tile is not None
    exempt = state.hot or declared(state.table, window.seat)
    offers: dict[int, tuple[Action, ...]] = {}
    for seat in others_after(window.seat, state.table.facts.players):
        position = position_of(state.table, seat, state.late[seat])
        if window.kind == "rob":
            options = rob_options(position, window.tile)
        else:
            options = claim_options(position, window.tile, exempt)
        if options:
            offers[seat] = options
    return offers


def decide(state: GuizhouState, open_: tuple[Decision, ...], command: Command) -> GuizhouStep | Rejection:
    """What a command makes happen, or why it is refused; `open_` is `decisions(state)`."""
    if isinstance(command, Abort):
        return _step(state, void_events(state)) if open_ else Rejection("round_over")
    answered = answer(open_, command)
    if isinstance(answered, Rejection):
        return answered
    decision, chosen = answered
    if state.window is None:
        if chosen is None or decision.seat is None:
            raise InvariantViolation("a turn has no hold")
        return _step(state, _TURN[chosen.verb](state, decision.seat, chosen))
    if decision.seat is None or chosen is None:
        return _continue_window(state, ev.HoldEnded())
    declined = WIN in decision.options and chosen != WIN
    return _continue_window(state, ev.Answered(decision.seat, chosen, declined))


def _step(state: GuizhouState | None, events: Events) -> GuizhouStep:
    entry = Entry(evolve, state)
    entry.add(*events)
    return entry.step()


def _discard(state: GuizhouState, seat: int, chosen: Action) -> Events:
    """A discard, with 报听 as one action: the mark stands before the tile (GZ-10.2)."""
    marks = (ev.Marked(seat, DECLARED, True),) if chosen.choice == "declare_ready" else ()
    return (*marks, ev.TileDiscarded(seat, chosen.tiles[0]))


def _kong(state: GuizhouState, seat: int, chosen: Action) -> Events:
    """闷豆 or concealed 憨包豆: face down, alike for others (GZ-19.3), then the replacement (GZ-4.4)."""
    tile = chosen.tiles[0]
    late: LateKind | None = "concealed" if chosen.choice == "kong_late" else None
    kind: MeldKind = "kong_late" if late else "kong_concealed"
    number = len(state.table.seats[seat].melds)
    meld = ev.MeldMade(seat, number, kind, 4, "own", face_down=True, tiles=(tile,) * 4, late_kind=late)
    return (meld, _draw(state, seat, replacement=True))


def _extend(state: GuizhouState, seat: int, chosen: Action) -> Events:
    """The fourth tile onto a 碰: it may be robbed before the kong exists (GZ-7.8)."""
    tile = chosen.tiles[0]
    kind: MeldKind = "kong_late" if chosen.choice == "kong_late" else "kong_added"
    number = [meld.kind == "pong" and meld.tiles[0] == tile for meld in state.table.seats[seat].melds].index(True)
    return (ev.TileLaid(seat, number, tile, kind),)


def _win(state: GuizhouState, seat: int, chosen: Action) -> Events:
    return won_events(state, own_win(state, seat))


_TURN: Final[dict[Verb, Callable[[GuizhouState, int, Action], Events]]] = {
    "discard": _discard,
    "kong": _kong,
    "extend": _extend,
    "win": _win,
}
"""What the seat in turn can do, by verb."""


def _draw(state: GuizhouState, seat: int, replacement: bool) -> ev.TileDrawn:
    return ev.TileDrawn(seat, "head", replacement, state.table.left - 1, next_tile(state))


def _continue_window(state: GuizhouState, event: ev.Answered | ev.HoldEnded) -> GuizhouStep:
    """Note the answer or the end of the hold; when the hold is over and no open answer can matter, resolve (GZ-5.2)."""
    entry = Entry(evolve, state)
    entry.add(event)
    waiting, window = entry.state, entry.state.window
    assert window is not None
    if window.held and not still_asked(window, _window_offers(waiting, window), claim_rank, several=True):
        resolve = _resolve_rob if window.kind == "rob" else _resolve_discard
        entry.add(*resolve(waiting, window))
    return entry.step()


def _resolve_rob(state: GuizhouState, window: Window) -> Events:
    """抢杠胡, or the kong forms and is replaced (GZ-7.8, 7.9)."""
    laid = state.table.laid
    if laid is None:
        raise InvariantViolation("no tile is laid")
    seats = tuple([seat for seat, _ in takers(window, claim_rank, several=True)])
    if seats:
        win = claimed_win(state, seats, laid.tile, laid.seat, robbed=True)
        return (ev.TileRobbed(laid.seat, laid.tile, seats, "win"), *won_events(state, win))
    late: LateKind | None = "added" if laid.kind == "kong_late" else None
    tiles = (laid.tile,) * 4
    meld = ev.MeldExtended(laid.seat, laid.meld, laid.kind, 4, laid.tile, "laid", tiles, late_kind=late)
    return (meld, _draw(state, laid.seat, replacement=True))


def _resolve_discard(state: GuizhouState, window: Window) -> Events:
    """The outcome of a discard: winners together, else one 碰 or 点豆, else the next seat draws (GZ-5.3, 4.5)."""
    tile = window.tile
    assert tile is not None
    claims = takers(window, claim_rank, several=True)
    seats = tuple([seat for seat, _ in claims])
    mark = _first_copy_mark(state, tile, window.seat, seats)
    if not claims:
        if not state.table.left:
            return (*mark, *exhausted_events(state))
        return (*mark, _draw(state, next_seat(window.seat, state.table.facts.players), replacement=False))
    taker, claim = claims[0]
    if claim == WIN:
        marked = _step(state, mark).state if mark else state
        return (*mark, *won_events(marked, claimed_win(state, seats, tile, window.seat, robbed=False)))
    kind: MeldKind = "pong" if claim.verb == "pong" else "kong_exposed"
    size = 3 if kind == "pong" else 4
    number = len(state.table.seats[taker].melds)
    meld = ev.MeldMade(taker, number, kind, size, "row", window.seat, tile, tiles=(tile,) * size)
    draw = () if kind == "pong" else (_draw(state, taker, replacement=True),)
    return (meld, *mark, *draw)


def _first_copy_mark(state: GuizhouState, tile: Tile, seat: int, claimants: tuple[int, ...]) -> Events:
    """冲锋 or 责任: fixed with the first discarded copy of each default kind, never reopened (GZ-14.2–14.6)."""
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
