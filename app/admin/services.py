"""What the operators' routers need from outside, as one typed record; the composition root fills it in.

Ports and values only: no implementation, no request handling.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from app.admin.audit_throttle import AuditThrottle
from app.settings import Settings
from app.storage.archive.engine import Archive
from app.tables.asks import Order
from app.tables.ports import Summary


@dataclass(frozen=True, slots=True)
class NodeState:
    """A server process as the live store knows it. `tables`: how many it says it runs."""

    name: str
    alive: bool
    draining: bool
    tables: int


class LiveTables(Protocol):
    """All live tables of all nodes. Every method may raise `Refusal(ErrorCode.BUSY)` while the live store is away."""

    async def rooms(self, *, cursor: str, limit: int) -> tuple[list[Summary], str]:
        """Live rooms in order of id after `cursor` ("" for the first), and the next cursor ("" at the end)."""
        ...

    async def summary(self, room_id: str) -> Summary | None:
        """One live room; None when it is not live."""
        ...

    async def order(self, room_id: str, order: Order) -> Mapping[str, Any]:
        """Have the owning node's table carry out the order. Raises Refusal no_such_room when it is not live.

        Safe to repeat: a lost answer may be asked for again.
        """
        ...

    async def room_of_user(self, user: str) -> str | None:
        """The live room in which this user holds his seat."""
        ...

    async def chairs_of_user(self, user: str) -> list[str]:
        """Every live room in which he has a chair: also where his match is over and holds him no longer."""
        ...

    async def void(self, user: str) -> None:
        """Tickets that he was given up to now are no good any more, and of his access tokens the archive is asked."""
        ...

    async def disconnect(self, user: str, reason: str) -> None:
        """Close every socket of this user, at tables and in the lobby, as kicked; unused tickets are void."""
        ...

    async def announce(self, text: str, rooms: list[str] | None) -> int:
        """A notice to these rooms (None: all live ones). Returns how many rooms it went to."""
        ...

    async def drain(self, node: str) -> None:
        """Have this node give its tables up and take no new ones. Raises Refusal: not_found when no such node lives."""
        ...

    async def nodes(self) -> list[NodeState]:
        """All nodes that beat lately."""
        ...

    async def counters(self) -> Mapping[str, int]:
        """Sums over the nodes: tables, frozen, connections, spectators, waiting rounds …"""
        ...


@dataclass(frozen=True, slots=True)
class AdminServices:
    """Everything the operators' routers use. `now` is aware UTC time.

    `spend_login(caller)` raises Refusal rate_limited for who tries too many passwords. `ladders`: variants that
    have one. `strangers`: how often whom this process turned away.
    """

    settings: Settings
    archive: Archive
    tables: LiveTables
    now: Callable[[], datetime]
    spend_login: Callable[[str], None]
    ladders: frozenset[str]
    strangers: AuditThrottle = field(default_factory=AuditThrottle)
