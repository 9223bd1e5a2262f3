"""Rate limits of one socket: buckets that refill. Generous to people, even hasty ones; firm with floods.

Excess requests are answered by an error. Excess frames of any kind, by number or bytes, close the socket: reading them
costs time before their kind is known.
"""

from __future__ import annotations

import math
from typing import Final

PER_S: Final = 20.0
BURST: Final = 80.0
"""An honest burst: a client that comes back and asks everything at once, or taps through a settlement."""
FAULTS: Final = 60
"""Requests too many, or unreadable, before a socket is closed for good."""
FRAMES_PER_S: Final = 40.0
FRAMES_BURST: Final = 300.0
"""Frames of all kinds: requests, their fragments, pings, pongs."""
BYTES_PER_S: Final = 64.0 * 1024
BYTES_BURST: Final = 512.0 * 1024


class Bucket:
    """Holds at most `burst` and refills by `per_s` a second. `now` is monotonic seconds."""

    __slots__ = ("_burst", "_left", "_per_s", "_since")

    def __init__(self, now: float, per_s: float, burst: float) -> None:
        self._per_s = per_s
        self._burst = burst
        self._left = burst
        self._since = now

    def left_s(self) -> float:
        """Seconds until there is one again, counted from the last `take`."""
        return max(0.0, (1.0 - self._left) / self._per_s)

    def take(self, now: float, amount: float = 1.0) -> bool:
        """Take `amount`. False, and nothing is taken: there is not enough in it."""
        self._left = min(self._burst, self._left + (now - self._since) * self._per_s)
        self._since = now
        if self._left < amount:
            return False
        self._left -= amount
        return True


class TokenBucket:
    """Requests of one socket, and its faults: one a second is forgiven. `now` is monotonic seconds."""

    __slots__ = ("_faults", "_requests", "_since")

    def __init__(self, now: float) -> None:
        self._requests = Bucket(now, PER_S, BURST)
        self._since = now
        self._faults = 0.0

    def take(self, now: float) -> bool:
        """One request: may it be served?"""
        self._faults = max(0.0, self._faults - (now - self._since))
        self._since = now
        return self._requests.take(now)

    def left_ms(self) -> int:
        """After how many milliseconds a request that was refused may be repeated."""
        return math.ceil(self._requests.left_s() * 1000)

    def fault(self) -> bool:
        """One more frame that should not have been sent: has it become abuse?"""
        self._faults += 1
        return self._faults > FAULTS


class FrameAllowance:
    """The limits of one socket, counted before and after parsing."""

    __slots__ = ("_bytes", "_frames")

    def __init__(self, now: float) -> None:
        self._bytes = Bucket(now, BYTES_PER_S, BYTES_BURST)
        self._frames = Bucket(now, FRAMES_PER_S, FRAMES_BURST)

    def take_bytes(self, now: float, count: int) -> bool:
        """Count bytes received; False: they must not be parsed."""
        return self._bytes.take(now, count)

    def take_frames(self, now: float, count: int) -> bool:
        """Count whole frames parsed; False: they must not be handled."""
        return count == 0 or self._frames.take(now, count)
