"""Refusals of the front: no wait for a node that is down (R3, R4), no forged headers (S3), no slow senders (D1)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from app.serving import backends, front
from app.serving.backends import Backend
from app.serving.front import Front
from app.serving.heads import BadHead, read_head
from tests.serving.test_serve import serving

WS = (
    b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)
Open = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Silent:
    """A node that accepts, reads and says nothing, like one that is stopped."""

    def __init__(self) -> None:
        self.heard = asyncio.Event()

    async def listen(self) -> int:
        self._server = await asyncio.start_server(self._hear, "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    async def _hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.read(1000):
            self.heard.set()
        writer.close()

    def close(self) -> None:
        self._server.close()


@pytest.fixture
async def silent() -> AsyncIterator[tuple[Silent, Backend, int]]:
    """A silent node n1 behind a front: the node, how the front sees it, the front's port."""
    node = Silent()
    backend = Backend("n1", await node.listen())
    server = await Front({"n1": backend}).start(host="127.0.0.1", port=0)
    yield node, backend, server.sockets[0].getsockname()[1]
    server.close()
    node.close()


async def _say(port: int, request: bytes) -> Open:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    return reader, writer


async def _whole(port: int, request: bytes) -> bytes:
    reader, writer = await _say(port, request)
    answer = await reader.read()
    writer.close()
    return answer


async def test_r3_a_named_node_that_is_down_answers_at_once(silent: tuple[Silent, Backend, int]) -> None:
    _, backend, port = silent
    backend.up = False
    for kind in (b"", WS):
        head, _, body = (await _whole(port, b"GET /n/n1/v1/ws HTTP/1.1\r\nHost: x\r\n" + kind + b"\r\n")).partition(
            b"\r\n\r\n"
        )
        assert head.startswith(b"HTTP/1.1 503 ") and b"Retry-After: 1" in head
        assert json.loads(body)["error"]["code"] == "busy"


async def test_r3_who_waits_for_a_node_that_dies_is_told_so(silent: tuple[Silent, Backend, int]) -> None:
    """Accepted by the socket that outlives the process, heard by nobody."""
    node, backend, port = silent
    asked = asyncio.create_task(_whole(port, b"GET /n/n1/v1/ws HTTP/1.1\r\nHost: x\r\n\r\n"))
    await node.heard.wait()
    backend.up = False
    assert (await asked).startswith(b"HTTP/1.1 503 ")


