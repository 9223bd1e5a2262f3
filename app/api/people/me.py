"""One's own account: profile, block list, reports, export, deletion."""

from __future__ import annotations

from fastapi import APIRouter, Response

from app.api.people.bodies import (
    BlockPlayer,
    ChangeProfile,
    DeleteMe,
    ExportOut,
    LivingSessionsOut,
    PeopleOut,
    ProfileOut,
    ReportFiledOut,
    ReportPlayer,
)
from app.api.people.identity import CurrentUser, RemoteAddress, ServicesDep
from app.api.repeats import IdempotencyKey, once
from app.refusal import ErrorCode, Refusal
from app.rest.bodies import IdPath
from app.rest.errors import signed_in
from app.service.words.looks import skeleton
from app.storage.archive.people import accounts, leaving, passwords, people, sessions
from app.storage.archive.people.tokens import digest

router = APIRouter(prefix="/me", tags=["me"])


@router.get("", responses=signed_in())
async def profile(me: CurrentUser) -> ProfileOut:
    """Who I am."""
    return ProfileOut.model_validate(me.user)


@router.patch(
    "",
    responses=signed_in(
        ErrorCode.NOT_SIGNED_IN,
        ErrorCode.WRONG_PASSWORD,
        ErrorCode.NAME_TAKEN,
        ErrorCode.INVALID,
        ErrorCode.BLOCKED_WORD,
    ),
)
async def change_profile(change: ChangeProfile, me: CurrentUser, services: ServicesDep) -> ProfileOut:
    """Change name, avatar or password. An account signs in by its new name; a new password ends all other sessions."""
    new_hash = await _new_password(change, me, services)
    if change.name is not None or change.avatar is not None or new_hash is not None:
        await services.rooms.void(me.id)
    async with services.archive.begin() as db:
        if change.name is not None:
            name = await services.words.name(change.name)
            await people.rename(db, me.id, name, skeleton(name))
        if change.avatar is not None:
            await people.set_avatar(db, me.id, change.avatar)
        if new_hash is not None:
            await accounts.set_password_hash(db, me.id, new_hash)
            await sessions.end_others(db, me.id, me.session_id, me.now)
        changed = ProfileOut.model_validate(await accounts.person(db, me.id))
    if new_hash is not None:
        await services.rooms.void(me.id)
    return changed


async def _new_password(change: ChangeProfile, me: CurrentUser, services: ServicesDep) -> str | None:
    """The hash of a new password. Raises Refusal: invalid for a guest, wrong_password for a wrong old one."""
    if change.password is None:
        return None
    if not me.user.registered:
        raise Refusal(ErrorCode.INVALID, "a guest has no password; make an account first", "password", reason="guest")
    await services.limiter.spend("password", user=me.id)
    async with services.archive.read() as db:
        kept = await accounts.password_hash_of(db, me.id)
    if not await passwords.matches(change.old_password or "", kept):
        raise Refusal(ErrorCode.WRONG_PASSWORD, "the old password is wrong", "old_password")
    await passwords.refuse_weak(change.password, me.user.name, change.name or "")
    return await passwords.hashed(change.password)


@router.delete(
    "",
    status_code=204,
    response_class=Response,
    responses=signed_in(ErrorCode.NOT_SIGNED_IN, ErrorCode.WRONG_PASSWORD, ErrorCode.CONFLICT),
)
async def delete_me(asked: DeleteMe, me: CurrentUser, services: ServicesDep, remote: RemoteAddress) -> None:
    """Delete my account. Rounds and records stay, under a pseudonym. Circles of mine must be handed over first.

    It takes the password, or a guest's device token: an access token alone is not enough.
    """
    await services.limiter.spend("password", user=me.id, address=remote)
    await _refuse_thief(asked, me, services)
    chairs = await services.rooms.chairs_of_user(me.id)
    await services.rooms.void(me.id)
    async with services.archive.begin() as db:
        await leaving.forget(db, me.id, me.now)
    await services.rooms.void(me.id)
    for room_id in chairs:
        await services.rooms.leave(room_id, me.id)


