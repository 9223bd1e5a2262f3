"""The Protocols by which REST and the gateway call live rooms and the nodes, and their values."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from app.storage.live.nodes.nodes import Node
from app.storage.live.rooms.alerts import Alert
from app.tables.asks import Company, Order
from app.tables.clocks.timing import Timing
from app.tables.outcomes import OrderOutcome
from app.tables.ports import Person, Summary
from app.tables.settings import TableSpec


@dataclass(frozen=True, slots=True)
class SocketTicket:
    """A single-use ticket and the path of the node where it is good for `expires_in_s` seconds."""

    ticket: str
    ws_path: str
    expires_in_s: int


@dataclass(frozen=True, slots=True)
class NodeState:
    """A server process as the live store knows it. `tables`: the number of tables that it reports."""

    name: str
    alive: bool
    draining: bool
    tables: int


class RoomService(Protocol):
    """Live rooms, on whatever node they run. Every method may raise, besides the refusals it names itself:

    Refusal busy while the live store or the owner is away (503), Refusal no_such_room for a table that is gone.
    """

    async def count_room(self, room_id: str, address: str) -> None:
        """Count a room that is about to be made for this address.

        Raises Refusal too_many_tables when the address has made enough rooms that are open.
        """
        ...

    async def count_seat(self, user: str, address: str) -> None:
        """Count a seat that a user is about to take for their address (D4).

        Raises Refusal too_many_tables when people of that address hold enough seats.
        """
        ...

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

    async def room_of_code(self, code: str) -> str | None:
        """The room a code leads to. Counts no guesses."""
        ...

    async def note_visit(self, room_id: str, user: str) -> None:
        """This user was shown the room by its code: they may look at it by its id from now on."""
        ...

    async def visited(self, room_id: str, user: str) -> bool:
        """Whether this user was shown the room by its code within the last day."""
        ...

    async def room_of_user(self, user: str) -> str | None:
        """The live room in which this user holds their one seat."""
        ...

    async def chairs_of_user(self, user: str) -> list[str]:
        """Every live room with a seat of this user, also those whose match is over and no longer holds them."""
        ...

    async def join(
        self, room_id: str, person: Person, seat: int | None, marks: tuple[str, ...] = (), company: Company = "any"
    ) -> None:
        """Hold a seat of this room (`seat`: the one wished for) until the person's socket attaches, at most a minute.

        `marks`, `company`: see `asks.OrderReserve`; other company is refused as room_full.

        Repeated for the same room: no change. Raises Refusal: conflict (they have a seat elsewhere), room_full,
        seat_taken, not_now, frozen, room_closed.
        """
        ...

    async def claims(self, room_id: str) -> set[str]:
        """All users who hold a seat of this room or a claim for one, seated or not yet."""
        ...

    async def leave(self, room_id: str, user: str) -> None:
        """Give the seat up, as the socket's `leave` does; the user may then sit elsewhere. Harmless when repeated."""
        ...

    async def ticket(self, scope: str, person: Person, *, session: str, member: bool = False) -> SocketTicket:
        """A ticket for `room:<id>` (the owner's path; an unowned table gets a node) or `lobby`.

        The holder of a seat claim comes in as a player, anybody else as a spectator; `member`: of the room's circle;
        `session`: the sign-in it is for, whose end closes the socket.
        """
        ...

    async def player_ticket(
        self, room_id: str, person: Person, *, session: str, vouched: bool = True
    ) -> SocketTicket | None:
        """A player's ticket to the table at which the person holds a seat; None: they hold no seat of this room.

        `vouched`: the archive was asked about the person. If not, and something about them changed (`void`): None.
        """
        ...

    async def void(self, user: str) -> None:
        """Something about this user changed (sessions, name, a sanction, a membership, a block).

        Tickets issued up to now are void, the archive is asked about their access tokens, and their open sockets are
        closed where the right to them has ended. Call it after the change is committed. Harmless when repeated.
        """
        ...

    async def rights_changed(self, user: str) -> None:
        """The user's rights to watch changed: sockets without a right are closed. See `void`."""
        ...

    async def listed(self, scope: str) -> list[Summary]:
        """The open rooms of `public` or `circle:<id>`, newest first, from the lobby's feed; at most 500."""
        ...

    async def circle_changed(self, circle_id: str) -> None:
        """Applications, members, notice or templates of a circle changed: sockets that watch it are notified to ask
        again. Never fails; a watcher that is missed sees the change when the page is opened again.
        """
        ...

    async def order(self, room_id: str, order: Order) -> OrderOutcome:
        """Have the owner's table carry out an order (circle managers dissolve with `OrderDissolve`); its answer. Raises
        Refusal: `no_such_room`; `busy` when no table could be reached to do it."""
        ...


