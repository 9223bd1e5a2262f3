"""The composition root: `create_app(settings)` wires everything. Only the command line and the tests import it.

No logic of its own besides the order in which parts start and stop.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Final

from fastapi import FastAPI, Response

from app.admin import routes as operators
from app.admin.services import AdminServices, NodeState
from app.api import routes
from app.api.fast_path import ReturnFastPath
from app.api.gateway.gateway import Gateway
from app.api.gateway.lobby import LobbyFeed
from app.api.gateway.socket import GameSocket
from app.api.services import Services
from app.bots import choose
from app.service.cluster import Everywhere
from app.service.rooms import LiveRooms
from app.settings import Settings
from app.storage.archive.circles import circles
from app.storage.archive.engine import AWAY, Archive
from app.storage.archive.play.rooms import close_orphans
from app.storage.archive.play.rounds import take
from app.storage.live.nodes.node_rpc import NodeRpc
from app.storage.live.nodes.nodes import Node, incarnation
from app.storage.live.rooms.alerts import LiveAlerts
from app.storage.live.store import Live, keep_running
from app.storage.live.wire.link import StoreUnavailable
from app.tables.clocks.clock import LoopClock, SystemEntropy
from app.tables.handle import TableHandle
from app.tables.messages import Limits, RuntimeDeps
from app.tables.ports import Fenced
from app.tables.registry import Registry
from app.variants import VARIANTS
from app.web.pages import pages_router

log = logging.getLogger(__name__)

WEBSOCKET_PROTOCOL: Final = GameSocket
"""What uvicorn must serve WebSockets with."""
_NOT_READY_S: Final = 2.0
_HAND_OVER_S: Final = 6.0
_RECONCILE_S: Final = 600.0


class SignedEntropy(SystemEntropy):
    """Chance whose nonces carry the owner's name, so that a token says which process holds a table."""

    def __init__(self, owner: str) -> None:
        self._owner = owner

    def nonce(self) -> str:
        """`node.incarnation.` and 16 random bytes as hex."""
        return f"{self._owner}.{super().nonce()}"


class AllNodes(Everywhere):
    """`Everywhere`, with nodes in the operators' words."""

    async def nodes(self) -> list[NodeState]:
        """All nodes that beat lately."""
        return [NodeState(node.name, True, node.draining, node.tables) for node in await self.alive()]


