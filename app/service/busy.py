"""A live store, or an owner, that gives no answer: one translation into a refusal for everybody who asks REST."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from app.refusal import ErrorCode, Refusal
from app.storage.live.wire.link import StoreUnavailable

P = ParamSpec("P")
T = TypeVar("T")


def busy_when_away(work: Callable[P, Awaitable[T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Have `work` raise Refusal busy where it would raise StoreUnavailable."""

    @wraps(work)
    async def asked(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await work(*args, **kwargs)
        except StoreUnavailable:
            raise Refusal(ErrorCode.BUSY, "the tables cannot be reached just now; try again") from None

    return asked
