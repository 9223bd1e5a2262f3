"""Operators and people: look up, ban, mute, reports; ladder corrections; records of finished rounds."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Path, Query

from app.admin.audit import AuditedRoute, ServicesDep, needs
from app.admin.bodies import (
    AdjustedOut,
    AdjustLadder,
    BanPlayer,
    DoneOut,
    ExportedRecordOut,
    ImposedOut,
    MutePlayer,
    ReportsOut,
    SanctionsOut,
    UserDetailOut,
    UsersOut,
    WithReason,
)
from app.admin.services import AdminServices
from app.refusal import ErrorCode, Refusal
from app.rest.bodies import Cursor, IdPath, Limit
from app.rest.errors import for_operators
from app.storage.archive.operators import lookups, operators
from app.storage.archive.operators.operators import Operator
from app.storage.archive.people import accounts, sanctions
from app.storage.archive.play import history, ladder
from app.tables.asks import Order, OrderMute, OrderRemove

router = APIRouter(route_class=AuditedRoute, tags=["operators"])

_HERE = for_operators(ErrorCode.NOT_FOUND)
Reader = Annotated[Operator, needs("read")]
Moderator = Annotated[Operator, needs("moderate")]


@router.get("/users", responses=for_operators())
async def find_users(
    me: Reader,
    services: ServicesDep,
    name: Annotated[str, Query(min_length=1, max_length=64, pattern=r"^[^\x00-\x1f]+$")],
    limit: Limit = 50,
) -> UsersOut:
    """People whose name begins like that; case does not matter."""
    async with services.archive.read() as db:
        return UsersOut.model_validate({"items": await lookups.find_users(db, name, limit)})


@router.get("/users/{user}", responses=_HERE)
async def user(user: IdPath, me: Reader, services: ServicesDep) -> UserDetailOut:
    """A user with their sanctions and their seat."""
    async with services.archive.read() as db:
        found = await lookups.user_detail(db, user, services.now())
    return UserDetailOut.model_validate({**found, "room": await services.rooms.room_of_user(user)})


@router.post("/users/{user}/ban", responses=_HERE)
async def ban(user: IdPath, asked: BanPlayer, me: Moderator, services: ServicesDep) -> ImposedOut:
    """Ban a user, and on request their devices: their sessions end, their sockets close, they leave their seat."""
    now = services.now()
    until = None if asked.minutes is None else now + timedelta(minutes=asked.minutes)
    async with services.archive.begin() as db:
        ids = await sanctions.impose(db, "ban", user, asked.reason, me.name, until=until, devices_too=asked.devices)
        others = await sanctions.sharing_devices(db, user) if asked.devices else ()
    for one in (user, *others):  # first: if a later step fails, no older access token lets the user return
        await services.rooms.void(one)
    await _wherever_he_sits(services, user, OrderRemove(user, kicked=True))
    await services.cluster.disconnect(user, "banned")
    return ImposedOut(ids=ids)


@router.post("/users/{user}/mute", responses=_HERE)
async def mute(user: IdPath, asked: MutePlayer, me: Moderator, services: ServicesDep) -> ImposedOut:
    """Mute a user: their phrases are not passed on, at this table and at those they join later."""
    until = None if asked.minutes is None else services.now() + timedelta(minutes=asked.minutes)
    async with services.archive.begin() as db:
        ids = await sanctions.impose(db, "mute", user, asked.reason, me.name, until=until)
    await services.rooms.void(user)
    order = OrderMute(user, True, None if asked.minutes is None else asked.minutes * 60.0)
    await _wherever_he_sits(services, user, order)
    return ImposedOut(ids=ids)


@router.get("/sanctions", responses=for_operators())
async def list_sanctions(
    me: Reader,
    services: ServicesDep,
    user: Annotated[str | None, Query(pattern=r"^[A-Za-z0-9_.-]{1,80}$")] = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> SanctionsOut:
    """Bans and mutes, newest first."""
    async with services.archive.read() as db:
        items, following = await sanctions.listed(db, user, services.now(), cursor, limit)
    return SanctionsOut.model_validate({"items": items, "cursor": following})


@router.post("/sanctions/{sanction}/lift", responses=_HERE)
async def lift(sanction: IdPath, asked: WithReason, me: Moderator, services: ServicesDep) -> DoneOut:
    """End a ban or a mute before its time."""
    async with services.archive.begin() as db:
        muted = await sanctions.lift(db, sanction, services.now())
    if muted is not None:
        await _wherever_he_sits(services, muted, OrderMute(muted, False))
    return DoneOut(done=True)


@router.get("/reports", responses=for_operators())
async def reports(me: Moderator, services: ServicesDep, cursor: Cursor = None, limit: Limit = 50) -> ReportsOut:
    """The players' open reports."""
    async with services.archive.read() as db:
        items, following = await operators.open_reports(db, cursor, limit)
    return ReportsOut.model_validate({"items": items, "cursor": following})


@router.post("/reports/{report}/handle", responses=_HERE)
async def handle_report(report: IdPath, asked: WithReason, me: Moderator, services: ServicesDep) -> DoneOut:
    """A report is dealt with; `reason` says how."""
    async with services.archive.begin() as db:
        await operators.handle_report(db, report, me.name, services.now())
    return DoneOut(done=True)


@router.post("/ladder/{slug}/adjust", responses=_HERE)
async def adjust_ladder(
    slug: Annotated[str, Path(pattern=r"^[a-z][a-z0-9_]{0,31}$")],
    asked: AdjustLadder,
    me: Annotated[Operator, needs("ladder")],
    services: ServicesDep,
) -> AdjustedOut:
    """Add points to a player's ladder, or take some, in total and in the running season."""
    if slug not in services.ladders:
        having = ", ".join(sorted(services.ladders)) or "none"
        raise Refusal(ErrorCode.NOT_FOUND, f"'{slug}' has no ladder (等级); games with one: {having}", "slug")
    if asked.points == 0:
        raise Refusal(ErrorCode.INVALID, "no points, no adjustment", "points")
    async with services.archive.begin() as db:
        await accounts.person(db, asked.user)
        total = await ladder.adjust(db, slug, asked.user, asked.points, asked.reason, me.name, services.now())
    return AdjustedOut(points=total)


@router.get("/records/{round_id}", responses=_HERE)
async def export_record(
    round_id: IdPath, me: Annotated[Operator, needs("export")], services: ServicesDep
) -> ExportedRecordOut:
    """The record (牌谱) of a finished round."""
    async with services.archive.read() as db:
        return ExportedRecordOut(record=await history.record(db, round_id, None))


async def _wherever_he_sits(services: AdminServices, user: str, order: Order) -> None:
    """Send an order to every table where the user has a seat; a table that closes meanwhile needs none."""
    for room in await services.rooms.chairs_of_user(user):
        try:
            await services.rooms.order(room, order)
        except Refusal as refused:
            if refused.code is not ErrorCode.NO_SUCH_ROOM:
                raise
