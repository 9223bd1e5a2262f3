"""Live rooms on whatever node they run: the port `RoomService`.

Tickets, seat claims and codes belong to the live store, tables to the registry; this module brings them together.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from app.refusal import ErrorCode, Refusal
from app.service.busy import busy_when_away
from app.service.locate import Elsewhere, Gone, Locator, settled
from app.service.ports import SocketTicket
from app.storage.live.nodes.node_rpc import NodeRpc
from app.storage.live.nodes.nodes import rendezvous_node
from app.storage.live.rooms.codes import NoFreeCode
from app.storage.live.rooms.tickets import TICKET_S, Ticket
from app.storage.live.store import Live
from app.storage.live.wire.link import StoreUnavailable
from app.tables import asks
from app.tables.match.decide import Refused
from app.tables.outcomes import OrderOutcome, plain_outcome, read_outcome
from app.tables.ports import Person, Summary, Taken
from app.tables.registry import Draining, Registry, TooMany
from app.tables.settings import TableSpec

log = logging.getLogger(__name__)

PUBLIC: Final = "public"
_LISTED: Final = 500
_NOT_SEATED_THERE: Final = (ErrorCode.NO_SUCH_ROOM, ErrorCode.ROOM_CLOSED, ErrorCode.FROZEN)
"""Answers after which a seat claim is freed all the same; a table whose log cannot be read is frozen."""
_ORDERS: Final = {order.__name__: order for order in asks.Order.__args__}
"""Orders by name, as other nodes send them."""


def listed_under(summary: Summary) -> str | None:
    """The list that shows a room: its circle's, the public one for rooms without a host, or none (private, by code)."""
    if summary.circle is not None:
        return f"circle:{summary.circle}"
    return PUBLIC if summary.host is None else None


