"""Several nodes as processes of ours behind one front, made to be killed, stopped and started again at will.

For `mj chaos`, `mj bench recovery` and the tests. `mj up` has its own, more careful supervisor.
"""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from app.serving.backends import Backend
from app.serving.forks.spawn import ForkServer, SpawnedNode, fork_server
from app.serving.front import Front
from app.settings import Settings


class NodeChild:
    """One node's process. Its listening socket is ours, so that it can be replaced without a refused connection."""

    def __init__(self, settings: Settings, name: str, forks: ForkServer) -> None:
        self._forks = forks
        self.name = name
        self.listen = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.backend = Backend(name, self.listen.getsockname()[1], up=False)
        self._settings = settings.model_copy(update={"node": name, "log_level": "warning"})
        self._spawned: SpawnedNode | None = None

    async def start(self) -> None:
        """Start the process and wait until it serves. It stops by itself when we are gone."""
        self._spawned = await self._forks.spawn(self._settings, self.listen)
        if not await self._spawned.serves():
            raise RuntimeError(f"node {self.name} ended with status {await self._spawned.ended()}")
        self.backend.up = True

    @property
    def pid(self) -> int:
        """The process's id."""
        assert self._spawned is not None
        return self._spawned.pid

    def signal(self, number: signal.Signals) -> None:
        """Send the process a signal."""
        assert self._spawned is not None
        if number is signal.SIGKILL:
            self.backend.up = False
        self.backend.leaving |= number is signal.SIGTERM
        self._spawned.signal(number)

    async def ended(self) -> int | None:
        """Wait for its end."""
        assert self._spawned is not None
        status = await self._spawned.ended()
        self.backend.up = False
        return status

    async def close(self) -> None:
        """Kill it if it still runs."""
        if self._spawned is not None and self._spawned.running:
            self.signal(signal.SIGCONT)
            self.signal(signal.SIGKILL)
            await self._spawned.ended()
        self.listen.close()


class Cluster:
    """Nodes by name, and the address of the front before them."""

    def __init__(self, nodes: dict[str, NodeChild], url: str) -> None:
        self.nodes = nodes
        self.url = url

    async def kill(self, name: str) -> None:
        """`kill -9`, and start a new process of the same name at once; returns when that serves."""
        node = self.nodes[name]
        node.signal(signal.SIGKILL)
        await node.ended()
        await node.start()

    async def freeze(self, name: str, seconds: float) -> None:
        """SIGSTOP for a while: longer than its heartbeat lives, and others take its tables."""
        node = self.nodes[name]
        node.signal(signal.SIGSTOP)
        node.backend.up = False
        await asyncio.sleep(seconds)
        node.signal(signal.SIGCONT)
        node.backend.up = True

    async def restart(self, name: str) -> int | None:
        """SIGTERM, wait for the end, start anew. Returns the exit status of the old process."""
        node = self.nodes[name]
        node.signal(signal.SIGTERM)
        status = await node.ended()
        await node.start()
        return status


@asynccontextmanager
async def cluster(settings: Settings, count: int) -> AsyncIterator[Cluster]:
    """`count` nodes named n1, n2 … behind one front, killed at the end."""
    with fork_server() as forks:
        nodes = {f"n{number}": NodeChild(settings, f"n{number}", forks) for number in range(1, count + 1)}
        front = await Front({name: node.backend for name, node in nodes.items()}).start(host="127.0.0.1", port=0)
        try:
            await asyncio.gather(*[node.start() for node in nodes.values()])
            yield Cluster(nodes, f"http://127.0.0.1:{front.sockets[0].getsockname()[1]}")
        finally:
            front.close()
            for node in nodes.values():
                await node.close()
