"""What one caller may ask of a node: how often (token buckets), and how large a body (a small ASGI layer).

Counted per process and in memory: good enough to keep a node alive, no matter of fairness between nodes.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.refusal import ErrorCode, Refusal
from app.rest.errors import error_response

BODY_BYTES: Final = 64 * 1024
_CALLERS: Final = 10_000


class Rate:
    """At most `burst` calls at once per caller, and `per_s` a second in the long run."""

    def __init__(self, burst: int, per_s: float, now_s: Callable[[], float] = time.monotonic) -> None:
        self._burst = burst
        self._per_s = per_s
        self._now_s = now_s
        self._callers: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def spend(self, caller: str, amount: float = 1.0) -> None:
        """Take from the caller's bucket. Raises Refusal rate_limited when there is not enough in it."""
        now = self._now_s()
        left, seen = self._callers.pop(caller, (float(self._burst), now))
        left = min(float(self._burst), left + (now - seen) * self._per_s)
        spent = left >= amount
        self._callers[caller] = (left - amount if spent else left, now)
        if len(self._callers) > _CALLERS:
            self._callers.popitem(last=False)
        if not spent:
            raise Refusal(ErrorCode.RATE_LIMITED, "too many requests; wait a little")


class BodyLimit:
    """Refuses request bodies of more than `BODY_BYTES` with 413, before anything reads them into memory."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on while its body stays within the limit."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        length = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        if not length.isdigit() or int(length) > BODY_BYTES:
            return await error_response(ErrorCode.TOO_LARGE, "the body is larger than 64 KB")(scope, receive, send)
        messages: list[Message] = []
        size = 0
        while not messages or messages[-1].get("more_body"):
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            size += len(message.get("body", b""))
            if size > BODY_BYTES:
                return await error_response(ErrorCode.TOO_LARGE, "the body is larger than 64 KB")(scope, receive, send)
            messages.append(message)

        async def replay() -> Message:
            return messages.pop(0) if messages else await receive()

        await self._app(scope, replay, send)
