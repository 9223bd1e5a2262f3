"""Logs a bug of ours, or a store that is away: the place, never the values, and a limited number of lines. The text of
an exception may quote the input (SQL drivers quote parameters), so only the type is logged of an exception that passed
through a driver. For each kind the first line of a minute is written, then the 2nd, 4th, 8th …, each with its number:
no client can fill the log.
"""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import Final

_FRAMES: Final = 12
_CHARS: Final = 120
_KINDS: Final = 1000
_DRIVERS: Final = ("sqlalchemy", "asyncpg", "redis")


class LogLimit:
    """Counts the lines of each kind in the running minute. `now_s` is monotonic."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._minute = 0
        self._counts: dict[str, int] = {}

    def count(self, kind: str) -> int | None:
        """One more of this kind: its number in this minute if it should be written, else None."""
        minute = int(self._now_s() // 60)
        if minute != self._minute or len(self._counts) >= _KINDS:
            self._minute = minute
            self._counts.clear()
        number = self._counts[kind] = self._counts.get(kind, 0) + 1
        return number if number & (number - 1) == 0 else None


_LIMIT: Final = LogLimit()


def log_bug(log: logging.Logger, what: str, error: BaseException, limit: LogLimit = _LIMIT) -> None:
    """Write down that `what` failed by a bug: the types of the exceptions and the innermost frames."""
    number = limit.count(f"{log.name} {what} {'/'.join(_types(error))} {_where(error)[-1:]}")
    if number is not None:
        log.error(
            "%s failed (%d this minute): %s at %s", what, number, _told(error), " < ".join(reversed(_where(error)))
        )


def log_away(log: logging.Logger, error: BaseException, limit: LogLimit = _LIMIT) -> None:
    """Write down that a store is away: one short line."""
    number = limit.count(f"{log.name} away {type(error).__name__}")
    if number is not None:
        log.warning("a store is away (%d this minute): %s", number, _told(error))


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__ or seen.__context__


def _types(error: BaseException) -> list[str]:
    return [type(part).__name__ for part in _chain(error)][:4]


def _told(error: BaseException) -> str:
    """The types; and the first line of the text, where no driver can have put values into it."""
    if any(type(part).__module__.startswith(_DRIVERS) for part in _chain(error)):
        return " from ".join(_types(error))
    text = "".join([char if char.isprintable() else "?" for char in str(error)[:_CHARS]])
    return f"{type(error).__name__}: {text}"


def _where(error: BaseException) -> list[str]:
    """The innermost frames, the last one last, as `file:line function`; no source lines, no values."""
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    return [f"{PurePath(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
