"""A gateway on a real port before tables that only write down what they are asked: no store, no game."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin, Subprotocol

from app.api.gateway.gateway import Gateway
from app.api.gateway.lobby import LobbyFeed
from app.api.gateway.socket import GameSocket
from app.service.locate import Locator
from app.serving.serve import configuration
from app.settings import Settings
from app.storage.live.nodes.nodes import Node
from app.storage.live.nodes.placement import Place
from app.storage.live.rooms.tickets import Ticket
from app.tables.frames import Face, Frame, plain_frame
from app.tables.ports import Connection, Person, Summary
from tests.integration.waiting import PATIENCE_S

ME = Node("n1", "aa", "/n/n1", 0, 10)
OTHER = Node("n2", "bb", "/n/n2", 0, 10)


class Desk:
    """Stands for a table: writes down, acknowledges attaches, answers nothing else by itself."""

    table_id = "T"

    def __init__(self) -> None:
        self.gone: str | None = None
        self.attached: list[tuple[Connection, Person, dict[str, Any]]] = []
        self.detached: list[Connection] = []
        self.asked: list[tuple[str, Any]] = []
        self.drained: list[Connection] = []
        self.refuse: str | None = None
        self.news = asyncio.Event()

    def attach(self, connection: Connection, person: Person, *, ref: str | None = None, **how: Any) -> str | None:
        if self.refuse is not None:
            return self.refuse
        self.attached.append((connection, person, how))
        connection.offer(plain_frame("ack", ref=ref, seat=0))
        self.news.set()
        return None

    def detach(self, connection: Connection) -> None:
        self.detached.append(connection)
        self.news.set()

    def written(self, connection: Connection) -> None:
        self.drained.append(connection)
        self.news.set()

    def request(self, connection: Connection, ref: str, ask: Any) -> str | None:
        self.asked.append((ref, ask))
        self.news.set()
        if self.refuse is None:
            connection.offer(plain_frame("ack", ref=ref))
        return self.refuse

    async def until(self, what: Any, limit_s: float = PATIENCE_S) -> None:
        """Wait until something that was written down is so."""
        async with asyncio.timeout(limit_s):
            while not what():
                self.news.clear()
                await self.news.wait()


class Doubles:
    """Tickets, places, tables and the lobby's board, as plain values."""

    def __init__(self) -> None:
        self.tickets: dict[str, Ticket | str] = {}
        self.places: dict[str, Place] = {}
        self.desks: dict[str, Desk] = {}
        self.openable: dict[str, Desk] = {}
        self.members: set[tuple[str, str]] = set()
        self.rooms: dict[str, Summary] = {}
        self.changes: list[str] = []
        self.outsiders: set[str] = set()

    async def redeem(self, secret: str) -> Ticket | str:
        return self.tickets.pop(secret, "bad_ticket")

    async def place(self, table_id: str) -> Place | None:
        return self.places.get(table_id)

    def find(self, table_id: str) -> Any:
        return self.desks.get(table_id)

    async def open(self, table_id: str) -> Any:
        return self.openable.get(table_id)

    async def may_watch(self, user: str, circle: str) -> bool:
        return (user, circle) in self.members

    async def may_stay(self, ticket: Ticket) -> bool:
        return ticket.user not in self.outsiders

    async def news(self, since: int) -> tuple[int, bool, dict[str, Summary | None]]:
        if since == 0:
            return len(self.changes), True, dict(self.rooms)
        return len(self.changes), False, {room: self.rooms.get(room) for room in self.changes[since:]}

    def change(self, room: str, summary: Summary | None) -> None:
        """A room is shown, shown anew, or gone."""
        if summary is None:
            del self.rooms[room]
        else:
            self.rooms[room] = summary
        self.changes.append(room)


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class World:
    """The gateway, its doubles, and a way to talk to it."""

    def __init__(self, **options: Any) -> None:
        self.doubles = Doubles()
        self.lobby = LobbyFeed(self.doubles, self.doubles.may_watch, trust_s=0.0)
        locator = Locator(self.doubles, self.doubles, lambda: ME, lambda: True)
        self.gateway = Gateway(
            self.doubles, locator, self.lobby, self.doubles.may_stay, **{"per_address": 10_000, **options}
        )
        self.desk = self.doubles.desks["T"] = Desk()
        self.port = 0
        self._number = 0

    def ticket(self, user: str = "ann", scope: str = "room:T", **more: Any) -> str:
        """A ticket that is good once."""
        self._number += 1
        secret = f"ticket{self._number}"
        self.doubles.tickets[secret] = Ticket(user, user.title(), "", scope, **more)
        return secret

    async def gone(self, left: int) -> None:
        """Wait until this number of sockets is left, and their address is free again."""
        async with asyncio.timeout(PATIENCE_S):
            while len(self.gateway) > left or self.gateway._of_address.total() > left:
                await asyncio.sleep(0.005)

    @asynccontextmanager
    async def socket(self, *, origin: str | None = None, speaks: str | None = "mahjong.v1") -> AsyncIterator[Client]:
        """A connected socket that has said nothing yet."""
        async with connect(
            f"ws://127.0.0.1:{self.port}/v1/ws", compression=None, ping_interval=None,
            subprotocols=[Subprotocol(speaks)] if speaks else None, origin=Origin(origin) if origin else None,
            max_size=2**24, open_timeout=PATIENCE_S,
        ) as socket:  # fmt: skip
            yield Client(socket)

    @asynccontextmanager
    async def seated(self, user: str = "ann", **more: Any) -> AsyncIterator[Client]:
        """A socket that is at table T."""
        async with self.socket() as client:
            await client.hello(self.ticket(user, **more))
            yield client


