"""One client: from the hello to the farewell. Implements `tables.ports.Connection` on a GameSocket.

Every request gets exactly one `ack` or `error`: the table's, or ours when it never got that far.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final, Protocol

from app.api.gateway.outgoing import Outgoing
from app.api.gateway.rate_limit import TokenBucket
from app.api.gateway.socket import HIGH_WATER_BYTES, GameSocket
from app.api.gateway.translate import FAREWELLS, read_ask
from app.protocol.v1 import client, codec
from app.protocol.v1.client import BadFrame
from app.protocol.v1.errors import CloseCode
from app.refusal import MESSAGES, ErrorCode
from app.tables.asks import Ask
from app.tables.frames import Frame, Plain, Reason
from app.tables.handle import TableHandle

HELLO_S: Final = 5.0
SILENT_S: Final = 18.0
"""With the second between two looks (`gateway.sweep`) it is noticed within 20 s; clients ping every 10 s."""
_EARLY: Final = 16
"""Requests that may wait while the hello is being looked at."""
_MOVED_MS: Final = 300
"""Clients of a table that moved come back spread over this time; after a restart, over what `way_on` says."""


class Scope(Protocol):
    """The peer of an admitted connection: a table, or the lobby."""

    def on_request(self, connection: Connection, message: client.Message) -> None: ...

    def on_drained(self, connection: Connection) -> None: ...

    def on_lost(self, connection: Connection) -> None: ...


class Connection:
    """A socket and its peer.

    `greet` gets the hello. `lost` is called once, when the socket is gone; `part` must be called soon after.
    `way_on` says where and when the client goes on after a restart: the path, None for the address that it knows, and
    the shortest and the longest wait in ms.
    """

    def __init__(
        self, socket: GameSocket, now: float,
        greet: Callable[[Connection, str, client.Hello], None], lost: Callable[[Connection], None],
        way_on: Callable[[Connection], tuple[str | None, int, int]], outgoing: Outgoing,
    ) -> None:  # fmt: skip
        self._socket = socket
        self._outgoing = outgoing
        self._pending: list[bytes] = []
        self._pending_bytes = 0
        self._greet = greet
        self._lost = lost
        self._way_on = way_on
        self._now = socket.loop.time
        self._allowance = TokenBucket(now)
        self._early: list[client.Message] = []
        self.since = now
        self.heard = now
        self.greeted = False
        self.closing = False
        self.user: str | None = None
        self.watching = False
        """In a lobby, or at a table as a spectator."""
        self.scope: Scope | None = None
        socket.listener = self

    # The table's side (tables.ports.Connection)

    def offer(self, frame: Frame) -> bool:
        """Write or queue one frame; see the port."""
        face = frame.face
        if frame.kind == "error":
            self._outgoing.refusals[face.data["code"]] += 1
        if face.message is None or face.message_seq != frame.seq:
            face.message = codec.text_frame(codec.frame(frame.kind, face.encoded, frame.seq))
            face.message_seq = frame.seq
        return self._offer(face.message)

    def _offer(self, message: bytes) -> bool:
        """A frame of the socket. It leaves with all others of this step, or at once when they are many bytes."""
        if self.closing:
            return False
        if not self._pending:
            self._outgoing.add(self)
        self._pending.append(message)
        self._pending_bytes += len(message)
        if self._pending_bytes > HIGH_WATER_BYTES:
            self.flush()
        return self._socket.writable

    def flush(self) -> None:
        """Hand the frames of this step to the socket, as one piece."""
        if self._pending:
            self._socket.offer(b"".join(self._pending))
            self._pending.clear()
            self._pending_bytes = 0

    def farewell(self, reason: Reason, detail: str) -> None:
        """Say `bye` and close."""
        self.close(FAREWELLS[reason], detail or reason)

    # The socket's side (socket.Listener)

    def on_message(self, data: bytes, text: bool) -> None:
        """A whole message came in."""
        now = self.heard = self._now()
        if not self._allowance.take(now):
            left_ms = self._allowance.left_ms()
            self._fault(BadFrame(ErrorCode.RATE_LIMITED, MESSAGES[ErrorCode.RATE_LIMITED], _ref_of(data), left_ms))
            return
        try:
            self._handle(_message(data, text))
        except BadFrame as bad:
            self._fault(bad)

    def on_flood(self) -> None:
        """More frames or bytes than any client sends."""
        self.close(CloseCode.ABUSE, "flood")

    def on_drained(self) -> None:
        """All that waited is with the transport."""
        if self.scope is not None:
            self.scope.on_drained(self)

    def on_lost(self) -> None:
        """The socket is no more."""
        self.closing = True
        self._lost(self)

    # For the gateway

    def enter(self, scope: Scope) -> None:
        """The hello was good: requests go to `scope` from now on, those that came early first."""
        self.scope = scope
        early, self._early = self._early, []
        for message in early:
            self.request(message)

    def part(self) -> None:
        """The socket is no more: tell whom it was attached to."""
        scope, self.scope = self.scope, None  # a late reference to this connection must not keep the table alive
        if scope is not None:
            scope.on_lost(self)
        self._socket.break_cycle()

    def request(self, message: client.Message) -> None:
        """Pass a request on; answer what is wrong with it."""
        assert self.scope is not None
        try:
            self.scope.on_request(self, message)
        except BadFrame as bad:
            self._fault(bad)

    def send(self, kind: str, data: Plain) -> None:
        """A frame of our own making."""
        self._offer(codec.text_frame(codec.frame(kind, codec.encode_data(data))))

    def refuse(self, ref: str | None, code: ErrorCode, message: str = "", left_ms: int | None = None) -> None:
        """Answer a request with an error. `left_ms`: after this time it may be sent again."""
        self._outgoing.refusals[code] += 1
        left = {} if left_ms is None else {"left_ms": left_ms}
        self.send("error", {"ref": ref, "code": code, "message": message or MESSAGES[code], **left})

    def close(self, code: CloseCode, reason: str, path: str | None = None) -> None:
        """Say `bye` and close; the socket is cut a second later if need be. Harmless when repeated."""
        if self.closing:
            return
        self.flush()
        self.closing = True
        bye: Plain = {"code": int(code), "reason": reason}
        if code is CloseCode.MOVED:
            bye["retry_ms"] = random.randint(0, _MOVED_MS)
        elif code is CloseCode.RESTART:
            path, *wait_ms = self._way_on(self)
            bye["retry_ms"] = random.randint(*wait_ms)
        if path is not None:
            bye["path"] = path
        self._socket.farewell(codec.frame("bye", codec.encode_data(bye)), int(code), reason[:60])

    def _handle(self, message: client.Message) -> None:
        if message.kind == "ping":
            self.send("pong", {"t": client.read_data(message, client.ROOM_KINDS).t})
        elif self.scope is not None:
            self.request(message)
        elif not self.greeted:
            if message.kind != "hello":
                self.refuse(message.id, ErrorCode.NO_HELLO)
                self.close(CloseCode.NO_HELLO, "no_hello")
                return
            hello = client.read_data(message, client.ROOM_KINDS)
            self.greeted = True
            self._greet(self, message.id, hello)
        elif len(self._early) < _EARLY:
            self._early.append(message)
        else:
            raise BadFrame(ErrorCode.RATE_LIMITED, "wait for the answer to hello", message.id)

    def _fault(self, bad: BadFrame) -> None:
        if self.closing:
            return
        self.refuse(bad.ref, bad.code, bad.problem, bad.left_ms)
        if not self.greeted:
            self.close(CloseCode.NO_HELLO, bad.code)
        elif self._allowance.fault():
            self.close(CloseCode.ABUSE, bad.code)

    def overdue(self, now: float) -> CloseCode | None:
        """True after a silence longer than the limit."""
        if self.closing:
            return None
        if not self.greeted:
            return CloseCode.NO_HELLO if now - self.since > HELLO_S else None
        return CloseCode.SILENT if now - self.heard > SILENT_S else None


class AtTable:
    """The scope of a room's socket."""

    def __init__(self, table: TableHandle) -> None:
        self.table = table

    def on_request(self, connection: Connection, message: client.Message) -> None:
        """Hand an ask to the table; it answers by itself unless it did not take it. Raises BadFrame."""
        if message.kind == "hello":
            raise BadFrame(ErrorCode.NOT_ALLOWED, "one hello per socket", message.id)
        ask: Ask = read_ask(message)
        code = self.table.request(connection, message.id, ask)
        if code is not None:
            connection.refuse(message.id, code)

    def on_drained(self, connection: Connection) -> None:
        """Prompts that waited were written: their clocks may start."""
        self.table.written(connection)

    def on_lost(self, connection: Connection) -> None:
        """The socket is gone."""
        self.table.detach(connection)


def _message(data: bytes, text: bool) -> client.Message:
    if not text:
        raise BadFrame(ErrorCode.NOT_TEXT, MESSAGES[ErrorCode.NOT_TEXT])
    if len(data) > codec.FRAME_BYTES:
        raise BadFrame(ErrorCode.TOO_LARGE, f"a frame may have {codec.FRAME_BYTES} bytes, this one has {len(data)}")
    try:
        return client.read_message(data.decode())
    except UnicodeDecodeError:
        raise BadFrame(ErrorCode.NOT_TEXT, MESSAGES[ErrorCode.NOT_TEXT]) from None


def _ref_of(data: bytes) -> str | None:
    """The id of a request that will not be served, so that even then its sender knows which."""
    try:
        return client.read_message(data[: codec.FRAME_BYTES]).id
    except BadFrame:
        return None