async def test_r3_a_look_that_a_dying_node_did_not_answer_is_asked_of_the_next() -> None:
    """Between the death of a process and the word of it."""
    dying = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0)
    async with serving("n2") as (_, alive):
        nodes = {"n1": Backend("n1", dying.sockets[0].getsockname()[1]), "n2": Backend("n2", alive)}
        server = await Front(nodes).start(host="127.0.0.1", port=0)
        port = server.sockets[0].getsockname()[1]
        for _ in range(4):
            assert (await _whole(port, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
        posts = [await _whole(port, b"POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n") for _ in range(2)]
        assert sorted(answer[9:12] for answer in posts) == [b"200", b"503"], "a change is never asked for twice"
        server.close()
    dying.close()


async def test_r4_a_node_that_does_not_answer_is_left_alone_and_its_sockets_are_cut(
    silent: tuple[Silent, Backend, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    node, backend, port = silent
    for name in ("_LOOK_EVERY_S", "_ANSWERS_WITHIN_S", "_ASKED_AGAIN_S"):
        monkeypatch.setattr(backends, name, 0.01)
    asked = asyncio.create_task(_whole(port, b"GET /n/n1/v1/ws HTTP/1.1\r\nHost: x\r\n" + WS + b"\r\n"))
    await node.heard.wait()
    said: list[str] = []
    watch = asyncio.create_task(Front({"n1": backend}).watch(said.append))
    assert (await asked).startswith(b"HTTP/1.1 503 ")
    assert said == ["Node n1 does not answer; its players are sent to other nodes."]
    about = json.loads((await _whole(port, b"GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n")).partition(b"\r\n\r\n")[2])
    assert about == {"ready": False, "nodes": {"n1": "not answering"}}
    watch.cancel()


async def test_s3_a_connection_stays_only_where_a_websocket_was_opened() -> None:
    """`Upgrade: x` kept it open for a second request with an address of the client's choice."""
    forged = b"GET /second HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 6.6.6.6\r\n\r\n"
    async with serving("n1") as (_, node):
        server = await Front({"n1": Backend("n1", node)}).start(host="127.0.0.1", port=0)
        port = server.sockets[0].getsockname()[1]
        for upgrade in (
            b"Upgrade: x\r\nConnection: Upgrade\r\n", b"Upgrade: websocket\r\nConnection: close\r\n",
            b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 1\r\n",
            b"Upgrade: websocket, x\r\nConnection: Upgrade\r\n",
            b"Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n",
        ):  # fmt: skip
            answer = await _whole(port, b"GET /first HTTP/1.1\r\nHost: x\r\n" + upgrade + b"\r\n" + forged)
            assert answer.count(b"HTTP/1.1 ") == 1 and b"/second" not in answer, upgrade
        server.close()


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For : 6.6.6.6",
        b"GET / HTTP/1.1\r\nHost: x\r\n X-Forwarded-For: 6.6.6.6",
        b"GET / HTTP/1.1\r\nHost: x\nX-Forwarded-For: 6.6.6.6",
        b"GET / HTTP/1.1\r\nHost: x\rX-Forwarded-For: 6.6.6.6",
        b"POST / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4",
        b"POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked, identity",
        b"POST / HTTP/1.1\r\nContent-Length: +3",
        b"GET / HTTP/2.0",
        b"GET /a b HTTP/1.1",
    ],
)
def test_s3_a_head_that_two_servers_could_read_in_two_ways_is_refused(head: bytes) -> None:
    with pytest.raises(BadHead, match="400"):
        read_head(head + b"\r\n\r\n")


def test_s3_only_a_proxy_on_this_machine_is_believed_about_the_client() -> None:
    claims = b"GET / HTTP/1.1\r\nX-Forwarded-For: 6.6.6.6\r\nX-Forwarded-Proto: https\r\nForwarded: for=6.6.6.6\r\n\r\n"
    far, near = read_head(claims).forwarded("9.9.9.9"), read_head(claims).forwarded("::1")
    assert b"6.6.6.6" not in far and b"https" not in far
    assert b"X-Forwarded-For: 6.6.6.6, ::1\r\n" in near and b"X-Forwarded-Proto: https" in near


async def test_d1_a_head_and_a_body_have_deadlines(
    silent: tuple[Silent, Backend, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(front, "_HEAD_S", 0.05)
    monkeypatch.setattr(front, "_BODY_S", 0.05)
    _, _, port = silent
    for part in (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\n"):
        reader, writer = await _say(port, part)
        with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
            await reader.readexactly(1)
        writer.close()
    assert (await _whole(port, b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nhalf")).startswith(b"HTTP/1.1 503 ")


async def test_d1_a_body_has_a_limit(silent: tuple[Silent, Backend, int]) -> None:
    _, _, port = silent
    assert (await _whole(port, b"POST / HTTP/1.1\r\nContent-Length: 999999999\r\n\r\n")).startswith(b"HTTP/1.1 413 ")
    reader, writer = await _say(port, b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
    with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
        for _ in range(200):
            writer.write(b"ffff\r\n" + b"x" * 0xFFFF + b"\r\n")
            await writer.drain()
        await reader.readexactly(10_000)
    writer.close()


async def test_d1_one_address_holds_only_so_many_requests_that_never_come(
    silent: tuple[Silent, Backend, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(front, "_HEADS_NEARBY", 3)
    _, _, port = silent
    held = [await _say(port, b"") for _ in range(3)]
    assert (await _whole(port, b"GET / HTTP/1.1\r\n\r\n")).startswith(b"HTTP/1.1 429 ")
    for _, writer in held:
        writer.close()
