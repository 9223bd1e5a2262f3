"""Many people for measurements: sockets and requests by hand, so that the measuring side costs little.

Speaks just enough HTTP and WebSocket to sit, ask and read. Keeps nothing but the last frame with a number. For players
that play, see `client.py`.
"""

from __future__ import annotations

import asyncio
import gc
import json
import random
import re
import socket
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, cast

from app.lab.chaos.cluster import NodeChild
from app.settings import Settings
from app.storage.live.wire.link import StoreUnavailable
from app.variants import VARIANTS

Plain = dict[str, Any]

_UPGRADE: Final = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Protocol: mahjong.v1\r\n\r\n"
)
_SEQ: Final = re.compile(rb'"seq":\[(\d+),(\d+)\]')
_LITTLE: Final = 4_096
_PATIENCE_S: Final = 30.0
_PING_S: Final = 8.0


class Sat(NamedTuple):
    """Seconds of a return: the ticket by REST; from the hello until every missed frame had come."""

    ticket_s: float
    resume_s: float


class Line(asyncio.Protocol):
    """One socket. `on_frame(text)` hears every frame; `lost` is resolved when it is gone, `greeted` is when it said
    hello (`time.perf_counter`)."""

    def __init__(self, path: str, hello: Plain, on_frame: Callable[[bytes], None]) -> None:
        self._path = path
        self._hello = hello
        self._on_frame = on_frame
        self._read = b""
        self._open = False
        self.greeted = 0.0
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.code: int | None = None
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for a WebSocket."""
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(_UPGRADE.format(path=self._path).encode())

    def data_received(self, data: bytes) -> None:
        """Cut what came into frames."""
        self._read += data
        if not self._open:
            head, found, rest = self._read.partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head.split(b"\r\n")[0]:
                self.close()
                return
            self._open, self._read = True, rest
            self.greeted = time.perf_counter()
            self.say("hello", "hello", self._hello)
        while (frame := self._next()) is not None:
            opcode, payload = frame
            if opcode == 1:
                self._on_frame(payload)
            elif opcode == 8:
                self.code = int.from_bytes(payload[:2], "big") or None
                self.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        if not self.lost.done():
            self.lost.set_result(None)

    def say(self, kind: str, ref: str, data: Plain | None = None) -> None:
        """Send a request."""
        if self.transport is None or self.transport.is_closing():
            return
        text = json.dumps({"id": ref, "kind": kind, "data": data or {}}).encode()
        size = bytes([0x80 | len(text)]) if len(text) < 126 else b"\xfe" + len(text).to_bytes(2, "big")
        self.transport.write(b"\x81" + size + b"\x00\x00\x00\x00" + text)

    def freeze(self) -> None:
        """Read nothing more."""
        assert self.transport is not None
        self.transport.pause_reading()

    def close(self) -> None:
        """Cut it."""
        if self.transport is not None:
            self.transport.abort()

    def _next(self) -> tuple[int, bytes] | None:
        read = self._read
        if len(read) < 2:
            return None
        length, at = read[1] & 0x7F, 2
        if length >= 126:
            at = 4 if length == 126 else 10
            if len(read) < at:
                return None
            length = int.from_bytes(read[2:at], "big")
        if len(read) < at + length:
            return None
        self._read = read[at + length :]
        return read[0] & 0x0F, read[at : at + length]


@dataclass
class Person:
    """A seated client: access token, table, and the number of the last frame seen."""

    port: int
    token: str
    room: str = ""
    last: list[int] | None = None
    line: Line | None = None
    caught_up: asyncio.Future[float] | None = None
    waits: dict[str, float] = field(default_factory=dict)
    took_s: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    async def call(self, method: str, path: str, body: Plain | None = None) -> Plain:
        """A REST request. Raises StoreUnavailable when it is refused."""
        return await rest(self.port, method, path, body, self.token)

    async def sit(self, little: bool = False) -> Sat:
        """Open a socket with the last number seen; return once caught up. `little`: small buffers at our end.

        Raises StoreUnavailable when the server refuses, and after 30 s.
        """
        began = time.perf_counter()
        given = await self.call("POST", f"/v1/rooms/{self.room}/ticket")
        ticket_s = time.perf_counter() - began
        hello = {"ticket": given["ticket"], **({"last": self.last} if self.last else {})}
        raw = socket.socket()
        if little:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _LITTLE)
        raw.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(raw, ("127.0.0.1", self.port))
        self.caught_up = caught_up = loop.create_future()
        _, self.line = await loop.create_connection(lambda: Line(given["ws_path"], hello, self.hear), sock=raw)
        await asyncio.wait((caught_up, self.line.lost), return_when=asyncio.FIRST_COMPLETED, timeout=_PATIENCE_S)
        if not caught_up.done():
            raise StoreUnavailable
        return Sat(ticket_s, caught_up.result() - self.line.greeted)

    def hear(self, text: bytes) -> None:
        """Note the last number and the answers."""
        if found := _SEQ.search(text[:200]) or _SEQ.search(text[-60:]):
            self.last = [int(found[1]), int(found[2])]
        if b'"kind":"sync"' in text[:60] or b'"kind":"prompt"' in text[:60]:
            if self.caught_up is not None and not self.caught_up.done():
                self.caught_up.set_result(time.perf_counter())
        elif b'"kind":"ack"' in text[:60] or b'"kind":"error"' in text[:60]:
            data = json.loads(text)["data"]
            if "code" in data:
                self.errors.append(data["code"])
            asked = self.waits.pop(data.get("ref") or "", None)
            if asked is not None:
                self.took_s.append(time.perf_counter() - asked)

    def ask(self, kind: str, ref: str, data: Plain | None = None) -> None:
        """Send a request whose answer is timed."""
        if self.line is not None:
            self.waits[ref] = time.perf_counter()
            self.line.say(kind, ref, data)


class _Asked(asyncio.Protocol):
    """One request on a connection of its own; `answer` is all that came until the server closed it."""

    def __init__(self, sent: bytes) -> None:
        self._sent = sent
        self._read: list[bytes] = []
        self.answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask."""
        cast(asyncio.Transport, transport).write(self._sent)

    def data_received(self, data: bytes) -> None:
        """Note a piece of the answer."""
        self._read.append(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Close the socket."""
        if not self.answer.done():
            self.answer.set_result(b"".join(self._read))


async def rest(
    port: int, method: str, path: str, body: Plain | None = None, token: str = "", caller: str = ""
) -> Plain:
    """One request on a connection of its own. Raises StoreUnavailable when it is refused."""
    sent = b"" if body is None else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close", f"Content-Length: {len(sent)}"]
    lines += ["Content-Type: application/json"] if sent else []
    lines += [f"Authorization: Bearer {token}"] if token else []
    lines += [f"X-Forwarded-For: {caller}"] if caller else []
    words = "\r\n".join(lines).encode() + b"\r\n\r\n" + sent
    _, asked = await asyncio.get_running_loop().create_connection(lambda: _Asked(words), "127.0.0.1", port)
    head, _, answer = (await asked.answer).partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 2"):
        raise StoreUnavailable(f"{method} {path}: {head[:40]!r} {answer[:200]!r}")
    found: Plain = json.loads(answer) if answer else {}
    return found


@asynccontextmanager
async def crowd(node: NodeChild, tables: int) -> AsyncIterator[list[Person]]:
    """Tables of all games in the first round, four people with sockets at each; nobody moves for a minute, all ping.

    Guests come from many addresses, since the number of sign-ins per address is limited.
    """
    port = node.backend.port
    people: list[Person] = []
    pinging = asyncio.create_task(_ping(people))
    games = list(VARIANTS)
    for number in range(tables):
        here = await asyncio.gather(*[_guest(port, f"10.9.{number % 250}.{seat}") for seat in range(4)])
        settings = {"think_s": 60, "claim_s": 15, "claim_hold_ms": 0, "autoplay_after": 5}
        asked = {"variant": games[number % len(games)], "rules": {}, "settings": settings}
        room = await here[0].call("POST", "/v1/rooms", asked)
        for person in here:
            person.room = room["id"]
            if person is not here[0]:
                await person.call("POST", f"/v1/rooms/{room['id']}/join", {})
            await person.sit()
        for person in here:
            person.ask("ready", "ready")
        people += here
    try:
        yield people
    finally:
        pinging.cancel()
        for person in people:
            if person.line is not None:
                person.line.close()


async def _ping(people: list[Person]) -> None:
    """Everybody in turn, as clients do who are silent otherwise."""
    while True:
        for person in list(people):
            if person.line is not None:
                person.line.say("ping", "here", {"t": 0})
            await asyncio.sleep(_PING_S / len(people))
        await asyncio.sleep(_PING_S / 1000)


async def _guest(port: int, caller: str) -> Person:
    signed = await rest(port, "POST", "/v1/guests", {}, caller=caller)
    return Person(port, signed["access_token"])


def many_tables(settings: Settings) -> Settings:
    """The same, without a bound on tables."""
    return settings.model_copy(update={"max_tables": 100_000, "address_factor": 1000.0, "lines_per_address": 1_000_000})


@contextmanager
def unhalted() -> Iterator[None]:
    """While this holds the measuring side is not halted by its own garbage collector: with some thousand people that
    takes longer than what is measured."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def quantile_ms(times_s: list[float], share: float) -> float:
    """The time within which `share` of them lie, in ms; 0 of none."""
    ordered = sorted(times_s) or [0.0]
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000


def spread(count: int, seconds: float, rng: random.Random) -> list[float]:
    """Moments at which `count` people arrive, at random over a number of seconds."""
    return sorted(rng.random() * seconds for _ in range(count))
