"""What operators do to all nodes at once: list rooms, close sockets, announce, drain, count. Errands do the far part.

Who may do it, and the audit of it, is settled above.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from app.api.gateway.gateway import Gateway
from app.refusal import ErrorCode, Refusal
from app.service.rooms import LiveRooms
from app.storage.live.nodes.node_rpc import NodeRpc
from app.storage.live.nodes.nodes import Node
from app.storage.live.store import Live
from app.storage.live.wire.link import StoreUnavailable
from app.tables import asks
from app.tables.ports import Summary
from app.tables.registry import Registry

_PATIENCE_S: Final = 2.0
_LAG: Final = "loop_lag_ms"


class Everywhere:
    """One per node. `leave()` drains this node, in the background."""

    def __init__(
        self, live: Live, registry: Registry, rooms: LiveRooms, gateway: Gateway, errands: NodeRpc,
        leave: Callable[[], Awaitable[None]],
    ) -> None:  # fmt: skip
        self._live = live
        self._registry = registry
        self._rooms = rooms
        self._gateway = gateway
        self._errands = errands
        errands.handle("disconnect", self._disconnect_here)
        errands.handle("announce", self._announce_here)
        errands.handle("counters", self._counters_here)
        errands.handle("drain", leave)

    async def rooms(self, *, cursor: str, limit: int) -> tuple[list[Summary], str]:
        """Live rooms in order of id after `cursor`, and the next cursor ("" at the end)."""
        try:
            known = sorted(await self._live.board.all(), key=lambda room: room.table_id)
        except StoreUnavailable:
            raise _busy() from None
        later = [room for room in known if room.table_id > cursor]
        return later[:limit], later[limit - 1].table_id if len(later) > limit else ""

    async def summary(self, room_id: str) -> Summary | None:
        """One live room."""
        return await self._rooms.summary(room_id)

    async def order(self, room_id: str, order: asks.Order) -> Mapping[str, Any]:
        """Have the table carry out an order, wherever it runs."""
        return await self._rooms.order(room_id, order)

    async def room_of_user(self, user: str) -> str | None:
        """The live room in which this user holds his seat."""
        return await self._rooms.room_of_user(user)

    async def chairs_of_user(self, user: str) -> list[str]:
        """Every live room in which he has a chair."""
        return await self._rooms.chairs_of_user(user)

    async def void(self, user: str) -> None:
        """His tickets are void, his access tokens doubtful."""
        await self._rooms.void(user)

    async def disconnect(self, user: str, reason: str) -> None:
        """Close every socket of this user; his unused tickets are void."""
        await self.void(user)
        await self._all("disconnect", user, reason)

    async def announce(self, text: str, rooms: list[str] | None) -> int:
        """A notice to these rooms (None: all). Returns how many it went to."""
        return sum(await self._all("announce", text, rooms))

    async def drain(self, node: str) -> None:
        """Have a node give its tables up and take no new ones."""
        alive = await self._alive()
        owner = next((seen.owner for seen in alive if seen.name == node), None)
        if owner is None:
            raise Refusal(ErrorCode.NOT_FOUND, "there is no such node")
        try:
            await self._errands.send(owner, "drain")
        except StoreUnavailable:
            raise _busy() from None

    async def alive(self) -> list[Node]:
        """The nodes that beat lately."""
        return await self._alive()

    async def counters(self) -> Mapping[str, int]:
        """Sums over the nodes; of how late their event loops were, the worst."""
        total: Counter[str] = Counter()
        answers = await self._all("counters")
        for counters in answers:
            total.update(counters)
        return {**total, _LAG: max([counters.get(_LAG, 0) for counters in answers], default=0)}

    async def _all(self, what: str, *args: object) -> list[Any]:
        """The answers of all nodes that gave one."""
        owners = [node.owner for node in await self._alive()]
        sent = [self._errands.send(owner, what, *args, patience_s=_PATIENCE_S) for owner in owners]
        answers = await asyncio.gather(*sent, return_exceptions=True)
        return [answer for answer in answers if not isinstance(answer, BaseException)]

    async def _alive(self) -> list[Node]:
        try:
            return list((await self._live.nodes.look()).alive.values())
        except StoreUnavailable:
            raise _busy() from None

    async def _disconnect_here(self, user: str, reason: str) -> None:
        self._gateway.disconnect(user, reason)

    async def _announce_here(self, text: str, rooms: list[str] | None) -> int:
        here = [table for table in self._registry.tables() if rooms is None or table.table_id in rooms]
        for table in here:
            table.operate(asks.OrderAnnounce(text))
        return len(here)

    async def _counters_here(self) -> dict[str, int]:
        return {
            **self._registry.counters(),
            "sockets": len(self._gateway),
            "rounds_written": self._live.archiver.written,
            "store_problems": len(self._live.durability.problems),
            "tasks": len(asyncio.all_tasks()),
            _LAG: round(self._gateway.lag_s * 1000),
        }


def _busy() -> Refusal:
    return Refusal(ErrorCode.BUSY, "the tables cannot be reached just now; try again")
