"""One process: its stores, tables and rooms, and how it takes tables over and gives them up."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from app.kernel.variant import Variant
from app.service.collecting import Collecting
from app.service.feed import Feed
from app.service.locate import Locator
from app.service.ports import Sockets
from app.service.rights import may_stay
from app.service.rooms import LiveRooms
from app.service.sending.alerting import Alerting, sender
from app.settings import Settings
from app.storage.archive.circles import circles
from app.storage.archive.engine import AWAY, Archive
from app.storage.archive.play.rooms import close_orphans
from app.storage.archive.play.rounds import intake
from app.storage.live.logs.scrub import Scrub
from app.storage.live.nodes.node_rpc import NodeRpc
from app.storage.live.nodes.nodes import Node, incarnation
from app.storage.live.rooms.per_address import most_rooms, most_seats
from app.storage.live.rooms.tickets import Ticket
from app.storage.live.store import Live
from app.storage.live.wire.link import StoreUnavailable
from app.tables.clocks.clock import LoopClock, SystemEntropy
from app.tables.handle import TableHandle
from app.tables.log.documents import read_document
from app.tables.messages import Limits, RuntimeDeps
from app.tables.ports import Chooser, Fenced
from app.tables.registry import Registry

_HAND_OVER_S: Final = 6.0
_RECONCILE_S: Final = 600.0


class SignedEntropy(SystemEntropy):
    """Chance whose nonces carry the owner's name, so that a token names the process that holds a table."""

    def __init__(self, owner: str) -> None:
        self._owner = owner

    def nonce(self) -> str:
        """`node.incarnation.` and 16 random bytes as hex."""
        return f"{self._owner}.{super().nonce()}"


class NodeCore:
    """The stores, the tables and the live rooms of one process, wired but not started."""

    def __init__(
        self, settings: Settings, variants: Mapping[str, Variant[Any]], choose: Chooser, flush: Callable[[], None]
    ) -> None:
        """`flush` writes out what tables have offered to connections."""
        self._settings = settings
        self._incarnation = incarnation()
        self.archive = Archive.at(settings.database_url)
        self.live = Live(
            settings.valkey_url, self.facts, sink=self._keep,
            adopt=self._adopt, on_lapse=self._confirm,
            is_responsible_for=lambda table_id: self.registry.is_responsible_for(table_id),
            replicas=settings.valkey_replicas, fsync=settings.valkey_fsync,
            address_factor=settings.address_factor,
            rooms_per_address=most_rooms(settings.rooms_per_address, settings.max_tables, settings.address_factor),
            on_alert=lambda alert: self.alerting.raised(alert),
            seats_per_address=most_seats(settings.seats_per_address, settings.address_factor),
        )  # fmt: skip
        self.feed = Feed(self.live.notices, self.may_stay)
        deps = RuntimeDeps(
            self.live.tables, LoopClock(), SignedEntropy(f"{settings.node}.{self._incarnation}"), self.live.rooms,
            self.live.alerts, choose, variants, Limits(settings.max_tables, settings.spectator_delay_s),
            flush, self.feed.turn,
        )  # fmt: skip
        self.alerting = Alerting(self.live, settings.node, sender(settings.alert_url))
        self.live.rooms.heard = self.feed.table_changed
        self.stalls = deps.stalls
        self.collecting = Collecting()
        self.registry = Registry(deps)
        self.scrub = Scrub(self.live.link, self._table_ids, self._damaged)
        self.rpc = NodeRpc(self.live.link, self.live.owner)
        self.locator = Locator(self.live.placement, self.registry, self.facts, self.live.tables.lease_is_valid)
        self.rooms = LiveRooms(self.live, self.registry, self.locator, self.rpc)

    def facts(self) -> Node:
        """This node as it is now."""
        registry, settings = self.registry, self._settings
        tables = len(registry.tables())
        return Node(
            settings.node, self._incarnation, f"/n/{settings.node}", tables, max(0, settings.max_tables - tables),
            registry.draining,
        )  # fmt: skip

    async def _keep(self, raw: bytes) -> None:
        """Store a document that a table left, then tell its people. Raises as `intake` does."""
        document = read_document(raw)
        await intake(self.archive, document)
        self.feed.finished(document)

    async def is_circle_member(self, user: str, circle: str) -> bool:
        """Whether this user may see the rooms of this circle."""
        async with self.archive.read() as db:
            return await circles.role_of(db, circle, user) is not None

    async def may_stay(self, ticket: Ticket) -> bool:
        """Whether the socket that this ticket opened may stay open."""
        return await may_stay(self.archive, ticket, datetime.now(UTC))

    async def reconcile(self) -> None:
        """Until cancelled: close in the archive the rooms that a node's death left without a table."""
        while True:
            await asyncio.sleep(_RECONCILE_S)
            with contextlib.suppress(StoreUnavailable, *AWAY):  # next time
                await close_orphans(self.archive, self.live.tables.in_use)

    def _table_ids(self) -> list[str]:
        return [table.table_id for table in self.registry.tables()]

    async def _damaged(self, table_id: str, what: str) -> None:
        await self.registry.read_again(table_id)

    async def _confirm(self) -> None:
        """Give up the tables that another node took while our heartbeat was not seen."""
        await asyncio.gather(*[self._confirm_one(table) for table in self.registry.tables()])

    async def _adopt(self, tables: dict[str, str]) -> int:
        """Take tables that no node runs: by id, the token that was seen. Returns how many run here now.

        A table among them that we believe to run was taken early by a node that has died since: give it up first.
        """
        ours = [table for name in tables if (table := self.registry.find(name)) is not None]
        await asyncio.gather(*[self._confirm_one(table) for table in ours])
        return await self.registry.adopt(tables)

    async def _confirm_one(self, table: TableHandle) -> None:
        token = table.token
        try:
            await self.live.tables.confirm(table.table_id, token)
        except Fenced:
            if table.token is token:  # otherwise the table was acquired anew since, and this answer is out of date
                table.stop("moved", "fenced")


class Departure:
    """Draining, once only: take no new tables, hand over those that run, send every socket to where it goes on."""

    def __init__(self, core: NodeCore, sockets: Sockets) -> None:
        self._core = core
        self._sockets = sockets
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Begin, and return at once."""
        if self._task is None:
            self._task = asyncio.ensure_future(self._drain())

    async def finished(self) -> None:
        """Begin, and return when it is done."""
        await self.begin()
        assert self._task is not None
        await asyncio.shield(self._task)

    async def _drain(self) -> None:
        live, registry = self._core.live, self._core.registry
        registry.draining = True
        with contextlib.suppress(Exception):
            await asyncio.wait_for(live.heartbeat.beat(), 1.0)  # so that other nodes send us no more tables
        with contextlib.suppress(Exception):
            alive = (await asyncio.wait_for(live.nodes.look(), 1.0)).alive
            self._sockets.successors = tuple([node for name, node in alive.items() if name != live.owner()])
        await registry.drain(_HAND_OVER_S)
        self._sockets.send_away()
