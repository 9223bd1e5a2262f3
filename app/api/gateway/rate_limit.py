"""How much one socket may ask: a bucket that refills. Generous to people, even hasty ones; firm with floods."""

from __future__ import annotations

from typing import Final

PER_S: Final = 20.0
BURST: Final = 80.0
"""An honest burst: a client that comes back and asks everything at once, or taps through a settlement."""
FAULTS: Final = 60
"""Requests too many, or unreadable, before a socket is closed for good."""


class TokenBucket:
    """Counts by time; `now` is monotonic seconds."""

    __slots__ = ("_faults", "_left", "_since")

    def __init__(self, now: float) -> None:
        self._left = BURST
        self._since = now
        self._faults = 0.0

    def take(self, now: float) -> bool:
        """One request: may it be served?"""
        passed, self._since = now - self._since, now
        self._left = min(BURST, self._left + passed * PER_S)
        self._faults = max(0.0, self._faults - passed)  # one fault a second is forgiven
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True

    def fault(self) -> bool:
        """One more frame that should not have been sent: has it become abuse?"""
        self._faults += 1
        return self._faults > FAULTS
