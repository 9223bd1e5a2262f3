"""The state of a round of 大唐撸麻雀儿 and its fold: the table, plus what this game adds to it.

`evolve` is total and judges nothing: every event is complete.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

from app.kernel import events as ev
from app.kernel.errors import InvariantViolation
from app.kernel.immutable import immutable
from app.kernel.play.claims import Window, evolve_window, open_window
from app.kernel.table import TableState, evolve_table
from app.kernel.tiles import Tile
from app.variants.tangshan.offers import LOCK, Position, position_from
from app.variants.tangshan.rules import Rules, rules_of


@immutable
class TangshanState:
    """One round. `wall` is the whole wall in drawing order, whose last `table.left` tiles are still there.

    `window`: the open window (None: an own turn, or the round is over).
    `claimed`: the own turn follows a chow, pong or pair claim, so it is a discard and nothing else (TS-4.2).
    """

    table: TableState
    rules: Rules
    wall: tuple[Tile, ...]
    seed: str
    window: Window | None
    claimed: bool

    @property
    def next_tile(self) -> Tile:
        """The tile at the front of the wall (TS-1.6)."""
        return self.wall[len(self.wall) - self.table.left]


def evolve(state: TangshanState | None, event: ev.Event) -> TangshanState:
    """Apply one event. Raises InvariantViolation when a round does not begin with a whole `RoundStarted`."""
    if state is None:
        if type(event) is not ev.RoundStarted or event.wall is None or event.seed is None:
            raise InvariantViolation("a round starts with RoundStarted, wall and seed included")
        table = evolve_table(None, event)
        return TangshanState(table, rules_of(table), event.wall, event.seed, None, False)
    table = evolve_table(state.table, event)
    move = _EVOLVE.get(type(event))
    window, claimed = (state.window, state.claimed) if move is None else move(state, event)
    return TangshanState(table, state.rules, state.wall, state.seed, window, claimed)


_Own = tuple[Window | None, bool]


def _phase_began(state: TangshanState, event: ev.PhaseBegan) -> _Own:
    """The opening asks one seat after another; every step has its own hold (TS-3.1)."""
    if event.phase == "opening" and event.seat is not None:
        return open_window("opening", event.seat, None, state.rules.players), False
    return None, False


def _meld_made(state: TangshanState, event: ev.MeldMade) -> _Own:
    """In the opening the seat goes on with a new hold, so that no interval shows its options (TS-14.5)."""
    if state.table.phase == "opening":
        return open_window("opening", event.seat, None, state.rules.players), False
    return None, event.source != "own"


def _tile_drawn(state: TangshanState, event: ev.TileDrawn) -> _Own:
    return (state.window if state.table.phase == "opening" else None), False


def _discarded(state: TangshanState, event: ev.TileDiscarded) -> _Own:
    return open_window("discard", event.seat, event.tile, state.rules.players), False


def _laid(state: TangshanState, event: ev.TileLaid) -> _Own:
    return open_window("rob", event.seat, event.tile, state.rules.players), False


def _answered(state: TangshanState, event: ev.Answered | ev.HoldEnded) -> _Own:
    return (None if state.window is None else evolve_window(state.window, event)), state.claimed


def _closed(state: TangshanState, event: ev.Event) -> _Own:
    return None, False


_EVOLVE: Final[dict[type[Any], Callable[[TangshanState, Any], _Own]]] = {
    ev.PhaseBegan: _phase_began,
    ev.MeldMade: _meld_made,
    ev.MeldExtended: _closed,
    ev.TileDrawn: _tile_drawn,
    ev.TileDiscarded: _discarded,
    ev.TileLaid: _laid,
    ev.TileRobbed: _closed,
    ev.Answered: _answered,
    ev.HoldEnded: _answered,
    ev.Won: _closed,
    ev.RoundEnded: _closed,
}
"""The fields beside the table after an event; all other events leave them alone."""


def position_of(table: TableState, seat: int) -> Position:
    """The position of `seat` out of the table or out of its own view; raises TypeError when its hand is hidden."""
    place = table.seats[seat]
    if place.hand is None:
        raise TypeError(f"the hand of seat {seat} is hidden in this view")
    return position_from(place.hand, place.melds, cast(tuple[str, ...], table.mark(LOCK, seat) or ()))
