"""D1: nobody holds a connection by saying nothing, half a head or half a body; and no address has them all."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import resource

import pytest
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app.serving.lines import HEAD_BYTES, RESERVE, Deadlines, Lines, lines_of, raise_descriptors
from app.settings import Settings
from tests.api.gateway.frames import HANDSHAKE, TEXT, client_frame, closing, echoing, talk
from tests.integration.waiting import PATIENCE_S
from tests.serving.tiny_app import TinyApp

SOON = Deadlines(head_s=0.3, body_s=0.3, request_s=0.6)
REQUEST = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"


async def ask(port: int, *sent: bytes) -> bytes:
    """All that a server answers to these bytes until it closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        async with asyncio.timeout(PATIENCE_S):
            for data in sent:
                writer.write(data)
            with contextlib.suppress(ConnectionError):
                return await reader.read()
            return b""
    finally:
        writer.transport.abort()


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HT",
        b"GET /v1/ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n",
        REQUEST + b"GET /again HTTP/1.1\r\n",
    ],
)
async def test_a_request_that_does_not_come_is_not_waited_for(sent: bytes) -> None:
    lines = Lines(10, 10, deadlines=SOON)
    async with echoing(TinyApp("n1"), lines=lines) as port:
        answer = await ask(port, sent)
        assert answer.startswith(b"HTTP/1.1 200 " if sent.startswith(REQUEST) else b"HTTP/1.1 408 ")
    assert lines.open == 0, "and it closed by itself"


async def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    lines = Lines(10, 10, deadlines=SOON)
    async with echoing(TinyApp("n1"), lines=lines) as port:
        answer = await ask(port, b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf of it")
        assert answer.startswith(b"HTTP/1.1 408 ")
    assert lines.open == 0


async def test_a_head_without_end_is_refused_at_its_size() -> None:
    lines = Lines(10, 10)
    async with echoing(TinyApp("n1"), lines=lines) as port:
        header = b"X-Long: " + b"x" * 8000 + b"\r\n"
        answer = await ask(port, b"GET / HTTP/1.1\r\nHost: a\r\n", *[header] * (HEAD_BYTES // 8000 + 2))
        assert answer.startswith(b"HTTP/1.1 431 ")
        small = await ask(port, b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + header + b"\r\n")
        assert small.startswith(b"HTTP/1.1 200 ")
    assert lines.open == 0


async def test_a_peer_that_does_not_read_its_answer_is_cut() -> None:
    async def large(scope: object, receive: object, send: object) -> None:
        if scope["type"] == "lifespan":  # type: ignore[index]
            await TinyApp("n1")(scope, receive, send)  # type: ignore[arg-type]
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})  # type: ignore[operator]
        for _ in range(1000):
            await send({"type": "http.response.body", "body": bytes(100_000), "more_body": True})  # type: ignore[operator]

    lines = Lines(10, 10, deadlines=SOON)
    async with echoing(large, lines=lines) as port:
        _, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
        writer.write(REQUEST)
        async with asyncio.timeout(PATIENCE_S):
            while lines.open == 0:
                await asyncio.sleep(0.01)
            while lines.open:
                await asyncio.sleep(0.01)
        writer.transport.abort()


async def test_an_idle_connection_and_an_open_socket_are_left_alone_and_counted_until_they_end() -> None:
    lines = Lines(10, 10, deadlines=SOON)
    async with echoing(lines=lines) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(REQUEST)
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 204 ")
        ws_reader, ws_writer = await asyncio.open_connection("127.0.0.1", port)
        ws_writer.write(HANDSHAKE)
        await ws_reader.readuntil(b"\r\n\r\n")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(2 * SOON.request_s):
                await asyncio.gather(reader.read(1), ws_reader.read(1))
        assert lines.open == 2
        writer.write(REQUEST)
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 204 ")
        ws_writer.write(client_frame(TEXT, b"still here") + closing(1000))
        async with asyncio.timeout(PATIENCE_S):
            assert b"still here" in await ws_reader.read()
        writer.close()
        ws_writer.close()
        async with asyncio.timeout(PATIENCE_S):
            while lines.open:
                await asyncio.sleep(0.01)


async def test_d1_what_says_nothing_costs_no_request_and_is_cut_a_few_at_a_time() -> None:
    """D1: silent lines make none of uvicorn's objects and have one timer together; others are served in between."""
    lines = Lines(3000, 3000, deadlines=SOON)
    async with echoing(TinyApp("n1"), lines=lines) as port:
        before = sum(isinstance(thing, HttpToolsProtocol) for thing in gc.get_objects())
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(80)]
        assert (await ask(port, REQUEST.replace(b"Host", b"Connection: close\r\nHost"))).startswith(b"HTTP/1.1 200 ")
        made = sum(isinstance(thing, HttpToolsProtocol) for thing in gc.get_objects()) - before
        assert made <= 1
        heard = await asyncio.gather(*[reader.read() for reader, _ in held])
        assert all(answer.startswith(b"HTTP/1.1 408 ") for answer in heard)
        for _, writer in held:
            writer.transport.abort()
        async with asyncio.timeout(PATIENCE_S):
            while lines.open:
                await asyncio.sleep(0.01)


