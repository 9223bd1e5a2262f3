"""One node: the process that runs `app.main.create_app` on uvicorn. The one place with the settings of uvicorn.

Forked by `mj up` (`forks/`), or started by hand, behind another front: `python -m app.serving.serve`. The link,
a socket to the supervisor (by hand: standard input, where that is a socket), brings the settings and stays open for as
long as the supervisor runs. No game, no routes.
"""

import asyncio
import contextlib
import functools
import json
import logging
import os
import re
import signal
import socket
import stat
import sys
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from typing import Any, cast

import uvicorn
from pydantic import SecretStr

from app.serving import logs
from app.serving.lines import HttpLine, Lines, descriptors, lines_of, raise_descriptors, with_deadlines
from app.serving.self_check import SocketBroken, check_socket
from app.settings import Settings

log = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]

_NODE_PATH = re.compile(r"/n/[^/]+(?=/(?:v1/ws|healthz|readyz|version|metrics)\Z)")
"""Paths that one node answers under its own name; everything else has one path only, which a proxy can block."""
_DRAIN_S = 8.0
_ORPHAN_S = 3.0
_FRAME_BYTES = 256 * 1024


def strip_node(app: Asgi) -> Asgi:
    """The app without `/n/<node>` before its paths: fronts pass the path on as it is, and no route need know of it."""

    async def without_node(scope: Scope, receive: Receive, send: Send) -> None:
        found = _NODE_PATH.match(scope.get("path", ""))
        if found:
            scope = {**scope, "path": scope["path"][found.end() :]}
            raw = _NODE_PATH.match(scope.get("raw_path", b"").decode("latin-1"))
            if raw:
                scope["raw_path"] = scope["raw_path"][raw.end() :]
        await app(scope, receive, send)

    return without_node


def configuration(
    app: Asgi, settings: Settings, websocket: type[asyncio.Protocol] | None = None, lines: Lines | None = None
) -> uvicorn.Config:
    """Settings of uvicorn. Measured: deflate costs 2–5 × the CPU, the other WebSocket classes and loops half the
    throughput.

    No transport pings: after a long computation uvloop would run their timers before it reads the answers that wait,
    and close healthy sockets. The protocol's own `ping` finds dead clients.
    """
    lines = lines or lines_of(descriptors(), settings)
    return uvicorn.Config(
        with_deadlines(strip_node(app)),
        host=settings.host,
        port=settings.port,
        loop="uvloop",
        http=cast(type[asyncio.Protocol], functools.partial(HttpLine, lines)),
        ws=websocket or "websockets-sansio",
        ws_max_size=_FRAME_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=None,
        ws_ping_timeout=None,
        forwarded_allow_ips=list(settings.trusted_proxies),
        access_log=False,
        log_config=None,
        log_level="debug" if settings.log_level == "debug" else "warning",
        server_header=False,
        timeout_graceful_shutdown=10,
    )


class NodeServer(uvicorn.Server):
    """uvicorn's server. Checks its own socket before it is ready; lets the app drain before it closes sockets."""

    def __init__(
        self,
        config: uvicorn.Config,
        drain: Callable[[], Awaitable[None]] | None = None,
        check: Callable[[tuple[str, int]], Awaitable[None]] | None = None,
    ) -> None:
        super().__init__(config)
        self._drain = drain
        self._check = check
        self.fit = True
        self._stopping: asyncio.Task[None] | None = None
        self.on_ready: Callable[[], None] = lambda: None

    def orphaned(self) -> None:
        """Stop without draining: our parent process is gone, and the stores with it. Nothing acknowledged is lost."""
        self.should_exit = True
        asyncio.get_running_loop().call_later(_ORPHAN_S, os._exit, 1)

    def stop(self) -> None:
        """Begin to stop; a second call changes nothing. From the event loop only."""
        if self._stopping is None:
            self._stopping = asyncio.get_running_loop().create_task(self._stop())

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """As uvicorn's; then check our own socket (`check` gets the address) and say that we are ready."""
        await super().startup(sockets)
        if self._check is not None and not self.should_exit:
            try:
                await self._check(self.servers[0].sockets[0].getsockname()[:2])
            except SocketBroken as error:
                log.error("this node's own WebSocket does not work; stopping: %s", error)
                self.fit, self.should_exit = False, True
        if not self.should_exit:
            self.on_ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on either signal, also when the parent process ignored it; exit normally afterwards."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.stop)
        yield

    async def _stop(self) -> None:
        try:
            if self._drain is not None:
                await asyncio.wait_for(self._drain(), _DRAIN_S)
        except TimeoutError:
            log.warning("draining took more than %g s; closing", _DRAIN_S)
        finally:
            self.should_exit = True


