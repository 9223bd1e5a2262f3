"""What `mj up` runs: the embedded stores and the nodes, each kept running, stopped together; the front before several.

The listening sockets are ours, so they stay open while a single node is replaced: a client waits, it is not refused.
"""

import asyncio
import contextlib
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

from app.embedded.places import StartError
from app.embedded.process import Child
from app.serving.backends import Backend
from app.serving.forks.spawn import ForkServer, SpawnedNode, is_stopped
from app.serving.front import Front
from app.serving.keeping import Kept, Life
from app.settings import Settings
from app.storage.live.nodes.nodes import Nodes
from app.storage.live.wire.link import Link, StoreUnavailable, connect

STOP_S = 25.0
"""Time for a node to stop before it is killed."""
_STORE_PAUSE_S = 2.0
"""The longest pause before a store is started again: nothing goes on without it."""
_STRIKE_S = 0.5
_LOOK_S = 0.02
_HUNG_LOOK_S = 0.5
_HUNG_S = 40.0
"""A node that computes may be silent for half a minute (`A11`): longer than that it hangs."""
_STOPPED_S = 3.0
"""A process that somebody stopped (SIGSTOP) computes nothing, and may be replaced sooner: nobody else serves."""
_STOPPED_BESIDE_OTHERS_S = 15.0


@dataclass
class EmbeddedStore:
    """A store that we run: its present process, and how to start the next one on the same data and address."""

    child: Child
    open_again: Callable[[], Child]
    patience_s: float
    """Time for a node's first start."""

    async def start(self) -> Life:
        """Begin one life of the store's process."""
        self.child = await asyncio.to_thread(self.open_again)
        return _StoreLife(self.child)


class Node:
    """One node: its settings, its listening socket, and the process that serves it just now."""

    def __init__(self, settings: Settings, listen: socket.socket, backend: Backend, forks: ForkServer) -> None:
        self.backend = backend
        self._forks = forks
        self.spawned: SpawnedNode | None = None
        self._settings = settings
        self._listen = listen

    async def start(self) -> Life:
        """Begin one life of the node's process."""
        self.spawned = await self._forks.spawn(self._settings, self._listen)
        return _NodeLife(self.spawned)


class _NodeLife:
    def __init__(self, spawned: SpawnedNode) -> None:
        self._spawned = spawned

    async def serves(self) -> bool:
        return await self._spawned.serves()

    async def ended(self) -> str:
        status = await self._spawned.ended()
        return "nobody saw how" if status is None else f"exit status {status}"

    async def stop(self) -> None:
        await self._spawned.stop(STOP_S)


class _StoreLife:
    def __init__(self, child: Child) -> None:
        self._child = child
        self._served = False

    async def serves(self) -> bool:
        while self._child.running:
            if await asyncio.to_thread(self._child.is_ready):
                self._served = True
                return True
            await asyncio.sleep(_LOOK_S)
        return False

    async def ended(self) -> str:
        while self._child.running:
            await asyncio.sleep(_LOOK_S)
        if not self._served:
            return str(await asyncio.to_thread(self._child.failure))
        return f"exit status {await asyncio.to_thread(self._child.stop)}"

    async def stop(self) -> None:
        await asyncio.to_thread(self._child.stop)


def nodes_of(settings: Settings, listen: socket.socket, forks: ForkServer) -> list[Node]:
    """The nodes `n1`, `n2` …: a single one on the public socket itself, several on loopback ports of their own."""
    if settings.nodes == 1:
        return [Node(settings, listen, Backend(settings.node, listen.getsockname()[1], up=False), forks)]
    nodes = []
    for number in range(1, settings.nodes + 1):
        inner = socket.create_server(("127.0.0.1", 0), backlog=512)
        name = f"n{number}"
        backend = Backend(name, inner.getsockname()[1], up=False)
        nodes.append(Node(settings.model_copy(update={"node": name}), inner, backend, forks))
    return nodes


async def supervise(
    settings: Settings,
    listen: socket.socket,
    stores: list[EmbeddedStore],
    forks: ForkServer,
    *,
    say: Callable[[str], None],
    on_up: Callable[[list[Node]], None],
    stop_asked: Callable[[], bool] = lambda: False,
) -> None:
    """Serve `settings` on `listen` until SIGINT, SIGTERM or SIGHUP; then stop the nodes, and after them the stores.

    `on_up` is called once every node has started or failed to, and again whenever a process is a new one or serves.
    `stop_asked`: did a signal come before this function heard of any? Raises StartError when not one node starts.
    """
    supervisor = _Supervisor(settings, nodes_of(settings, listen, forks), stores, say, on_up)
    forks.say = say
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, supervisor.stop.set)
    if stop_asked():
        supervisor.stop.set()
    async with supervisor.stores_kept(), supervisor.front_before(listen):
        await supervisor.keep_nodes()


