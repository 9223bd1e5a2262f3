"""Counts the answers to REST requests by status, and gives each request an id that its log lines carry."""

from __future__ import annotations

import re
import secrets
from collections import Counter
from contextvars import ContextVar
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_GIVEN: Final = re.compile(rb"[A-Za-z0-9_.-]{1,64}")
"""An id from the proxy in front is taken over if it looks like one."""
request_id: ContextVar[str] = ContextVar("request_id", default="")


class Answers:
    """An ASGI layer around the app. `counts` is the caller's: answers by status."""

    def __init__(self, app: ASGIApp, counts: Counter[int]) -> None:
        self._app = app
        self._counts = counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = dict(scope["headers"]).get(b"x-request-id", b"")
        named = given if _GIVEN.fullmatch(given) else secrets.token_hex(8).encode()
        request_id.set(named.decode())

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._counts[message["status"]] += 1
                message = {**message, "headers": [*message["headers"], (b"x-request-id", named)]}
            await send(message)

        await self._app(scope, receive, sent)
