"""Real time and real chance: the event loop's clock and the operating system's randomness. Tests bring their own.

Also `Timers`: named clocks that only post a message when they run out and can all be started afresh. No game logic.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from app.tables.ports import Cancel, Clock


class LoopClock:
    """The running event loop's monotonic clock."""

    def monotonic(self) -> float:
        """Seconds, never stepping."""
        return asyncio.get_running_loop().time()

    def wall_ms(self) -> int:
        """Milliseconds since 1970; only written down, never compared."""
        return time.time_ns() // 1_000_000

    def call_later(self, delay_s: float, callback: Callable[[], None]) -> Cancel:
        """One call; the loop keeps the only reference it needs (the handle is kept by whoever may cancel)."""
        return asyncio.get_running_loop().call_later(delay_s, callback)


class SystemEntropy:
    """`secrets`."""

    def seed(self) -> str:
        """32 bytes as hex."""
        return secrets.token_hex(32)

    def nonce(self) -> str:
        """16 bytes as hex."""
        return secrets.token_hex(16)

    def word(self) -> int:
        """64 bits."""
        return secrets.randbits(64)


@dataclass(slots=True)
class Running:
    """One armed clock. `generation` is new with every start: a message of an older start is stale."""

    total_s: float
    ends: float
    generation: int
    handle: Cancel | None


class Timers:
    """Named clocks of one table. Running out posts `(name, generation, planned)` and does nothing else."""

    def __init__(self, clock: Clock, post: Callable[[str, int, float], None]) -> None:
        self._clock = clock
        self._post = post
        self._running: dict[str, Running] = {}
        self._generation = 0

    def start(self, name: str, total_s: float, wait_s: float = 0.0) -> None:
        """(Re)start a clock of `total_s` that begins after `wait_s`; one of no length at all posts at once."""
        self.stop(name)
        self._generation += 1
        generation = self._generation
        delay = wait_s + total_s
        ends = self._clock.monotonic() + delay
        if delay <= 0:
            self._running[name] = Running(total_s, ends, generation, None)
            self._post(name, generation, ends)
            return
        handle = self._clock.call_later(delay, lambda: self._post(name, generation, ends))
        self._running[name] = Running(total_s, ends, generation, handle)

    def stop(self, name: str) -> None:
        """Forget a clock; harmless when it does not run."""
        running = self._running.pop(name, None)
        if running is not None and running.handle is not None:
            running.handle.cancel()

    def stop_all(self) -> None:
        """Forget all."""
        for name in list(self._running):
            self.stop(name)

    def take(self, name: str, generation: int) -> bool:
        """A message arrived: whether it is of the clock that runs now. Then the clock is used up."""
        running = self._running.get(name)
        if running is None or running.generation != generation:
            return False
        self.stop(name)
        return True

    def names(self) -> tuple[str, ...]:
        """What runs."""
        return tuple(self._running)

    def total_ms(self, name: str) -> int | None:
        """Full length in milliseconds; None when it does not run."""
        running = self._running.get(name)
        return None if running is None else round(running.total_s * 1000)

    def left_ms(self, name: str) -> int | None:
        """What is left, at most the full length, at least 0; None when it does not run."""
        running = self._running.get(name)
        if running is None:
            return None
        left = min(running.ends - self._clock.monotonic(), running.total_s)
        return max(0, round(left * 1000))
