"""The connections of one node: how many there may be, and how long and how large a request may be before it is whole.

uvicorn's HTTP protocol has neither a deadline nor a size for a request's head. An `HttpLine` stands between it and the
transport, counts, and cuts. After an upgrade the WebSocket takes over; its line stays counted until it is gone.
"""

from __future__ import annotations

import asyncio
import logging
import resource
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from itertools import islice
from typing import Any, Final, cast

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from app.api.gateway.handshake import LINE_KEY
from app.settings import Settings
from app.storage.live.limiter import address_group

log = logging.getLogger(__name__)

HEAD_BYTES: Final = 32 * 1024
REQUEST_BYTES: Final = 5 * 1024 * 1024
"""Limit of the bytes that arrive during one request; the app refuses bodies above 64 KB itself."""
RESERVE: Final = 100
"""Descriptors that stay for the stores, files and libraries."""
SOCKETS_PER_TABLE: Final = 5
"""Four seats, and one spectator or one in the lobby."""
_ENOUGH: Final = 1_048_576
_LOG_EVERY_S: Final = 10.0
_FAREWELL_S: Final = 1.0
"""Time for a refusal to reach its peer."""
_CUT_AT_ONCE: Final = 32
_PAUSE_S: Final = 0.005
"""Connections whose time is over are cut so many at a time, with this pause between."""


@dataclass(frozen=True, slots=True)
class Deadlines:
    """`head_s`: from the connection, or the first byte of a further request, to the end of its head. `body_s`: from
    there to the end of the body. `request_s`: from there to the end of the answer, also when the peer does not read."""

    head_s: float = 10.0
    body_s: float = 15.0
    request_s: float = 60.0


