"""Live rooms as REST and operators see them, on whatever node they run: the port `api.services.LiveRooms`.

Tickets, seat claims and codes are the live store's, tables the registry's; what stands here is only how they meet.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

import msgspec

from app.api.gateway.lobby import listed_under
from app.api.services import TicketGiven
from app.refusal import ErrorCode, Refusal
from app.storage.live.nodes.node_rpc import NodeRpc
from app.storage.live.nodes.nodes import rendezvous_node
from app.storage.live.nodes.placement import Place
from app.storage.live.rooms.codes import NoFreeCode, TooManyGuesses
from app.storage.live.rooms.tickets import TICKET_S, Ticket
from app.storage.live.store import Live
from app.storage.live.wire.link import StoreUnavailable
from app.tables import asks
from app.tables.outcomes import plain_outcome
from app.tables.ports import Person, Summary, Taken
from app.tables.registry import Draining, Registry, TooMany
from app.tables.settings import TableSpec

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

_LISTED: Final = 500
_TRIES: Final = 3
_NOT_SEATED_THERE: Final = (ErrorCode.NO_SUCH_ROOM, ErrorCode.ROOM_CLOSED, ErrorCode.FROZEN)
"""Answers after which a seat claim is freed all the same; a table whose log cannot be read is frozen."""
_ORDERS: Final = {order.__name__: order for order in asks.Order.__args__}
"""Orders by name, for errands to other nodes."""


def _busy_when_away(work: Callable[P, Awaitable[T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """The live store (or the owner) gives no answer: `busy`, try again."""

    @wraps(work)
    async def asked(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await work(*args, **kwargs)
        except StoreUnavailable:
            raise Refusal(ErrorCode.BUSY, "the tables cannot be reached just now; try again") from None

    return asked


class LiveRooms:
    """One per node."""

    def __init__(self, live: Live, registry: Registry, errands: NodeRpc) -> None:
        self._live = live
        self._registry = registry
        self._errands = errands
        errands.handle("order", self.obey_errand)
        errands.handle("create", self.create_errand)

    @_busy_when_away
    async def reserve_code(self, room_id: str) -> str:
        """A free code that leads to this room from now on."""
        try:
            return await self._live.codes.reserve(room_id)
        except NoFreeCode:
            raise Refusal(ErrorCode.BUSY, "no room code is free just now; try later") from None

    @_busy_when_away
    async def create(self, spec: TableSpec) -> Summary:
        """Start the table on this node; on another one when this one is full, or on its way out."""
        try:
            summary = await self._create(spec) or await self._create_elsewhere(spec)
        except Taken:
            await self._live.codes.give_back(spec.code, spec.table_id)
            raise Refusal(ErrorCode.CONFLICT, "there is a room of this id") from None
        except StoreUnavailable:  # made over there or not, nobody hears of it: such a room closes by itself
            await self._live.codes.retire(spec.code, spec.table_id)
            raise
        if summary is None:
            await self._live.codes.give_back(spec.code, spec.table_id)
            raise Refusal(ErrorCode.TOO_MANY_TABLES)
        return summary

    async def _create(self, spec: TableSpec) -> Summary | None:
        """None: this node takes no table."""
        try:
            return (await self._registry.create(spec)).summary()
        except (TooMany, Draining):
            return None

    async def _create_elsewhere(self, spec: TableSpec) -> Summary | None:
        """None: no node takes a table."""
        alive = (await self._live.nodes.look()).alive
        home = rendezvous_node(spec.table_id, [node for owner, node in alive.items() if owner != self._live.owner()])
        made = None if home is None else await self._errands.send(home.owner, "create", spec)
        return None if made is None else msgspec.convert(made, type=Summary)

    async def create_errand(self, spec: Any) -> Summary | None:
        """Another node takes no tables: this one may."""
        return await self._create(msgspec.convert(spec, type=TableSpec))

    @_busy_when_away
    async def summary(self, room_id: str) -> Summary | None:
        """The room as lobbies show it."""
        table = self._registry.find(room_id)
        if table is not None and not table.gone:
            return table.summary()
        return (await self._live.board.get([room_id]))[0]

    @_busy_when_away
    async def room_of_code(self, code: str, who: str) -> str | None:
        """The room a code leads to."""
        try:
            return await self._live.codes.room_of(code, who)
        except TooManyGuesses:
            raise Refusal(ErrorCode.RATE_LIMITED, "too many wrong codes; wait some minutes") from None

    @_busy_when_away
    async def room_of_user(self, user: str) -> str | None:
        """The living room that holds him."""
        return await self._live.seats.table_of(user)

    @_busy_when_away
    async def chairs_of_user(self, user: str) -> list[str]:
        """The room that holds him, and those on the board that have a chair of his."""
        holder = await self._live.seats.table_of(user)
        shown = [room.table_id for room in await self._live.board.all() if _has_chair(room, user)]
        return shown if holder is None or holder in shown else [holder, *shown]

    @_busy_when_away
    async def join(self, room_id: str, person: Person, seat: int | None) -> None:
        """Have the table hold a seat for him; he sits down when his socket attaches."""
        _refuse(await self.order(room_id, asks.OrderReserve(person.user, person.name, person.avatar, seat)))

    @_busy_when_away
    async def claims(self, room_id: str) -> set[str]:
        """All users who hold a seat or a claim for one."""
        summary = await self.summary(room_id)
        seated = {sitter.user for sitter in summary.seats if sitter is not None} if summary is not None else set()
        return seated | await self._live.seats.claimed(room_id)

    @_busy_when_away
    async def leave(self, room_id: str, user: str) -> None:
        """Give the seat up. The table frees him; when this returns he is free."""
        try:
            _refuse(await self.order(room_id, asks.OrderRemove(user)))
        except Refusal as refused:
            if refused.code not in _NOT_SEATED_THERE:
                raise
        await self._live.seats.free(user, room_id)

    @_busy_when_away
    async def ticket(self, scope: str, person: Person, *, member: bool = False) -> TicketGiven:
        """A ticket, and the path of the node it is good for."""
        if scope == "lobby":
            return await self._ticket(Ticket(person.user, person.name, person.avatar, scope), self._live.me().path)
        room_id = scope.removeprefix("room:")
        if (given := await self.player_ticket(room_id, person)) is not None:
            return given
        place = await self._live.placement.place(room_id)
        if place is None:
            raise _no_such_room()
        ticket = Ticket(person.user, person.name, person.avatar, scope, role="spectator", member=member)
        return await self._ticket(ticket, place.node.path)

    @_busy_when_away
    async def player_ticket(self, room_id: str, person: Person, *, vouched: bool = True) -> TicketGiven | None:
        """A player's ticket to the table at which he holds his seat; None: he holds none of this room, or the archive
        must be asked about him first."""
        place = await self._place(room_id)
        if place is None:
            return None
        ticket = Ticket(person.user, person.name, person.avatar, f"room:{room_id}")
        text = await self._live.tickets.issue_seated(ticket, room_id, vouched=vouched)
        return None if text is None else _given(text, place.node.path)

    @_busy_when_away
    async def void(self, user: str) -> None:
        """His tickets are void, his access tokens doubtful."""
        await self._live.tickets.void(user)

    async def _place(self, room_id: str) -> Place | None:
        """Where a table is. Of one that runs here nobody need be asked, unless we were away for a while."""
        table = self._registry.find(room_id)
        if table is not None and not table.gone and self._live.tables.lease_is_valid():
            return Place(self._live.me(), True)
        return await self._live.placement.place(room_id)

    async def _ticket(self, ticket: Ticket, path: str) -> TicketGiven:
        return _given(await self._live.tickets.issue(ticket), path)

    @_busy_when_away
    async def listed(self, scope: str) -> list[Summary]:
        """The rooms of a list."""
        return [room for room in await self._live.board.all() if listed_under(room) == scope][:_LISTED]

    async def circle_changed(self, circle_id: str) -> None:
        """All nodes tell those who look at this circle to ask again. Nothing fails when that cannot be done now."""
        try:
            alive = (await self._live.nodes.look()).alive
            await asyncio.gather(*[self._errands.tell(owner, "circle_changed", circle_id) for owner in alive])
        except StoreUnavailable:
            log.warning("those who look at a circle could not be told that it changed")

    @_busy_when_away
    async def order(self, room_id: str, order: asks.Order) -> Mapping[str, Any]:
        """Have the table carry out an order, here or where it runs.

        One that is on the move, or has too much to do, did none of it: once more, and at last nobody may think it did.
        """
        for _ in range(_TRIES):
            outcome = await self._order(room_id, order)
            if outcome.get("code") not in ("moved", "busy"):
                return outcome
        raise StoreUnavailable

    async def _order(self, room_id: str, order: asks.Order) -> Mapping[str, Any]:
        if self._registry.find(room_id) is None:
            place = await self._live.placement.place(room_id)
            if place is None:
                raise _no_such_room()
            if place.owned and place.node.owner != self._live.owner():
                sent = await self._errands.send(place.node.owner, "order", room_id, type(order).__name__, order)
                return dict(sent)
        return await self._obey(room_id, order)

    async def _obey(self, room_id: str, order: asks.Order) -> Mapping[str, Any]:
        try:
            return plain_outcome(await self._registry.operate(room_id, order))
        except Draining:
            raise StoreUnavailable from None

    async def obey_errand(self, room_id: str, name: str, data: Any) -> Mapping[str, Any]:
        """Another node had an order for a table that runs here, or did just now."""
        if self._registry.find(room_id) is None:
            return {"ok": False, "code": "moved"}
        outcome = await self._obey(room_id, msgspec.convert(data, type=_ORDERS[name]))
        await self._live.rooms.shown(room_id)
        return outcome


_PASSED_ON: Final = frozenset({
    ErrorCode.ROOM_FULL, ErrorCode.SEAT_TAKEN, ErrorCode.NOT_NOW, ErrorCode.CONFLICT, ErrorCode.FROZEN,
    ErrorCode.ROOM_CLOSED, ErrorCode.BUSY, ErrorCode.NO_SUCH_ROOM,
})  # fmt: skip
"""What a table's refusal of an order says to the caller of REST as it is; any other is `busy`."""


def _given(ticket: str, path: str) -> TicketGiven:
    return TicketGiven(ticket, f"{path}/v1/ws", TICKET_S)


def _has_chair(room: Summary, user: str) -> bool:
    return any(sitter is not None and sitter.user == user for sitter in room.seats)


def _refuse(outcome: Mapping[str, Any]) -> None:
    """Raises the Refusal that a table's answer stands for, if it is one."""
    if not outcome["ok"]:
        code = ErrorCode(outcome["code"])
        raise Refusal(
            code if code in _PASSED_ON else ErrorCode.BUSY,
            field="seat" if code is ErrorCode.SEAT_TAKEN else None,
            reason="seated_elsewhere" if code is ErrorCode.CONFLICT else None,
        )


def _no_such_room() -> Refusal:
    return Refusal(ErrorCode.NO_SUCH_ROOM)