async def test_d1_a_server_that_stops_does_not_wait_for_half_a_head() -> None:
    """D1: the connection has no request under way, so it is closed at once."""
    lines = Lines(10, 10)
    loop = asyncio.get_running_loop()
    async with echoing(TinyApp("n1"), lines=lines) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HT")
        async with asyncio.timeout(PATIENCE_S):
            while lines.open == 0:
                await asyncio.sleep(0.01)
        began = loop.time()
    assert await reader.read() == b"" and loop.time() - began < lines.deadlines.head_s / 2
    writer.transport.abort()


async def test_one_address_has_a_bound_and_so_have_all(caplog: pytest.LogCaptureFixture) -> None:
    lines = Lines(100, 2)
    async with echoing(lines=lines) as port:
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
        assert (await ask(port, HANDSHAKE)).startswith(b"HTTP/1.1 503 ")
        assert lines.report(1) == {"open": 2, "most": 100, "enough": True, "refused_full": 0, "refused_address": 1}
        assert "127.0.0.1 has 2 connections" in caplog.text
        held[0][1].transport.abort()
        async with asyncio.timeout(PATIENCE_S):
            while lines.open > 1:
                await asyncio.sleep(0.01)
        assert (await talk(port, [client_frame(TEXT, b"in"), closing(1000)]))[0] == (TEXT, b"in")
        held[1][1].transport.abort()


def test_an_address_is_a_subnet_of_64_bits_where_it_is_ipv6_and_a_proxy_is_none() -> None:
    lines = Lines(100, 2, ("10.0.0.0/8",))
    assert lines.admit("2001:db8::1") == lines.admit("2001:db8::2:3") == "2001:db8::/64"
    assert lines.admit("2001:db8::4") is None and lines.admit("2001:db8:0:1::1") is not None
    assert [lines.admit("10.1.2.3") for _ in range(50)] == [""] * 50
    assert lines.admit("::ffff:9.9.9.9") == lines.admit("9.9.9.9") == "9.9.9.9"
    assert lines.admit("9.9.9.9") is None


def test_no_address_has_more_than_half_of_all_and_what_is_full_is_logged_seldom(
    caplog: pytest.LogCaptureFixture,
) -> None:
    now = [0.0]
    lines = Lines(4, 1000, now_s=lambda: now[0])
    assert [lines.admit("9.9.9.9") for _ in range(3)] == ["9.9.9.9", "9.9.9.9", None]
    now[0] = 60.0
    assert lines.admit("8.8.8.8") and lines.admit("7.7.7.7")
    assert [lines.admit(f"6.6.6.{n}") for n in range(100)] == [None] * 100
    assert lines.report(400)["refused_full"] == 100 and caplog.text.count("no descriptors left") == 1


def test_the_limit_of_open_files_is_raised_and_held_against_the_tables(caplog: pytest.LogCaptureFixture) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 512), hard))
        allowed = raise_descriptors()
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == allowed
        assert hard == resource.RLIM_INFINITY or allowed == min(hard, 1_048_576)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    with caplog.at_level(logging.WARNING):
        assert lines_of(300, Settings(max_tables=400)).report(400)["enough"] is False
    assert "300 open files are allowed" in caplog.text and RESERVE < 300
