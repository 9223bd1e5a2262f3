"""The door: what everybody asks at once when a node was gone, answered before the frameworks are asked anything.

An ASGI layer around the app. Sockets go straight to the gateway, and so does the plain case of a ticket: somebody comes
back to the table at which he holds his seat, with an access token of which nothing has changed since it was signed. For
that nobody asks the archive: who plays comes back also while it is away. All else goes on to the routes, where the
ticket is documented and decided for everybody. Nothing is decided here that they would decide otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Final

import msgspec
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from app.api.people.identity import read_access_token
from app.api.services import Services
from app.refusal import Refusal
from app.rest.errors import refused

SOCKETS: Final = "/v1/ws"
_TICKET: Final = re.compile(r"/v1/rooms/([A-Za-z0-9_.-]{1,80})/ticket")
_WRITE: Final = msgspec.json.Encoder()


class ReturnFastPath:
    """`sockets` serves every WebSocket of `/v1/ws`; `app` all that is no plain return."""

    def __init__(self, app: ASGIApp, sockets: Callable[[WebSocket], Awaitable[None]]) -> None:
        self._app = app
        self._sockets = sockets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let somebody in, or pass him on."""
        if scope["type"] == "websocket" and scope["path"] == SOCKETS:
            await self._sockets(WebSocket(scope, receive, send))
            return
        answer = None
        if scope["type"] == "http" and scope["method"] == "POST" and (found := _TICKET.fullmatch(scope["path"])):
            answer = await _plain_return(scope, found[1])
        await (self._app if answer is None else answer)(scope, receive, send)


async def _plain_return(scope: Scope, room: str) -> Response | None:
    """The answer to somebody who asks for a ticket to his own table; None: it is not as plain as that."""
    token = _bearer(scope)
    if token is None:
        return None
    services: Services = scope["app"].state.services
    try:
        person = read_access_token(services, token).person
        given = None if person is None else await services.rooms.player_ticket(room, person, vouched=False)
    except Refusal as refusal:
        return refused(refusal)
    if given is None:
        return None
    said = {"ticket": given.ticket, "ws_path": given.ws_path, "expires_in": given.expires_in_s}
    return Response(_WRITE.encode(said), media_type="application/json")


def _bearer(scope: Scope) -> str | None:
    """The access token of a request without a body."""
    token = None
    for name, value in scope["headers"]:
        if (name == b"content-length" and value != b"0") or name == b"transfer-encoding":
            return None
        if name == b"authorization" and value[:7].lower() == b"bearer ":
            token = value[7:].decode("latin-1")
    return token
