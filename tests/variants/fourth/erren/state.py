"""State of a round of 二人雀 and its fold. No judgement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from app.kernel import events as ev
from app.kernel.errors import InvariantViolation
from app.kernel.play.claims import Window, evolve_window, open_window
from app.kernel.table import TableState, evolve_table
from tests.variants.fourth.erren.rules import PLAYERS, Rules


@dataclass(frozen=True, slots=True)
class State:
    """`wall` is whole, its last `table.left` tiles are still there; `ponged`: the turn rests on a pong."""

    table: TableState
    rules: Rules
    wall: ev.Tiles
    seed: str
    window: Window | None
    ponged: bool


def evolve(state: State | None, event: ev.Event) -> State:
    """Apply one event. Raises InvariantViolation when a round does not begin with a whole `RoundStarted`."""
    if state is None:
        if type(event) is not ev.RoundStarted or event.wall is None or event.seed is None:
            raise InvariantViolation("a round starts with RoundStarted, wall and seed included")
        rules: dict[str, Any] = dict(event.rules)
        return State(evolve_table(None, event), Rules(**rules), event.wall, event.seed, None, False)
    window, ponged = state.window, state.ponged
    match event:
        case ev.TileDiscarded(seat, tile):
            window = open_window("discard", seat, tile, PLAYERS)
        case ev.Answered() | ev.HoldEnded() if window is not None:
            window = evolve_window(window, event)
        case ev.TileDrawn() | ev.MeldMade():
            window, ponged = None, isinstance(event, ev.MeldMade)
        case ev.RoundEnded():
            window = None
    return State(evolve_table(state.table, event), state.rules, state.wall, state.seed, window, ponged)
