"""`Live`: everything of the live store that one node runs, wired. Start it, and stop it in the right order.

No logic of its own: each part has its own description.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from app.storage.live.limiter import Limiter
from app.storage.live.logs.archiver import Archiver, Sink
from app.storage.live.logs.reaper import Reaper
from app.storage.live.logs.refused import RefusedDocuments
from app.storage.live.logs.tables import LiveTables
from app.storage.live.nodes.nodes import Heartbeat, Node, Nodes
from app.storage.live.nodes.placement import Adopt, Placement, Takeover
from app.storage.live.rooms.alerts import Alert, LiveAlerts
from app.storage.live.rooms.board import Board
from app.storage.live.rooms.codes import Codes
from app.storage.live.rooms.notices import Notices
from app.storage.live.rooms.per_address import rooms_of_address, seats_of_address
from app.storage.live.rooms.repeats import Repeats
from app.storage.live.rooms.room_sync import RoomSync
from app.storage.live.rooms.seats import SeatClaims
from app.storage.live.rooms.tickets import Tickets
from app.storage.live.wire.durability import Durability, Fsync
from app.storage.live.wire.link import Link, connect

log = logging.getLogger(__name__)
_AGAIN_S: Final = 1.0


async def keep_running(work: Callable[[], Awaitable[None]]) -> None:
    """Run an endless coroutine until cancelled.

    A bug in it is logged and it starts anew: a node must not go on without its heartbeat, or another such task,
    unnoticed.
    """
    while True:
        try:
            await work()
        except Exception:
            log.exception("%s ended; starting it again", getattr(work, "__qualname__", work))
        await asyncio.sleep(_AGAIN_S)


class Live:
    """The live store of one node.

    `facts()` is this node as it is now; `sink` commits finished documents; `adopt` takes tables over; `on_lapse`
    confirms our tokens after missed heartbeats; `is_responsible_for` knows the tables that we run; `replicas` is the
    number of replicas that must have a write before it counts; `fsync` is the expected setting of the store; `on_alert`
    hears of alerts raised here.
    """

    def __init__(
        self, url: str, facts: Callable[[], Node], *, sink: Sink,
        adopt: Adopt, on_lapse: Callable[[], Awaitable[None]],
        is_responsible_for: Callable[[str], bool] = lambda table_id: True,
        replicas: int = 0, fsync: Fsync = "always", address_factor: float = 1.0,
        rooms_per_address: int = 64, seats_per_address: int = 1200,
        on_alert: Callable[[Alert], None] = lambda alert: None,
    ) -> None:  # fmt: skip
        self.me = facts
        self.link = Link(connect(url), replicas)
        self.durability = Durability(self.link, fsync)
        self.heartbeat = Heartbeat(self.link, facts, on_lapse)
        self.alerts = LiveAlerts(self.link, on_alert)
        self.refused = RefusedDocuments(self.link)
        self.archiver = Archiver(self.link, sink, on_refusal=self._refused)
        self.tables = LiveTables(self.link, lambda: self.heartbeat.lease_is_valid, self.archiver.nudge)
        self.tickets = Tickets(self.link)
        self.notices = Notices(self.link)
        self.codes = Codes(self.link)
        self.limiter = Limiter(self.link, address_factor)
        self.address_rooms = rooms_of_address(self.link, rooms_per_address)
        self.address_seats = seats_of_address(self.link, seats_per_address)
        self.repeats = Repeats(self.link)
        self.seats = SeatClaims(self.link)
        self.board = Board(self.link)
        self.rooms = RoomSync(self.board, self.codes, self.seats)
        self.nodes = Nodes(self.link)
        self.placement = Placement(self.link, facts)
        self._watch = Takeover(self.link, facts, adopt, is_responsible_for)
        self._reaper = Reaper(self.link, self.tables, self.board, self.codes, self.seats)
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Be seen, then begin the work in the background; first of all, for a moment, with tables that nobody runs.

        Raises StoreUnavailable when the store cannot be reached, EvictingStore when it is none to keep tables in.
        """
        await self.durability.check()
        await self.heartbeat.beat()
        runs = (
            self.heartbeat.run, self.archiver.run, self.rooms.run, self._watch.run, self._reaper.run,
            self.durability.run,
        )  # fmt: skip
        self._tasks = [asyncio.create_task(keep_running(run)) for run in runs]
        await self._watch.begun()

    async def stop(self, patience_s: float = 5.0) -> None:
        """Finish the noted work, announce our stop, stop. Call it after the tables were released."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        try:
            async with asyncio.timeout(patience_s):
                await self.rooms.settle()
                await self.archiver.drain()
                await self.heartbeat.stop()
        except TimeoutError:
            pass  # remaining work is in the store, for another node
        await self.link.close()

    def _refused(self, table_id: str, what: str) -> None:
        self.alerts.alert(table_id, "refused", f"the archive refuses {what}: see `mj admin refused`", None)

    def owner(self) -> str:
        """The name in the tokens of this process."""
        return self.me().owner

    @property
    def failing_s(self) -> float:
        """For how long the store has not answered as it should; 0: it does."""
        since = self.link.failing_since
        return 0.0 if since is None else asyncio.get_running_loop().time() - since
