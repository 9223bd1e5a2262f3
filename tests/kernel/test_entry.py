"""An entry in the making: every event is folded before the next is judged, and the step is what was folded."""

from dataclasses import dataclass

import pytest

from app.kernel import events as ev
from app.kernel.errors import InvariantViolation
from app.kernel.ledger import Line
from app.kernel.play.entry import EntryBuilder
from app.kernel.table import TableState, evolve_table

STARTED = ev.RoundStarted("toy", (), 1, 2, 0, 5, "c0ffee", ("", ""), ("1m", "2m"), (), "5eed")
LINES = (Line("pong", "X-1", 0, 1, 2),)


@dataclass(frozen=True)
class State:
    """A table and nothing else."""

    table: TableState


def evolve(state: State | None, event: ev.Event) -> State:
    """The kernel's fold."""
    return State(evolve_table(state.table if state else None, event))


def test_events_are_folded_in_order() -> None:
    entry = EntryBuilder(evolve, None)
    entry.add(STARTED, ev.PhaseBegan("turn", 1, 7))
    assert entry.state.table.turn == 1 and entry.state.table.left == 7
    entry.add(ev.TileFlipped("flip", "1m", 6))
    step = entry.step()
    assert step.events == (STARTED, ev.PhaseBegan("turn", 1, 7), ev.TileFlipped("flip", "1m", 6))
    assert step.state is entry.state and step.state.table.left == 6


def test_points_are_booked_only_when_some_move() -> None:
    entry = EntryBuilder(evolve, evolve(None, STARTED))
    entry.book(())
    assert entry.step().events == ()
    entry.book(LINES)
    assert entry.step().events == (ev.PointsMoved(LINES),) and entry.state.table.points == (-2, 2)


def test_before_the_first_event_there_is_no_state() -> None:
    with pytest.raises(InvariantViolation):
        EntryBuilder(evolve, None).step()
