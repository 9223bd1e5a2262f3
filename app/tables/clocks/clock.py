"""Real time and real chance: the event loop's clock and the operating system's randomness. Tests bring their own.

Also `Timers`: named clocks that only post a message when they run out and can all be started afresh. No game logic.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Final

from app.tables.ports import Cancel, Clock

_EARLY_S: Final = 0.001
"""The loop's clock counts milliseconds: a timer may fire that much before its time."""


class LoopClock:
    """The running event loop's monotonic clock. It stays with the loop on which it is asked first."""

    _loop: asyncio.AbstractEventLoop | None = None

    def monotonic(self) -> float:
        """Seconds, never stepping."""
        return (self._loop or self._find()).time()

    def wall_ms(self) -> int:
        """Milliseconds since 1970; only written down, never compared."""
        return time.time_ns() // 1_000_000

    def call_later(self, delay_s: float, callback: Callable[[], None]) -> Cancel:
        """One call; the loop keeps the only reference it needs (only code that may cancel keeps the handle)."""
        return (self._loop or self._find()).call_later(delay_s, callback)

    def _find(self) -> asyncio.AbstractEventLoop:
        self._loop = asyncio.get_running_loop()
        return self._loop


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
    posted: bool = False


class Timers:
    """Named clocks of one table. Running out posts `(name, generation, planned)` and does nothing else.

    All of them share one timer of the loop, set for the earliest end there was: most clocks are stopped long before
    they run out, and stopping one costs no more than forgetting it.
    """

    def __init__(self, clock: Clock, post: Callable[[str, int, float], None]) -> None:
        self._clock = clock
        self._post = post
        self._running: dict[str, Running] = {}
        self._generation = 0
        self._timer: Cancel | None = None
        self._due = inf

    def start(self, name: str, total_s: float, wait_s: float = 0.0) -> None:
        """(Re)start a clock of `total_s` that begins after `wait_s`; one of no length at all posts at once."""
        self._generation += 1
        now, delay = self._clock.monotonic(), wait_s + total_s
        running = self._running[name] = Running(total_s, now + delay, self._generation)
        if delay <= 0:
            running.posted = True
            self._post(name, running.generation, running.ends)
        elif running.ends < self._due:
            self._wake_at(running.ends, delay)

    def stop(self, name: str) -> None:
        """Forget a clock; harmless when it does not run."""
        if self._running.pop(name, None) is not None and not self._running:
            self._rest()

    def stop_all(self) -> None:
        """Forget all."""
        self._running.clear()
        self._rest()

    def take(self, name: str, generation: int) -> bool:
        """A message arrived: whether it is of the clock that runs now. Then the clock is used up."""
        running = self._running.get(name)
        if running is None or running.generation != generation:
            return False
        self.stop(name)
        return True

    def names(self) -> tuple[str, ...]:
        """The running clocks."""
        return tuple(self._running)

    def runs(self, name: str) -> bool:
        """True while this clock runs."""
        return name in self._running

    def total_ms(self, name: str) -> int | None:
        """Full length in milliseconds; None when it does not run."""
        running = self._running.get(name)
        return None if running is None else round(running.total_s * 1000)

    def left_ms(self, name: str) -> int | None:
        """The time left, at most the full length, at least 0; None when it does not run."""
        running = self._running.get(name)
        if running is None:
            return None
        left = min(running.ends - self._clock.monotonic(), running.total_s)
        return max(0, round(left * 1000))

    def _wake_at(self, due: float, delay_s: float) -> None:
        self._rest()
        self._due = due
        self._timer = self._clock.call_later(delay_s, self._ran_out)

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._due = inf

    def _ran_out(self) -> None:
        """Post for every clock whose time is up, in the order of their ends; sleep until the next one's."""
        self._rest()
        now = self._clock.monotonic() + _EARLY_S
        waiting = sorted(
            [(running.ends, running.generation, name) for name, running in self._running.items() if not running.posted]
        )
        for ends, generation, name in waiting:
            if ends > now:
                self._wake_at(ends, ends - now + _EARLY_S)
                break
            self._running[name].posted = True
            self._post(name, generation, ends)
