"""Belonging to a circle: apply, be let in, roles, leave, be removed or banned."""

from __future__ import annotations

from fastapi import APIRouter, Response

from app.api.circles.bodies import (
    ApplicantsOut,
    AppliedOut,
    ApplyToCircle,
    BanFromCircle,
    BansOut,
    ChangeRole,
    MembersOut,
)
from app.api.circles.circle import FOR_MEMBERS, by_role
from app.api.limits import guessing
from app.api.people.identity import CurrentUser, RemoteAddress, ServicesDep
from app.refusal import ErrorCode, Refusal
from app.rest.bodies import Cursor, IdPath, Limit
from app.rest.errors import signed_in
from app.storage.archive.circles import circles, members
from app.storage.archive.play import statistics
from app.storage.archive.webhooks import hooks

router = APIRouter(prefix="/circles", tags=["circles"])


@router.post(
    "/join", status_code=202,
    responses=signed_in(ErrorCode.NOT_FOUND, ErrorCode.CONFLICT, ErrorCode.BANNED, ErrorCode.BLOCKED_WORD),
)  # fmt: skip
async def apply(asked: ApplyToCircle, me: CurrentUser, services: ServicesDep, remote: RemoteAddress) -> AppliedOut:
    """Apply to a circle by its code; its managers decide. Again: the newer message."""
    await services.words.refuse(asked.message, "message")
    async with guessing(services.limiter, user=me.id, address=remote), services.archive.begin() as db:
        circle = AppliedOut.model_validate(await members.apply(db, asked.code, me.id, asked.message))
        await hooks.queue(db, circle.id, "application", {"user": me.id}, me.now)
        managers = await members.managers(db, circle.id)
    await services.rooms.circle_changed(circle.id)
    for manager in managers:
        await services.events.note(manager, "application", circle=circle.id, user=me.id, name=me.user.name)
    return circle


@router.get("/{circle}/applications", responses=by_role())
async def applications(
    circle: IdPath, me: CurrentUser, services: ServicesDep, cursor: Cursor = None, limit: Limit = 50
) -> ApplicantsOut:
    """Open applications, newest first."""
    async with services.archive.read() as db:
        await circles.require_permission(db, circle, me.id, "approve")
        items, following = await members.applications(db, circle, cursor, limit)
    return ApplicantsOut.model_validate({"items": items, "cursor": following})


@router.post(
    "/{circle}/applications/{user}/approve",
    status_code=204,
    response_class=Response,
    responses=by_role(ErrorCode.CONFLICT),
)
async def approve(circle: IdPath, user: IdPath, me: CurrentUser, services: ServicesDep) -> None:
    """Let an applicant in."""
    async with services.archive.begin() as db:
        await circles.require_permission(db, circle, me.id, "approve", change=True)
        await members.answer(db, circle, user, approve=True)
    await services.rooms.circle_changed(circle)
    await services.events.note(user, "application_decided", circle=circle, approved=True)


@router.post("/{circle}/applications/{user}/reject", status_code=204, response_class=Response, responses=by_role())
async def reject(circle: IdPath, user: IdPath, me: CurrentUser, services: ServicesDep) -> None:
    """Turn an applicant down; they may apply again."""
    async with services.archive.begin() as db:
        await circles.require_permission(db, circle, me.id, "approve", change=True)
        await members.answer(db, circle, user, approve=False)
    await services.rooms.circle_changed(circle)
    await services.events.note(user, "application_decided", circle=circle, approved=False)


@router.get("/{circle}/members", responses=FOR_MEMBERS)
async def member_list(
    circle: IdPath, me: CurrentUser, services: ServicesDep, cursor: Cursor = None, limit: Limit = 50
) -> MembersOut:
    """Members with their totals here: the owner, the managers, then the newest."""
    async with services.archive.read() as db:
        await circles.require_permission(db, circle, me.id, "see")
        items, following = await members.members(db, circle, cursor, limit)
        played = await statistics.of_members(db, circle, [row["id"] for row in items])
    rows = [{**row, "played": played.get(row["id"])} for row in items]
    return MembersOut.model_validate({"items": rows, "cursor": following})


@router.patch("/{circle}/members/{user}", status_code=204, response_class=Response, responses=by_role())
async def set_role(circle: IdPath, user: IdPath, change: ChangeRole, me: CurrentUser, services: ServicesDep) -> None:
    """Make a member a manager, or a manager a member."""
    async with services.archive.begin() as db:
        role = await circles.require_permission(db, circle, me.id, "set_role", change=True)
        await members.target(db, circle, user, role, "set_role")
        await members.set_role(db, circle, user, change.role)
    await services.rooms.circle_changed(circle)


@router.delete(
    "/{circle}/members/{user}",
    status_code=204,
    response_class=Response,
    responses=by_role(ErrorCode.CONFLICT),
)
async def remove(circle: IdPath, user: IdPath, me: CurrentUser, services: ServicesDep) -> None:
    """Remove a member, or leave (remove myself). An owner hands the circle over first."""
    async with services.archive.begin() as db:
        if user == me.id:
            if await circles.role_of(db, circle, me.id) == "owner":
                raise Refusal(ErrorCode.CONFLICT, "hand the circle over before you leave it", reason="owner_stays")
            await circles.require_permission(db, circle, me.id, "leave", change=True)
        else:
            role = await circles.require_permission(db, circle, me.id, "remove", change=True)
            await members.target(db, circle, user, role, "remove")
        await members.remove(db, circle, user)
    await services.rooms.rights_changed(user)
    await services.rooms.circle_changed(circle)


@router.get("/{circle}/bans", responses=by_role())
async def bans(
    circle: IdPath, me: CurrentUser, services: ServicesDep, cursor: Cursor = None, limit: Limit = 50
) -> BansOut:
    """Players banned from the circle, newest first."""
    async with services.archive.read() as db:
        await circles.require_permission(db, circle, me.id, "ban")
        items, following = await members.bans(db, circle, cursor, limit)
    return BansOut.model_validate({"items": items, "cursor": following})


@router.post("/{circle}/bans", status_code=204, response_class=Response, responses=by_role(ErrorCode.BLOCKED_WORD))
async def ban(circle: IdPath, asked: BanFromCircle, me: CurrentUser, services: ServicesDep) -> None:
    """Ban a player, member or not: they leave the circle and cannot apply."""
    await services.words.refuse(asked.reason, "reason")
    async with services.archive.begin() as db:
        role = await circles.require_permission(db, circle, me.id, "ban", change=True)
        if await circles.role_of(db, circle, asked.user) is not None:
            await members.target(db, circle, asked.user, role, "ban")
        await members.ban(db, circle, asked.user, me.id, asked.reason)
    await services.rooms.rights_changed(asked.user)
    await services.rooms.circle_changed(circle)


@router.delete("/{circle}/bans/{user}", status_code=204, response_class=Response, responses=by_role())
async def unban(circle: IdPath, user: IdPath, me: CurrentUser, services: ServicesDep) -> None:
    """Lift a player's ban, so that they may apply again; without a ban nothing happens."""
    async with services.archive.begin() as db:
        await circles.require_permission(db, circle, me.id, "unban", change=True)
        await members.unban(db, circle, user)
