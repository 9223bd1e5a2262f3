"""All sockets of a node: admits them, closes silent ones, and sends all away when the node stops.

REST decided the scope of a socket and wrote it into the ticket; here the ticket is redeemed and the table found.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Final, Protocol
from urllib.parse import urlsplit

from starlette.websockets import WebSocket

from app.api.gateway.connection import AtTable, Connection
from app.api.gateway.lobby import LobbyFeed
from app.api.gateway.outgoing import Outgoing
from app.api.gateway.socket import SCOPE_KEY, GameSocket
from app.protocol.v1 import client, codec
from app.protocol.v1.errors import CloseCode
from app.refusal import ErrorCode
from app.rest.bug_log import log_bug
from app.service.locate import Elsewhere, Gone, Here, Locator
from app.storage.live.limiter import address_group
from app.storage.live.nodes.nodes import Node, rendezvous_node
from app.storage.live.rooms.tickets import Ticket
from app.storage.live.wire.link import StoreUnavailable
from app.tables.clocks.timing import Timing
from app.tables.handle import TableHandle
from app.tables.ports import Person
from app.tables.registry import Draining, Unplayable

log = logging.getLogger(__name__)

_STARTS_MS: Final = 300
_LATEST_MS: Final = 3000
_FEW_MS: Final = 50
_SWEEP_S: Final = 1.0
_LAGS: Final = 60
"""Looks whose lateness is kept: a minute's worth."""
_PARTINGS: Final = 4
WATCHING: Final = 8
"""Sockets of one user, at one node, in lobbies and at tables as a spectator."""


class Tickets(Protocol):
    """Redeems tickets (`storage.live.tickets`)."""

    async def redeem(self, secret: str) -> Ticket | str: ...


MayStay = Callable[[Ticket], Awaitable[bool]]
"""Whether the socket that this ticket opened may stay open."""


