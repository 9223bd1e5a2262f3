"""The cost of looking up a code; the largest body, and what is left of a budget (two small ASGI layers)."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.refusal import ErrorCode, Refusal
from app.rest.errors import error_response
from app.storage.live.limiter import Limiter, Quota, spent

BODY_BYTES: Final = 64 * 1024


@contextlib.asynccontextmanager
async def guessing(limiter: Limiter, **who: str) -> AsyncIterator[None]:
    """Look a code up in this block. A wrong one (a Refusal not_found or no_such_room) costs a try, a right one nothing.

    Raises Refusal rate_limited before the look-up.
    """
    await limiter.spend("code", **who)
    try:
        yield
    except Refusal as refusal:
        if refusal.code not in (ErrorCode.NOT_FOUND, ErrorCode.NO_SUCH_ROOM):
            await limiter.give_back("code", **who)
        raise
    await limiter.give_back("code", **who)


class RateHeaders:
    """Tells the caller what is left of each budget that the request spent from: `RateLimit-Policy` and `RateLimit`.

    As of draft-ietf-httpapi-ratelimit-headers: `q` of burst in `w` seconds; `r` left, `t` seconds until all is back
    (of a refused request: until the next).
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        quotas: dict[str, Quota] = {}
        spent.set(quotas)

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start" and quotas:
                policy = ", ".join(f'"{name}";q={quota.burst};w={quota.window_s}' for name, quota in quotas.items())
                left = ", ".join(f'"{name}";r={quota.left};t={quota.again_s}' for name, quota in quotas.items())
                told = [(b"ratelimit-policy", policy.encode()), (b"ratelimit", left.encode())]
                message = {**message, "headers": [*message["headers"], *told]}
            await send(message)

        await self._app(scope, receive, sent)


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