async def _refuse_thief(asked: DeleteMe, me: CurrentUser, services: ServicesDep) -> None:
    """Raises Refusal wrong_password for a wrong or missing password, of a guest for a device token not theirs."""
    if me.user.registered:
        async with services.archive.read() as db:
            kept = await accounts.password_hash_of(db, me.id)
        if not await passwords.matches(asked.password or "", kept):
            raise Refusal(ErrorCode.WRONG_PASSWORD, "the password is wrong", "password")
        return
    async with services.archive.read() as db:
        owner = await accounts.person_of_device(db, digest(asked.device_token or ""))
    if owner is None or owner.id != me.id:
        raise Refusal(ErrorCode.WRONG_PASSWORD, "this is not a device token of this guest", "device_token")


@router.get("/sessions", responses=signed_in())
async def my_sessions(me: CurrentUser, services: ServicesDep) -> LivingSessionsOut:
    """Where I am signed in, newest first."""
    async with services.archive.read() as db:
        found = await sessions.living_sessions(db, me.id, me.now)
    return LivingSessionsOut.model_validate(
        {"items": [{**row, "current": row["id"] == me.session_id} for row in found]}
    )


@router.delete("/sessions", status_code=204, response_class=Response, responses=signed_in())
async def end_other_sessions(me: CurrentUser, services: ServicesDep) -> None:
    """End all my sessions but this one; the other devices of an account no longer sign in by themselves."""
    async with services.archive.begin() as db:
        await sessions.end_others(db, me.id, me.session_id, me.now)
    await services.rooms.void(me.id)


@router.delete(
    "/sessions/{session}", status_code=204, response_class=Response, responses=signed_in(ErrorCode.NOT_FOUND)
)
async def end_session(session: IdPath, me: CurrentUser, services: ServicesDep) -> None:
    """End one of my sessions; an account's device no longer signs in by itself there."""
    async with services.archive.begin() as db:
        await sessions.end_session(db, me.id, session, me.now)
    await services.rooms.void(me.id)


@router.get("/export", responses=signed_in())
async def export(me: CurrentUser, services: ServicesDep) -> ExportOut:
    """Everything that is kept about me. `cut_off` names lists of which only the newest rows are here."""
    async with services.archive.read() as db:
        return ExportOut(data=await leaving.export(db, me.id))


@router.get("/blocks", responses=signed_in())
async def blocks(me: CurrentUser, services: ServicesDep) -> PeopleOut:
    """Whom I block, newest first; at most 500 can be."""
    async with services.archive.read() as db:
        return PeopleOut.model_validate({"items": await people.blocked(db, me.id)})


@router.post(
    "/blocks",
    status_code=204,
    response_class=Response,
    responses=signed_in(ErrorCode.NOT_FOUND, ErrorCode.CONFLICT),
)
async def block(asked: BlockPlayer, me: CurrentUser, services: ServicesDep) -> None:
    """Block a player: quick match never seats us together, and they cannot enter rooms that I host."""
    async with services.archive.begin() as db:
        await people.block(db, me.id, asked.user)
    await services.rooms.rights_changed(asked.user)  # if they watch a room of mine, that ends


@router.delete("/blocks/{user}", status_code=204, response_class=Response, responses=signed_in())
async def unblock(user: IdPath, me: CurrentUser, services: ServicesDep) -> None:
    """Take a block back; without one nothing happens."""
    async with services.archive.begin() as db:
        await people.unblock(db, me.id, user)


@router.post("/reports", status_code=201, responses=signed_in(ErrorCode.NOT_FOUND, ErrorCode.CONFLICT))
async def report(
    asked: ReportPlayer, me: CurrentUser, services: ServicesDep, remote: RemoteAddress, key: IdempotencyKey = None
) -> ReportFiledOut:
    """Report a player to the operators, with a round of mine where it happened if there is one."""

    async def file() -> ReportFiledOut:
        await services.limiter.spend("report", user=me.id, address=remote)
        async with services.archive.begin() as db:
            filed = await people.report(db, me.id, asked.user, asked.reason, asked.text, asked.round)
        return ReportFiledOut(id=filed)

    return await once(services.repeats, key, me.id, "report", asked, ReportFiledOut, file)