class LiveRooms:
    """One per node."""

    def __init__(self, live: Live, registry: Registry, locator: Locator, rpc: NodeRpc) -> None:
        self._live = live
        self._registry = registry
        self._locator = locator
        self._rpc = rpc
        rpc.handle("order", self.order_from_node)
        rpc.handle("create", self.create_from_node)

    @busy_when_away
    async def count_room(self, room_id: str, address: str) -> None:
        """Count a room for the address that makes it (D4)."""
        if not await self._live.address_rooms.take(address, room_id):
            raise Refusal(ErrorCode.TOO_MANY_TABLES, "enough rooms of your network are open; try later")

    @busy_when_away
    async def count_seat(self, user: str, address: str) -> None:
        """Count a seat for the address from which it is taken (D4)."""
        if not await self._live.address_seats.take(address, user):
            raise Refusal(ErrorCode.TOO_MANY_TABLES, "enough seats are held from your network; try later")

    @busy_when_away
    async def reserve_code(self, room_id: str) -> str:
        """A free code that leads to this room from now on."""
        try:
            return await self._live.codes.reserve(room_id)
        except NoFreeCode:
            raise Refusal(ErrorCode.BUSY, "no room code is free just now; try later") from None

    @busy_when_away
    async def create(self, spec: TableSpec) -> Summary:
        """Start the table on this node; on another one when this one is full, or on its way out."""
        try:
            summary = await self._create(spec) or await self._create_elsewhere(spec)
        except Taken:
            await self._live.codes.give_back(spec.code, spec.table_id)
            raise Refusal(ErrorCode.CONFLICT, "there is a room of this id") from None
        except StoreUnavailable:  # whether it was made is not known; a room that nobody enters closes by itself
            await self._live.codes.retire(spec.code, spec.table_id)
            raise
        if summary is None:
            await self._live.codes.give_back(spec.code, spec.table_id)
            raise Refusal(ErrorCode.TOO_MANY_TABLES)
        return summary

    async def _create(self, spec: TableSpec) -> Summary | None:
        """Start the table on this node; None: it takes no more tables."""
        try:
            return (await self._registry.create(spec)).summary()
        except (TooMany, Draining):
            return None

    async def _create_elsewhere(self, spec: TableSpec) -> Summary | None:
        """Start the table on another node; None: no node takes one."""
        alive = (await self._live.nodes.look()).alive
        home = rendezvous_node(spec.table_id, [node for owner, node in alive.items() if owner != self._live.owner()])
        made = None if home is None else await self._rpc.send(home.owner, "create", spec)
        return None if made is None else msgspec.convert(made, type=Summary)

    async def create_from_node(self, spec: Any) -> Summary | None:
        """Start a table for another node that takes no more; None: neither does this one."""
        return await self._create(msgspec.convert(spec, type=TableSpec))

    @busy_when_away
    async def summary(self, room_id: str) -> Summary | None:
        """The room as lobbies show it."""
        table = self._registry.find(room_id)
        if table is not None and not table.gone:
            return table.summary()
        return (await self._live.board.get([room_id]))[0]

    @busy_when_away
    async def room_of_code(self, code: str) -> str | None:
        """The room a code leads to."""
        return await self._live.codes.room_of(code)

    @busy_when_away
    async def note_visit(self, room_id: str, user: str) -> None:
        """This user was shown the room by its code."""
        await self._live.codes.note_visit(room_id, user)

    @busy_when_away
    async def visited(self, room_id: str, user: str) -> bool:
        """Whether this user was shown the room by its code lately."""
        return await self._live.codes.visited(room_id, user)

    @busy_when_away
    async def room_of_user(self, user: str) -> str | None:
        """The live room that holds this user."""
        return await self._live.seats.table_of(user)

    @busy_when_away
    async def chairs_of_user(self, user: str) -> list[str]:
        """The room that holds this user, and those on the board with a seat of theirs."""
        holder = await self._live.seats.table_of(user)
        shown = [room.table_id for room in await self._live.board.all() if _has_chair(room, user)]
        return shown if holder is None or holder in shown else [holder, *shown]

    @busy_when_away
    async def join(
        self, room_id: str, person: Person, seat: int | None, marks: tuple[str, ...] = (), company: asks.Company = "any"
    ) -> None:
        """Have the table hold a seat; the person sits down when their socket attaches."""
        order = asks.OrderReserve(person.user, person.name, person.avatar, seat, marks, company, person.bot_account)
        _refuse(await self.order(room_id, order))

    @busy_when_away
    async def claims(self, room_id: str) -> set[str]:
        """All users who hold a seat or a claim for one."""
        summary = await self.summary(room_id)
        seated = {sitter.user for sitter in summary.seats if sitter is not None} if summary is not None else set()
        return seated | await self._live.seats.claimed(room_id)

    @busy_when_away
    async def leave(self, room_id: str, user: str) -> None:
        """Give the seat up; when this returns the user may sit elsewhere."""
        try:
            _refuse(await self.order(room_id, asks.OrderRemove(user)))
        except Refusal as refused:
            if refused.code not in _NOT_SEATED_THERE:
                raise
        await self._live.seats.free(user, room_id)

    @busy_when_away
    async def ticket(self, scope: str, person: Person, *, session: str, member: bool = False) -> SocketTicket:
        """A ticket, and the path of the node it is good for."""
        if scope == "lobby":
            ticket = Ticket(person.user, person.name, person.avatar, scope, session=session)
            return await self._ticket(ticket, self._live.me().path)
        room_id = scope.removeprefix("room:")
        if (given := await self.player_ticket(room_id, person, session=session)) is not None:
            return given
        node = await self._locator.node(room_id)
        if node is None:
            raise Refusal(ErrorCode.NO_SUCH_ROOM)
        ticket = Ticket(person.user, person.name, person.avatar, scope, "spectator", member, session)
        return await self._ticket(ticket, node.path)

    @busy_when_away
    async def player_ticket(
        self, room_id: str, person: Person, *, session: str, vouched: bool = True
    ) -> SocketTicket | None:
        """A player's ticket to the table at which the person holds a seat.

        None: they hold no seat of this room, or the archive must be asked about them first.
        """
        node = await self._locator.node(room_id)
        if node is None:
            return None
        ticket = Ticket(
            person.user, person.name, person.avatar, f"room:{room_id}", session=session, bot=person.bot_account
        )
        text = await self._live.tickets.issue_seated(ticket, room_id, vouched=vouched)
        return None if text is None else _socket_ticket(text, node.path)

    @busy_when_away
    async def void(self, user: str) -> None:
        """Make the user's tickets void; the archive is asked about their access tokens."""
        await self._live.tickets.void(user)
        await self._tell_all("rights_changed", user)

    @busy_when_away
    async def rights_changed(self, user: str) -> None:
        """Have every node look again at this user's sockets."""
        await self._tell_all("rights_changed", user)

    async def _ticket(self, ticket: Ticket, path: str) -> SocketTicket:
        return _socket_ticket(await self._live.tickets.issue(ticket), path)

    @busy_when_away
    async def listed(self, scope: str) -> list[Summary]:
        """The rooms of a list."""
        return [room for room in await self._live.board.all() if listed_under(room) == scope][:_LISTED]

    async def circle_changed(self, circle_id: str) -> None:
        """Tell the sockets of all nodes that watch this circle to ask again. Never fails."""
        try:
            await self._tell_all("circle_changed", circle_id)
        except StoreUnavailable:
            log.warning("sockets that watch a circle could not be notified of its change")

    async def _tell_all(self, what: str, *args: object) -> None:
        """Leave word with every node. Raises StoreUnavailable."""
        alive = (await self._live.nodes.look()).alive
        await asyncio.gather(*[self._rpc.tell(owner, what, *args) for owner in alive])

    @busy_when_away
    async def order(self, room_id: str, order: asks.Order) -> OrderOutcome:
        """Have the table carry out an order, here or where it runs.

        A table that is on the move, or has too much to do, did nothing: it is asked again, and at last the refusal is
        `busy`, which does not claim that the order was carried out.
        """

        async def attempt() -> OrderOutcome | None:
            outcome = await self._order_once(room_id, order)
            again = isinstance(outcome, Refused) and outcome.code in (ErrorCode.MOVED, ErrorCode.BUSY)
            return None if again else outcome

        return await settled(attempt)

    async def _order_once(self, room_id: str, order: asks.Order) -> OrderOutcome:
        match await self._locator.look(room_id):
            case Gone():
                raise Refusal(ErrorCode.NO_SUCH_ROOM)
            case Elsewhere(node):
                return read_outcome(await self._rpc.send(node.owner, "order", room_id, type(order).__name__, order))
            case _:
                return await self._operate(room_id, order)

    async def _operate(self, room_id: str, order: asks.Order) -> OrderOutcome:
        try:
            return await self._registry.operate(room_id, order)
        except Draining:
            raise StoreUnavailable from None

    async def order_from_node(self, room_id: str, name: str, data: Any) -> Mapping[str, Any]:
        """Carry out another node's order for a table that runs here; `moved` if it no longer does."""
        if self._registry.find(room_id) is None:
            return plain_outcome(Refused(ErrorCode.MOVED))
        outcome = await self._operate(room_id, msgspec.convert(data, type=_ORDERS[name]))
        await self._live.rooms.shown(room_id)
        return plain_outcome(outcome)


_PASSED_ON: Final = frozenset({
    ErrorCode.ROOM_FULL, ErrorCode.SEAT_TAKEN, ErrorCode.NOT_NOW, ErrorCode.CONFLICT, ErrorCode.FROZEN,
    ErrorCode.ROOM_CLOSED, ErrorCode.BUSY, ErrorCode.NO_SUCH_ROOM,
})  # fmt: skip
"""A table's refusals of an order that the caller of REST gets unchanged; any other becomes `busy`."""


def _socket_ticket(ticket: str, path: str) -> SocketTicket:
    return SocketTicket(ticket, f"{path}/v1/ws", TICKET_S)


def _has_chair(room: Summary, user: str) -> bool:
    return any(sitter is not None and sitter.user == user for sitter in room.seats)


def _refuse(outcome: OrderOutcome) -> None:
    """Raises the Refusal that a table's answer stands for, if it is one."""
    if isinstance(outcome, Refused):
        code = outcome.code
        raise Refusal(
            code if code in _PASSED_ON else ErrorCode.BUSY,
            field="seat" if code is ErrorCode.SEAT_TAKEN else None,
            reason="seated_elsewhere" if code is ErrorCode.CONFLICT else None,
        )