class EventService(Protocol):
    """What people are told outside of a table's socket, and the streams in which their programs read it."""

    async def note(self, user: str, kind: str, /, **facts: Any) -> bool:
        """Keep an event for an hour, whether or not the user listens. False: the live store is away."""
        ...

    def refuse_full(self) -> None:
        """Raises Refusal busy when this node has enough streams."""
        ...

    def lines(self, user: str, session: str, cursor: str | None) -> AsyncIterator[bytes]:
        """The events of a user after `cursor` (None: from now on), one JSON object a line, with blank lines between."""
        ...


class ClusterService(Protocol):
    """All nodes at once. Every method may raise Refusal busy while the live store is away."""

    async def page(self, *, cursor: str, limit: int) -> tuple[list[Summary], str]:
        """Live rooms in order of id after `cursor` ("" for the first), and the next cursor ("" at the end)."""
        ...

    async def disconnect(self, user: str, reason: str) -> None:
        """Close every socket of this user, at tables and in the lobby, as kicked; their unused tickets are void."""
        ...

    async def announce(self, text: str, rooms: list[str] | None) -> int:
        """A notice to these rooms (None: all live ones). Returns how many rooms it went to."""
        ...

    async def drain(self, node: str) -> None:
        """Have this node give its tables up and take no new ones. Raises Refusal: not_found when no such node lives."""
        ...

    async def nodes(self) -> list[NodeState]:
        """All nodes with a recent heartbeat."""
        ...

    async def counters(self) -> Mapping[str, int]:
        """Sums over the nodes: tables, frozen, connections, spectators, rounds that wait for the archive …"""
        ...


class AlertService(Protocol):
    """Alerts and refused documents of all nodes. Every method may raise Refusal busy."""

    async def open(self) -> list[Alert]:
        """Open alerts, newest first."""
        ...

    async def close(self, table: str) -> None:
        """Close a table's alert. Raises Refusal: not_found."""
        ...

    async def refused(self) -> dict[str, list[str]]:
        """By table, the names of the documents that the archive refused."""
        ...

    async def refused_document(self, table: str, what: str) -> dict[str, Any]:
        """One of them, whole. Raises Refusal: not_found."""
        ...

    async def try_again(self, table: str) -> int:
        """Hand a table's refused documents to the archive again. Raises Refusal: not_found. Returns how many."""
        ...


class Sockets(Protocol):
    """The sockets of this node (`api.gateway.Gateway`)."""

    successors: tuple[Node, ...]
    """The nodes that go on when this one stops; set before its tables are handed over."""

    def __len__(self) -> int: ...

    @property
    def lag_s(self) -> float:
        """The event loop's largest delay over the last minute, in seconds."""
        ...

    @property
    def lags(self) -> Timing:
        """The event loop's delays, sampled once a second."""
        ...

    @property
    def refusals(self) -> Mapping[str, int]:
        """Requests refused over sockets since the start, by code."""
        ...

    def disconnect(self, user: str, reason: str) -> None:
        """Close every socket of this user as kicked."""
        ...

    def send_away(self) -> None:
        """Close all sockets with `restart`; no new ones are let in."""
        ...
