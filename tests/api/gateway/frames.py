"""WebSocket frames by hand, and a server that echoes through the real socket class."""

from __future__ import annotations

import asyncio
import contextlib
import struct
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import uvicorn

from app.api.gateway.socket import SCOPE_KEY, GameSocket
from app.protocol.v1.codec import text_frame
from app.serving.serve import configuration
from app.settings import Settings
from tests.integration.waiting import PATIENCE_S

CONT, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
MASK = b"\x12\x34\x56\x78"


def client_frame(opcode: int, data: bytes = b"", *, fin: bool = True, rsv: int = 0) -> bytes:
    """A masked frame, as clients send it; any opcode, any reserved bits."""
    size = len(data)
    head = bytes([(fin << 7) | (rsv << 4) | opcode])
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 65536:
        head += b"\xfe" + struct.pack("!H", size)
    else:
        head += b"\xff" + struct.pack("!Q", size)
    key = MASK * (size // 4 + 1)
    return head + MASK + bytes(a ^ b for a, b in zip(data, key, strict=False))


def fragments(opcode: int, data: bytes, size: int) -> list[bytes]:
    """A message in frames of at most `size` bytes."""
    parts = [data[at : at + size] for at in range(0, len(data), size)] or [b""]
    return [client_frame(opcode if at == 0 else CONT, part, fin=at == len(parts) - 1) for at, part in enumerate(parts)]


def closing(code: int | None = None, reason: bytes = b"") -> bytes:
    """A client's close frame."""
    return client_frame(CLOSE, b"" if code is None else struct.pack("!H", code) + reason)


def read_frames(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The frames of a server: opcode and payload. Raises ValueError unless they are whole, final and unmasked."""
    at = 0
    while at < len(data):
        first, size = data[at], data[at + 1]
        at += 2
        if size == 126:
            size, at = struct.unpack("!H", data[at : at + 2])[0], at + 2
        elif size == 127:
            size, at = struct.unpack("!Q", data[at : at + 8])[0], at + 8
        elif size > 127:
            raise ValueError("a masked frame of a server")
        if first & 0xF0 != 0x80 or len(data) < at + size:
            raise ValueError("a frame that is not final or not whole")
        yield first & 0x0F, data[at : at + size]
        at += size


@dataclass
class Echo:
    """A listener that sends back what it hears, and fails text that is no UTF-8, as test servers of Autobahn do."""

    socket: GameSocket
    heard: list[tuple[bytes, bool]] = field(default_factory=list)
    flooded: bool = False
    lost: asyncio.Event = field(default_factory=asyncio.Event)

    def on_message(self, data: bytes, text: bool) -> None:
        self.heard.append((data, text))
        try:
            if text:
                data.decode()
        except UnicodeDecodeError:
            self.socket.farewell(None, 1007, "")
            return
        self.socket.offer(text_frame(data))

    def on_flood(self) -> None:
        self.flooded = True
        self.socket.farewell(None, 4009, "flood")

    def on_drained(self) -> None: ...

    def on_lost(self) -> None:
        self.socket.break_cycle()
        self.lost.set()


async def echo_app(scope: Any, receive: Any, send: Any) -> None:
    """Accepts every WebSocket and echoes on it."""
    if scope["type"] == "lifespan":
        while (kind := (await receive())["type"]) != "lifespan.shutdown":
            await send({"type": f"{kind}.complete"})
        await send({"type": "lifespan.shutdown.complete"})
    elif scope["type"] == "websocket":
        echo = Echo(scope[SCOPE_KEY])
        echo.socket.listener = echo
        await receive()
        await send({"type": "websocket.accept"})
        await echo.lost.wait()
    else:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextlib.asynccontextmanager
async def echoing(app: Any = echo_app, **more: Any) -> AsyncIterator[int]:
    """The port of a server that runs `app` and listens as a node does."""
    config = configuration(
        app, Settings(port=0, secret="for tests only, for tests only, for tests"), GameSocket, **more
    )
    server = _Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.001)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        await task


HANDSHAKE = (
    b"GET /v1/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


async def talk(port: int, sent: Sequence[bytes], chop: int | None = None) -> list[tuple[int, bytes]]:
    """Shake hands, send, and read all frames until the server closes. `chop`: bytes written at a time."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        async with asyncio.timeout(PATIENCE_S):
            writer.write(HANDSHAKE)
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
            for data in sent:
                for at in range(0, len(data), chop or len(data)):
                    writer.write(data[at : at + (chop or len(data))])
                    if chop:
                        await asyncio.sleep(0)
            heard = b""
            with contextlib.suppress(ConnectionResetError, BrokenPipeError):
                await writer.drain()
            with contextlib.suppress(ConnectionResetError):
                while more := await reader.read(65536):
                    heard += more
        return list(read_frames(heard))
    finally:
        writer.transport.abort()
