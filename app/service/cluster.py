"""All nodes at once: list rooms, close sockets, announce, drain, count. The port `ClusterService`.

Callers decide who may do it, and audit it. Other nodes are reached through the live store (`NodeRpc`).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from app.refusal import not_found
from app.service.busy import busy_when_away
from app.service.ports import NodeState, RoomService, Sockets
from app.storage.live.nodes.node_rpc import NodeRpc
from app.storage.live.nodes.nodes import Node
from app.storage.live.store import Live
from app.tables import asks
from app.tables.ports import Summary
from app.tables.registry import Registry

_PATIENCE_S: Final = 2.0
_LAG: Final = "loop_lag_ms"


class Cluster:
    """One per node. `leave()` begins to drain this node and returns at once."""

    def __init__(
        self, live: Live, registry: Registry, rooms: RoomService, sockets: Sockets, rpc: NodeRpc,
        leave: Callable[[], Awaitable[None]],
    ) -> None:  # fmt: skip
        self._live = live
        self._registry = registry
        self._rooms = rooms
        self._sockets = sockets
        self._rpc = rpc
        rpc.handle("disconnect", self._disconnect_here)
        rpc.handle("announce", self._announce_here)
        rpc.handle("counters", self._counters_here)
        rpc.handle("drain", leave)

    @busy_when_away
    async def page(self, *, cursor: str, limit: int) -> tuple[list[Summary], str]:
        """Live rooms in order of id after `cursor`, and the next cursor ("" at the end)."""
        known = sorted(await self._live.board.all(), key=lambda room: room.table_id)
        later = [room for room in known if room.table_id > cursor]
        return later[:limit], later[limit - 1].table_id if len(later) > limit else ""

    async def disconnect(self, user: str, reason: str) -> None:
        """Close every socket of this user; their unused tickets are void."""
        await self._rooms.void(user)
        await self._ask_all("disconnect", user, reason)

    async def announce(self, text: str, rooms: list[str] | None) -> int:
        """A notice to these rooms (None: all). Returns how many it went to."""
        return sum(await self._ask_all("announce", text, rooms))

    @busy_when_away
    async def drain(self, node: str) -> None:
        """Have a node give its tables up and take no new ones."""
        owner = next((seen.owner for seen in await self._alive() if seen.name == node), None)
        if owner is None:
            raise not_found("node")
        await self._rpc.send(owner, "drain")

    @busy_when_away
    async def nodes(self) -> list[NodeState]:
        """All nodes with a recent heartbeat."""
        return [NodeState(node.name, True, node.draining, node.tables) for node in await self._alive()]

    async def counters(self) -> Mapping[str, int]:
        """Sums over the nodes; of the event loops' delays the largest."""
        total: Counter[str] = Counter()
        answers = await self._ask_all("counters")
        for counters in answers:
            total.update(counters)
        return {**total, _LAG: max([counters.get(_LAG, 0) for counters in answers], default=0)}

    @busy_when_away
    async def _ask_all(self, what: str, *args: object) -> list[Any]:
        """The answers of all nodes that gave one."""
        sent = [self._rpc.send(node.owner, what, *args, patience_s=_PATIENCE_S) for node in await self._alive()]
        answers = await asyncio.gather(*sent, return_exceptions=True)
        return [answer for answer in answers if not isinstance(answer, BaseException)]

    async def _alive(self) -> list[Node]:
        return list((await self._live.nodes.look()).alive.values())

    async def _disconnect_here(self, user: str, reason: str) -> None:
        self._sockets.disconnect(user, reason)

    async def _announce_here(self, text: str, rooms: list[str] | None) -> int:
        here = [table for table in self._registry.tables() if rooms is None or table.table_id in rooms]
        for table in here:
            table.operate(asks.OrderAnnounce(text))
        return len(here)

    async def _counters_here(self) -> dict[str, int]:
        return {
            **self._registry.counters(),
            "sockets": len(self._sockets),
            "rounds_written": self._live.archiver.rounds_written,
            "store_problems": len(self._live.durability.problems),
            "tasks": len(asyncio.all_tasks()),
            _LAG: round(self._sockets.lag_s * 1000),
        }
