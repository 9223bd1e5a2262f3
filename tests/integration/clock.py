"""The event loop's clock, which a test can push forward: half an hour in no time, one deadline after another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from app.tables import asks
from app.tables.clocks.clock import LoopClock
from app.tables.registry import Registry


class _Call:
    def __init__(self, due: float, callback: Callable[[], None]) -> None:
        self.due = due
        self.callback = callback
        self.handle: asyncio.TimerHandle | None = None

    def cancel(self) -> None:
        if self.handle is not None:
            self.handle.cancel()
            self.handle = None


class LeapingClock(LoopClock):
    """Real time, plus what was leapt over."""

    def __init__(self) -> None:
        self._leapt = 0.0
        self._calls: set[_Call] = set()

    def monotonic(self) -> float:
        return super().monotonic() + self._leapt

    def call_later(self, delay_s: float, callback: Callable[[], None]) -> _Call:
        call = _Call(self.monotonic() + delay_s, callback)
        self._arm(call)
        self._calls.add(call)
        return call

    def _arm(self, call: _Call) -> None:
        call.handle = asyncio.get_running_loop().call_later(call.due - self.monotonic(), self._fire, call)

    def _fire(self, call: _Call) -> None:
        self._calls.discard(call)
        call.handle = None
        call.callback()

    async def leap(self, seconds: float, registry: Registry) -> None:
        """Let time pass; each clock that runs out on the way is handled by its table in its moment."""
        until = self.monotonic() + seconds
        while True:
            self._calls = {call for call in self._calls if call.handle is not None}
            due = min([call.due for call in self._calls if call.due <= until], default=until)
            self._leapt += max(0.0, due - self.monotonic())
            for call in list(self._calls):
                if call.due <= due:
                    call.cancel()
                    self._fire(call)
                else:
                    call.cancel()
                    self._arm(call)
            for _ in range(3):  # orders go before what waits: after the second one that is done too
                await asyncio.gather(*[table.operate(asks.OrderAnnounce("tick")) for table in registry.tables()])
            if due >= until:
                return
