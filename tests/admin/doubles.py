"""Live tables as operators see them, in memory: the ports `RoomService` and `ClusterService`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.refusal import ErrorCode, Refusal, not_found
from app.service.ports import NodeState
from app.storage.live.rooms.alerts import Alert
from app.tables.asks import Order, OrderDissolve, OrderInspect
from app.tables.outcomes import Done, OrderOutcome
from app.tables.ports import Person, Summary


class TablesInMemory:
    """Rooms with one player each; records the orders that it got."""

    def __init__(self) -> None:
        self.live: dict[str, Summary] = {}
        self.orders: list[tuple[str, Order]] = []
        self.silent: set[str] = set()
        self.calls: list[tuple[str, Any]] = []
        self.answer: OrderOutcome = Done()
        self.alarms: dict[str, Alert] = {}
        self.aside: dict[str, dict[str, dict[str, Any]]] = {}

    def seat(self, room_id: str, user: str) -> None:
        """A running table with this player."""
        person = Person(user, "somebody")
        self.live[room_id] = Summary(
            room_id, "123456", "tianjin", "playing", 3, 2, 8, user, (person, None, None, None),
            (False,) * 4, (True, False, False, False), False, 0,
        )  # fmt: skip

    async def page(self, *, cursor: str, limit: int) -> tuple[list[Summary], str]:
        later = [self.live[key] for key in sorted(self.live) if key > cursor]
        return later[:limit], later[limit - 1].table_id if len(later) > limit else ""

    async def summary(self, room_id: str) -> Summary | None:
        return self.live.get(room_id)

    async def order(self, room_id: str, order: Order) -> OrderOutcome:
        if room_id not in self.live:
            raise Refusal(ErrorCode.NO_SUCH_ROOM, "not live")
        if room_id in self.silent:
            raise Refusal(ErrorCode.BUSY, "its node does not answer")
        self.orders.append((room_id, order))
        if isinstance(order, OrderDissolve):
            del self.live[room_id]
        if isinstance(order, OrderInspect):
            return Done({"view": {"hands": "all" if order.everything else None}})
        return self.answer

    async def room_of_user(self, user: str) -> str | None:
        return next((key for key, s in self.live.items() if s.seats[0] is not None and s.seats[0].user == user), None)

    async def chairs_of_user(self, user: str) -> list[str]:
        return [
            key for key, s in self.live.items() if any(person is not None and person.user == user for person in s.seats)
        ]

    async def void(self, user: str) -> None:
        self.calls.append(("void", user))

    async def disconnect(self, user: str, reason: str) -> None:
        self.calls.append(("disconnect", user))

    async def announce(self, text: str, rooms: list[str] | None) -> int:
        self.calls.append(("announce", text))
        return len(self.live if rooms is None else rooms)

    async def drain(self, node: str) -> None:
        if node != "n1":
            raise Refusal(ErrorCode.NOT_FOUND, "there is no such node")
        self.calls.append(("drain", node))

    async def nodes(self) -> list[NodeState]:
        return [NodeState("n1", True, False, len(self.live))]

    async def counters(self) -> Mapping[str, int]:
        return {"tables": len(self.live)}

    async def open(self) -> list[Alert]:
        return list(self.alarms.values())

    async def close(self, table: str) -> None:
        if self.alarms.pop(table, None) is None:
            raise not_found("alert")

    async def refused(self) -> dict[str, list[str]]:
        return {table: sorted(kept) for table, kept in self.aside.items()}

    async def refused_document(self, table: str, what: str) -> dict[str, Any]:
        if what not in self.aside.get(table, {}):
            raise not_found("document")
        return self.aside[table][what]

    async def try_again(self, table: str) -> int:
        if table not in self.aside:
            raise not_found("document")
        return len(self.aside.pop(table))
