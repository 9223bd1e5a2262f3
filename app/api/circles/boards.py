"""A circle's results: history, board by period, a member's statistics, dealer and 坐庄 / 拉庄 history."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from app.api.circles.bodies import BoardOut
from app.api.circles.circle import FOR_MEMBERS
from app.api.people.identity import CurrentUser, ServicesDep
from app.api.play.history import VariantQuery, Wanted
from app.api.play.past import DealingsOut, MatchesOut, StatisticsListOut
from app.refusal import not_found
from app.rest.bodies import Cursor, IdPath, Limit
from app.storage.archive.circles import circles
from app.storage.archive.play import history, statistics
from app.storage.archive.play.seasons import start_of

router = APIRouter(prefix="/circles/{circle}", tags=["circles"])


@router.get("/matches", responses=FOR_MEMBERS)
async def matches(
    circle: IdPath, me: CurrentUser, services: ServicesDep, wanted: Wanted, cursor: Cursor = None, limit: Limit = 20
) -> MatchesOut:
    """The circle's matches, newest first. Filters look at their rounds."""
    async with services.archive.read() as db:
        await circles.require_permission(db, circle, me.id, "see")
        items, following = await history.matches_of_circle(db, circle, wanted, cursor, limit)
    return MatchesOut.model_validate({"items": items, "cursor": following})


@router.get("/leaderboard", responses=FOR_MEMBERS)
async def leaderboard(
    circle: IdPath,
    me: CurrentUser,
    services: ServicesDep,
    period: Annotated[Literal["day", "week", "month", "quarter", "all"], Query()] = "week",
    variant: VariantQuery = None,
    limit: Limit = 50,
) -> BoardOut:
    """The circle's best by net since the period began; days, weeks and months are those of Asia/Shanghai."""
    since = start_of(period, me.now)
    async with services.archive.read() as db:
        await circles.require_permission(db, circle, me.id, "see")
        items = await statistics.board_of_circle(db, circle, since, variant, limit)
    return BoardOut.model_validate({"period": period, "since": since, "items": items})


@router.get("/members/{user}/statistics", responses=FOR_MEMBERS)
async def member_statistics(circle: IdPath, user: IdPath, me: CurrentUser, services: ServicesDep) -> StatisticsListOut:
    """A member's statistics in this circle, per game."""
    async with services.archive.read() as db:
        await circles.require_permission(db, circle, me.id, "see")
        if await circles.role_of(db, circle, user) is None:
            raise not_found("member")
        return StatisticsListOut.model_validate({"items": await statistics.of_player(db, user, circle)})


@router.get("/dealings", responses=FOR_MEMBERS)
async def dealings(
    circle: IdPath,
    me: CurrentUser,
    services: ServicesDep,
    variant: VariantQuery = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> DealingsOut:
    """Dealer, 坐庄 and 拉庄 history of the circle, newest first."""
    async with services.archive.read() as db:
        await circles.require_permission(db, circle, me.id, "see")
        items, following = await history.dealings_of_circle(db, circle, variant, cursor, limit)
    return DealingsOut.model_validate({"items": items, "cursor": following})