class Lines:
    """Counts open connections: at most `most`, at most `per_address` of one address. Peers in `trusted` (proxies, which
    count for themselves) only count in all."""

    def __init__(
        self, most: int, per_address: int, trusted: tuple[str, ...] = (), deadlines: Deadlines = Deadlines(),
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self.most = most
        """Open files allowed, less those kept back."""
        self.per_address = max(1, min(per_address, most // 2))
        self.deadlines = deadlines
        self.open = 0
        self.refused_full = 0
        self.refused_address = 0
        self._trusted = [ip_network(network, strict=False) for network in trusted]
        self._of: Counter[str] = Counter()
        self.heads = Waits(deadlines.head_s, HttpLine.head_late)
        self.requests = Waits(deadlines.request_s, HttpLine.cut)
        self.farewells = Waits(_FAREWELL_S, HttpLine.cut)
        self._now_s = now_s
        self._logged = float("-inf")

    def admit(self, host: str | None) -> str | None:
        """Count a new connection from `host`; the name to `leave` by. None: it must be refused."""
        if self.open >= self.most:
            self.refused_full += 1
            self._complain("no descriptors left: %d connections open, %d refused", self.open, self.refused_full)
            return None
        group = self._group(host)
        if group and self._of[group] >= self.per_address:
            self.refused_address += 1
            self._complain("%s has %d connections; a further one is refused", group, self._of[group])
            return None
        self.open += 1
        if group:
            self._of[group] += 1
        return group

    def leave(self, group: str) -> None:
        """A connection is gone."""
        self.open -= 1
        if group:
            self._of[group] -= 1
            if not self._of[group]:
                del self._of[group]

    def report(self, max_tables: int) -> dict[str, int | bool]:
        """For `/readyz`. `enough`: connections for `max_tables` full tables."""
        return {
            "open": self.open, "most": self.most, "enough": self.most >= max_tables * SOCKETS_PER_TABLE,
            "refused_full": self.refused_full, "refused_address": self.refused_address,
        }  # fmt: skip

    def _group(self, host: str | None) -> str:
        """What `host` is counted as; empty: not by itself."""
        if host is None or any(ip_address(host.partition("%")[0]) in network for network in self._trusted):
            return ""
        return address_group(host)

    def _complain(self, text: str, *args: object) -> None:
        now = self._now_s()
        if now - self._logged >= _LOG_EVERY_S:
            self._logged = now
            log.warning(text, *args)


class Waits:
    """Connections that have the same time for something: one timer for all of them, since they may be thousands. When
    it is over they are cut some at a time, so that everybody else has their turn in between.
    """

    def __init__(self, limit_s: float, late: Callable[[HttpLine], None]) -> None:
        self._limit_s = limit_s
        self._late = late
        self._due: dict[HttpLine, float] = {}
        """In the order in which their time is over."""
        self._looking = False

    def begin(self, line: HttpLine) -> None:
        """The time of this one starts now, or anew."""
        loop = asyncio.get_running_loop()
        self._due.pop(line, None)
        self._due[line] = loop.time() + self._limit_s
        if not self._looking:
            self._looking = True
            loop.call_later(self._limit_s, self._look)

    def end(self, line: HttpLine) -> None:
        """It did what it was to do, or is gone."""
        self._due.pop(line, None)

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        for line in [line for line, due in islice(self._due.items(), _CUT_AT_ONCE) if due <= now]:
            del self._due[line]
            self._late(line)
        self._looking = bool(self._due)
        if self._looking:
            loop.call_later(max(_PAUSE_S, next(iter(self._due.values())) - now), self._look)


class HttpLine(asyncio.Protocol):
    """One connection: uvicorn's HTTP protocol with deadlines and bounds around it. Keywords are uvicorn's.

    uvicorn's part is made when the first head is whole: what a connection costs until then is what a flood of silent
    or half-open ones costs.
    """

    __slots__ = ("_app_state", "_config", "_fresh", "_group", "_head", "_in_head", "_inner", "_lines", "_refused",
                 "_size", "_state", "_tail", "_transport", "_waits")  # fmt: skip

    def __init__(
        self, lines: Lines, config: uvicorn.Config, server_state: ServerState, app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:  # fmt: skip
        self._lines = lines
        self._state = server_state
        self._config = config
        self._app_state = app_state
        self._fresh = True
        """uvicorn's part can still be made."""
        self._inner: HttpToolsProtocol | None = None
        self._transport: asyncio.Transport = cast(asyncio.Transport, None)
        self._group: str | None = None
        self._waits: Waits | None = None
        self._refused = False
        self._in_head = True
        self._size = 0
        self._head = b""
        """The first head, as far as it is here."""
        self._tail = b""

    # Called by the transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection, or refuse it."""
        self._transport = cast(asyncio.Transport, transport)
        peer = transport.get_extra_info("peername")
        self._group = self._lines.admit(peer[0] if isinstance(peer, tuple) else None)
        if self._group is None:
            self._refuse("503 Service Unavailable")
            return
        self._state.connections.add(self)  # type: ignore[arg-type]  # which asks only for `shutdown`
        self._wait(self._lines.heads)

    def data_received(self, data: bytes) -> None:
        """Bytes of a request: counted, then uvicorn's."""
        if self._refused or (self._inner is None and not self._fresh):
            return
        self._size += len(data)
        if self._in_head and not self._head_goes_on(data):
            return
        if self._size > REQUEST_BYTES:
            self._transport.abort()
            return
        if self._inner is None:
            if self._in_head:
                self._head += data
                return
            data, self._head = self._head + data, b""
            self._begin()
        if self._inner is not None:
            self._inner.data_received(data)

    def _begin(self) -> None:
        """The first head is whole: from here on it is uvicorn's connection."""
        app_state = {**self._app_state, LINE_KEY: self}
        inner = HttpToolsProtocol(self._config, self._state, app_state, asyncio.get_running_loop())
        self._fresh = False
        self._state.connections.discard(self)
        self._inner = inner
        inner.connection_made(self._transport)

    def _head_goes_on(self, data: bytes) -> bool:
        """Look for the end of the head. False: it is too large, and refused."""
        if self._waits is None:
            self._wait(self._lines.heads)
        seen = self._tail + data
        end = seen.find(b"\r\n\r\n")
        if (self._size if end < 0 else self._size - len(seen) + end) > HEAD_BYTES:
            self._refuse("431 Request Header Fields Too Large")
            return False
        self._in_head, self._tail = end < 0, seen[-3:]
        return True

    def eof_received(self) -> None:
        """The peer ended its side: uvicorn's."""
        if self._inner is not None:
            self._inner.eof_received()

    def pause_writing(self) -> None:
        """The peer reads slowly: uvicorn's."""
        if self._inner is not None:
            self._inner.pause_writing()

    def resume_writing(self) -> None:
        """The peer reads again: uvicorn's."""
        if self._inner is not None:
            self._inner.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection ended before it became a WebSocket."""
        inner, self._inner = self._inner, None
        if inner is not None:
            inner.connection_lost(exc)
        self.over()

    # Called by the server, the app and the WebSocket

    def shutdown(self) -> None:
        """The server stops: nothing is under way here."""
        self._transport.close()

    @property
    def body_s(self) -> float:
        """Time for a body to arrive."""
        return self._lines.deadlines.body_s

    def request_begun(self) -> None:
        """A head is whole and its request is being served."""
        self._in_head = False
        self._wait(self._lines.requests)

    def request_over(self) -> None:
        """It was served. A further one has its deadline from its first byte on; uvicorn closes idle connections."""
        self._wait(None)
        self._in_head, self._size, self._tail = True, 0, b""

    def body_late(self) -> None:
        """The body did not come in time."""
        self._refuse("408 Request Timeout")

    def head_late(self) -> None:
        """The head did not come in time."""
        self._waits = None
        self._refuse("408 Request Timeout")

    def cut(self) -> None:
        """Its time is over: end it without a word."""
        self._waits = None
        self._transport.abort()

    def upgraded(self) -> None:
        """A WebSocket has the transport from now on."""
        self._wait(None)
        self._inner = None

    def over(self) -> None:
        """The connection is gone."""
        self._wait(None)
        self._fresh, self._head = False, b""
        self._state.connections.discard(self)
        if self._group is not None:
            self._lines.leave(self._group)
            self._group = None

    def _wait(self, waits: Waits | None) -> None:
        """Have a time for the next thing that is to happen; None: for nothing."""
        if self._waits is not None:
            self._waits.end(self)
        self._waits = waits
        if waits is not None:
            waits.begin(self)

    def _refuse(self, status: str) -> None:
        """Answer by a status alone, throw away what still comes, and be gone in a second.

        To close at once would reset the connection while the peer still sends, and the answer would be lost.
        """
        if self._refused or self._transport.is_closing():
            return
        self._refused, self._head = True, b""
        self._transport.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
        self._transport.write_eof()
        self._wait(self._lines.farewells)


def with_deadlines(app: Callable[..., Any]) -> Callable[..., Any]:
    """The app, telling each request's HttpLine when it begins and ends, and giving its body a deadline."""

    async def timed(scope: Any, receive: Any, send: Any) -> None:
        line = scope.get("state", {}).pop(LINE_KEY, None) if scope["type"] == "http" else None
        if line is None:
            await app(scope, receive, send)
            return
        due = asyncio.get_running_loop().time() + line.body_s
        whole = False

        async def receive_in_time() -> Any:
            nonlocal whole
            if whole:
                return await receive()
            try:
                async with asyncio.timeout_at(due):
                    message = await receive()
            except TimeoutError:
                line.body_late()
                return {"type": "http.disconnect"}
            whole = not message.get("more_body")
            return message

        line.request_begun()
        try:
            await app(scope, receive_in_time, send)
        finally:
            line.request_over()

    return timed


def descriptors() -> int:
    """Limit of this process's open files."""
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return _ENOUGH if soft == resource.RLIM_INFINITY else soft


def raise_descriptors() -> int:
    """Raise this process's soft limit of open files to the hard one. Returns the limit now."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    wanted = _ENOUGH if hard == resource.RLIM_INFINITY else min(hard, _ENOUGH)
    if descriptors() < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError) as error:
            log.warning("the limit of open files stays at %d: %s", descriptors(), error)
    return descriptors()


def lines_of(allowed: int, settings: Settings) -> Lines:
    """The book of connections where `allowed` files may be open; says so when they are too few for `max_tables`."""
    needed = settings.max_tables * SOCKETS_PER_TABLE + RESERVE
    if allowed < needed:
        log.warning(
            "%d open files are allowed, %d tables may need %d: raise `ulimit -n`", allowed, settings.max_tables, needed
        )
    return Lines(max(2, allowed - RESERVE), settings.lines_per_address, settings.trusted_proxies)
