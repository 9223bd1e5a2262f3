"""Operators and running tables: look, inspect, dissolve, freeze, release, kick, announce; nodes; counters."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Query

from app.admin.answers import EVERYWHERE, Cursor, IdPath, Limit, ReasonQuery, WithReason, told
from app.admin.audit import AuditedRoute, ServicesDep, needs
from app.admin.bodies import (
    Announced,
    Announcement,
    Counters,
    Done,
    Inspection,
    KickAsked,
    LiveRoom,
    LiveRooms,
    Nodes,
    RoomSeen,
)
from app.admin.services import AdminServices
from app.refusal import ErrorCode, Refusal
from app.storage.archive.operators import lookups
from app.storage.archive.operators.operators import Operator
from app.storage.archive.play import rooms
from app.tables.asks import Order, OrderDissolve, OrderFreeze, OrderInspect, OrderRelease, OrderRemove
from app.tables.ports import Summary

router = APIRouter(route_class=AuditedRoute, tags=["operators"])

_LIVE = {**EVERYWHERE, **told(404, 409)}
Reader = Annotated[Operator, needs("read")]
Runner = Annotated[Operator, needs("operate")]


@router.get("/rooms", responses=EVERYWHERE)
async def live_rooms(me: Reader, services: ServicesDep, cursor: Cursor = None, limit: Limit = 50) -> LiveRooms:
    """Running tables of all nodes, by id, without hidden tiles."""
    found, following = await services.tables.rooms(cursor=cursor or "", limit=limit)
    return LiveRooms(items=[_seen(summary) for summary in found], cursor=following or None)


@router.get("/rooms/{room}", responses={**EVERYWHERE, **told(404)})
async def room(room: IdPath, me: Reader, services: ServicesDep) -> RoomSeen:
    """A room, running or not, without hidden tiles."""
    async with services.archive.read() as db:
        known = await rooms.room(db, room)
    live = await services.tables.summary(room)
    return RoomSeen.model_validate({**known, "live": live and _seen(live)})


@router.get("/rooms/{room}/inspect", responses=_LIVE)
async def inspect_room(
    room: IdPath,
    me: Annotated[Operator, needs("inspect")],
    services: ServicesDep,
    reason: ReasonQuery,
    everything: Annotated[bool, Query(description="Hidden tiles too.")] = False,
) -> Inspection:
    """A running table from inside. Needs the explicit scope `inspect`, and says in the log that it was looked at."""
    return Inspection(table=dict(await services.tables.order(room, OrderInspect(everything))))


@router.post("/rooms/{room}/dissolve", responses={**EVERYWHERE, **told(404)})
async def dissolve(room: IdPath, asked: WithReason, me: Runner, services: ServicesDep) -> Done:
    """Dissolve a room: the running round is void, settled ones stand. Again, or together with others: no change."""
    async with services.archive.read() as db:
        known = await rooms.room(db, room)
    if known["closed_at"] is None:
        try:
            return await _carry_out(services, room, OrderDissolve(asked.reason, by="operator"))
        except Refusal as refused:
            if refused.code is not ErrorCode.NO_SUCH_ROOM:
                raise
    return Done(done=False, note=f"the room is closed already ({known['close_reason'] or 'just now'})")


@router.post("/rooms/{room}/freeze", responses=_LIVE)
async def freeze(room: IdPath, asked: WithReason, me: Runner, services: ServicesDep) -> Done:
    """Stop a table as it stands until it is released or dissolved."""
    return await _carry_out(services, room, OrderFreeze(asked.reason))


@router.post("/rooms/{room}/release", responses=_LIVE)
async def release(room: IdPath, asked: WithReason, me: Runner, services: ServicesDep) -> Done:
    """Let a frozen table go on; every open clock starts afresh."""
    return await _carry_out(services, room, OrderRelease())


@router.post("/rooms/{room}/kick", responses=_LIVE)
async def kick(
    room: IdPath, asked: KickAsked, me: Annotated[Operator, needs("moderate")], services: ServicesDep
) -> Done:
    """Take a player out of a room; in a running round autoplay goes on in his seat to its end."""
    return await _carry_out(services, room, OrderRemove(asked.user, kicked=True))


@router.post("/announcements", responses=EVERYWHERE)
async def announce(asked: Announcement, me: Runner, services: ServicesDep) -> Announced:
    """A notice to some rooms, or to all live ones."""
    return Announced(rooms=await services.tables.announce(asked.text, asked.rooms))


@router.get("/nodes", responses=EVERYWHERE)
async def nodes(me: Reader, services: ServicesDep) -> Nodes:
    """The server processes."""
    return Nodes.model_validate({"items": await services.tables.nodes()})


@router.post("/nodes/{node}/drain", status_code=202, responses={**EVERYWHERE, **told(404)})
async def drain(node: IdPath, asked: WithReason, me: Runner, services: ServicesDep) -> Done:
    """Have a node hand its tables over and take no new ones."""
    await services.tables.drain(node)
    return Done(done=True)


@router.get("/counters", responses=EVERYWHERE)
async def counters(me: Reader, services: ServicesDep) -> Counters:
    """How much there is of everything."""
    async with services.archive.read() as db:
        kept = await lookups.counts(db, services.now())
    return Counters(live=dict(await services.tables.counters()), archive=kept)


_ANSWERED_AS = {
    ErrorCode.NO_SUCH_ROOM: ErrorCode.NO_SUCH_ROOM,
    ErrorCode.ROOM_CLOSED: ErrorCode.NO_SUCH_ROOM,
    ErrorCode.MOVED: ErrorCode.BUSY,
}
"""What a table's refusal of an order is to operators; any other is a conflict."""


async def _carry_out(services: AdminServices, room: str, order: Order) -> Done:
    """Have the table do it. Raises Refusal: no_such_room, busy, conflict for anything else that the table refuses."""
    answer = await services.tables.order(room, order)
    if not answer.get("ok", True):
        code = ErrorCode(answer["code"])
        if code in _ANSWERED_AS:
            raise Refusal(_ANSWERED_AS[code])
        raise Refusal(ErrorCode.CONFLICT, f"the table refused: {code}")
    return Done(done=True)


def _seen(summary: Summary) -> LiveRoom:
    seats = [
        {**(asdict(person) if person else {"user": "", "name": ""}), "bot": bot, "online": online}
        if person or bot
        else None
        for person, bot, online in zip(summary.seats, summary.bots, summary.online, strict=True)
    ]
    return LiveRoom.model_validate({**asdict(summary), "id": summary.table_id, "seats": seats})