def _is_ours(record: logging.LogRecord) -> bool:
    """Not one of uvicorn's lines about a bad request: any client could fill the log with them."""
    return record.getMessage() not in ("Invalid HTTP request received.", "Unsupported upgrade request.")


def pack(settings: Settings) -> bytes:
    """The settings as one line for a node's standard input, secrets included, so that no environment shows them."""
    plain = settings.model_dump()
    return (
        json.dumps(plain, default=lambda v: v.get_secret_value() if isinstance(v, SecretStr) else str(v)).encode()
        + b"\n"
    )


async def run(settings: Settings, listen: socket.socket | None, supervisor: socket.socket | None) -> int:
    """Serve until a stop signal, or until the supervisor is gone. Returns the exit status."""
    from app import main as composition

    app = composition.create_app(settings)
    app.state.socket_works = False
    app.state.lines = lines = lines_of(raise_descriptors(), settings)

    async def check(address: tuple[str, int]) -> None:
        await check_socket(address)
        app.state.socket_works = True

    await _build_routes(app)
    collector = app.state.node.core.collecting
    collector.begin()
    server = NodeServer(configuration(app, settings, composition.WEBSOCKET_PROTOCOL, lines), app.state.drain, check)
    collecting = asyncio.create_task(collector.run())
    watch = None
    if supervisor is not None:
        link = supervisor
        server.on_ready = lambda: link.sendall(b"ready\n")
        watch = asyncio.create_task(_stop_when_orphaned(link, server))
    await server.serve([listen] if listen is not None else None)
    collecting.cancel()
    if watch is not None:
        watch.cancel()
    return 0 if server.started and server.fit else 3


async def _build_routes(app: Asgi) -> None:
    """FastAPI builds its routes at the first request: 0.4 s of computing, which must not come in the middle of play."""

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        assert message.get("status", 200) == 200, "this node's own /healthz fails"

    scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "path": "/healthz"}
    await app({**scope, "raw_path": b"/healthz", "query_string": b"", "root_path": "", "headers": []}, receive, send)


async def _stop_when_orphaned(supervisor: socket.socket, server: NodeServer) -> None:
    reader, _ = await asyncio.open_connection(sock=supervisor.dup())
    await reader.read()
    server.orphaned()


def _supervisor() -> socket.socket | None:
    """The supervisor's socket, if that is what standard input is."""
    with contextlib.suppress(OSError, ValueError):
        if stat.S_ISSOCK(os.fstat(0).st_mode):
            return socket.socket(fileno=0)
    return None


def main() -> int:
    """Run as `python -P -m app.serving.serve [FD]`, where FD is a listening socket. Returns the exit status."""
    return serve_node(socket.socket(fileno=int(sys.argv[1])) if len(sys.argv) > 1 else None, _supervisor())


def serve_node(listen: socket.socket | None, supervisor: socket.socket | None) -> int:
    """Serve on `listen` with the settings that the supervisor sends, or those of the environment. The exit status."""
    import uvloop

    if supervisor is not None:
        line = supervisor.makefile().readline()
        if not line:
            return 1  # the supervisor ended before it had sent them
        settings = Settings(**json.loads(line))
    else:
        settings = Settings()
    logs.begin(settings)
    logging.getLogger("uvicorn.error").addFilter(_is_ours)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(run(settings, listen, supervisor))


if __name__ == "__main__":
    sys.exit(main())
