"""Faults of the live store besides a stop: a line that answers nothing, full memory, a clock that steps.

For `mj chaos` and the tests. Every fault ends with its context.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Final, Protocol

from app.embedded.process import Child
from app.storage.live.wire.link import Link, connect

KINDS: Final = ("stall", "crash", "blackhole", "full", "clock")
_CHUNK: Final = 64 * 1024


class Line:
    """A proxy before a store's Unix socket; `url` is where. While `swallows`, bytes go in and nothing comes out, either
    way and without a word to anybody: what a firewall does that dropped its table."""

    def __init__(self, store_url: str, path: Path) -> None:
        self.url = f"unix://{path}"
        self.swallows = False
        self._store = store_url.removeprefix("unix://")
        self._path = path
        self._serving: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Listen."""
        self._server = await asyncio.start_unix_server(self._accept, str(self._path))

    async def close(self) -> None:
        """Cut everything."""
        if self._server is not None:
            self._server.close()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    @asynccontextmanager
    async def swallowing(self) -> AsyncIterator[None]:
        """A black hole for the length of a block."""
        self.swallows = True
        try:
            yield
        finally:
            self.swallows = False

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            store_reader, store_writer = await asyncio.open_unix_connection(self._store)
        except OSError:
            writer.transport.abort()
            return
        ways = [
            asyncio.ensure_future(self._pass(*way)) for way in ((reader, store_writer), (store_reader, writer))
        ]  # fmt: skip
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            writer.transport.abort()
            store_writer.transport.abort()

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await source.read(_CHUNK):
                if not self.swallows:
                    sink.write(data)
                    await sink.drain()


@asynccontextmanager
async def line(store_url: str, name: str = "line.sock") -> AsyncIterator[Line]:
    """A line before a store for the length of a block. `name`: of the socket, where a client insists on one."""
    with tempfile.TemporaryDirectory(prefix="mj-line-") as folder:
        opened = Line(store_url, Path(folder) / name)
        await opened.open()
        try:
            yield opened
        finally:
            await opened.close()


@asynccontextmanager
async def full(store_url: str) -> AsyncIterator[None]:
    """The store has no room for anything more, for the length of a block."""
    link = Link(connect(store_url))
    await link.ask("CONFIG", "SET", "maxmemory", "1")
    try:
        yield
    finally:
        await link.ask("CONFIG", "SET", "maxmemory", "0")
        await link.close()


async def step_clock(store_url: str, seconds: float) -> None:
    """Step the store's clock: every key with a time to live gets older, or younger, at once."""
    link = Link(connect(store_url))
    try:
        for key in await link.ask("KEYS", "*"):
            left = await link.ask("PTTL", key)
            if left >= 0:
                await link.ask("PEXPIRE", key, round(left - seconds * 1000))
    finally:
        await link.close()


class LiveStore(Protocol):
    """A store that can be started again on its data, at its address."""

    valkey: Child

    def start_valkey(self) -> None: ...


class Outages:
    """Makes outages of one live store, each of `seconds`, or of a random length. `line` is what its clients use.

    A crash and a step of the clock are over at once; what lasts may also be had for the length of a block (`during`).
    """

    def __init__(self, store: LiveStore, line: Line, rng: random.Random, seconds: float | None = None) -> None:
        self._store = store
        self._line = line
        self._rng = rng
        self._seconds = seconds
        self._at_once: dict[str, Callable[[], Awaitable[None]]] = {"crash": self._crash, "clock": self._clock}
        self._lasting: dict[str, Callable[[], AbstractAsyncContextManager[None]]] = {
            "stall": self._stalled, "blackhole": line.swallowing, "full": lambda: full(store.valkey.url),
        }  # fmt: skip

    async def make(self, kind: str) -> None:
        """One outage from its beginning to its end."""
        if kind in self._at_once:
            await self._at_once[kind]()
            return
        async with self.during(kind):
            await asyncio.sleep(self._seconds or self._rng.uniform(0.5, 8.0))

    def during(self, kind: str) -> AbstractAsyncContextManager[None]:
        """A stall, a black hole or full memory for the length of a block."""
        return self._lasting[kind]()

    @asynccontextmanager
    async def _stalled(self) -> AsyncIterator[None]:
        os.kill(self._store.valkey.process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self._store.valkey.process.pid, signal.SIGCONT)

    async def _crash(self) -> None:
        self._store.valkey.process.kill()
        await asyncio.to_thread(self._store.valkey.stop)
        await asyncio.to_thread(self._store.start_valkey)

    async def _clock(self) -> None:
        await step_clock(self._store.valkey.url, self._rng.choice((-3600.0, 3600.0)))
