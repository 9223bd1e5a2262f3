"""The fast path of a return: a ticket for a player who comes back to the table where they hold a seat.

An ASGI layer around the app. After the loss of a node everybody asks for this at once, and asks while the archive may
be away. Hence sockets go straight to the gateway, and a ticket is issued here when the access token is enough: nothing
about its user has changed since it was signed. Any other request goes on to the routes, where the ticket is documented
and decided for everybody; both ask `issue_return_ticket`.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Final

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from app.api.people.identity import PERSONAL, read_access_token
from app.api.play.tickets import issue_return_ticket
from app.api.services import Services
from app.refusal import Refusal
from app.rest.errors import refused

SOCKETS: Final = "/v1/ws"
_TICKET: Final = re.compile(r"/v1/rooms/([A-Za-z0-9_.-]{1,80})/ticket")


class ReturnFastPath:
    """`sockets` serves every WebSocket of `/v1/ws`; `app` every request that is not answered here."""

    def __init__(self, app: ASGIApp, sockets: Callable[[WebSocket], Awaitable[None]]) -> None:
        self._app = app
        self._sockets = sockets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass the request on."""
        if scope["type"] == "websocket" and scope["path"] == SOCKETS:
            await self._sockets(WebSocket(scope, receive, send))
            return
        answer = None
        if scope["type"] == "http" and scope["method"] == "POST" and (found := _TICKET.fullmatch(scope["path"])):
            answer = await _return_ticket(scope, found[1])
        await (self._app if answer is None else answer)(scope, receive, send)


async def _return_ticket(scope: Scope, room: str) -> Response | None:
    """The answer to a request for a ticket to one's own table; None: the routes must answer it."""
    token = _bearer(scope)
    if token is None or token.startswith(PERSONAL):
        return None
    services: Services = scope["app"].state.services
    try:
        _, session, person = read_access_token(services, token)
        if person is None:
            return None
        given = await issue_return_ticket(services.rooms, room, person, session, vouched=False)
    except Refusal as refusal:
        return refused(refusal)
    return None if given is None else Response(given.model_dump_json(), media_type="application/json")


def _bearer(scope: Scope) -> str | None:
    """The access token of a request without a body."""
    token = None
    for name, value in scope["headers"]:
        if (name == b"content-length" and value != b"0") or name == b"transfer-encoding":
            return None
        if name == b"authorization" and value[:7].lower() == b"bearer ":
            token = value[7:].decode("latin-1")
    return token
