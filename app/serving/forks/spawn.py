"""Nodes' processes: forked on a listening socket of ours, with their settings; waited for, signalled, reaped.

The supervisor of `mj up` and the test kit's cluster both start nodes here. Neither restarts nor fronts are known here.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from typing import Final

from app.serving.forks.begin import begin
from app.serving.serve import pack
from app.settings import Settings

_READY: Final = b"ready\n"
_BIRTH_S: Final = 90.0
"""Time for the fork server to import everything and to fork, on the busiest machine."""
_STATUS_S: Final = 1.0
"""A node's link has ended; its exit status follows at once, if its fork server still lives."""


class SpawnedNode(asyncio.Protocol):
    """A node's process, and our end of its link. It stops by itself when the link closes, so also when we die."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.pid = 0
        """The process's id."""
        self.status: asyncio.Future[int] = loop.create_future()
        """Its exit status, once the fork server has said it."""
        self._first: asyncio.Future[bool] = loop.create_future()
        self._gone: asyncio.Future[None] = loop.create_future()
        self._said = b""

    @property
    def running(self) -> bool:
        """True while the process is not known to have ended."""
        return not self._gone.done()

    async def serves(self) -> bool:
        """Wait until the node accepts connections (True) or ends (False)."""
        return await asyncio.shield(self._first)

    async def ended(self) -> int | None:
        """Wait for the end of the process. Returns its exit status, -N for signal N; None: nobody saw it end."""
        await asyncio.shield(self._gone)
        with contextlib.suppress(TimeoutError):
            return await asyncio.wait_for(asyncio.shield(self.status), _STATUS_S)
        return None

    def signal(self, number: signal.Signals) -> None:
        """Send a signal; nothing happens when the process has ended."""
        if self.running:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    async def stop(self, patience_s: float) -> int | None:
        """Ask the node to drain and end; kill it after `patience_s` seconds. Returns its exit status."""
        self.signal(signal.SIGTERM)
        with contextlib.suppress(TimeoutError):
            return await asyncio.wait_for(self.ended(), patience_s)
        self.signal(signal.SIGKILL)
        return await self.ended()

    # Called by the transport of the link

    def data_received(self, data: bytes) -> None:
        """The node says one thing: that it is ready."""
        self._said += data
        if self._said == _READY and not self._first.done():
            self._first.set_result(True)

    def connection_lost(self, exc: Exception | None) -> None:
        """The link is closed: the process has ended."""
        if not self._first.done():
            self._first.set_result(False)
        self._gone.set_result(None)


class ForkServer:
    """The fork server's process (`server.py`), started ahead of the first node, and anew when it has ended.

    Made before there is an event loop, if that is early: it imports while the stores start.
    """

    def __init__(self, begun: tuple[subprocess.Popen[bytes], socket.socket] | None = None) -> None:
        """`begun`: one that was started already (`begin.py`)."""
        self.say: Callable[[str], None] = lambda text: None
        """Hears a line when the fork server had to be started again."""
        self._turn = asyncio.Lock()
        self._answers: asyncio.Task[None] | None = None
        self._asked: tuple[SpawnedNode, asyncio.Future[None]] | None = None
        self._nodes: dict[int, SpawnedNode] = {}
        self._process, self._control = begun or begin()

    @property
    def pid(self) -> int:
        """The present process's id."""
        return self._process.pid

    async def spawn(self, settings: Settings, listen: socket.socket) -> SpawnedNode:
        """Start a node with these settings; it accepts on `listen`, which stays open here as well. See `serves`.

        Raises OSError where the machine has no process or descriptor left for it, or the fork server does not work.
        """
        async with self._turn:
            if self._process.poll() is not None:
                self._again()
            ours, theirs = socket.socketpair()
            with theirs:
                transport, node = await asyncio.get_running_loop().create_connection(SpawnedNode, sock=ours)
                transport.write(pack(settings))
                try:
                    await asyncio.wait_for(self._fork(node, listen, theirs), _BIRTH_S)
                except BaseException:
                    transport.abort()
                    self._again()
                    raise
            return node

    def close(self) -> None:
        """End the fork server and reap it. Its nodes have ended before."""
        if self._answers is not None:
            self._answers.cancel()
            self._answers = None
        self._control.close()
        self._process.kill()  # it has nothing to put in order, and may be in the middle of its imports
        self._process.wait()

    def _again(self) -> None:
        """Start another one. Nodes of the former go on."""
        self.close()
        self._nodes.clear()
        self._process, self._control = begin()

    async def _fork(self, node: SpawnedNode, listen: socket.socket, link: socket.socket) -> None:
        """Ask for a node's process. Raises OSError when the fork server ends instead."""
        if self._answers is None:
            stream = await asyncio.open_connection(sock=self._control.dup())
            self._answers = asyncio.create_task(self._read(*stream))
        born = asyncio.get_running_loop().create_future()
        self._asked = node, born
        socket.send_fds(self._control, [b"n"], [listen.fileno(), link.fileno()])
        await born

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Hear the fork server until it ends. One that has worked is replaced at once."""
        worked = False
        try:
            while line := await reader.readline():
                worked = True
                self._hear(*line.split())
        except ConnectionError:
            pass
        finally:
            writer.transport.abort()
        self._answers = None
        if self._asked is not None and not self._asked[1].done():
            self._asked[1].set_exception(OSError("the fork server ended; its log is above"))
        elif worked:
            self.say("The fork server ended; starting it again. The nodes go on.")
            self._again()

    def _hear(self, word: bytes, pid: bytes, status: bytes = b"") -> None:
        if word == b"born" and self._asked is not None:
            node, born = self._asked
            node.pid = int(pid)
            self._nodes[node.pid] = node
            if not born.done():
                born.set_result(None)
        elif word == b"ended" and (ended := self._nodes.pop(int(pid), None)) is not None:
            ended.status.set_result(int(status))


def is_stopped(pid: int) -> bool:
    """Has this process been stopped by a signal, and not continued? False where nobody can tell."""
    asked = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return asked.stdout.strip().startswith("T")


@contextlib.contextmanager
def fork_server(begun: tuple[subprocess.Popen[bytes], socket.socket] | None = None) -> Iterator[ForkServer]:
    """A fork server for the length of a block."""
    server = ForkServer(begun)
    try:
        yield server
    finally:
        server.close()
