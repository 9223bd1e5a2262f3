"""A line to the store that misbehaves on purpose: loses answers, delivers requests late, goes dead. For tests only."""

from __future__ import annotations

import asyncio
import contextlib
import random
from pathlib import Path


class BadLine:
    """A proxy on a Unix socket before the store's. With a chance, scripts arrive and their answers are lost."""

    def __init__(self, store_url: str, path: Path, rng: random.Random) -> None:
        self.url = f"unix://{path}"
        self.lose_answers = 0.0
        self.dead = False
        self.noise = b""
        """Bytes sent once instead of an answer, as by a proxy that finds no server behind it."""
        self.lost = 0
        self._store = store_url.removeprefix("unix://")
        self._path = path
        self._rng = rng
        self._losing: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> BadLine:
        self._server = await asyncio.start_unix_server(self._serve, str(self._path))
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.sleep(0)

    def cut(self) -> None:
        """Cut every connection there is."""
        for writer in self._writers:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._writers.add(writer)
        store_reader, store_writer = await asyncio.open_unix_connection(self._store)
        back = asyncio.ensure_future(self._answers(store_reader, writer))
        self._writers.add(store_writer)
        try:
            while data := await reader.read(65536):
                if b"EVALSHA" in data and self._rng.random() < self.lose_answers:
                    self._losing.add(writer)
                if not self.dead:
                    store_writer.write(data)
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            back.cancel()
            with contextlib.suppress(asyncio.CancelledError, ConnectionError):
                await back
            writer.transport.abort()
            store_writer.transport.abort()
            self._tasks.discard(task)

    async def _answers(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            if writer in self._losing:
                self._losing.discard(writer)
                self.lost += 1
                writer.transport.abort()
                return
            if not self.dead:
                writer.write(self.noise or data)
                self.noise = b""
