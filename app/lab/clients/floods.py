"""A hostile machine's traffic to a node: silent connections, halves of requests, floods of frames.

Runs as a process of its own (`python -m app.lab.clients.floods KIND PORT COUNT SECONDS`), so that its work is not
measured as the node's. Prints how many lines were refused or closed. No measurement here.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Final

from app.serving.lines import raise_descriptors

_HALF: Final = b"GET /v1/ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
_WHOLE: Final = (
    _HALF + b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Protocol: mahjong.v1\r\n\r\n"
)
_BODY: Final = b"POST /v1/guests HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
_PING: Final = b"\x89\x80\x00\x00\x00\x00"
_FIRST: Final = b"\x01\x80\x00\x00\x00\x00"
_FRAGMENT: Final = b"\x00\x80\x00\x00\x00\x00"
_CHUNK: Final = 4000
"""Frames written at a time."""
_AT_ONCE: Final = 200
"""Lines that connect at a time: the kernel's queue of a listener is short."""

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _silent(line: Stream) -> None: ...


async def _half(line: Stream) -> None:
    line[1].write(_HALF)


async def _slow_body(line: Stream) -> None:
    line[1].write(_BODY)
    while True:
        await asyncio.sleep(1.0)
        line[1].write(b" ")


async def _upgraded(line: Stream) -> None:
    line[1].write(_WHOLE)
    await line[0].readuntil(b"\r\n\r\n")


async def _pings(line: Stream) -> None:
    while True:
        line[1].write(_PING * _CHUNK)
        await line[1].drain()


async def _fragments(line: Stream) -> None:
    line[1].write(_FIRST)
    while True:
        line[1].write(_FRAGMENT * _CHUNK)
        await line[1].drain()


KINDS: Final[dict[str, Callable[[Stream], Coroutine[None, None, None]]]] = {
    "silent": _silent, "half": _half, "body": _slow_body, "pings": _pings, "fragments": _fragments,
}  # fmt: skip
_UPGRADED: Final = ("pings", "fragments")


async def flood(kind: str, port: int, count: int, seconds: float) -> Counter[str]:
    """Keep `count` connections of a kind open for this long, opening new ones for those that are closed. Returns their
    ends: `refused` (no connection), `closed` (by the node), `held` (open at the end)."""
    ends: Counter[str] = Counter()
    gate = asyncio.Semaphore(_AT_ONCE)

    async def one() -> None:
        while True:
            try:
                async with gate:
                    line = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                ends["refused"] += 1
                await asyncio.sleep(1.0)
                continue
            try:
                ends["held"] += 1
                await _use(kind, line)
            except* (OSError, asyncio.IncompleteReadError):
                ends["held"] -= 1
                ends["closed"] += 1
            finally:
                line[1].transport.abort()

    tasks = [asyncio.create_task(one()) for _ in range(count)]
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await asyncio.gather(*tasks)
    await asyncio.gather(*tasks, return_exceptions=True)
    return ends


async def _use(kind: str, line: Stream) -> None:
    """Send what this kind sends until the node closes the line; raises then."""
    if kind in _UPGRADED:
        await _upgraded(line)
    async with asyncio.TaskGroup() as both:
        both.create_task(_until_closed(line[0]))
        both.create_task(KINDS[kind](line))


async def _until_closed(reader: asyncio.StreamReader) -> None:
    """Read to the end, and raise then, so that the sending task ends too."""
    while await reader.read(65536):
        pass
    raise ConnectionResetError


def main(argv: list[str]) -> int:
    """Flood; print the ends as JSON."""
    raise_descriptors()
    kind, port, count, seconds = argv
    print(json.dumps(asyncio.run(flood(kind, int(port), int(count), float(seconds)))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
