"""Which clocks of a table run: one per open decision, one per controller's move, those of the match. They only post.

Names: `d:{decision}` its time is up · `m:{decision}` a controller moves · `t:{key}` a match clock · `x:…` the table's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from app.kernel.play.decisions import Decision
from app.tables.clocks.clock import Timers
from app.tables.clocks.controllers import controller, pace_s
from app.tables.clocks.deadlines import GRACE_S, UNWRITTEN_S, grace, seconds
from app.tables.log.table_log import TableLog
from app.tables.match.state import MatchState
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
        self._asked: tuple[str, ...] = ()
        """Names of the clocks of open decisions."""
        self._armed_for: MatchState | None = None

    def arm(self, log: TableLog, afresh: bool) -> tuple[list[str], list[str]]:
        """Start new clocks, stop those that are gone; `afresh`: everything starts over with grace (our own outage).

        Returns the match clocks that started and those that were stopped.
        """
        self._arm_decisions(log, afresh)
        if log.match is self._armed_for and not afresh:
            return [], []
        self._armed_for = log.match
        changed = self._arm_match(log, afresh)
        if afresh and self.clocks.runs(DESERTED):
            self.clocks.start(DESERTED, DESERTED_S)
        return changed

    def _arm_decisions(self, log: TableLog, afresh: bool) -> None:
        wanted = self._of_decisions(log, afresh)
        for name in self._asked:
            if name not in wanted:
                self._unwritten.pop(name, None)
                self.clocks.stop(name)
        for name, total_s in wanted.items():
            if afresh or not self.clocks.runs(name):
                self._unwritten.pop(name, None)
                self.clocks.start(name, total_s)
        self._asked = tuple(wanted)

    def _of_decisions(self, log: TableLog, afresh: bool) -> dict[str, float]:
        match = log.match
        if match.frozen is not None or match.closed is not None:
            return {}
        settings, meta = match.spec.settings, log.variant.meta
        wanted: dict[str, float] = {}
        for decision in log.open:
            wanted[f"d:{decision.id}"] = seconds(decision, settings, meta) + (grace(decision) if afresh else 0.0)
            if decision.seat is not None and controller(match.seats[decision.seat], decision) is not None:
                wanted[f"m:{decision.id}"] = pace_s(settings)
        return wanted

    def _arm_match(self, log: TableLog, afresh: bool) -> tuple[list[str], list[str]]:
        extra = GRACE_S if afresh else 0.0
        wanted = {f"t:{key}": total + extra for key, total in timers(log.match, log.variant.meta).items()}
        stopped = [name for name in self.clocks.names() if name[0] == "t" and name not in wanted]
        for name in stopped:
            self.clocks.stop(name)
        started = [name for name in wanted if afresh or not self.clocks.runs(name)]
        for name in started:
            self.clocks.start(name, wanted[name])
        return [name[2:] for name in started], [name[2:] for name in stopped]

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
        if total is not None and self.clocks.runs(name):
            self.clocks.start(name, total)

    def deserted(self, on: bool) -> None:
        """The last connection closed, or a first one opened."""
        if not on:
            self.clocks.stop(DESERTED)
        elif not self.clocks.runs(DESERTED):
            self.clocks.start(DESERTED, DESERTED_S)

    def expected(self, user: str, on: bool) -> None:
        """A player announced their return, or has returned."""
        if on:
            self.clocks.start(EXPECTED + user, HELD_S)
        else:
            self.clocks.stop(EXPECTED + user)

    def look_at_claims_later(self) -> None:
        """In a while it is time to say again who belongs here."""
        self.clocks.start(CLAIMS, CLAIMS_S)

    def take(self, name: str, generation: int) -> bool:
        """A message arrived: whether it is of the clock that runs now. Then the clock is used up."""
        self._armed_for = None
        return self.clocks.take(name, generation)

    def stop_all(self) -> None:
        """Forget all."""
        self.clocks.stop_all()
        self._unwritten.clear()
        self._asked, self._armed_for = (), None

    def awaited(self) -> list[str]:
        """Users who are expected."""
        return [name.removeprefix(EXPECTED) for name in self.clocks.names() if name.startswith(EXPECTED)]

    def broken(self) -> None:
        """Nothing runs any more but the time an operator has."""
        self.stop_all()
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
