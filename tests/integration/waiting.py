"""Waiting in tests: until something is so, on a machine as slow as it likes; and time that counts only while we run."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

T = TypeVar("T")

PATIENCE_S = 60.0
"""Guards against waiting for ever, nothing else: on a machine that is merely slow no test may fail by it."""
FLOWS_S = 5.0
"""Within this time after an outage of the live store everything flows again, by itself."""
_LOOK_S = 0.005


async def until(condition: Callable[[], object], limit_s: float = PATIENCE_S) -> float:
    """Wait for a condition. Returns the number of looks, so that a machine that stands still adds nothing."""
    looks = 0
    async with asyncio.timeout(limit_s):
        while not condition():
            await asyncio.sleep(_LOOK_S)
            looks += 1
    return looks * _LOOK_S


async def eventually(ask: Callable[[], Awaitable[T]], good: Callable[[T], object]) -> T:
    """Ask until the answer is good; that answer. Raises AssertionError with the last one when it never is."""
    found: T | None = None
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not good(found := await ask()):
                await asyncio.sleep(_LOOK_S)
    except TimeoutError:
        raise AssertionError(f"still {found!r}") from None
    return found


class Spent:
    """Seconds that went by while this process had its turn; at most what a watch shows."""

    def __init__(self) -> None:
        self.s = 0.0

    async def count(self) -> None:
        """Tick until cancelled."""
        while True:
            await asyncio.sleep(_LOOK_S)
            self.s += _LOOK_S


@asynccontextmanager
async def spending() -> AsyncIterator[Spent]:
    """Count the time of a block, for a promise that is made of a machine which has time for it."""
    spent = Spent()
    counting = asyncio.create_task(spent.count())
    try:
        yield spent
    finally:
        counting.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await counting
