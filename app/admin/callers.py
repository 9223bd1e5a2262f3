"""Identifies the caller of a request: an operator by the token, or the facts known of anybody else. No log, no routes.

For an invalid token the log gets its id when there is one, else the beginning of its hash: enough to see that
two calls came with the same one, useless for a third.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from typing import Any, Final

from fastapi import Request

from app.admin.services import AdminServices
from app.storage.archive.operators import operators
from app.storage.archive.operators.operators import Operator
from app.storage.archive.operators.scopes import SCOPES
from app.storage.archive.people.tokens import digest

NO_TOKEN: Final = "no token"
UNKNOWN_TOKEN: Final = "unknown token"
DEPLOYMENT: Final = "deployment"
_SHOWN: Final = 8
"""Number of characters of a token's id, or of its hash, in the log."""


@dataclass(frozen=True, slots=True)
class Calling:
    """The caller. `name` as in the log; `trace`: further facts (remote, token, refused), as short texts."""

    operator: Operator | None
    name: str
    trace: dict[str, Any] = field(default_factory=dict)


async def identify(services: AdminServices, token: str) -> Operator | None:
    """The operator behind a token: one of the archive's, or the deployment's own (`MJ_ADMIN_TOKEN`)."""
    own = services.settings.admin_token
    if own is not None and hmac.compare_digest(own.get_secret_value().encode(), token.encode()):
        return Operator(None, DEPLOYMENT, "admin", frozenset(SCOPES))
    async with services.archive.read() as db:
        return await operators.operator_of(db, digest(token), services.now())


async def calling(services: AdminServices, request: Request) -> Calling:
    """The caller of this request. Raises Refusal rate_limited for an address that guesses tokens."""
    trace: dict[str, Any] = {"remote": request.client.host if request.client else "unknown"}
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token:
        return Calling(None, NO_TOKEN, trace)
    await services.limiter.spend("bearer", address=trace["remote"])
    operator = await identify(services, token)
    if operator is not None:
        await services.limiter.give_back("bearer", address=trace["remote"])
        return Calling(operator, operator.name, {**trace, "token": operator.token_id[:_SHOWN]})
    async with services.archive.read() as db:
        known = await operators.spent_token(db, digest(token), services.now())
    if known is None:
        return Calling(None, UNKNOWN_TOKEN, {**trace, "token_hash": digest(token).hex()[:_SHOWN]})
    return Calling(None, known["name"], {**trace, "token": known["id"][:_SHOWN], "refused": known["why"]})
