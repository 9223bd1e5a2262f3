"""Which clocks of a table run: one per open decision, one per controller's move, those of the match. They only post.

Names: `d:{decision}` its time is up · `m:{decision}` a controller moves · `t:{key}` a match clock · `x:…` the table's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from app.kernel.decisions import Decision
from app.tables.clocks.clock import Timers
from app.tables.clocks.controllers import controller, pace_s
from app.tables.clocks.deadlines import GRACE_S, UNWRITTEN_S, grace, seconds
from app.tables.log.table_log import TableLog
from app.tables.match.timers import DESERTED_S, HELD_S, timers
from app.tables.ports import Clock

DESERTED: Final = "x:deserted"
BROKEN: Final = "x:broken"
EXPECTED: Final = "x:expected:"
"""A user follows: they want to return to a running match and hold their claim, but have not connected yet."""
CLAIMS: Final = "x:claims"
"""Time to look again whether everybody who is claimed for this table has a seat here."""
CLAIMS_S: Final = 60.0
BROKEN_S: Final = 600.0
"""A table that broke down and that no operator released is closed as failed."""


class TableTimers:
    """Keeps the running clocks equal to what the table's state asks for."""

    def __init__(self, clock: Clock, post: Callable[[str, int, float], None]) -> None:
        self.clocks = Timers(clock, post)
        self._unwritten: dict[str, float] = {}

    def arm(self, log: TableLog, afresh: bool) -> tuple[list[str], list[str]]:
        """Start what is new, stop what is gone; `afresh`: everything starts over with grace (our own outage).

        Returns the match clocks that started and those that were stopped.
        """
        wanted = {**self._decisions(log, afresh), **self._match(log, afresh)}
        stopped = [name for name in self.clocks.names() if name not in wanted and name[0] != "x"]
        for name in stopped:
            self._unwritten.pop(name, None)
            self.clocks.stop(name)
        running = () if afresh else self.clocks.names()
        started = [name for name in wanted if name not in running]
        for name in started:
            self._unwritten.pop(name, None)
            self.clocks.start(name, wanted[name])
        if afresh and DESERTED in self.clocks.names():
            self.clocks.start(DESERTED, DESERTED_S)
        return [name[2:] for name in started if name[0] == "t"], [name[2:] for name in stopped if name[0] == "t"]

    def _decisions(self, log: TableLog, afresh: bool) -> dict[str, float]:
        if log.match.frozen is not None or log.match.closed is not None:
            return {}
        settings, meta = log.match.spec.settings, log.variant.meta
        wanted: dict[str, float] = {}
        for decision in log.open:
            wanted[f"d:{decision.id}"] = seconds(decision, settings, meta) + (grace(decision) if afresh else 0.0)
            if decision.seat is not None and controller(log.match.seats[decision.seat], decision) is not None:
                wanted[f"m:{decision.id}"] = pace_s(settings)
        return wanted

    def _match(self, log: TableLog, afresh: bool) -> dict[str, float]:
        extra = GRACE_S if afresh else 0.0
        return {f"t:{key}": total + extra for key, total in timers(log.match, log.variant.meta).items()}

    def wait_for(self, decision: Decision) -> None:
        """The prompt could not be written yet: its clock starts when it is, 2 s from now at the latest."""
        name = f"d:{decision.id}"
        total = self.clocks.total_ms(name)
        if total is not None:
            self._unwritten[name] = total / 1000
            self.clocks.start(name, total / 1000, UNWRITTEN_S)

    def written(self, decision: Decision) -> None:
        """Now it was written."""
        name = f"d:{decision.id}"
        total = self._unwritten.pop(name, None)
        if total is not None and name in self.clocks.names():
            self.clocks.start(name, total)

    def deserted(self, on: bool) -> None:
        """Nobody is connected any more, or somebody is."""
        if not on:
            self.clocks.stop(DESERTED)
        elif DESERTED not in self.clocks.names():
            self.clocks.start(DESERTED, DESERTED_S)

    def expected(self, user: str, on: bool) -> None:
        """Somebody said that he returns, or he is here."""
        if on:
            self.clocks.start(EXPECTED + user, HELD_S)
        else:
            self.clocks.stop(EXPECTED + user)

    def look_at_claims_later(self) -> None:
        """In a while it is time to say again who belongs here."""
        self.clocks.start(CLAIMS, CLAIMS_S)

    def take(self, name: str, generation: int) -> bool:
        """A message arrived: whether it is of the clock that runs now. Then the clock is used up."""
        return self.clocks.take(name, generation)

    def stop_all(self) -> None:
        """Forget all."""
        self.clocks.stop_all()

    def awaited(self) -> list[str]:
        """Users who are expected."""
        return [name.removeprefix(EXPECTED) for name in self.clocks.names() if name.startswith(EXPECTED)]

    def broken(self) -> None:
        """Nothing runs any more but the time an operator has."""
        self.clocks.stop_all()
        self.clocks.start(BROKEN, BROKEN_S)

    def left_ms(self, decision: Decision) -> int | None:
        """Time left for an open decision."""
        return self.clocks.left_ms(f"d:{decision.id}")

    def total_ms(self, decision: Decision) -> int | None:
        """Full time of an open decision."""
        return self.clocks.total_ms(f"d:{decision.id}")

    def match_left_ms(self, key: str) -> int | None:
        """Time left on a match clock."""
        return self.clocks.left_ms(f"t:{key}")