class NodeProcess:
    """Everything one process runs, wired but not started."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._incarnation = incarnation()
        self.archive = Archive.at(settings.database_url)
        self.live = Live(
            settings.valkey_url, self.facts, sink=lambda document: take(self.archive, document),
            adopt=self._adopt, on_lapse=self._confirm,
            is_responsible_for=lambda table_id: self.registry.is_responsible_for(table_id),
            replicas=settings.valkey_replicas, fsync=settings.valkey_fsync,
        )  # fmt: skip
        house = RuntimeDeps(
            self.live.tables, LoopClock(), SignedEntropy(f"{settings.node}.{self._incarnation}"), self.live.rooms,
            LiveAlerts(self.live.link), choose, VARIANTS, Limits(settings.max_tables, settings.spectator_delay_s),
        )  # fmt: skip
        self.registry = Registry(house)
        self.lobby = LobbyFeed(self.live.board, self._may_watch)
        self.gateway = Gateway(
            self.live.tickets, self.live.placement, self.registry, self.lobby,
            lambda place: place.node.owner == self.live.owner(), settings.allowed_origins, settings.public_url,
        )  # fmt: skip
        self.errands = NodeRpc(self.live.link, self.live.owner)
        self.errands.handle("circle_changed", self.lobby.circle_changed)
        self.rooms = LiveRooms(self.live, self.registry, self.errands)
        self.everywhere = AllNodes(
            self.live, self.registry, self.rooms, self.gateway, self.errands, self._leave_by_order
        )  # fmt: skip
        self.calculators = ThreadPoolExecutor(1, "score")
        self._draining: asyncio.Task[None] | None = None

    def facts(self) -> Node:
        """This node as it is now."""
        registry, settings = self.registry, self.settings
        tables = len(registry.tables())
        return Node(
            settings.node, self._incarnation, f"/n/{settings.node}", tables, max(0, settings.max_tables - tables),
            registry.draining,
        )  # fmt: skip

    @contextlib.asynccontextmanager
    async def running(self, _app: FastAPI) -> AsyncIterator[None]:
        """Start; stop in the other order."""
        await self.live.start()
        runs = (self.gateway.run, self.lobby.run, self.errands.run, self._reconcile)
        tasks = [asyncio.create_task(keep_running(run)) for run in runs]
        try:
            yield
        finally:
            await self.drain()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self.live.stop()
            await self.archive.close()
            self.calculators.shutdown(wait=False)

    async def drain(self) -> None:
        """No new tables; hand over those that run; send everybody to where they go on. Once only."""
        await asyncio.shield(self._begin_drain())

    async def _drain(self) -> None:
        self.registry.draining = True
        with contextlib.suppress(Exception):
            await asyncio.wait_for(self.live.heartbeat.beat(), 1.0)  # so that nobody sends us more
        with contextlib.suppress(Exception):
            alive = (await asyncio.wait_for(self.live.nodes.look(), 1.0)).alive
            self.gateway.successors = tuple([node for name, node in alive.items() if name != self.live.owner()])
        await self.registry.drain(_HAND_OVER_S)
        self.gateway.send_away()

    def _begin_drain(self) -> asyncio.Task[None]:
        if self._draining is None:
            self._draining = asyncio.ensure_future(self._drain())
        return self._draining

    async def _leave_by_order(self) -> None:
        self._begin_drain()

    async def _reconcile(self) -> None:
        """Until cancelled: close, in the archive, rooms that a death left without a table."""
        while True:
            await asyncio.sleep(_RECONCILE_S)
            with contextlib.suppress(StoreUnavailable, *AWAY):  # next time
                await close_orphans(self.archive, self.live.tables.in_use)

    async def _confirm(self) -> None:
        """We were not seen for a while: let go of the tables that somebody took meanwhile."""
        await asyncio.gather(*[self._confirm_one(table) for table in self.registry.tables()])

    async def _adopt(self, tables: dict[str, str]) -> int:
        """Take tables that nobody runs. One that we think we run was taken early, by a node that is dead now."""
        ours = [table for name in tables if (table := self.registry.find(name)) is not None]
        await asyncio.gather(*[self._confirm_one(table) for table in ours])
        return await self.registry.adopt(tables)

    async def _confirm_one(self, table: TableHandle) -> None:
        token = table.token
        try:
            await self.live.tables.confirm(table.table_id, token)
        except Fenced:
            if table.token is token:  # else it acquired anew meanwhile, which says more than this answer
                table.stop("moved", "fenced")

    async def _may_watch(self, user: str, circle: str) -> bool:
        async with self.archive.read() as db:
            return await circles.role_of(db, circle, user) is not None


def create_app(settings: Settings) -> FastAPI:
    """The whole server for these settings, not yet started. `app.state.drain` is awaited before sockets are closed."""
    node = NodeProcess(settings)
    app = FastAPI(title="雀桌 Quezhuo", lifespan=node.running)
    app.state.node = node
    app.state.drain = node.drain
    app.state.socket_works = None  # whoever serves the app may say: False until it opened a WebSocket to itself
    limits = routes.Limits()
    services = Services(settings, node.archive, node.rooms, VARIANTS, _now, node.calculators)
    routes.include(app, services, limits)
    watched = AdminServices(
        settings, node.archive, node.everywhere, _now, limits.passwords.spend,
        frozenset([slug for slug, variant in VARIANTS.items() if variant.meta.ladder]),
    )  # fmt: skip
    operators.include(app, watched)
    _health(app, node)
    app.include_router(pages_router(public_url=settings.public_url))
    app.add_middleware(ReturnFastPath, sockets=node.gateway.endpoint)  # last: it is asked first
    return app


def _now() -> datetime:
    return datetime.now(UTC)


def _health(app: FastAPI, node: NodeProcess) -> None:
    @app.get("/healthz", include_in_schema=False)
    async def healthz() -> dict[str, str]:
        """The process is up."""
        return {"status": "ok", "node": node.settings.node}

    @app.get("/readyz", include_in_schema=False)
    async def readyz(response: Response) -> dict[str, object]:
        """Should traffic come here? Not while it drains, nor while the live store is away."""
        away_s = node.live.failing_s
        socket_works = app.state.socket_works
        ready = away_s < _NOT_READY_S and not node.registry.draining and socket_works is not False
        response.status_code = 200 if ready else 503
        return {
            "ready": ready, "draining": node.registry.draining, "store_away_s": round(away_s, 1),
            "archive_behind": node.live.archiver.behind, "tables": len(node.registry.tables()),
            "store_problems": len(node.live.durability.problems), "socket_works": socket_works,
        }  # fmt: skip
