"""For any bytes from a client the socket class answers by valid frames, keeps order, and never raises."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable
from typing import Any, cast

import uvicorn
from hypothesis import given, settings
from hypothesis import strategies as st
from uvicorn.server import ServerState

from app.api.gateway.rate_limit import BYTES_BURST, FRAMES_BURST
from app.api.gateway.socket import GameSocket
from tests.api.gateway.frames import (
    BINARY,
    CLOSE,
    HANDSHAKE,
    PING,
    PONG,
    TEXT,
    Echo,
    client_frame,
    closing,
    echo_app,
    fragments,
    read_frames,
)  # fmt: skip


class Transport(asyncio.Transport):
    """Writes down what is sent; takes everything at once."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.closed = False
        self.aborted = False
        self.reading = True

    def write(self, data: Any) -> None:
        assert not self.closed
        self.written += data

    def write_eof(self) -> None:
        self.closed = True

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = self.aborted = True

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...

    def get_write_buffer_size(self) -> int:
        return 0


class Talk:
    """An open socket on such a transport, with an echo behind it."""

    def __init__(self, socket: GameSocket, transport: Transport) -> None:
        self.socket = socket
        self.transport = transport
        self.echo = cast(Echo, socket.listener)
        transport.written = b""

    def say(self, data: bytes, sizes: list[int] | None = None) -> None:
        """Send, in pieces of these sizes."""
        at = 0
        for size in [*(sizes or []), len(data)]:
            if at < len(data):
                self.socket.data_received(data[at : at + size])
                at += size

    @property
    def heard(self) -> list[tuple[int, bytes]]:
        """The frames that the server sent."""
        return list(read_frames(self.transport.written))


def with_talk(check: Callable[[Talk], None]) -> None:
    """Run a check on a socket that has shaken hands."""

    async def run() -> None:
        config = uvicorn.Config(echo_app)
        config.load()
        transport = Transport()
        socket = GameSocket(config=config, server_state=ServerState(), app_state={})
        socket.connection_made(transport)
        socket.data_received(HANDSHAKE)
        while not transport.written.endswith(b"\r\n\r\n"):
            await asyncio.sleep(0)
        check(Talk(socket, transport))
        socket.connection_lost(None)
        await asyncio.sleep(0)

    asyncio.run(run())


MESSAGES = st.tuples(st.sampled_from([TEXT, BINARY]), st.text(max_size=400), st.integers(1, 200))
PINGS = st.tuples(st.just(PING), st.text(max_size=30), st.just(0))
CHOPS = st.lists(st.integers(1, 700), max_size=30)


@given(st.lists(MESSAGES | PINGS, max_size=15), st.data(), CHOPS)
@settings(max_examples=150, deadline=None)
def test_messages_in_any_frames_and_pieces_come_in_order_and_every_ping_is_answered(
    said: list[tuple[int, str, int]], data: st.DataObject, chops: list[int]
) -> None:
    sent: list[bytes] = []
    expected: list[tuple[int, bytes]] = []
    for opcode, text, size in said:
        raw = text.encode()
        if opcode == PING:
            sent.append(client_frame(PING, raw))
            expected.append((PONG, raw))
            continue
        parts = fragments(opcode, raw, size)
        if len(parts) > 1 and data.draw(st.booleans()):
            parts.insert(data.draw(st.integers(1, len(parts) - 1)), client_frame(PING, b"within"))
            expected.append((PONG, b"within"))
        sent += parts
        expected.append((TEXT, raw))

    def check(talk: Talk) -> None:
        talk.say(b"".join([*sent, closing(1000)]), chops)
        if len(sent) < FRAMES_BURST:
            assert talk.heard == [*expected, (CLOSE, b"\x03\xe8")] and talk.transport.closed

    with_talk(check)


@given(st.binary(max_size=3000), CHOPS)
@settings(max_examples=300, deadline=None)
def test_any_bytes_are_survived(raw: bytes, chops: list[int]) -> None:
    def check(talk: Talk) -> None:
        talk.say(raw, chops)
        assert all(opcode in (TEXT, PONG, CLOSE) for opcode, _ in talk.heard)

    with_talk(check)


@given(st.lists(MESSAGES, min_size=1, max_size=6), st.data(), CHOPS)
@settings(max_examples=200, deadline=None)
def test_one_byte_changed_is_another_message_or_the_end_of_the_socket(
    said: list[tuple[int, str, int]], data: st.DataObject, chops: list[int]
) -> None:
    raw = bytearray(b"".join(part for opcode, text, size in said for part in fragments(opcode, text.encode(), size)))
    raw[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.integers(1, 255))

    def check(talk: Talk) -> None:
        talk.say(bytes(raw), chops)
        closes = [body for opcode, body in talk.heard if opcode == CLOSE]
        assert len(closes) <= 1
        if closes and closes[0]:
            assert 1000 <= struct.unpack("!H", closes[0][:2])[0] <= 4999
            assert talk.heard[-1][0] == CLOSE, "nothing follows a close frame"

    with_talk(check)


@given(st.sampled_from([PING, PONG, TEXT, BINARY]), st.integers(0, 3), st.integers(1, 70_000))
@settings(max_examples=60, deadline=None)
def test_more_frames_than_a_client_may_send_close_the_socket_whatever_their_kind(
    opcode: int, size: int, piece: int
) -> None:
    """D2: control frames and empty ones are counted like all others, and parsing stops within one piece."""
    flood = client_frame(opcode, b"x" * size) * 100_000

    def check(talk: Talk) -> None:
        talk.say(flood[: 4 * piece], [piece, piece, piece])
        frames = 4 * piece // (6 + size)
        answers = len([one for one in talk.heard if one[0] in (PONG, TEXT)])
        assert answers <= FRAMES_BURST
        if frames > FRAMES_BURST + 40:
            assert talk.echo.flooded and talk.heard[-1] == (CLOSE, struct.pack("!H", 4009) + b"flood")
            assert not talk.transport.reading, "nothing more is read of it"

    with_talk(check)


def test_fragments_without_end_are_frames_too() -> None:
    """D2: a message whose fragments are empty has no size to be bounded by."""

    def check(talk: Talk) -> None:
        talk.say(client_frame(TEXT, b"", fin=False) + client_frame(0, b"", fin=False) * 1000)
        assert talk.echo.flooded and talk.echo.heard == []

    with_talk(check)


def test_more_bytes_than_a_client_may_send_close_the_socket() -> None:
    """D2: two messages of the largest size are served, a third at once is not."""

    def check(talk: Talk) -> None:
        talk.say(client_frame(BINARY, b"x" * 250_000) * 3)
        assert len(talk.echo.heard) == int(BYTES_BURST // 250_000) and talk.echo.flooded

    with_talk(check)
