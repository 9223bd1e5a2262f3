"""The way back into an account without its password: codes made beforehand, each good for one new password."""

from __future__ import annotations

from fastapi import APIRouter, Response

from app.api.people.bodies import ProvePassword, Recover, RecoveryCodesOut, RecoveryLeftOut
from app.api.people.identity import CurrentUser, RemoteAddress, ServicesDep
from app.refusal import ErrorCode, Refusal
from app.rest.errors import anywhere, signed_in
from app.service.words.keys import exact_key
from app.service.words.looks import skeleton
from app.storage.archive.people import accounts, passwords, recovery, sessions

router = APIRouter(tags=["accounts"])


@router.get("/me/recovery-codes", responses=signed_in())
async def recovery_codes_left(me: CurrentUser, services: ServicesDep) -> RecoveryLeftOut:
    """How many of my recovery codes are unused."""
    async with services.archive.read() as db:
        return RecoveryLeftOut(left=await recovery.left(db, me.id))


@router.post("/me/recovery-codes", status_code=201, responses=signed_in(ErrorCode.WRONG_PASSWORD, ErrorCode.CONFLICT))
async def make_recovery_codes(
    asked: ProvePassword, me: CurrentUser, services: ServicesDep, remote: RemoteAddress
) -> RecoveryCodesOut:
    """Ten fresh codes, shown this once; earlier ones no longer work. It takes the password."""
    if not me.user.registered:
        raise Refusal(ErrorCode.CONFLICT, "a guest has no password; make an account first")
    await services.limiter.spend("password", user=me.id, address=remote)
    async with services.archive.read() as db:
        kept = await accounts.password_hash_of(db, me.id)
    if not await passwords.matches(asked.password, kept):
        raise Refusal(ErrorCode.WRONG_PASSWORD, "the password is wrong", "password")
    async with services.archive.begin() as db:
        return RecoveryCodesOut(codes=await recovery.make(db, me.id))


@router.post(
    "/recoveries",
    status_code=204,
    response_class=Response,
    responses=anywhere(ErrorCode.WRONG_PASSWORD, ErrorCode.INVALID),
)
async def recover(asked: Recover, services: ServicesDep, remote: RemoteAddress) -> None:
    """Set a new password with a recovery code, which is used up. All sessions end; sign in with the new password.

    The answer is the same for a wrong name and a wrong code.
    """
    name_key = skeleton(asked.name)
    await services.limiter.spend("sign_in", name=name_key, address=remote)
    await passwords.refuse_weak(asked.password, asked.name)
    password_hash = await passwords.hashed(asked.password)
    async with services.archive.begin() as db:
        account = await accounts.account(db, name_key, exact_key(asked.name))
        if account is None or not await recovery.use_up(db, account[0], asked.code):
            raise Refusal(ErrorCode.WRONG_PASSWORD, "name or recovery code is wrong", "code")
        await accounts.set_password_hash(db, account[0], password_hash)
        await sessions.end_others(db, account[0], None, services.now())
    await services.rooms.void(account[0])
