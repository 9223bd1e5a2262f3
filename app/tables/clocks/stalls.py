"""Notices waits for the store that take too long: one timer for all waits of a node, instead of one for each."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from app.tables.clocks.deadlines import STALL_S
from app.tables.clocks.timing import Timing
from app.tables.ports import Clock


class StallWatch:
    """Every wait is begun and ended; one that lasts `STALL_S` calls `slow` once."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._numbers = itertools.count()
        self._waits: dict[int, tuple[float, Callable[[], None]]] = {}
        """Those that are not late yet, in the order in which they will be."""
        self._looking = False
        self.waits = Timing()
        """How long the waits took that are over; one that became a stall counts as `STALL_S`."""

    def begin(self, slow: Callable[[], None]) -> int:
        """A wait begins. Returns its number."""
        number = next(self._numbers)
        self._waits[number] = (self._clock.monotonic() + STALL_S, slow)
        if not self._looking:
            self._looking = True
            self._clock.call_later(STALL_S, self._look)
        return number

    def end(self, number: int) -> bool:
        """The wait is over. True: it was a stall."""
        wait = self._waits.pop(number, None)
        self.waits.add(STALL_S if wait is None else self._clock.monotonic() - wait[0] + STALL_S)
        return wait is None

    def _look(self) -> None:
        now = self._clock.monotonic()
        for number, (due, slow) in list(self._waits.items()):
            if due > now:
                break
            del self._waits[number]
            slow()
        self._looking = bool(self._waits)
        if self._looking:
            due, _ = next(iter(self._waits.values()))
            self._clock.call_later(due - now, self._look)
