"""The connections of one node: how many there may be, and how long and how large a request may be before it is whole.

uvicorn's HTTP protocol has neither a deadline nor a size for a request's head. An `HttpLine` stands between it and the
transport, counts, and cuts. After an upgrade the WebSocket takes over; its line stays counted until it is gone.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import resource
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
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


class HttpLine(asyncio.Protocol):
    """One connection: uvicorn's HTTP protocol with deadlines and bounds around it. Keywords are uvicorn's."""

    def __init__(
        self, lines: Lines, config: uvicorn.Config, server_state: ServerState, app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:  # fmt: skip
        self._lines = lines
        self._loop = _loop or asyncio.get_running_loop()
        self._inner: HttpToolsProtocol | None = HttpToolsProtocol(
            config, server_state, {**app_state, LINE_KEY: self}, self._loop
        )
        self._transport: asyncio.Transport = cast(asyncio.Transport, None)
        self._group: str | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._refused = False
        self._in_head = True
        self._size = 0
        self._tail = b""

    # Called by the transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection, or refuse it."""
        self._transport = cast(asyncio.Transport, transport)
        peer = transport.get_extra_info("peername")
        self._group = self._lines.admit(peer[0] if isinstance(peer, tuple) else None)
        if self._group is None or self._inner is None:
            self._inner = None
            self._refuse("503 Service Unavailable")
            return
        self._inner.connection_made(self._transport)
        self._within(self._lines.deadlines.head_s, "408 Request Timeout")

    def data_received(self, data: bytes) -> None:
        """Bytes of a request: counted, then uvicorn's."""
        if self._inner is None or self._refused:
            return
        self._size += len(data)
        if self._in_head and not self._head_goes_on(data):
            return
        if self._size > REQUEST_BYTES:
            self._transport.abort()
            return
        self._inner.data_received(data)

    def _head_goes_on(self, data: bytes) -> bool:
        """Look for the end of the head. False: it is too large, and refused."""
        if self._timer is None:
            self._within(self._lines.deadlines.head_s, "408 Request Timeout")
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

    # Called by the app and the WebSocket

    @property
    def body_s(self) -> float:
        """Time for a body to arrive."""
        return self._lines.deadlines.body_s

    def request_begun(self) -> None:
        """A head is whole and its request is being served."""
        self._in_head = False
        self._within(self._lines.deadlines.request_s, None)

    def request_over(self) -> None:
        """It was served. A further one has its deadline from its first byte on; uvicorn closes idle connections."""
        self._stop_timer()
        self._in_head, self._size, self._tail = True, 0, b""

    def body_late(self) -> None:
        """The body did not come in time."""
        self._refuse("408 Request Timeout")

    def upgraded(self) -> None:
        """A WebSocket has the transport from now on."""
        self._stop_timer()
        self._inner = None

    def over(self) -> None:
        """The connection is gone."""
        self._stop_timer()
        if self._group is not None:
            self._lines.leave(self._group)
            self._group = None

    def _within(self, limit_s: float, status: str | None) -> None:
        self._stop_timer()
        late = self._transport.abort if status is None else functools.partial(self._refuse, status)
        self._timer = self._loop.call_later(limit_s, late)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _refuse(self, status: str) -> None:
        """Answer by a status alone, throw away what still comes, and be gone in a second.

        To close at once would reset the connection while the peer still sends, and the answer would be lost.
        """
        if self._refused or self._transport.is_closing():
            return
        self._refused = True
        self._transport.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
        self._transport.write_eof()
        self._within(1.0, None)


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
