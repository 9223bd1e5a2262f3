"""The WebSocket itself: uvicorn's sansio protocol with its queue and its `send` left out. Bytes in, bytes out, no JSON.

Messages go to a listener by a plain call; frames are written straight to the transport while it takes them, else wait
in a bounded queue. No task, no await. The base class keeps the handshake, fragments and the closing handshake; that a
peer who does not read can make none of it wait is our work: whatever ends a socket, it is gone `FAREWELL_S` later.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from collections import deque
from typing import Any, Final, Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

SCOPE_KEY: Final = "mj.socket"
"""Where the ASGI scope carries the connection's GameSocket."""

SEND_BUFFER_BYTES: Final = 64 * 1024
"""The kernel's buffer per socket: with its default of some megabytes a reader that stopped is noticed hours late."""
HIGH_WATER_BYTES: Final = 32 * 1024
QUEUE_BYTES: Final = 256 * 1024
"""What may wait for a slow reader; more, and he is cut."""
FAREWELL_S: Final = 1.0
"""How long a closed socket may take to answer before it is cut: one that does not read never would."""
UNHEARD_MS: Final = 20_000
"""How long the kernel waits for a peer who does not confirm what we write: he may still be heard, where a line is dead
in one direction only."""
_RESET: Final = struct.pack("ii", 1, 0)
"""SO_LINGER: closing throws away what the kernel holds, and tells the peer at once."""


class Listener(Protocol):
    """Who hears what a socket says. All calls come from the event loop, none may raise."""

    def on_message(self, data: bytes, text: bool) -> None: ...

    def on_drained(self) -> None: ...

    def on_lost(self) -> None: ...


class GameSocket(WebSocketsSansIOProtocol):
    """One WebSocket. Give this class to uvicorn as `ws=GameSocket`; the endpoint finds it in `scope[SCOPE_KEY]`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.listener: Listener | None = None
        self._held: deque[bytes] = deque()
        self._held_bytes = 0
        self._paused = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the buffers small, so that a reader who stopped is noticed."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=HIGH_WATER_BYTES)
        raw = transport.get_extra_info("socket")
        if raw is not None:
            with contextlib.suppress(OSError):
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
            with contextlib.suppress(OSError, AttributeError):  # a Unix socket; a system without it
                raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNHEARD_MS)

    def handle_connect(self, event: Any) -> None:
        """The handshake: let the endpoint know us. Its task begins in a later turn of the loop."""
        super().handle_connect(event)
        if not self.close_sent:
            self.scope[SCOPE_KEY] = self  # type: ignore[typeddict-unknown-key]

    def send_receive_event_to_app(self) -> None:
        """A whole message is there: a plain call instead of a queue."""
        if self.listener is None:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        self.frames = []
        if not self.close_sent:
            self.listener.on_message(bytes(data), self.curr_msg_data_type == "text")

    def handle_ping(self) -> None:
        """Answer, unless answers to earlier ones still wait: nobody may fill our memory by asking and not reading."""
        if self._paused:
            self.conn.data_to_send()
        else:
            super().handle_ping()

    def handle_close(self, event: Any) -> None:
        """He closes, or agrees to our close. The transport would wait for ever until he has read all before it."""
        super().handle_close(event)
        self._end_soon()

    def handle_parser_exception(self) -> None:
        """He broke the protocol: told so and closed, as above."""
        super().handle_parser_exception()
        self._end_soon()

    def eof_received(self) -> None:
        """He has ended his side without a word: the transport closes, as above where something waits in it."""
        if self.transport.get_write_buffer_size():
            self._end_soon()

    def shutdown(self) -> None:
        """The server stops. The base class would take back the time limit of a close that is under way."""
        super().shutdown()
        self._end_soon()

    def pause_writing(self) -> None:
        """The transport is full: frames wait here from now on."""
        super().pause_writing()
        self._paused = True

    def resume_writing(self) -> None:
        """There is room again: write what waited, in order."""
        super().resume_writing()
        self._paused = False
        while self._held and not self._paused:
            waiting = self._held.popleft()
            self._held_bytes -= len(waiting)
            self.transport.write(waiting)
        if not self._held and self.listener is not None:
            self.listener.on_drained()

    def connection_lost(self, exc: Exception | None) -> None:
        """Gone, for whatever reason."""
        self._drop()
        super().connection_lost(exc)
        if self.listener is None:
            self.let_go()
        else:
            self.listener.on_lost()

    def let_go(self) -> None:
        """Of a lost socket: of what refers to us. As a cycle it would lie about for long. The listener, where there is
        one, sees to that, when there is time."""
        if self.listener is not None:  # the endpoint has found us in the scope
            self.listener = None
            self.scope.pop(SCOPE_KEY, None)  # type: ignore[typeddict-item]
        self.conn.receive_eof()  # ends its parser, which refers to it

    def offer(self, payload: bytes) -> bool:
        """Send a text message. True: the transport has it; False: it waits, or the socket is closing. Never blocks.

        A reader who lets more than `QUEUE_BYTES` wait is cut on the spot.
        """
        if self.close_sent or self.transport.is_closing():
            return False
        message = _text_frame(payload)
        if not self._paused:
            self.transport.write(message)
            return True
        self._held.append(message)
        self._held_bytes += len(message)
        if self._held_bytes > QUEUE_BYTES:
            self.abort()
        return False

    def farewell(self, payload: bytes, code: int, reason: str) -> None:
        """A last message and a close; cut after `FAREWELL_S` when the other side does not answer. Never blocks."""
        if self.close_sent or self.transport.is_closing():
            return
        self._drop()
        with contextlib.suppress(InvalidState):
            self.conn.send_close(code, reason)
            self.transport.write(_text_frame(payload) + b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self._end_soon()

    def abort(self) -> None:
        """Cut the connection: nothing more is sent, what is buffered is thrown away, in the kernel too.

        By a mere close the kernel keeps its part for as long as the peer lives, who learns nothing until he reads.
        """
        self._drop()
        raw = self.transport.get_extra_info("socket")
        if raw is not None:
            with contextlib.suppress(OSError):
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self.transport.abort()

    def _end_soon(self) -> None:
        """See to it that the connection is gone in `FAREWELL_S`, read or not."""
        if self.close_timer is None and not self.disconnected:
            self.close_timer = self.loop.call_later(FAREWELL_S, self._end)

    def _end(self) -> None:
        """The time is up. What the kernel has may still arrive; what it never took cannot any more."""
        if self.transport.get_write_buffer_size():
            self.abort()
        else:
            self.transport.abort()

    def _drop(self) -> None:
        self._held.clear()
        self._held_bytes = 0


def _text_frame(payload: bytes) -> bytes:
    """A final, unmasked text frame (RFC 6455, 5.2)."""
    size = len(payload)
    if size < 126:
        return b"\x81%c%b" % (size, payload)
    if size < 65536:
        return b"\x81\x7e%b%b" % (size.to_bytes(2, "big"), payload)
    return b"\x81\x7f%b%b" % (size.to_bytes(8, "big"), payload)
