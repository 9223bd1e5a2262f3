"""The state of a round of 贵州捉鸡 and its fold: the table, plus what the table does not show.

`evolve` is total and judges nothing: every event is complete. The open state (melds and their
sources, 报听, weekday, tiles left, 冲锋 and 责任 marks, own discards) is read from there (GZ-18.2, GZ-18.4).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

from app.kernel import events as ev
from app.kernel.immutable import immutable
from app.kernel.play.claims import Window, evolve_window, open_window
from app.kernel.shapes.counts import EMPTY, count
from app.kernel.table import TableState, evolve_table
from app.kernel.tiles import Tile
from app.variants.guizhou.offers import Position, closed_windows
from app.variants.guizhou.rules import Rules, rules_of
from app.variants.guizhou.scoring import FirstCopy

WEEKDAY: Final = "weekday"
DECLARED: Final = "declared_ready"
CHARGE: Final = "charge"
DUTY: Final = "duty"
"""Marks. `charge` and `duty` hold one (kind, discarder, claimants) for each default kind decided so."""

Late = tuple[tuple[Tile, ...], ...]
"""By seat: kinds held four times whose window has closed (GZ-7.2, GZ-7.3)."""


@immutable
class GuizhouState:
    """One round. `wall`: all 72 tiles in drawing order; the next one is `wall[-left]`.

    `heated`: the player in turn formed a kong onto a 碰 since its last discard. `hot`: the open discard is a hot one
    (热炮, GZ-12.6). `replaced`: the tile drawn last is a replacement (GZ-12.3). `window`: open after a discard or a
    laid tile, which are two different things (GZ-18.5).
    """

    table: TableState
    rules: Rules
    wall: tuple[Tile, ...]
    seed: str
    late: Late
    heated: bool
    hot: bool
    replaced: bool
    window: Window | None


def evolve(state: GuizhouState | None, event: ev.Event) -> GuizhouState:
    """Apply one event. Raises InvariantViolation when the first event is not `RoundStarted`."""
    if state is None:
        return _started(evolve_table(None, event), cast(ev.RoundStarted, event))
    if type(event) is ev.Answered or type(event) is ev.HoldEnded:
        return _waiting(state, event)
    table = evolve_table(state.table, event)
    move = _EVOLVE.get(type(event))
    if move is None:
        return _with_table(state, table)
    return move(state, table, event)


def _started(table: TableState, e: ev.RoundStarted) -> GuizhouState:
    return GuizhouState(
        table, rules_of(table), e.wall or (), e.seed or "", ((),) * e.players, False, False, False, None
    )


def _with_table(s: GuizhouState, table: TableState) -> GuizhouState:
    return GuizhouState(table, s.rules, s.wall, s.seed, s.late, s.heated, s.hot, s.replaced, s.window)


def _waiting(s: GuizhouState, e: ev.Answered | ev.HoldEnded) -> GuizhouState:
    window = None if s.window is None else evolve_window(s.window, e)
    return GuizhouState(s.table, s.rules, s.wall, s.seed, s.late, s.heated, s.hot, s.replaced, window)


def _put(late: Late, seat: int, kinds: tuple[Tile, ...]) -> Late:
    return late if late[seat] == kinds else (*late[:seat], kinds, *late[seat + 1 :])


def _drawn(s: GuizhouState, table: TableState, e: ev.TileDrawn) -> GuizhouState:
    return GuizhouState(table, s.rules, s.wall, s.seed, s.late, s.heated, False, e.replacement, None)


def _discarded(s: GuizhouState, table: TableState, e: ev.TileDiscarded) -> GuizhouState:
    seat = table.seats[e.seat]
    late = _put(s.late, e.seat, closed_windows(seat.hand or EMPTY, seat.melds))
    window = open_window("discard", e.seat, e.tile, table.facts.players)
    return GuizhouState(table, s.rules, s.wall, s.seed, late, False, s.heated, False, window)


def _laid(s: GuizhouState, table: TableState, e: ev.TileLaid) -> GuizhouState:
    window = open_window("rob", e.seat, e.tile, table.facts.players)
    return GuizhouState(table, s.rules, s.wall, s.seed, s.late, s.heated, False, s.replaced, window)


def _melded(s: GuizhouState, table: TableState, e: ev.MeldMade) -> GuizhouState:
    late = s.late
    if e.kind == "pong" and e.taken is not None and count(table.seats[e.seat].hand or EMPTY, e.taken):
        late = _put(late, e.seat, (*late[e.seat], e.taken))
    return GuizhouState(table, s.rules, s.wall, s.seed, late, s.heated, False, False, None)


def _extended(s: GuizhouState, table: TableState, e: ev.MeldExtended) -> GuizhouState:
    return GuizhouState(table, s.rules, s.wall, s.seed, s.late, True, False, False, None)


def _closed(s: GuizhouState, table: TableState, e: ev.Event) -> GuizhouState:
    return GuizhouState(table, s.rules, s.wall, s.seed, s.late, s.heated, s.hot, s.replaced, None)


_EVOLVE: Final[dict[type[Any], Callable[[GuizhouState, TableState, Any], GuizhouState]]] = {
    ev.TileDrawn: _drawn,
    ev.TileDiscarded: _discarded,
    ev.TileLaid: _laid,
    ev.MeldMade: _melded,
    ev.MeldExtended: _extended,
    ev.Won: _closed,
    ev.RoundEnded: _closed,
}
"""The fields beside the table after an event; all other events leave them alone."""


def next_tile(state: GuizhouState) -> Tile:
    """The front tile of the wall: every draw, replacement and flip takes it (GZ-3.3)."""
    return state.wall[-state.table.left]


def own_discards(table: TableState, seat: int) -> int:
    """All discards of a seat in this round, claimed ones included (GZ-18.3); public, so views may be asked too."""
    claimed = [
        meld
        for place, other in enumerate(table.seats)
        if place != seat
        for meld in other.melds
        if meld.source_seat == seat
    ]
    return len(table.seats[seat].row) + len(claimed)


def declared(table: TableState, seat: int) -> bool:
    """The seat has declared 报听 (GZ-10.1)."""
    return table.mark(DECLARED, seat) is True


def position_of(table: TableState, seat: int, late: tuple[Tile, ...]) -> Position:
    """A seat in its own eyes, from the table or from that seat's own view."""
    own = table.seats[seat]
    return Position(
        own.hand or EMPTY,
        own.melds,
        own.drawn,
        table.facts.dealer == seat,
        declared(table, seat),
        own_discards(table, seat),
        table.left,
        late,
    )


def decided_firsts(table: TableState) -> tuple[FirstCopy, ...]:
    """First copies of default kinds whose fate is fixed: 冲锋 (no claimants) and 责任 (GZ-14.2, GZ-18.1)."""
    return tuple(
        [
            FirstCopy(kind, seat, claimants)
            for name in (CHARGE, DUTY)
            for kind, seat, claimants in cast(tuple[tuple[Tile, int, tuple[int, ...]], ...], table.mark(name) or ())
        ]
    )
