"""Tokens, and who is calling. Access tokens are short-lived and signed; refresh, device and personal tokens are random
secrets of which the archive keeps only a hash. No routes here.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any, Final, NamedTuple

import jwt
from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from app.api.people.scopes import operation_id, refuse_out_of_scope
from app.api.services import Services
from app.refusal import ErrorCode, Refusal
from app.storage.archive.people import accounts, personal_tokens
from app.storage.archive.people.accounts import User
from app.storage.archive.people.tokens import digest
from app.tables.ports import Person

ACCESS: Final = timedelta(minutes=15)
REFRESH: Final = timedelta(days=60)
PERSONAL: Final = "qzt_"
"""The beginning of every personal token, by which it is told from an access token."""
_AUDIENCE: Final = "quezhuo"
_bearer = HTTPBearer(
    auto_error=False, bearerFormat="JWT", description="Access token from sign-in or refresh, or a personal token."
)


class Claims(NamedTuple):
    """The content of an access token. `person`: name and avatar when it was signed; None for a muted user."""

    user: str
    session: str
    person: Person | None


def access_token(services: Services, user: User, session_id: str) -> str:
    """A signed token that names the caller, good for `ACCESS`."""
    claims: dict[str, Any] = {"aud": _AUDIENCE, "sub": user.id, "sid": session_id, "exp": services.now() + ACCESS}
    if not user.muted:
        claims |= {"name": user.name, "avatar": user.avatar, "bot": user.bot}
    return jwt.encode(claims, services.settings.secret.get_secret_value(), "HS256")


def read_access_token(services: Services, token: str) -> Claims:
    """The content of an access token, if it is ours and has not expired. Raises Refusal not_signed_in."""
    try:
        claims = jwt.decode(
            token,
            services.settings.secret.get_secret_value(),
            ["HS256"],
            audience=_AUDIENCE,
            options={"require": ["exp", "sub", "sid"], "verify_exp": False},
        )
        user_id, session_id, expires = str(claims["sub"]), str(claims["sid"]), int(claims["exp"])
        known = "name" in claims and "avatar" in claims
        person = None
        if known:
            person = Person(user_id, str(claims["name"]), str(claims["avatar"]), claims.get("bot") is True)
    except (jwt.InvalidTokenError, ValueError, TypeError):
        raise Refusal(ErrorCode.NOT_SIGNED_IN, "the access token is not valid") from None
    if expires <= services.now().timestamp():
        raise Refusal(ErrorCode.NOT_SIGNED_IN, "the access token has expired; refresh it")
    return Claims(user_id, session_id, person)


async def services_of(request: Request) -> Services:
    """The services that the composition root gave to this app. Not `async`, it would run on another thread."""
    services: Services = request.app.state.services
    return services


ServicesDep = Annotated[Services, Depends(services_of)]


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller and their session."""

    user: User
    session_id: str
    now: datetime

    @property
    def id(self) -> str:
        return self.user.id

    @property
    def person(self) -> Person:
        """The caller as tables know people."""
        return Person(self.user.id, self.user.name, self.user.avatar, self.user.bot)


async def calling(services: Services, token: str) -> Caller:
    """The user that an access token names. Raises Refusal: not_signed_in, banned."""
    claims, now = read_access_token(services, token), services.now()
    user = await accounts.caller(services.archive, claims.user, claims.session, now)
    if user is None:
        raise Refusal(ErrorCode.NOT_SIGNED_IN, "this session has ended")
    return Caller(user, claims.session, now)


async def _access_token(bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]) -> str | None:
    return None if bearer is None else bearer.credentials


AccessToken = Annotated[str | None, Depends(_access_token)]
"""The access token that came with the request, unread; None: none came."""


async def remote_address(request: Request) -> str:
    """The client's address behind trusted proxies, for budgets of addresses."""
    return request.client.host if request.client else "unknown"


RemoteAddress = Annotated[str, Depends(remote_address)]


async def _caller(request: Request, services: ServicesDep, token: AccessToken, remote: RemoteAddress) -> Caller:
    if token is None:
        raise Refusal(ErrorCode.NOT_SIGNED_IN)
    if token.startswith(PERSONAL):
        return await _bearer_of(services, token, operation_id(request.scope["route"]), remote)
    return await calling(services, token)


async def _bearer_of(services: Services, token: str, operation: str, remote: str) -> Caller:
    """The user of a personal token, if its scopes allow the operation. Wrong tokens are counted by address."""
    now = services.now()
    await services.limiter.spend("bearer", address=remote)
    found = await personal_tokens.bearer(services.archive, digest(token), now)
    if found is None:
        raise Refusal(ErrorCode.NOT_SIGNED_IN, "the personal token is unknown, revoked or out of date")
    await services.limiter.give_back("bearer", address=remote)
    refuse_out_of_scope(operation, found.scopes)
    await services.limiter.spend("personal_token", user=found.user.id)
    return Caller(found.user, found.session_id, now)


CurrentUser = Annotated[Caller, Depends(_caller)]
"""The signed-in caller. Raises Refusal: not_signed_in, banned; of a personal token also forbidden, rate_limited."""
