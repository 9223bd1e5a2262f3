"""A circle: found, look, change, hand over, dissolve; its lobby, and dissolving its rooms."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fastapi import APIRouter, Response

from app.api.circles.bodies import ChangeCircle, CircleOut, CirclesOut, DissolveRoom, FoundCircle, TransferCircle
from app.api.people.identity import CurrentUser, ServicesDep
from app.api.play.bodies import RoomListOut
from app.api.play.rooms import listed
from app.api.repeats import IdempotencyKey, once
from app.api.services import Services
from app.refusal import ErrorCode, Refusal
from app.rest.bodies import IdPath
from app.rest.errors import signed_in
from app.storage.archive.circles import circles, members
from app.storage.archive.play import rooms
from app.tables.asks import OrderDissolve

router = APIRouter(prefix="/circles", tags=["circles"])

FOR_MEMBERS = signed_in(ErrorCode.NOT_FOUND)


@contextmanager
def suppress_gone() -> Iterator[None]:
    """A room that is gone already needs no dissolving."""
    try:
        yield
    except Refusal as refused:
        if refused.code is not ErrorCode.NO_SUCH_ROOM:
            raise


def by_role(*codes: ErrorCode) -> dict[int | str, dict[str, Any]]:
    """Refusals of an action that not every role may take."""
    return signed_in(ErrorCode.NOT_FOUND, ErrorCode.FORBIDDEN, *codes)


@router.post("", status_code=201, responses=signed_in(ErrorCode.CONFLICT, ErrorCode.BLOCKED_WORD))
async def found_circle(
    asked: FoundCircle, me: CurrentUser, services: ServicesDep, key: IdempotencyKey = None
) -> CircleOut:
    """Found a circle; its code is what others apply with."""

    async def found() -> CircleOut:
        name = await services.words.name(asked.name)
        async with services.archive.begin() as db:
            return CircleOut.model_validate(await circles.create(db, me.id, name))

    return await once(services.repeats, key, me.id, "circle", asked, CircleOut, found)


@router.get("", responses=signed_in())
async def my_circles(me: CurrentUser, services: ServicesDep) -> CirclesOut:
    """The circles I am in, by name."""
    async with services.archive.read() as db:
        return CirclesOut.model_validate({"items": await circles.circles_of(db, me.id)})


@router.get("/{circle}", responses=FOR_MEMBERS)
async def circle_detail(circle: IdPath, me: CurrentUser, services: ServicesDep) -> CircleOut:
    """A circle I am in."""
    async with services.archive.read() as db:
        return CircleOut.model_validate(await circles.circle(db, circle, me.id))


@router.patch("/{circle}", responses=by_role(ErrorCode.INVALID, ErrorCode.BLOCKED_WORD))
async def change_circle(circle: IdPath, change: ChangeCircle, me: CurrentUser, services: ServicesDep) -> CircleOut:
    """Change name (owner) or notice (owner, managers)."""
    name = None if change.name is None else await services.words.name(change.name)
    if change.notice is not None:
        await services.words.refuse(change.notice, "notice")
    async with services.archive.begin() as db:
        await circles.require_permission(db, circle, me.id, "edit" if name is not None else "notice", change=True)
        await circles.edit(db, circle, name=name, notice=change.notice)
        changed = CircleOut.model_validate(await circles.circle(db, circle, me.id))
    await services.rooms.circle_changed(circle)
    return changed


@router.delete("/{circle}", status_code=204, response_class=Response, responses=by_role())
async def dissolve_circle(circle: IdPath, me: CurrentUser, services: ServicesDep) -> None:
    """Dissolve the circle and its running rooms. Its rounds stay with those who played them."""
    async with services.archive.read() as db:
        await circles.require_permission(db, circle, me.id, "dissolve_circle")
    await _dissolve_rooms(services, circle)  # first: when a table cannot be reached (503) all of it may be asked again
    async with services.archive.begin() as db:
        await circles.require_permission(db, circle, me.id, "dissolve_circle", change=True)
        await circles.dissolve(db, circle, me.now)
    await _dissolve_rooms(services, circle)  # that were opened meanwhile


async def _dissolve_rooms(services: Services, circle: str) -> None:
    for room in await services.rooms.listed(f"circle:{circle}"):
        with suppress_gone():
            await services.rooms.order(room.table_id, OrderDissolve("the circle was dissolved", by="circle"))


@router.post("/{circle}/transfer", responses=by_role(ErrorCode.CONFLICT))
async def transfer(circle: IdPath, heir: TransferCircle, me: CurrentUser, services: ServicesDep) -> CircleOut:
    """Hand the circle over to a member; the old owner stays as a manager."""
    async with services.archive.begin() as db:
        role = await circles.require_permission(db, circle, me.id, "transfer", change=True)
        await members.target(db, circle, heir.user, role, "transfer")
        await members.transfer(db, circle, me.id, heir.user)
        handed = CircleOut.model_validate(await circles.circle(db, circle, me.id))
    await services.rooms.circle_changed(circle)
    return handed


@router.get("/{circle}/rooms", responses=FOR_MEMBERS)
async def circle_lobby(circle: IdPath, me: CurrentUser, services: ServicesDep) -> RoomListOut:
    """The circle's tables and their free seats, as they are now; the socket's `watch` keeps it up to date."""
    async with services.archive.read() as db:
        await circles.require_permission(db, circle, me.id, "see")
    return RoomListOut(items=await listed(services, f"circle:{circle}"))


@router.post(
    "/{circle}/rooms/{room}/dissolve", status_code=204, response_class=Response,
    responses=by_role(ErrorCode.BLOCKED_WORD),
)  # fmt: skip
async def dissolve_room(
    circle: IdPath, room: IdPath, asked: DissolveRoom, me: CurrentUser, services: ServicesDep
) -> None:
    """Dissolve a room of the circle: the running round is void, settled ones stand. Again: no change."""
    await services.words.refuse(asked.reason, "reason")
    async with services.archive.read() as db:
        await circles.require_permission(db, circle, me.id, "dissolve_room")
        found = await rooms.room(db, room)
    if found["circle_id"] != circle:
        raise Refusal(ErrorCode.NO_SUCH_ROOM, "there is no such room in this circle")
    if found["closed_at"] is None:
        with suppress_gone():
            order = OrderDissolve(asked.reason, by="circle")
            await services.rooms.order(room, order)
