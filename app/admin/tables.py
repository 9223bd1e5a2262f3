"""Operators and running tables: look, inspect, dissolve, freeze, release, kick, announce; nodes; counters."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Query

from app.admin.audit import AuditedRoute, ServicesDep, needs
from app.admin.bodies import (
    Announce,
    AnnouncedOut,
    CountersOut,
    DoneOut,
    InspectionOut,
    KickPlayer,
    LiveRoomOut,
    LiveRoomsOut,
    NodesOut,
    ReasonQuery,
    RoomDetailOut,
    WithReason,
)
from app.admin.services import AdminServices
from app.refusal import ErrorCode, Refusal
from app.rest.bodies import Cursor, IdPath, Limit
from app.rest.errors import for_operators
from app.storage.archive.operators import lookups
from app.storage.archive.operators.operators import Operator
from app.storage.archive.play import rooms
from app.tables.asks import Order, OrderDissolve, OrderFreeze, OrderInspect, OrderReadmit, OrderRelease, OrderRemove
from app.tables.match.decide import Refused
from app.tables.outcomes import plain_outcome
from app.tables.ports import Summary

router = APIRouter(route_class=AuditedRoute, tags=["operators"])

_LIVE = for_operators(ErrorCode.NO_SUCH_ROOM, ErrorCode.CONFLICT)
Reader = Annotated[Operator, needs("read")]
Runner = Annotated[Operator, needs("operate")]


@router.get("/rooms", responses=for_operators())
async def live_rooms(me: Reader, services: ServicesDep, cursor: Cursor = None, limit: Limit = 50) -> LiveRoomsOut:
    """Running tables of all nodes, by id, without hidden tiles."""
    found, following = await services.cluster.page(cursor=cursor or "", limit=limit)
    return LiveRoomsOut(items=[live_room_body(summary) for summary in found], cursor=following or None)


@router.get("/rooms/{room}", responses=for_operators(ErrorCode.NO_SUCH_ROOM))
async def room(room: IdPath, me: Reader, services: ServicesDep) -> RoomDetailOut:
    """A room, running or not, without hidden tiles."""
    async with services.archive.read() as db:
        known = await rooms.room(db, room)
    live = await services.rooms.summary(room)
    return RoomDetailOut.model_validate({**known, "live": live and live_room_body(live)})


@router.get("/rooms/{room}/inspect", responses=_LIVE)
async def inspect_room(
    room: IdPath,
    me: Annotated[Operator, needs("inspect")],
    services: ServicesDep,
    reason: ReasonQuery,
    everything: Annotated[bool, Query(description="Hidden tiles too.")] = False,
) -> InspectionOut:
    """A running table from inside. Needs the explicit scope `inspect`, and says in the log that it was looked at."""
    return InspectionOut(table=plain_outcome(await services.rooms.order(room, OrderInspect(everything))))


@router.post("/rooms/{room}/dissolve", responses=_LIVE)
async def dissolve(room: IdPath, asked: WithReason, me: Runner, services: ServicesDep) -> DoneOut:
    """Dissolve a room: the running round is void, settled ones stand. Again, or together with others: no change."""
    async with services.archive.read() as db:
        known = await rooms.room(db, room)
    if known["closed_at"] is None:
        try:
            return await _carry_out(services, room, OrderDissolve(asked.reason, by="operator"))
        except Refusal as refused:
            if refused.code is not ErrorCode.NO_SUCH_ROOM:
                raise
    return DoneOut(done=False, note=f"the room is closed already ({known['close_reason'] or 'just now'})")


@router.post("/rooms/{room}/freeze", responses=_LIVE)
async def freeze(room: IdPath, asked: WithReason, me: Runner, services: ServicesDep) -> DoneOut:
    """Stop a table as it stands until it is released or dissolved."""
    return await _carry_out(services, room, OrderFreeze(asked.reason))


@router.post("/rooms/{room}/release", responses=_LIVE)
async def release(room: IdPath, asked: WithReason, me: Runner, services: ServicesDep) -> DoneOut:
    """Let a frozen table go on; every open clock starts afresh."""
    return await _carry_out(services, room, OrderRelease())


@router.post("/rooms/{room}/kick", responses=_LIVE)
async def kick(
    room: IdPath, asked: KickPlayer, me: Annotated[Operator, needs("moderate")], services: ServicesDep
) -> DoneOut:
    """Take a player out of a room for good; in a running round autoplay takes the seat until the round ends."""
    return await _carry_out(services, room, OrderRemove(asked.user, kicked=True))


@router.post("/rooms/{room}/readmit", responses=_LIVE)
async def readmit(
    room: IdPath, asked: KickPlayer, me: Annotated[Operator, needs("moderate")], services: ServicesDep
) -> DoneOut:
    """Let a kicked player enter the room again, whoever kicked them."""
    return await _carry_out(services, room, OrderReadmit(asked.user))


@router.post("/announcements", responses=for_operators())
async def announce(asked: Announce, me: Runner, services: ServicesDep) -> AnnouncedOut:
    """A notice to some rooms, or to all live ones."""
    return AnnouncedOut(rooms=await services.cluster.announce(asked.text, asked.rooms))


@router.get("/nodes", responses=for_operators())
async def nodes(me: Reader, services: ServicesDep) -> NodesOut:
    """The server processes."""
    return NodesOut.model_validate({"items": await services.cluster.nodes()})


@router.post("/nodes/{node}/drain", status_code=202, responses=for_operators(ErrorCode.NOT_FOUND))
async def drain(node: IdPath, asked: WithReason, me: Runner, services: ServicesDep) -> DoneOut:
    """Have a node hand its tables over and take no new ones."""
    await services.cluster.drain(node)
    return DoneOut(done=True)


@router.get("/counters", responses=for_operators())
async def counters(me: Reader, services: ServicesDep) -> CountersOut:
    """Totals of the live rooms and of the archive."""
    async with services.archive.read() as db:
        kept = await lookups.counts(db, services.now())
    return CountersOut(live=dict(await services.cluster.counters()), archive=kept)


_ANSWERED_AS = {
    ErrorCode.NO_SUCH_ROOM: ErrorCode.NO_SUCH_ROOM,
    ErrorCode.ROOM_CLOSED: ErrorCode.NO_SUCH_ROOM,
    ErrorCode.MOVED: ErrorCode.BUSY,
}
"""A table's refusals of an order that operators see as another code; all others become a conflict."""


async def _carry_out(services: AdminServices, room: str, order: Order) -> DoneOut:
    """Have the table do it. Raises Refusal: no_such_room, busy, conflict for anything else that the table refuses."""
    answer = await services.rooms.order(room, order)
    if isinstance(answer, Refused):
        if answer.code in _ANSWERED_AS:
            raise Refusal(_ANSWERED_AS[answer.code])
        raise Refusal(ErrorCode.CONFLICT, f"the table refused: {answer.code}")
    return DoneOut(done=True)


def live_room_body(summary: Summary) -> LiveRoomOut:
    """The body that shows operators a running table."""
    seats = [
        {**(asdict(person) if person else {"user": "", "name": ""}), "bot": bot, "online": online}
        if person or bot
        else None
        for person, bot, online in zip(summary.seats, summary.bots, summary.online, strict=True)
    ]
    return LiveRoomOut.model_validate({**asdict(summary), "id": summary.table_id, "seats": seats})
