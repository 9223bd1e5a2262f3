"""What the routers need from outside, as one typed record; the composition root fills it in and calls `include`.

Ports and values only: no implementation, no request handling.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from app.kernel.variant import Variant
from app.settings import Settings
from app.storage.archive.engine import Archive
from app.tables.asks import Order
from app.tables.ports import Person, Summary
from app.tables.settings import TableSpec


@dataclass(frozen=True, slots=True)
class TicketGiven:
    """A single-use ticket and the path of the node where it is good for `expires_in_s` seconds."""

    ticket: str
    ws_path: str
    expires_in_s: int


class LiveRooms(Protocol):
    """Live tables as REST sees them, on whatever node they run. Any method may raise, besides its own refusals:

    Refusal busy while the live store or the owner is away (503), Refusal no_such_room for a table that is gone.
    """

    async def reserve_code(self, room_id: str) -> str:
        """A free six-digit code that leads to this room from now on. Raises Refusal: busy when hardly any is free."""
        ...

    async def create(self, spec: TableSpec) -> Summary:
        """Start the table, on this node or another. When no node takes it `spec.code` is given back.

        Raises Refusal too_many_tables.
        """
        ...

    async def summary(self, room_id: str) -> Summary | None:
        """The room as lobbies show it; None when there is none."""
        ...

    async def room_of_code(self, code: str, who: str) -> str | None:
        """The room a code leads to. `who` is charged for wrong ones. Raises Refusal: rate_limited."""
        ...

    async def room_of_user(self, user: str) -> str | None:
        """The living room in which this user holds his one seat."""
        ...

    async def chairs_of_user(self, user: str) -> list[str]:
        """Every living room in which he has a chair: also where his match is over and holds him no longer."""
        ...

    async def join(self, room_id: str, person: Person, seat: int | None) -> None:
        """Hold a seat of this room for him (`seat`: wished for) until his socket attaches, for a minute at most.

        Again for the same room: no change. Raises Refusal: conflict (he has a seat elsewhere), room_full, seat_taken,
        not_now, frozen, room_closed.
        """
        ...

    async def claims(self, room_id: str) -> set[str]:
        """All users who hold a seat of this room or a claim for one, seated or not yet."""
        ...

    async def leave(self, room_id: str, user: str) -> None:
        """Give the seat up, as by the socket's `leave`; then he may sit elsewhere at once. Harmless when repeated."""
        ...

    async def ticket(self, scope: str, person: Person, *, member: bool = False) -> TicketGiven:
        """A ticket for `room:<id>` (the owner's path; an unowned table gets a node) or `lobby`.

        Whoever holds a claim comes in as a player, anybody else as a spectator; `member`: of the room's circle.
        """
        ...

    async def player_ticket(self, room_id: str, person: Person, *, vouched: bool = True) -> TicketGiven | None:
        """A player's ticket to the table at which he holds his seat; None: he holds none of this room.

        `vouched`: the archive was asked about him. If not, and something about him changed (`void`), None as well.
        """
        ...

    async def void(self, user: str) -> None:
        """Something about him changed (his sessions, his name, a sanction): tickets that he was given up to now are no
        good any more, and of his access tokens the archive must be asked. Harmless when repeated."""
        ...

    async def listed(self, scope: str) -> list[Summary]:
        """The open rooms of `public` or `circle:<id>`, newest first, from the lobby's feed; at most 500."""
        ...

    async def circle_changed(self, circle_id: str) -> None:
        """Applications, members, notice or templates of a circle are others now: whoever looks at it is told to ask
        again. Never fails; who is not told sees it when the page is opened again."""
        ...

    async def order(self, room_id: str, order: Order) -> Mapping[str, Any]:
        """Have the owner's table carry out an order (circle managers dissolve with `OrderDissolve`); its answer. Raises
        Refusal: `no_such_room`; `busy` when no table could be reached to do it."""
        ...


@dataclass(frozen=True, slots=True)
class Services:
    """Everything the routers use. `now` is aware UTC time; `calculators` runs scoring off the event loop."""

    settings: Settings
    archive: Archive
    rooms: LiveRooms
    variants: Mapping[str, Variant[Any]]
    now: Callable[[], datetime]
    calculators: Executor