class Client:
    """A raw client: sends given bytes, reads frames one by one."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def say(self, kind: str, data: Any = None, ref: str = "r1") -> None:
        """Send a request."""
        await self.socket.send(json.dumps({"id": ref, "kind": kind, "data": data if data is not None else {}}))

    async def hear(self) -> dict[str, Any]:
        """The next frame."""
        async with asyncio.timeout(PATIENCE_S):
            frame: dict[str, Any] = json.loads(await self.socket.recv())
            return frame

    async def hello(self, ticket: str, last: list[int] | None = None) -> dict[str, Any]:
        """Say hello; the first answer."""
        await self.say("hello", {"ticket": ticket, **({"last": last} if last else {})}, "hello")
        return await self.hear()

    async def code(self) -> tuple[int | None, dict[str, Any] | None]:
        """The close code, and the `bye` before it."""
        bye = None
        with contextlib.suppress(ConnectionClosed):
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    frame = json.loads(await self.socket.recv())
                    bye = frame["data"] if frame["kind"] == "bye" else bye
        return self.socket.close_code, bye


@asynccontextmanager
async def world(**options: Any) -> AsyncIterator[World]:
    """A gateway that serves for the length of a block."""
    made = World(**options)
    app = Starlette(routes=[WebSocketRoute("/v1/ws", made.gateway.endpoint)])
    settings = Settings(port=0, secret="for tests only, for tests only, for tests", lines_per_address=10_000)
    config = configuration(app, settings, GameSocket)
    server = _Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.001)
    made.port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.should_exit = True
        await task


def frame(text: str) -> Frame:
    """Something to offer."""
    return Frame("notice", None, Face({"text": text}))


def stalled_socket(port: int) -> socket.socket:
    """A TCP socket with a small receive buffer that completes the handshake and then reads nothing more."""
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.connect(("127.0.0.1", port))
    shake_hands(raw)
    return raw


def shake_hands(raw: socket.socket, more: bytes = b"") -> bytes:
    """Ask a node for a WebSocket on this connection (`more`: whole header lines); the head of its answer."""
    raw.sendall(
        b"GET /v1/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        + more + b"Sec-WebSocket-Protocol: mahjong.v1\r\n\r\n"
    )  # fmt: skip
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += raw.recv(1)
    return answer


def masked(text: str) -> bytes:
    """A client's text frame of less than 126 bytes, masked with zeros."""
    data = text.encode()
    assert len(data) < 126
    return bytes([0x81, 0x80 | len(data), 0, 0, 0, 0]) + data
