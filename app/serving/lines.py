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
from ipaddress import ip_address, ip_network
from typing import Any, Final, cast

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from app.api.gateway.socket import LINE_KEY

log = logging.getLogger(__name__)

HEAD_S: Final = 10.0
"""From the connection, or from the first byte of a further request, to the end of its head."""
HEAD_BYTES: Final = 32 * 1024
BODY_S: Final = 15.0
"""From the end of the head to the end of the body."""
REQUEST_S: Final = 60.0
"""A whole request, also when its peer does not read the answer."""
REQUEST_BYTES: Final = 2 * 1024 * 1024
"""What may arrive during one request; bodies above 64 KB are refused by the app, which may take a moment."""
RESERVE: Final = 100
"""Descriptors that stay for the stores, files and libraries."""
SOCKETS_PER_TABLE: Final = 5
"""Four seats, and one spectator or one in the lobby."""
_ENOUGH: Final = 1_048_576
_LOG_EVERY_S: Final = 10.0


class Lines:
    """Counts open connections: at most `most`, at most `per_address` of one address. Peers in `trusted` (proxies, which
    count for themselves) only count in all."""

    def __init__(
        self, most: int, per_address: int, trusted: tuple[str, ...] = (), now_s: Callable[[], float] = time.monotonic
    ) -> None:
        self.most = most
        self.per_address = max(1, min(per_address, most // 2))
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

    def _group(self, host: str | None) -> str:
        """An address, or the /64 of an IPv6 address; empty: not counted by itself."""
        if host is None:
            return ""
        address = ip_address(host.partition("%")[0])
        if any(address in network for network in self._trusted):
            return ""
        return str(ip_network((address, 64), strict=False)) if address.version == 6 else str(address)

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
        self._make = functools.partial(
            HttpToolsProtocol, config, server_state, {**app_state, LINE_KEY: self}, self._loop
        )
        self._inner: HttpToolsProtocol | None = None
        self._transport: asyncio.Transport = cast(asyncio.Transport, None)
        self._group: str | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._in_head = True
        self._size = 0
        self._tail = b""

    # What the transport calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection, or refuse it."""
        self._transport = cast(asyncio.Transport, transport)
        peer = transport.get_extra_info("peername")
        self._group = self._lines.admit(peer[0] if isinstance(peer, tuple) else None)
        if self._group is None:
            self._refuse("503 Service Unavailable")
            return
        self._inner = self._make()
        self._inner.connection_made(self._transport)
        self._within(HEAD_S, "408 Request Timeout")

    def data_received(self, data: bytes) -> None:
        """Bytes of a request: counted, then uvicorn's."""
        if self._inner is None:
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
            self._within(HEAD_S, "408 Request Timeout")
        seen = self._tail + data
        end = seen.find(b"\r\n\r\n")
        if (self._size if end < 0 else self._size - len(seen) + end) > HEAD_BYTES:
            self._refuse("431 Request Header Fields Too Large")
            return False
        self._in_head, self._tail = end < 0, seen[-3:]
        return True

    def eof_received(self) -> bool | None:
        """The peer ended its side: uvicorn's."""
        return None if self._inner is None else self._inner.eof_received()

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

    # What the app and the WebSocket call

    def request_begun(self) -> None:
        """A head is whole and its request is being served."""
        self._in_head = False
        self._within(REQUEST_S, None)

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
        self._make = cast(Any, None)

    def over(self) -> None:
        """The connection is gone."""
        self._stop_timer()
        self._make = cast(Any, None)
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
        """Answer by a status alone and close."""
        if self._transport.is_closing():
            return
        self._transport.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
        self._transport.close()
        self._within(1.0, None)


def with_deadlines(app: Callable[..., Any]) -> Callable[..., Any]:
    """The app, telling each request's HttpLine when it begins and ends, and giving its body `BODY_S` to arrive."""

    async def timed(scope: Any, receive: Any, send: Any) -> None:
        line = scope.get("state", {}).pop(LINE_KEY, None) if scope["type"] == "http" else None
        if line is None:
            await app(scope, receive, send)
            return
        due = asyncio.get_running_loop().time() + BODY_S
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


def raise_descriptors() -> int:
    """Raise this process's soft limit of open files to the hard one. Returns the limit now."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _ENOUGH if hard == resource.RLIM_INFINITY else min(hard, _ENOUGH)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError) as error:
            log.warning("the limit of open files stays at %d: %s", soft, error)
            return soft
    return wanted if soft != resource.RLIM_INFINITY else _ENOUGH


def lines_of(descriptors: int, max_tables: int, per_address: int, trusted: tuple[str, ...]) -> Lines:
    """The book of connections for so many descriptors; says so where they are too few for `max_tables`."""
    needed = max_tables * SOCKETS_PER_TABLE + RESERVE
    if descriptors < needed:
        log.warning("%d open files are allowed, %d tables may need %d: raise `ulimit -n`", descriptors, max_tables, needed)
    return Lines(max(2, descriptors - RESERVE), per_address, trusted)
