"""Counts the calls refused per address, so that nobody can fill the audit log."""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime
from typing import Final


class AuditThrottle:
    """The number of calls refused per address in the running minute, so that nobody can fill the log.

    The first `EACH` calls are logged one by one; after that only the 64th, 128th, 256th …, each with its number.
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


def _minute(now: datetime) -> datetime:
    return now.replace(second=0, microsecond=0)
