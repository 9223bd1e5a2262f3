"""What HTTP asks of every answer, in one ASGI layer: validators and 304, compression, problem documents, retirement.

Only answers of listed routes are compressed. A compressed length tells of what stands beside what the asker chose
(BREACH), so an answer with a token, a code, a ticket or private text never is: neither listed here, nor compressed.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from http import HTTPStatus
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PROBLEM: Final = "application/problem+json"
_PACKED_FROM: Final = 1024
"""Bytes from which compressing is worth it."""
_TAG: Final = re.compile(r'(?:W/)?("[^"]*")')


@dataclass(frozen=True, slots=True)
class Kept:
    """A GET route whose answers change seldom. `public`: the same for everybody, so that a shared cache may keep it."""

    public: bool


@dataclass(frozen=True, slots=True)
class Retired:
    """A route that will go: since when nobody should use it, when it stops at the earliest, and where that is told."""

    since: datetime
    until: datetime
    link: str = "/developers/rest"


KEPT: Final[Mapping[str, Kept]] = {
    "variants_variants": Kept(public=True),
    "history_shared": Kept(public=True),
    "history_record": Kept(public=False),
    "history_round_detail": Kept(public=False),
    "history_export_match": Kept(public=False),
}
"""Operation of a GET route → how long its answers stand. None has a secret beside what a caller can choose."""
RETIRED: Final[Mapping[str, Retired]] = {}
"""Operation → its retirement. None yet; `mark_retired` says the same in OpenAPI."""


class Habits:
    """The layer. It reads the route that the router found, so it lies outside the routes and inside CORS."""

    def __init__(self, app: ASGIApp, kept: Mapping[str, Kept] = KEPT, retired: Mapping[str, Retired] = RETIRED) -> None:
        self._app = app
        self._kept = kept
        self._retired = retired

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        asked = Headers(scope=scope)
        held: Message | None = None
        body = bytearray()

        async def sent(message: Message) -> None:
            nonlocal held
            if message["type"] == "http.response.start":
                name = _operation(scope)
                headers = MutableHeaders(raw=message["headers"])
                _announce(headers, self._retired.get(name))
                if _is_problem(message["status"], headers, asked) or self._keeps(scope, name, message["status"]):
                    held = message
                    return
            elif held is not None:
                body.extend(message.get("body", b""))
                if message.get("more_body"):
                    return
                whole = self._finished(held, bytes(body), asked, _operation(scope))
                await send(held)
                message = {"type": "http.response.body", "body": whole}
            await send(message)

        await self._app(scope, receive, sent)

    def _keeps(self, scope: Scope, name: str, status: int) -> bool:
        return scope["method"] == "GET" and status == 200 and name in self._kept

    def _finished(self, start: Message, body: bytes, asked: Headers, name: str) -> bytes:
        """The body as it is sent; `start` gets its status and headers."""
        headers = MutableHeaders(raw=start["headers"])
        if start["status"] != 200:
            body = _problem(start["status"], body)
            headers["Content-Type"] = PROBLEM
            headers.add_vary_header("Accept")
        else:
            body = _validated(start, headers, body, asked, self._kept[name])
        if start["status"] == 304:
            del headers["Content-Length"], headers["Content-Type"]
        else:
            headers["Content-Length"] = str(len(body))
        start["headers"] = headers.raw
        return body


def mark_retired(document: dict[str, Any], retired: Mapping[str, Retired] = RETIRED) -> None:
    """Say in an OpenAPI document which operations are deprecated."""
    for item in document["paths"].values():
        for told in item.values():
            if told.get("operationId") in retired:
                told["deprecated"] = True


def _operation(scope: Scope) -> str:
    """The operationId of the route that was found; empty outside the API."""
    route = scope.get("route")
    tags = getattr(route, "tags", None)
    return f"{tags[0]}_{getattr(route, 'name', '')}" if tags else ""


def _announce(headers: MutableHeaders, retired: Retired | None) -> None:
    """`Deprecation` (RFC 9745), `Sunset` (RFC 8594), and a link to the page that says what to use instead."""
    if retired is not None:
        headers["Deprecation"] = f"@{int(retired.since.timestamp())}"
        headers["Sunset"] = format_datetime(retired.until.astimezone(UTC), usegmt=True)
        headers.append("Link", f'<{retired.link}>; rel="deprecation"; type="text/html"')


def _validated(start: Message, headers: MutableHeaders, body: bytes, asked: Headers, kept: Kept) -> bytes:
    """The answer with its validator: 304 for who has it already, compressed for who can read that."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    headers["ETag"] = f"W/{tag}"
    headers["Cache-Control"] = "public, no-cache" if kept.public else "private, no-cache"
    headers.add_vary_header("Accept-Encoding")
    if not kept.public:
        headers.add_vary_header("Authorization")
    told = asked.get("if-none-match", "")
    if told.strip() == "*" or tag in _TAG.findall(told):
        start["status"] = 304
        return b""
    if len(body) >= _PACKED_FROM and _takes_gzip(asked.get("accept-encoding", "")):
        headers["Content-Encoding"] = "gzip"
        return gzip.compress(body, 6, mtime=0)
    return body


def _takes_gzip(accepted: str) -> bool:
    offers = {part.partition(";")[0].strip(): part.partition(";")[2].replace(" ", "") for part in accepted.split(",")}
    return "gzip" in offers and not re.fullmatch(r"q=0(\.0*)?", offers["gzip"])


def _is_problem(status: int, headers: MutableHeaders, asked: Headers) -> bool:
    return status >= 400 and PROBLEM in asked.get("accept", "") and headers.get("content-type") == "application/json"


def _problem(status: int, body: bytes) -> bytes:
    """The error as RFC 9457 wants it, with our own `error` beside: programs may go on reading that."""
    told = json.loads(body)
    error = told.get("error", {})
    return json.dumps(
        {
            "type": f"/developers/rest#{error.get('code', '')}",
            "title": HTTPStatus(status).phrase,
            "status": status,
            "detail": error.get("message", ""),
            **told,
        }
    ).encode("ascii")
