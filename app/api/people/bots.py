"""Bot accounts: an account that its owner declares to be played by a program. It is marked wherever it is shown."""

from __future__ import annotations

from fastapi import APIRouter

from app.api.people.bodies import DeclareBot, PeopleOut, ProfileOut
from app.api.people.identity import CurrentUser, RemoteAddress, ServicesDep
from app.refusal import ErrorCode, Refusal
from app.rest.errors import signed_in
from app.service.words.keys import exact_key
from app.service.words.looks import skeleton
from app.storage.archive.people import accounts, bots, passwords

router = APIRouter(prefix="/me/bots", tags=["me"])


@router.get("", responses=signed_in(ErrorCode.FORBIDDEN))
async def my_bots(me: CurrentUser, services: ServicesDep) -> PeopleOut:
    """The bot accounts that I answer for, oldest first; at most 5."""
    async with services.archive.read() as db:
        return PeopleOut.model_validate({"items": await bots.bots_of(db, me.id)})


@router.post(
    "",
    status_code=201,
    responses=signed_in(ErrorCode.FORBIDDEN, ErrorCode.WRONG_PASSWORD, ErrorCode.CONFLICT, ErrorCode.INVALID),
)
async def declare_bot(asked: DeclareBot, me: CurrentUser, services: ServicesDep, remote: RemoteAddress) -> ProfileOut:
    """Declare another account of mine, by its name and password, a bot account that I answer for. For good.

    409: it has played ranked rounds, is a bot account already, owns bots itself, or holds a seat now; or I have 5.
    """
    if not me.user.registered or me.user.bot:
        raise Refusal(ErrorCode.CONFLICT, "a bot's owner is a person's account", reason="guest")
    name_key = skeleton(asked.name)
    await services.limiter.spend("sign_in", name=name_key, address=remote)
    async with services.archive.read() as db:
        account = await accounts.account(db, name_key, exact_key(asked.name))
    if not await passwords.matches(asked.password, account and account[1]) or account is None:
        raise Refusal(ErrorCode.WRONG_PASSWORD, "name or password is wrong")
    if account[0] == me.id:
        raise Refusal(ErrorCode.INVALID, "declare another account, not your own", "name", reason="oneself")
    if await services.rooms.room_of_user(account[0]) is not None:
        raise Refusal(ErrorCode.CONFLICT, "the account holds a seat; leave it first", reason="seated_elsewhere")
    async with services.archive.begin() as db:
        await bots.declare(db, me.id, account[0])
        declared = ProfileOut.model_validate(await accounts.person(db, account[0]))
    await services.rooms.void(account[0])  # tickets and access tokens of before do not know it for a bot
    return declared
