"""One WebSocket as an `asyncio.Protocol` around the sans-I/O `websockets.server.ServerProtocol`. Bytes, no JSON.

uvicorn parses the head of the upgrade request, makes a `GameSocket` and passes it the connection and that head. The
handshake goes through the ASGI app, so that routes and middleware apply to it. After it, messages go to a listener by
a plain call, and frames are written straight to the transport while it takes them, else wait in a bounded queue. No
task per frame, no await. A peer that does not read cannot delay the end: a socket is gone `FAREWELL_S` after the event
that ended it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import struct
from collections import deque
from typing import Any, Final, Protocol, cast

import uvicorn
from uvicorn.server import ServerState
from websockets.exceptions import InvalidState
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol

from app.api.gateway.handshake import LINE_KEY, Message, websocket_scope
from app.api.gateway.rate_limit import FrameAllowance
from app.protocol.v1.codec import text_frame

log = logging.getLogger(__name__)

SCOPE_KEY: Final = "mj.socket"
"""Key in the ASGI scope of the connection's GameSocket."""

SEND_BUFFER_BYTES: Final = 64 * 1024
"""The kernel's buffer per socket. With its default of some megabytes a reader that stopped is noticed hours late."""
HIGH_WATER_BYTES: Final = 32 * 1024
QUEUE_BYTES: Final = 256 * 1024
"""Limit of the output that waits for a slow reader. Beyond it the connection is cut."""
FAREWELL_S: Final = 1.0
"""Time for a peer to answer our close before the connection is cut: a peer that does not read never answers."""
UNHEARD_MS: Final = 20_000
"""Time for a peer to acknowledge our bytes. Finds connections that are dead in one direction only."""
_RESET: Final = struct.pack("ii", 1, 0)
"""SO_LINGER: closing discards the kernel's buffer, and informs the peer at once."""

_PIECE: Final = 1024
"""Bytes parsed at a time: at most 170 frames, so a flood is noticed within milliseconds."""

_QUIET: Final = logging.getLogger(f"{__name__}.protocol")
_QUIET.setLevel(logging.WARNING)  # at DEBUG the library logs every frame: tickets and hidden tiles


class Listener(Protocol):
    """Receives what a socket reads. All calls come from the event loop; none may raise."""

    def on_message(self, data: bytes, text: bool) -> None: ...

    def on_flood(self) -> None:
        """The peer sends more than a client may, by number or bytes. Nothing more of it is read."""
        ...

    def on_drained(self) -> None: ...

    def on_lost(self) -> None: ...


class Line(Protocol):
    """The server's entry about a connection that has become a WebSocket."""

    def upgraded(self) -> None: ...

    def over(self) -> None: ...


