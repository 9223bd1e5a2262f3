"""The front before several nodes: who gets which request, and that nothing on the way is lost or forged."""

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator

import httpx
import pytest
import websockets
from websockets.asyncio.client import connect

from app.serving.backends import Backend
from app.serving.front import Front
from app.serving.heads import read_head
from tests.integration.waiting import PATIENCE_S
from tests.serving.test_serve import serving


@contextlib.asynccontextmanager
async def fronting(*backends: Backend) -> AsyncIterator[int]:
    """A front before these; its port."""
    server = await Front({backend.name: backend for backend in backends}).start(host="127.0.0.1", port=0)
    yield server.sockets[0].getsockname()[1]
    server.close()


@pytest.fixture
async def port() -> AsyncIterator[int]:
    """A front before two tiny nodes, n1 and n2."""
    async with (
        serving("n1") as (_, one),
        serving("n2") as (_, two),
        fronting(Backend("n1", one), Backend("n2", two)) as port,
    ):
        yield port


async def _raw(port: int, request: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    answer = await reader.read()
    writer.close()
    return answer


async def test_a_nodes_path_goes_to_that_node_and_the_rest_goes_round(port: int) -> None:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_S) as client:
        for node in ("n1", "n2", "n2", "n1"):
            answer = (await client.get(f"/n/{node}/healthz")).json()
            assert (answer["node"], answer["path"]) == (node, "/healthz")
        assert {(await client.get("/healthz")).json()["node"] for _ in range(4)} == {"n1", "n2"}
        assert (await client.get("/n/gone/healthz")).json()["path"] == "/healthz"


async def test_a_long_body_arrives_whole(port: int) -> None:
    async with httpx.AsyncClient(timeout=PATIENCE_S) as client:
        answer = await client.post(f"http://127.0.0.1:{port}/n/n1/", content=b"x" * 3_000_000)
    assert answer.json()["body"] == 3_000_000


async def test_a_websocket_passes_both_ways_and_so_does_its_close(port: int) -> None:
    async with connect(f"ws://127.0.0.1:{port}/n/n2/v1/ws", subprotocols=None) as ws:
        assert json.loads(await ws.recv())["node"] == "n2"
        for text in ("听", "x" * 100_000, ""):
            await ws.send(text)
            assert await ws.recv() == text
        await ws.send("abort")
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await ws.recv()
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4000, "as asked")


async def test_the_client_address_is_the_real_one_whatever_it_claims(port: int) -> None:
    async with httpx.AsyncClient(timeout=PATIENCE_S) as client:
        answer = (await client.get(f"http://127.0.0.1:{port}/", headers={"X-Forwarded-For": "6.6.6.6"})).json()
    assert answer["headers"]["x-forwarded-for"] == "6.6.6.6, 127.0.0.1"


def test_a_request_is_alone_on_its_connection_and_a_websocket_keeps_its_headers() -> None:
    plain = read_head(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n").forwarded("9.9.9.9")
    assert plain == b"GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 9.9.9.9\r\nConnection: close\r\n\r\n"
    upgrade = b"GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    assert read_head(upgrade).forwarded("9.9.9.9") == upgrade[:-2] + b"X-Forwarded-For: 9.9.9.9\r\n\r\n"


async def test_a_second_request_cannot_ride_along_to_the_wrong_node(port: int) -> None:
    both = b"GET /n/n1/a HTTP/1.1\r\nHost: x\r\n\r\nGET /n/n2/b HTTP/1.1\r\nHost: x\r\n\r\n"
    answer = await _raw(port, both)
    assert answer.count(b"HTTP/1.1 200") == 1
    assert b'"n1"' in answer


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"nonsense\r\n\r\n", b"400 Bad Request"),
        (b"\x16\x03\x01\x02\x00\r\n\r\n", b"400 Bad Request"),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 70_000 + b"\r\n\r\n", b"431 Request Header Fields Too Large"),
    ],
)
async def test_what_is_no_request_is_refused(port: int, request_bytes: bytes, status: bytes) -> None:
    assert (await _raw(port, request_bytes)).startswith(b"HTTP/1.1 " + status)


async def test_a_dead_node_is_left_out_of_the_round_but_never_renamed() -> None:
    dead, alive = Backend("n1", 1, up=False), Backend("n2", 2)
    front = Front({"n1": dead, "n2": alive})
    assert {front.choose(b"/v1/rooms").name for _ in range(4)} == {"n2"}
    assert front.choose(b"/n/n1/v1/ws") is dead
    alive.up = False
    assert {front.choose(b"/").name for _ in range(4)} == {"n1", "n2"}


async def test_a_node_that_cannot_be_reached_is_a_502() -> None:
    with socket.socket() as taken:  # nobody listens there, and nobody else may
        taken.bind(("127.0.0.1", 0))
        async with fronting(Backend("n1", taken.getsockname()[1])) as port:
            assert (await _raw(port, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")).startswith(b"HTTP/1.1 502")


async def test_a_client_that_stops_reading_holds_up_nobody_else(port: int) -> None:
    async with (
        connect(f"ws://127.0.0.1:{port}/n/n1/ws", max_queue=1) as slow,
        connect(f"ws://127.0.0.1:{port}/n/n1/ws") as quick,
    ):
        await slow.send("flood")  # 40 MB that it will not read
        await quick.recv()
        for number in range(50):
            await quick.send(str(number))
            assert await quick.recv() == str(number)
        slow.transport.abort()
