"""A node's server: its paths, its WebSocket, its stop."""

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable

import httpx
import pytest
import websockets
from websockets.asyncio.client import connect

from app.serving.serve import NodeServer, configuration, pack, strip_node
from app.settings import Settings
from tests.integration.waiting import PATIENCE_S
from tests.serving.tiny_app import TinyApp


@contextlib.asynccontextmanager
async def serving(
    name: str = "n1", drain: Callable[[], Awaitable[None]] | None = None
) -> AsyncIterator[tuple[NodeServer, int]]:
    """The tiny app on a free port, listening as a node does."""
    ready = asyncio.Event()
    server = NodeServer(configuration(TinyApp(name), Settings()), drain)
    server.on_ready = ready.set
    with socket.create_server(("127.0.0.1", 0)) as listen:
        running = asyncio.create_task(server.serve([listen]))
        await ready.wait()
        try:
            yield server, listen.getsockname()[1]
        finally:
            server.stop()
            await running


@pytest.mark.parametrize(
    ("path", "seen"),
    [
        ("/v1/ws", "/v1/ws"),
        ("/n/n1/v1/ws", "/v1/ws"),
        ("/n/some-other/v1/ws", "/v1/ws"),
        ("/n/n1/n/n2/v1", "/n/n1/n/n2/v1"),
        ("/n/n1/v1/admin/me", "/n/n1/v1/admin/me"),  # S10: one canonical path
        ("/n/n1", "/n/n1"),
        ("/n//v1", "/n//v1"),
        ("/node/n/x/y", "/node/n/x/y"),
    ],
)
async def test_a_nodes_own_path_is_as_good_as_the_bare_one(path: str, seen: str) -> None:
    found = []

    async def app(scope: dict[str, object], receive: object, send: object) -> None:
        found.append((scope["path"], scope["raw_path"]))

    await strip_node(app)({"type": "http", "path": path, "raw_path": path.encode()}, None, None)  # type: ignore[arg-type]
    assert found == [(seen, seen.encode())]


async def test_http_and_websocket_on_one_port_without_deflate() -> None:
    async with serving() as (_, port):
        async with httpx.AsyncClient(timeout=PATIENCE_S) as client:
            answer = await client.get(f"http://127.0.0.1:{port}/n/n1/healthz")
        assert answer.json()["path"] == "/healthz"
        assert "server" not in answer.headers
        async with connect(f"ws://127.0.0.1:{port}/n/n1/v1/ws") as ws:
            assert json.loads(await ws.recv())["path"] == "/v1/ws"
            await ws.send("吃")
            assert await ws.recv() == "吃"
            assert ws.protocol.extensions == []


async def test_a_frame_beyond_all_reason_closes_that_socket_with_1009() -> None:
    async with serving() as (_, port), connect(f"ws://127.0.0.1:{port}/") as ws:
        await ws.recv()
        await ws.send("x" * 300_000)
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await ws.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009


async def test_stopping_drains_first_then_tells_clients_to_come_back() -> None:
    order = []

    async def drain() -> None:
        order.append("drained")

    async with serving(drain=drain) as (server, port), connect(f"ws://127.0.0.1:{port}/") as ws:
        await ws.recv()
        server.stop()
        server.stop()
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await ws.recv()
        order.append("closed")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
    assert order == ["drained", "closed"]


def test_a_node_gets_the_settings_whole_secrets_included() -> None:
    settings = Settings(node="n2", secret="s" * 40, admin_token="t" * 40, data="/some/where", max_tables=7)  # type: ignore[arg-type]
    again = Settings(**json.loads(pack(settings)))
    assert again == settings
    assert again.secret.get_secret_value() == "s" * 40