class GameSocket(asyncio.Protocol):
    """One WebSocket. Give this class to uvicorn as `ws=GameSocket`; the endpoint finds it in `scope[SCOPE_KEY]`.

    The app may only accept or refuse (`websocket.accept`, `websocket.close`) by ASGI; all later traffic goes through
    `listener`, `offer` and `farewell`. The keywords of the constructor are uvicorn's.
    """

    def __init__(self, config: uvicorn.Config, server_state: ServerState, app_state: dict[str, Any]) -> None:
        self.loop = asyncio.get_running_loop()
        self.listener: Listener | None = None
        self.transport: asyncio.Transport = cast(asyncio.Transport, None)
        self._app = config.loaded_app
        self._app_state = app_state
        self._line: Line | None = app_state.get(LINE_KEY)
        self._server_state = server_state
        self._protocol = ServerProtocol(max_size=config.ws_max_size, logger=_QUIET)
        self._scope: Message = {}
        self._response: Response | None = None
        """The answer to the handshake, until it is sent."""
        self._gone = asyncio.Event()
        self._allowance = FrameAllowance(self.loop.time())
        self._deaf = False
        self._asked = False
        self._accepted = False
        self._closing = False
        self._timer: asyncio.TimerHandle | None = None
        self._text = False
        self._parts: list[bytes] = []
        self._answers: list[bytes] = []
        """The frames that the protocol wants to send: a pong for each open ping, then perhaps a close frame."""
        self._held: deque[bytes] = deque()
        self._held_bytes = 0
        self._paused = False

    # Called by the transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the buffers small, so that a reader that stopped is noticed."""
        self.transport = cast(asyncio.Transport, transport)
        if self._line is not None:
            self._line.upgraded()
        self._server_state.connections.add(self)  # type: ignore[arg-type]  # which asks only for `shutdown`
        self.transport.set_write_buffer_limits(high=HIGH_WATER_BYTES)
        raw = transport.get_extra_info("socket")
        if raw is not None:
            with contextlib.suppress(OSError):
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
            with contextlib.suppress(OSError, AttributeError):  # a Unix socket; a system without it
                raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNHEARD_MS)

    def data_received(self, data: bytes) -> None:
        """Bytes of the peer: first the head of its request, as uvicorn passes it on, then frames."""
        if len(data) <= _PIECE:
            self._read(data)
            return
        for at in range(0, len(data), _PIECE):
            self._read(data[at : at + _PIECE])

    def _read(self, data: bytes) -> None:
        """Parse some bytes and handle the frames that they complete, unless they are more than a client may send."""
        now = self.loop.time()
        if not self._allowance.take_bytes(now, len(data)):
            return self._on_flood()
        if self._deaf:
            return
        self._protocol.receive_data(data)
        events, self._answers = self._protocol.events_received(), self._protocol.data_to_send()
        if not self._allowance.take_frames(now, len(events)):
            return self._on_flood()
        for event in events:
            if isinstance(event, Frame):
                self._on_frame(event)
            else:
                self._on_request(cast(Request, event))
        if self._protocol.parser_exc is not None:
            self._linger()  # it broke the protocol: the library's close frame says how
        elif self._protocol.handshake_exc is not None and not self._accepted:
            self._end()

    def _on_flood(self) -> None:
        self._answers = []
        if self.listener is None or self._closing or self._deaf:
            self.abort()
        else:
            self._deaf = True
            self.transport.pause_reading()
            self.listener.on_flood()

    def eof_received(self) -> None:
        """The peer ended its side without a close frame. The transport closes, in time also where something waits."""
        if self.transport.get_write_buffer_size():
            self._cut_soon()

    def pause_writing(self) -> None:
        """The transport is full: frames wait here from now on."""
        self._paused = True

    def resume_writing(self) -> None:
        """There is room again: write what waited, in order."""
        self._paused = False
        while self._held and not self._paused:
            waiting = self._held.popleft()
            self._held_bytes -= len(waiting)
            self.transport.write(waiting)
        if not self._held and self.listener is not None:
            self.listener.on_drained()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is lost or closed, for any reason."""
        self._server_state.connections.discard(self)
        self._closing = True
        self._gone.set()
        self._drop()
        if self._timer is not None:
            self._timer.cancel()
        if self._line is not None:
            self._line.over()
            self._line = None
        if self.listener is None:
            self.break_cycle()
        else:
            self.listener.on_lost()

    def break_cycle(self) -> None:
        """Drop what refers to this lost socket, so that it is freed at once and not by a later garbage collection.

        A listener that is still attached calls this when it has time.
        """
        self.listener = None
        self._scope, self._app_state = {}, {}
        self._protocol.receive_eof()  # ends its parser, a generator that refers to it

    # Called by the listener and the server

    @property
    def writable(self) -> bool:
        """True when the transport takes a frame at once; False: it waits, or the socket is closing."""
        return not (self._paused or self._closing or self.transport.is_closing())

    def offer(self, message: bytes) -> None:
        """Send whole frames (`text_frame`). They wait while the transport is full. Never blocks.

        A reader that lets more than `QUEUE_BYTES` wait is cut on the spot.
        """
        if self.writable:
            self.transport.write(message)
        elif not self._closing:
            self._held.append(message)
            self._held_bytes += len(message)
            if self._held_bytes > QUEUE_BYTES:
                self.abort()

    def farewell(self, payload: bytes | None, code: int, reason: str) -> None:
        """Send a last message, if any, and a close frame; cut after `FAREWELL_S` without an answer. Never blocks."""
        if self._closing or self.transport.is_closing():
            return
        self._drop()
        with contextlib.suppress(InvalidState):
            self._protocol.send_close(code, reason)
            last = b"" if payload is None else text_frame(payload)
            self.transport.write(last + b"".join(self._protocol.data_to_send()))
        self._closing = True
        self._cut_soon()

    def abort(self) -> None:
        """Cut the connection: nothing more is sent, and buffers are discarded, in the kernel too.

        After a mere close the kernel keeps its part while the peer lives, and the peer learns nothing until it reads.
        """
        self._drop()
        raw = self.transport.get_extra_info("socket")
        if raw is not None:
            with contextlib.suppress(OSError):
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self.transport.abort()

    def shutdown(self) -> None:
        """The server stops (called by uvicorn): close open connections."""
        if not self._accepted:
            self._refuse(500, "")
        elif not self._closing:
            with contextlib.suppress(InvalidState):
                self._protocol.send_close(1012)
        self._end()

    # The handshake

    def _on_request(self, request: Request) -> None:
        """The head is read. The app decides about the socket in a task, which begins in a later turn of the loop."""
        self._response = self._protocol.accept(request)
        if self._response.status_code != 101:
            self._protocol.send_response(self._response)
            self._end()
            return
        self._scope = websocket_scope(request, self.transport, self._app_state)
        self._scope[SCOPE_KEY] = self
        self.transport.pause_reading()  # no peer may speak before it has our answer
        task = self.loop.create_task(self._run_asgi())
        self._server_state.tasks.add(task)
        task.add_done_callback(self._server_state.tasks.discard)

    async def _run_asgi(self) -> None:
        if self._gone.is_set():
            return
        scope = self._scope
        try:
            await self._app(scope, self._receive, self._send)
        except Exception:
            log.exception("the app failed to serve a WebSocket")
        finally:
            scope.pop(SCOPE_KEY, None)
            if not self._closing:
                if not self._accepted:
                    self._refuse(500, "")
                self._end()

    async def _receive(self) -> Message:
        """ASGI's `receive`: the request to connect; after that, only that the connection is gone."""
        if not self._asked:
            self._asked = True
            return {"type": "websocket.connect"}
        await self._gone.wait()
        return {"type": "websocket.disconnect", "code": 1006}

    async def _send(self, message: Any) -> None:
        """ASGI's `send`: accept the socket, or refuse it with 403, or close it."""
        if message["type"] == "websocket.accept" and not self._accepted and not self._closing:
            self._accept(message)
        elif message["type"] != "websocket.close":
            raise RuntimeError(f"a GameSocket does not take {message['type']} now: send by its `offer`")
        elif not self._closing:
            if self._accepted:
                self._protocol.send_close(message.get("code", 1000), message.get("reason") or "")
            else:
                self._refuse(403, "")
            self._end()

    def _accept(self, message: Message) -> None:
        assert self._response is not None
        for name, value in message.get("headers", ()):
            self._response.headers[name.decode("latin-1")] = value.decode("latin-1")
        if message.get("subprotocol"):
            self._response.headers["Sec-WebSocket-Protocol"] = message["subprotocol"]
        self._accepted = True
        self._protocol.send_response(self._response)
        self._response = None
        self._flush()
        self.transport.resume_reading()

    def _refuse(self, status: int, text: str) -> None:
        """Answer the handshake with an error, if it was not answered yet."""
        if self._response is not None:
            self._response = None
            self._protocol.send_response(self._protocol.reject(status, text))

    # Frames

    def _on_frame(self, frame: Frame) -> None:
        opcode = frame.opcode
        if opcode is Opcode.TEXT or opcode is Opcode.BINARY:
            self._text = opcode is Opcode.TEXT
            self._parts = [bytes(frame.data)]
        elif opcode is Opcode.CONT:
            self._parts.append(bytes(frame.data))
        else:
            self._on_control(opcode)
            return
        if frame.fin:
            data = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
            self._parts = []
            if self.listener is not None and not self._closing:
                self.listener.on_message(data, self._text)

    def _on_control(self, opcode: Opcode) -> None:
        if opcode is Opcode.CLOSE:
            self._end()  # the peer closes, or answers our close
        elif opcode is Opcode.PING:
            pong = self._answers.pop(0)
            if not self._paused:  # nobody may fill our memory by asking and not reading
                self.transport.write(pong)

    # The end

    def _end(self) -> None:
        """Write what the protocol has to say and close; cut when the peer takes none of it for `FAREWELL_S`."""
        self._closing = True
        if not self.transport.is_closing():
            self._flush()
            self.transport.close()
        self._cut_soon()

    def _linger(self) -> None:
        """Write what the protocol has to say, end our side, and throw away what still comes.

        To close at once would reset the connection while the peer still sends, and it would not learn why.
        """
        self._closing = self._deaf = True
        if not self.transport.is_closing():
            self._flush()
            self.transport.write_eof()
        self._cut_soon()

    def _cut_soon(self) -> None:
        """See to it that the connection is gone in `FAREWELL_S`, whether the peer reads or not."""
        if self._timer is None and not self._gone.is_set():
            self._timer = self.loop.call_later(FAREWELL_S, self._cut)

    def _cut(self) -> None:
        """The time is up. Bytes in the kernel may still arrive; bytes that it never took are lost."""
        if self.transport.get_write_buffer_size():
            self.abort()
        else:
            self.transport.abort()

    def _flush(self) -> None:
        answers, self._answers = self._answers, []
        self.transport.write(b"".join([*answers, *self._protocol.data_to_send()]))

    def _drop(self) -> None:
        self._held.clear()
        self._held_bytes = 0
