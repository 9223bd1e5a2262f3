"""One entry in the making: the events of a command, folded as they are added, so that each is judged on those before.

The mechanic only. Which events follow from a command is a variant's business; nothing is stored or sent here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic

from app.kernel.errors import InvariantViolation
from app.kernel.events import Event, PointsMoved
from app.kernel.ledger import Line
from app.kernel.variant import S, Step


class EntryBuilder(Generic[S]):
    """Begins at `state` (None: before the first event of a round) and folds by the variant's own `evolve`."""

    def __init__(self, evolve: Callable[[S | None, Event], S], state: S | None) -> None:
        self._evolve = evolve
        self._state = state
        self._events: list[Event] = []

    @property
    def state(self) -> S:
        """The state after the events so far. Raises InvariantViolation before the first event of a round."""
        if self._state is None:
            raise InvariantViolation("no event yet")
        return self._state

    def add(self, *events: Event) -> None:
        """Append events in order, each folded before the next."""
        for event in events:
            self._state = self._evolve(self._state, event)
            self._events.append(event)

    def book(self, lines: tuple[Line, ...]) -> None:
        """Move points now; no event when there is nothing to move."""
        if lines:
            self.add(PointsMoved(lines))

    def step(self) -> Step[S]:
        """The finished entry."""
        return Step(tuple(self._events), self.state)