class Gateway:
    """One per node. Pages of `origins` may open sockets besides our own; `may_stay` looks again at an open socket.

    `per_address`: sockets of one address.
    """

    def __init__(
        self, tickets: Tickets, locator: Locator, lobby: LobbyFeed, may_stay: MayStay, origins: Iterable[str] = (),
        public_url: str = "", outgoing: Outgoing | None = None, per_address: int = 2000,
    ) -> None:  # fmt: skip
        self._outgoing = outgoing or Outgoing()
        self._tickets = tickets
        self._locator = locator
        self._lobby = lobby
        self._may_stay = may_stay
        self._admitted: dict[Connection, Ticket] = {}
        self._origins = frozenset(origin.rstrip("/") for origin in (*origins, public_url) if origin)
        self._connections: set[Connection] = set()
        self._partings: deque[tuple[Connection, asyncio.Future[None]]] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._lags: deque[float] = deque(maxlen=_LAGS)
        self.lags = Timing()
        self._of_address: Counter[str] = Counter()
        self._per_address = per_address
        self._draining = False
        self.successors: tuple[Node, ...] = ()
        """The nodes that go on when this one stops; set before its tables are handed over."""

    def __len__(self) -> int:
        """Number of open sockets."""
        return len(self._connections)

    @property
    def lag_s(self) -> float:
        """The worst delay of the event loop in the last minute, sampled once a second."""
        return max(self._lags, default=0.0)

    @property
    def refusals(self) -> Mapping[str, int]:
        """Requests refused since the start, by code."""
        return self._outgoing.refusals

    async def endpoint(self, websocket: WebSocket) -> None:
        """`/v1/ws`. Returns when the socket is gone; meanwhile its messages go to the connection by plain calls."""
        socket = websocket.scope.get(SCOPE_KEY)
        if not isinstance(socket, GameSocket):
            raise RuntimeError("serve this app with ws=GameSocket")
        group = address_group(websocket.client.host) if websocket.client else ""
        if not self._welcome(websocket) or self._of_address[group] >= self._per_address:
            await websocket.close(code=1008)
            return
        speaks = codec.SUBPROTOCOL in websocket.scope["subprotocols"]
        loop = asyncio.get_running_loop()
        over: asyncio.Future[None] = loop.create_future()
        connection = Connection(
            socket,
            loop.time(),
            self._greet,
            lambda lost: self._lost(lost, over),
            self._way_on,
            self._outgoing,
        )
        self._connections.add(connection)
        self._of_address[group] += 1
        try:
            await websocket.accept(subprotocol=codec.SUBPROTOCOL if speaks else None)
            if not speaks:
                connection.close(CloseCode.VERSION, f"speak {codec.SUBPROTOCOL}")
            elif self._draining:
                connection.close(CloseCode.RESTART, "restart")
            await over
        finally:
            self._of_address[group] -= 1
            if not self._of_address[group]:
                del self._of_address[group]

    async def run(self) -> None:
        """Watch over silent sockets until cancelled."""
        loop = asyncio.get_running_loop()
        last = loop.time()
        while True:
            await asyncio.sleep(_SWEEP_S)
            self.sweep(loop.time(), loop.time() - last - _SWEEP_S)
            last = loop.time()

    def sweep(self, now: float, late_s: float) -> None:
        """Close silent sockets.

        Our own delay is added to each deadline: unread frames are not silence. Only the delay, or an overloaded node
        would never time anyone out.
        """
        self._lags.append(max(0.0, late_s))
        self.lags.add(max(0.0, late_s))
        for connection in list(self._connections):
            if late_s > 0.25:
                connection.since += late_s
                connection.heard += late_s
            code = connection.overdue(now)
            if code is CloseCode.NO_HELLO:
                connection.refuse(None, ErrorCode.NO_HELLO)
            if code is not None:
                connection.close(code, code.name.lower())

    def send_away(self) -> None:
        """The node stops: its clients return elsewhere, spread over a while; no new socket is admitted."""
        self._draining = True
        for connection in list(self._connections):
            connection.close(CloseCode.RESTART, "restart")

    def disconnect(self, user: str, reason: str) -> None:
        """Close every socket of this user as kicked."""
        for connection in [connection for connection in self._connections if connection.user == user]:
            connection.close(CloseCode.KICKED, reason)

    async def recheck(self, user: str) -> None:
        """Something about this user changed: close the sockets to which they have no right any more (S8)."""
        for connection, ticket in [pair for pair in self._admitted.items() if pair[1].user == user]:
            if not await self._may_stay(ticket):
                connection.close(CloseCode.KICKED, "not_allowed")

    def _way_on(self, connection: Connection) -> tuple[str | None, int, int]:
        """Where a client goes on when this node stops, and within how many ms.

        Nodes that run already take a client each 2 ms, all within 3 s; a process that has yet to start needs time.
        """
        name = connection.scope.table.table_id if isinstance(connection.scope, AtTable) else connection.user or ""
        successor = rendezvous_node(name, self.successors)
        if successor is None:
            return None, _STARTS_MS, _LATEST_MS
        return f"{successor.path}/v1/ws", 1, min(_LATEST_MS, _FEW_MS + 2 * len(self._connections))

    def _welcome(self, websocket: WebSocket) -> bool:
        """May a page of this origin open a socket here? Clients that are no browsers send none."""
        origin = websocket.headers.get("origin")
        if origin is None or "*" in self._origins or origin.rstrip("/") in self._origins:
            return True
        return urlsplit(origin).netloc == websocket.headers.get("host")

    def _lost(self, connection: Connection, over: asyncio.Future[None]) -> None:
        self._connections.discard(connection)
        self._admitted.pop(connection, None)
        if not self._partings:
            asyncio.get_running_loop().call_soon(self._part)
        self._partings.append((connection, over))

    def _part(self) -> None:
        """A few in each turn of the loop: of a thousand lines that are cut at once the first are back by then."""
        try:
            for _ in range(min(len(self._partings), _PARTINGS)):
                connection, over = self._partings.popleft()
                if not over.done():
                    over.set_result(None)
                connection.part()
        finally:  # a bug met in one of them must not stop the others
            if self._partings:
                asyncio.get_running_loop().call_soon(self._part)

    def _greet(self, connection: Connection, ref: str, hello: client.Hello) -> None:
        task = asyncio.ensure_future(self._let_in(connection, ref, hello))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _let_in(self, connection: Connection, ref: str, hello: client.Hello) -> None:
        try:
            ticket = await self._tickets.redeem(hello.ticket)
            if isinstance(ticket, str):
                _reject(connection, ref, ErrorCode(ticket), CloseCode.BAD_TICKET)
                return
            connection.user = ticket.user
            connection.watching = ticket.scope == "lobby" or ticket.role == "spectator"
            self._bound_watching(ticket.user)
            self._admitted[connection] = ticket
            if ticket.role == "spectator" and not await self._may_stay(ticket):  # the right ended since it was issued
                _reject(connection, ref, ErrorCode.NOT_ALLOWED, CloseCode.KICKED)
                return
            if ticket.scope == "lobby":
                connection.send("ack", {"ref": ref})
                connection.enter(self._lobby.scope(ticket))
            else:
                await self._seat(connection, ref, hello, ticket)
        except Unplayable:
            _reject(connection, ref, ErrorCode.FROZEN, CloseCode.ROOM_CLOSED)
        except (StoreUnavailable, Draining):
            _reject(connection, ref, ErrorCode.BUSY, CloseCode.RESTART)
        except Exception as error:
            log_bug(log, "answering a hello", error)
            _reject(connection, ref, ErrorCode.INTERNAL, CloseCode.RESTART)

    def _bound_watching(self, user: str) -> None:
        """Replace a user's oldest spectating socket when there are more than `WATCHING`."""
        watching = [one for one in self._connections if one.user == user and one.watching and not one.closing]
        if len(watching) > WATCHING:
            min(watching, key=lambda one: one.since).close(CloseCode.REPLACED, "replaced")

    async def _seat(self, connection: Connection, ref: str, hello: client.Hello, ticket: Ticket) -> None:
        """Bring the connection to its table, if that runs here or may be taken."""
        match await self._locator.open(ticket.scope.removeprefix("room:")):
            case Here(table):
                _attach(connection, ref, hello, ticket, table)
            case Elsewhere(node):
                connection.refuse(ref, ErrorCode.MOVED)
                connection.close(CloseCode.MOVED, "moved", f"{node.path}/v1/ws")
            case Gone():
                _reject(connection, ref, ErrorCode.NO_SUCH_ROOM, CloseCode.ROOM_CLOSED)


def _attach(connection: Connection, ref: str, hello: client.Hello, ticket: Ticket, table: TableHandle) -> None:
    if connection.closing:
        return
    code = table.attach(
        connection, Person(ticket.user, ticket.name, ticket.avatar, ticket.bot), role=ticket.role, member=ticket.member,
        last=hello.last, ref=ref,
    )  # fmt: skip
    if code is None:
        connection.enter(AtTable(table))  # after it sits: requests that came early go to the same mailbox
    else:
        _reject(connection, ref, code, CloseCode.ROOM_CLOSED if code == "room_closed" else CloseCode.RESTART)


def _reject(connection: Connection, ref: str, code: ErrorCode, close: CloseCode) -> None:
    connection.refuse(ref, code)
    connection.close(close, code)
