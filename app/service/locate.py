"""The place of a table: the one answer for sockets, orders and tickets, and the one policy for a table on the move."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from app.storage.live.nodes.nodes import Node
from app.storage.live.nodes.placement import Place
from app.storage.live.wire.link import StoreUnavailable
from app.tables.handle import TableHandle

T = TypeVar("T")

TRIES: Final = 3
"""Number of look-ups of a table that is on the move between two nodes, before the answer is `busy`."""


@dataclass(frozen=True, slots=True)
class Here:
    """The table runs on this node."""

    table: TableHandle


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The table runs on another living node."""

    node: Node


@dataclass(frozen=True, slots=True)
class Unowned:
    """No living node runs the table; `home` should open it (this node itself, if the table waits for it here)."""

    home: Node


@dataclass(frozen=True, slots=True)
class Gone:
    """There is no such table any more."""


class Placing(Protocol):
    """Knows which node owns a table (`storage.live.nodes.placement.Placement`)."""

    async def place(self, table_id: str) -> Place | None: ...


class Tables(Protocol):
    """The tables of this node (`tables.registry.Registry`)."""

    def find(self, table_id: str) -> TableHandle | None: ...

    async def open(self, table_id: str) -> TableHandle | None: ...


class Locator:
    """One per node. `me()`: this node; `lease_is_valid()`: its heartbeat was seen lately, so its tables are its own."""

    def __init__(
        self, placing: Placing, tables: Tables, me: Callable[[], Node], lease_is_valid: Callable[[], bool]
    ) -> None:
        self._placing = placing
        self._tables = tables
        self._me = me
        self._lease_is_valid = lease_is_valid

    async def look(self, table_id: str) -> Here | Elsewhere | Unowned | Gone:
        """The table's present place; opens nothing. The store is not asked about a table that surely runs here.

        Raises StoreUnavailable.
        """
        table = self._tables.find(table_id)
        running = table is not None and not table.gone
        if table is not None and running and self._lease_is_valid():
            return Here(table)
        place = await self._placing.place(table_id)
        if place is None:
            return Gone()
        if not place.owned or place.node.owner != self._me().owner:
            return Elsewhere(place.node) if place.owned else Unowned(place.node)
        return Here(table) if table is not None and not table.gone else Unowned(place.node)

    async def open(self, table_id: str) -> Here | Elsewhere | Gone:
        """The place where the table runs; one that no node runs is opened here.

        Raises StoreUnavailable (also for a table that is still on the move after `TRIES` looks), Unplayable, Draining.
        """

        async def look() -> Here | Elsewhere | Gone | None:
            found = await self.look(table_id)
            if not isinstance(found, Unowned):
                return found
            table = await self._tables.open(table_id)
            return None if table is None or table.gone else Here(table)

        return await settled(look)

    async def node(self, table_id: str) -> Node | None:
        """The node that a client should go to for this table; None: the table is gone. Raises StoreUnavailable."""
        match await self.look(table_id):
            case Here():
                return self._me()
            case Elsewhere(node) | Unowned(node):
                return node
            case Gone():
                return None


async def settled(attempt: Callable[[], Awaitable[T | None]]) -> T:
    """Repeat an attempt that may meet a table on the move (None) up to `TRIES` times. Raises StoreUnavailable after."""
    for _ in range(TRIES):
        outcome = await attempt()
        if outcome is not None:
            return outcome
    raise StoreUnavailable
