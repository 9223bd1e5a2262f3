"""Pairs that never sit at one table of the circle. Only owner and managers see them: a player is not shown who avoids
them.
"""

from __future__ import annotations

from fastapi import APIRouter, Response

from app.api.circles.bodies import PairsOut, SeparatePair
from app.api.circles.circle import by_role
from app.api.people.identity import CurrentUser, ServicesDep
from app.refusal import ErrorCode
from app.rest.bodies import IdPath
from app.storage.archive.circles import circles

router = APIRouter(prefix="/circles/{circle}/apart", tags=["circles"])


@router.get("", responses=by_role())
async def pairs(circle: IdPath, me: CurrentUser, services: ServicesDep) -> PairsOut:
    """The pairs, newest first."""
    async with services.archive.read() as db:
        await circles.require_permission(db, circle, me.id, "apart")
        return PairsOut.model_validate({"items": await circles.apart_pairs(db, circle)})


@router.post("", status_code=204, response_class=Response, responses=by_role(ErrorCode.CONFLICT))
async def keep_apart(circle: IdPath, pair: SeparatePair, me: CurrentUser, services: ServicesDep) -> None:
    """Keep two members apart from now on; who sits together already is not moved."""
    async with services.archive.begin() as db:
        await circles.require_permission(db, circle, me.id, "apart", change=True)
        await circles.keep_apart(db, circle, pair.a, pair.b)


@router.delete("/{a}/{b}", status_code=204, response_class=Response, responses=by_role())
async def let_together(circle: IdPath, a: IdPath, b: IdPath, me: CurrentUser, services: ServicesDep) -> None:
    """Let two members sit together again; in either order, and without such a pair nothing happens."""
    async with services.archive.begin() as db:
        await circles.require_permission(db, circle, me.id, "apart", change=True)
        await circles.let_together(db, circle, a, b)
