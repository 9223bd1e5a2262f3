"""Personal tokens: long-lived, with scopes, for a player's own programs."""

from __future__ import annotations

from datetime import timedelta

from fastapi import APIRouter, Response

from app.api.people.bodies import MakeToken, PersonalTokensOut, TokenMadeOut
from app.api.people.identity import PERSONAL, CurrentUser, ServicesDep
from app.refusal import ErrorCode
from app.rest.bodies import IdPath
from app.rest.errors import signed_in
from app.storage.archive.people import personal_tokens
from app.storage.archive.people.tokens import digest, new_secret

router = APIRouter(prefix="/me/tokens", tags=["me"])


@router.get("", responses=signed_in(ErrorCode.FORBIDDEN))
async def my_tokens(me: CurrentUser, services: ServicesDep) -> PersonalTokensOut:
    """My personal tokens that work, newest first; at most 10."""
    async with services.archive.read() as db:
        return PersonalTokensOut.model_validate({"items": await personal_tokens.listed(db, me.id, me.now)})


@router.post("", status_code=201, responses=signed_in(ErrorCode.FORBIDDEN, ErrorCode.CONFLICT))
async def make_token(asked: MakeToken, me: CurrentUser, services: ServicesDep) -> TokenMadeOut:
    """A long-lived token for a program of mine. It is shown once: only its hash is kept.

    It ends at its date, when it is revoked, with my other sessions (a new password, sign-out everywhere) and with me.
    """
    await services.limiter.spend("token_made", user=me.id)
    secret = PERSONAL + new_secret()
    async with services.archive.begin() as db:
        made = await personal_tokens.create(
            db, me.id, me.session_id, asked.label, digest(secret), asked.scopes,
            now=me.now, expires_at=me.now + timedelta(days=asked.days),
        )  # fmt: skip
    return TokenMadeOut.model_validate({**made, "token": secret})


@router.delete(
    "/{token}", status_code=204, response_class=Response, responses=signed_in(ErrorCode.FORBIDDEN, ErrorCode.NOT_FOUND)
)
async def revoke_token(token: IdPath, me: CurrentUser, services: ServicesDep) -> None:
    """End one of my tokens, with the sockets and streams that it opened."""
    async with services.archive.begin() as db:
        await personal_tokens.revoke_token(db, me.id, token, me.now)
    await services.rooms.void(me.id)
