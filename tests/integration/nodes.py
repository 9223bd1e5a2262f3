"""A whole node in the test's own event loop, on a real port, with real stores. And people made of the public API."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import uvicorn

from app.lab.chaos.load_run import insist
from app.lab.clients.client import Api, Plain, SeatClient, bot_choice
from app.main import WEBSOCKET_PROTOCOL, NodeProcess, create_app
from app.serving.serve import configuration
from app.settings import Settings
from app.tables import asks
from tests.integration.waiting import PATIENCE_S

QUICK = {"claim_hold_ms": 0}


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class RunningNode:
    """A node that serves; `url` is where."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        app = create_app(settings.model_copy(update={"port": 0}))
        self.process: NodeProcess = app.state.node
        self._drain = app.state.drain
        config = configuration(app, settings.model_copy(update={"port": 0}), WEBSOCKET_PROTOCOL)
        config.timeout_keep_alive = 600  # or an idle connection is closed in the moment of its next use
        self._server = _Server(config)
        self._task: asyncio.Task[None] | None = None
        self.url = ""

    async def start(self) -> None:
        """Serve."""
        self._task = asyncio.create_task(self._server.serve())
        while not self._server.started:
            if self._task.done():
                await self._task
                raise RuntimeError("the node did not start")
            await asyncio.sleep(0.005)
        port = self._server.servers[0].sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"

    async def stop(self) -> None:
        """As on SIGTERM: drain, then close. Again: nothing."""
        if self._server.should_exit:
            return
        await self._drain()
        self._server.should_exit = True
        assert self._task is not None
        await self._task


@asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[RunningNode]:
    """A node for the length of a block."""
    node = RunningNode(settings)
    await node.start()
    try:
        yield node
    finally:
        await node.stop()


@asynccontextmanager
async def people(url: str, count: int) -> AsyncIterator[list[Api]]:
    """Guests, signed in."""
    async with contextlib.AsyncExitStack() as stack:
        found = [await stack.enter_async_context(Api(url)) for _ in range(count)]
        for api in found:
            api._http.timeout = PATIENCE_S  # they wait for one another, on a machine that may be busy
        await asyncio.gather(*[insist(api.sign_in) for api in found])
        yield found


async def seated(apis: list[Api], variant: str = "tianjin", rules: dict[str, object] | None = None,
                 settings: dict[str, object] | None = None) -> list[SeatClient]:  # fmt: skip
    """A room of the first one's, joined by all; nobody is connected yet."""
    room = await apis[0].create_room(variant, rules or {}, {**QUICK, **(settings or {})})
    for api in apis[1:]:
        await api.join(room["code"])
    return [SeatClient(api, room["id"]) for api in apis]


async def without_a_win(client: SeatClient, decision: Plain) -> Plain:
    """The action of a bot that passes every win: for a round that must last, or it may be over after a few tiles."""
    others = [option for option in decision["options"] if option["verb"] != "win"]
    return await bot_choice(client, {**decision, "options": others or decision["options"]})


async def insisted(node: RunningNode, room: str) -> None:
    """An order from this node to the table's; given again until there is an answer."""
    while True:
        try:
            await node.process.rooms.order(room, asks.OrderInspect())
            return
        except Exception:
            await asyncio.sleep(0.05)
