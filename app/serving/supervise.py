"""The nodes of `mj up`: started, started again when they die, stopped together; and the front before several of them.

The listening sockets are ours, so they stay open while a node is replaced: a client waits, it is not refused.
"""

import asyncio
import contextlib
import os
import signal
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from app.embedded.places import ROOT, StartError
from app.serving.front import Backend, Front
from app.serving.serve import pack
from app.settings import Settings

_QUICK_S = 10.0
_QUICK_DEATHS = 5
STOP_S = 25.0
"""How long a node that was told to stop may take before it is killed."""


@dataclass
class Node:
    """One node: its settings, its listening socket, and the process that serves it just now."""

    settings: Settings
    listen: socket.socket
    backend: Backend
    process: asyncio.subprocess.Process | None = None
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    stopping: bool = False
    on_up: Callable[[], None] = lambda: None

    async def keep(self, say: Callable[[str], None]) -> None:
        """Run the node's process again and again until it is told to stop. Raises StartError when it only ever dies."""
        loop, quick = asyncio.get_running_loop(), 0
        while not self.stopping:
            born = loop.time()
            status = await self._once()
            self.backend.up = False
            if self.stopping:
                return
            quick = quick + 1 if loop.time() - born < _QUICK_S else 0
            if quick >= _QUICK_DEATHS or (quick and not self.ready.is_set()):
                raise StartError(f"Node {self.backend.name} does not stay up (exit status {status}); its log is above.")
            say(f"Node {self.backend.name} ended (exit status {status}); starting it again.")
            if quick > 1:
                await asyncio.sleep(0.2 * 2**quick)

    async def _once(self) -> int:
        """One life of the process. Returns its exit status."""
        ours, theirs = socket.socketpair()
        with theirs:
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "app.serving.serve", str(self.listen.fileno())),
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdin=theirs.fileno(),
                pass_fds=[self.listen.fileno()],
                start_new_session=True,
            )
        reader, writer = await asyncio.open_connection(sock=ours)
        with contextlib.suppress(ConnectionError):
            writer.write(pack(self.settings))
            if await reader.readline() == b"ready\n":
                self.backend.up = True
                self.ready.set()
                self.on_up()
        status = await self.process.wait()
        writer.close()
        return status

    async def stop(self) -> None:
        """Ask the process to drain and end; kill it when it takes too long."""
        self.stopping = True
        if self.process is None or self.process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(self.process.wait(), STOP_S)
        except TimeoutError:
            self.process.kill()
            await self.process.wait()


def nodes_of(settings: Settings, listen: socket.socket) -> list[Node]:
    """The nodes `n1`, `n2` …: a single one on the public socket itself, several on loopback ports of their own."""
    if settings.nodes == 1:
        return [Node(settings, listen, Backend(settings.node, listen.getsockname()[1], up=False))]
    nodes = []
    for number in range(1, settings.nodes + 1):
        inner = socket.create_server(("127.0.0.1", 0), backlog=512)
        name = f"n{number}"
        nodes.append(
            Node(settings.model_copy(update={"node": name}), inner, Backend(name, inner.getsockname()[1], up=False))
        )
    return nodes


async def supervise(
    settings: Settings,
    listen: socket.socket,
    *,
    say: Callable[[str], None],
    on_up: Callable[[list[Node]], None],
) -> None:
    """Serve `settings` on `listen` until SIGINT, SIGTERM or SIGHUP. Raises StartError when a node does not stay up.

    `on_up` is called once all nodes are up, and again whenever one was replaced.
    """
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    nodes = nodes_of(settings, listen)
    async with contextlib.AsyncExitStack() as cleanup:
        if len(nodes) > 1:
            front = await Front({node.backend.name: node.backend for node in nodes}).start(sock=listen)
            cleanup.callback(front.close)
        for node in nodes:
            node.on_up = partial(_when_all_up, nodes, on_up)
        keepers = [asyncio.create_task(node.keep(say)) for node in nodes]
        stopped = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait([stopped, *keepers], return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopped.cancel()
            say("Stopping …")
            await asyncio.gather(*(node.stop() for node in nodes))
        failed = [error for error in await asyncio.gather(*keepers, return_exceptions=True) if error is not None]
        if failed:
            raise failed[0]


def _when_all_up(nodes: list[Node], on_up: Callable[[list[Node]], None]) -> None:
    if all(node.ready.is_set() for node in nodes):
        on_up(nodes)
