"""Signing in: guests by device, accounts by name and password, tokens refreshed and revoked."""

from __future__ import annotations

import secrets
from typing import Any

from fastapi import APIRouter, Response

from app.api.people.bodies import (
    GuestSessionOut,
    MakeAccount,
    ProfileOut,
    RefreshTokens,
    RevokeTokens,
    SessionOut,
    SignIn,
    SignInAsGuest,
)
from app.api.people.identity import (
    ACCESS,
    REFRESH,
    AccessToken,
    CurrentUser,
    RemoteAddress,
    ServicesDep,
    access_token,
    calling,
)
from app.api.services import Services
from app.refusal import ErrorCode, Refusal
from app.rest.errors import anywhere, signed_in
from app.service.words.keys import exact_key
from app.service.words.looks import skeleton
from app.storage.archive.engine import Db
from app.storage.archive.people import accounts, passwords, sessions
from app.storage.archive.people.accounts import User
from app.storage.archive.people.tokens import digest, new_secret

router = APIRouter(tags=["accounts"])


@router.post("/guests", responses=anywhere(ErrorCode.BANNED, ErrorCode.NAME_TAKEN, ErrorCode.BLOCKED_WORD))
async def sign_in_as_guest(asked: SignInAsGuest, services: ServicesDep, remote: RemoteAddress) -> GuestSessionOut:
    """Sign in with a device token, or as a new guest. The device token is the guest's password: keep it safe."""
    await services.limiter.spend("guest", address=remote)
    device = asked.device_token or new_secret()
    named = await services.words.name(asked.name) if asked.name else None
    async with services.archive.begin() as db:
        user = await accounts.person_of_device(db, digest(device)) if asked.device_token else None
        if user is None:
            name = named or f"雀友{secrets.randbelow(9000) + 1000}"
            user = await accounts.create_guest(db, name, skeleton(name), secrets.token_hex(4), digest(device))
        tokens = await _open_session(services, db, user, device)
    return GuestSessionOut(**tokens, device_token=device)


@router.post(
    "/accounts",
    responses=signed_in(ErrorCode.NAME_TAKEN, ErrorCode.CONFLICT, ErrorCode.BLOCKED_WORD),
)
async def make_account(asked: MakeAccount, me: CurrentUser, services: ServicesDep, remote: RemoteAddress) -> ProfileOut:
    """Give the signed-in guest a name of their own and a password. Everything they played stays theirs."""
    name = await services.words.name(asked.name)
    async with services.archive.read() as db:
        if await accounts.account_has_name(db, skeleton(name)):  # before the slow part; `upgrade` decides
            raise Refusal(ErrorCode.NAME_TAKEN, "this name belongs to an account", "name")
    await services.limiter.spend("password", user=me.id, address=remote)
    await passwords.refuse_weak(asked.password, name)
    password_hash = await passwords.hashed(asked.password)
    await services.rooms.void(me.id)
    async with services.archive.begin() as db:
        user = await accounts.upgrade(db, me.id, name, skeleton(name), password_hash)
    return ProfileOut.model_validate(user)


@router.post("/sessions", responses=anywhere(ErrorCode.WRONG_PASSWORD, ErrorCode.BANNED))
async def sign_in(asked: SignIn, services: ServicesDep, remote: RemoteAddress) -> SessionOut:
    """Sign in with name and password. The answer is the same for a wrong name and a wrong password."""
    name_key = skeleton(asked.name)
    await services.limiter.spend("sign_in", name=name_key, address=remote)
    async with services.archive.read() as db:
        account = await accounts.account(db, name_key, exact_key(asked.name))
    if not await passwords.matches(asked.password, account and account[1]) or account is None:
        raise Refusal(ErrorCode.WRONG_PASSWORD, "name or password is wrong")
    user_id, kept = account
    rehashed = await passwords.hashed(asked.password) if passwords.outdated(kept) else None
    async with services.archive.begin() as db:
        if not await accounts.held(db, user_id):
            raise Refusal(ErrorCode.WRONG_PASSWORD, "name or password is wrong")
        if rehashed is not None:
            await accounts.set_password_hash(db, user_id, rehashed)
        if asked.device_token is not None:
            await sessions.remember_device(db, user_id, digest(asked.device_token))
        tokens = await _open_session(services, db, await accounts.person(db, user_id), asked.device_token)
    return SessionOut(**tokens)


@router.post("/tokens/refresh", responses=anywhere(ErrorCode.NOT_SIGNED_IN, ErrorCode.BANNED))
async def refresh(asked: RefreshTokens, services: ServicesDep) -> SessionOut:
    """Exchange a refresh token for a new pair. It works once: used again, it was copied, and the session ends."""
    fresh, now = new_secret(), services.now()
    async with services.archive.begin() as db:
        shown = await sessions.rotate(db, digest(asked.refresh_token), digest(fresh), now, REFRESH)
    if shown is not None and not shown.alive:
        await services.rooms.void(shown.user)
    if shown is None or not shown.alive:
        raise Refusal(ErrorCode.NOT_SIGNED_IN, "the refresh token is not valid; sign in again")
    async with services.archive.read() as db:
        user = await accounts.signed_in(db, shown.user, shown.session, now)
    if user is None:
        raise Refusal(ErrorCode.NOT_SIGNED_IN, "this session has ended")
    return SessionOut(**_tokens(services, user, shown.session, fresh))


@router.post("/tokens/revoke", status_code=204, response_class=Response, responses=signed_in())
async def sign_out(asked: RevokeTokens, services: ServicesDep, token: AccessToken) -> None:
    """End the session of this refresh token. Only the unused token of a living session does anything.

    `everywhere` ends all sessions, and needs the access token of one. A guest's device still signs in: it is the only
    way back to the guest.
    """
    now = services.now()
    me = (await calling(services, token or "")).id if asked.everywhere else None
    async with services.archive.begin() as db:
        living = await sessions.living_session(db, digest(asked.refresh_token), now)
        if me is not None:
            await sessions.end_others(db, me, None, now)
        elif living is not None:
            await sessions.revoke(db, living[1], now)
    ended = me or (living and living[0])
    if ended:
        await services.rooms.void(ended)


async def _open_session(services: Services, db: Db, user: User, device: str | None) -> dict[str, Any]:
    fresh, now = new_secret(), services.now()
    device_hash = None if device is None else digest(device)
    await accounts.refuse_banned(db, user.id, device_hash, now)
    session_id = await sessions.open_session(db, user.id, device_hash, digest(fresh), now + REFRESH)
    return _tokens(services, user, session_id, fresh)


def _tokens(services: Services, user: User, session_id: str, refresh_token: str) -> dict[str, Any]:
    return {
        "user": ProfileOut.model_validate(user),
        "access_token": access_token(services, user, session_id),
        "refresh_token": refresh_token,
        "expires_in": int(ACCESS.total_seconds()),
    }
