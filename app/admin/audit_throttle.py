"""How often this process turned each address away lately: for the audit log, and against guessed tokens."""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime
from typing import Final

from app.refusal import ErrorCode, Refusal


class AuditThrottle:
    """How often each address was turned away in the running minute, so that nobody can fill the log.

    The first `EACH` calls are logged one by one; of more only the 64th, 128th, 256th …, each with its number.
    """

    EACH: Final = 60
    _ADDRESSES: Final = 10_000

    def __init__(self) -> None:
        self._seen: OrderedDict[str, tuple[datetime, int]] = OrderedDict()

    def logged(self, address: str, now: datetime) -> int | None:
        """Count a call. Returns its number when it belongs into the log, else None."""
        minute = _minute(now)
        began, number = self._seen.pop(address, (minute, 0))
        number = number + 1 if began == minute else 1
        self._seen[address] = (minute, number)
        if len(self._seen) > self._ADDRESSES:
            self._seen.popitem(last=False)
        return number if number <= self.EACH or number & (number - 1) == 0 else None


class TokenGuesses:
    """Wrong operators' tokens of each address in the running minute; after `MOST` no further one is looked up."""

    MOST: Final = 20
    _ADDRESSES: Final = 10_000

    def __init__(self) -> None:
        self._seen: OrderedDict[str, tuple[datetime, int]] = OrderedDict()

    def refuse_more(self, address: str, now: datetime) -> None:
        """Raises Refusal rate_limited when this address has guessed too often in this minute."""
        began, number = self._seen.get(address, (now, 0))
        if began == _minute(now) and number >= self.MOST:
            raise Refusal(ErrorCode.RATE_LIMITED, "too many wrong tokens; wait a minute")

    def count(self, address: str, now: datetime) -> None:
        """A wrong token came from this address."""
        began, number = self._seen.pop(address, (_minute(now), 0))
        self._seen[address] = (_minute(now), number + 1 if began == _minute(now) else 1)
        if len(self._seen) > self._ADDRESSES:
            self._seen.popitem(last=False)


def _minute(now: datetime) -> datetime:
    return now.replace(second=0, microsecond=0)