class _Supervisor:
    """The nodes and stores of one `mj up`, from the first start to the last stop."""

    def __init__(
        self, settings: Settings, nodes: list[Node], stores: list[EmbeddedStore],
        say: Callable[[str], None], on_up: Callable[[list[Node]], None],
    ) -> None:  # fmt: skip
        self.stop = asyncio.Event()
        self._settings = settings
        self._nodes = nodes
        self._stores = stores
        self._say = say
        self._on_up = on_up
        self._announced = False

    @contextlib.asynccontextmanager
    async def stores_kept(self) -> AsyncIterator[None]:
        """Keep the embedded stores running for the length of a block; they are stopped at its end."""
        kept = [
            Kept(store.child.name, store.start, self._say, self._tell, longest_pause_s=_STORE_PAUSE_S)
            for store in self._stores
        ]
        runs = [
            asyncio.create_task(each.run(_StoreLife(store.child)))
            for each, store in zip(kept, self._stores, strict=True)
        ]
        try:
            yield
        finally:
            for each in kept:
                each.stop()
            await asyncio.gather(*runs)

    @contextlib.asynccontextmanager
    async def front_before(self, listen: socket.socket) -> AsyncIterator[None]:
        """Serve the public socket for the length of a block, where there are several nodes behind it."""
        if len(self._nodes) == 1:
            yield
            return
        front = Front({node.backend.name: node.backend for node in self._nodes})
        server = await front.start(sock=listen)
        watch = asyncio.create_task(front.watch(self._say))
        try:
            yield
        finally:
            watch.cancel()
            server.close()

    @contextlib.asynccontextmanager
    async def hung_nodes_ended(self) -> AsyncIterator[None]:
        """For the length of a block: kill nodes that hang for good, so that they are started again."""
        tasks = [asyncio.create_task(self._end_hung())]
        if len(self._nodes) == 1:  # the front watches several
            tasks.append(asyncio.create_task(self._nodes[0].backend.watch(self._say, others=False)))
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()

    async def _end_hung(self) -> None:
        stopped_s = _STOPPED_S if len(self._nodes) == 1 else _STOPPED_BESIDE_OTHERS_S
        while True:
            await asyncio.sleep(_HUNG_LOOK_S)
            for node in self._nodes:
                silent_s = node.backend.silent_s
                if node.spawned is None or not node.spawned.running or silent_s < stopped_s:
                    continue
                stopped = await asyncio.to_thread(is_stopped, node.spawned.pid)
                if stopped or (silent_s > _HUNG_S and node.backend.up):
                    what = "is stopped" if stopped else "does not answer"
                    self._say(f"Node {node.backend.name} {what} for {silent_s:.0f} s; ending it.")
                    node.spawned.signal(signal.SIGKILL)

    async def keep_nodes(self) -> None:
        """Keep the nodes running until the stop, then stop them. Raises StartError when not one of them starts."""
        async with _striker(self._settings) as strike, self.hung_nodes_ended():
            # Nodes of the last life, should it have been killed: nobody shall wait until their heartbeats run out.
            await asyncio.gather(*[strike(node.backend.name) for node in self._nodes])
            kept = [self._kept(node, strike) for node in self._nodes]
            runs = [asyncio.create_task(each.run()) for each in kept]
            stopped = asyncio.create_task(self.stop.wait())
            try:
                await _until_settled(kept, stopped)
                if not stopped.done():
                    self._announced = True
                    self._on_up(self._nodes)
                await stopped
            finally:
                stopped.cancel()
                self._say("Stopping …")
                for each in kept:
                    each.stop()
                await asyncio.gather(*runs)

    def _kept(self, node: Node, strike: Callable[[str], Awaitable[None]]) -> Kept:
        backend = node.backend

        def changed(up: bool, note: str) -> None:
            backend.note, backend.up = note, up
            self._tell()

        return Kept(f"Node {backend.name}", node.start, self._say, changed, lambda: strike(backend.name))

    def _tell(self, *_: object) -> None:
        if self._announced:
            self._on_up(self._nodes)


async def _until_settled(kept: list[Kept], stopped: "asyncio.Task[bool]") -> None:
    """Wait until every node serves or failed to, or for the stop. Raises StartError where none serves."""
    settled = asyncio.ensure_future(asyncio.gather(*[each.settled.wait() for each in kept]))
    try:
        await asyncio.wait((settled, stopped), return_when=asyncio.FIRST_COMPLETED)
    finally:
        settled.cancel()
    if not stopped.done() and not any(each.served for each in kept):
        raise StartError(f"{kept[0].name} does not stay up ({kept[0].failure}); its log is above.")


@contextlib.asynccontextmanager
async def _striker(settings: Settings) -> AsyncIterator[Callable[[str], Awaitable[None]]]:
    """Strikes a node whose process has ended off the list of the living, so that nobody waits for its heartbeat."""
    link = Link(connect(settings.valkey_url))
    nodes = Nodes(link)

    async def strike(name: str) -> None:
        with contextlib.suppress(StoreUnavailable, TimeoutError):
            await asyncio.wait_for(nodes.strike(name), _STRIKE_S)

    try:
        yield strike
    finally:
        await link.close()
