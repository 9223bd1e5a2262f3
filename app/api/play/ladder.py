"""The ladder (等级): the best, my place and my neighbours, per season or in total. Levels are the variant's data."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query

from app.api.people.identity import CurrentUser, ServicesDep
from app.api.play.past import LadderOut, MyStandingOut
from app.api.services import Services
from app.kernel.variant import LadderRow
from app.refusal import ErrorCode, not_found
from app.rest.bodies import Limit, SlugPath
from app.rest.errors import signed_in
from app.storage.archive.play import ladder
from app.storage.archive.play.seasons import season_of

router = APIRouter(prefix="/ladder", tags=["ladder"])

_NEIGHBOURS = 5
Season = Annotated[
    str | None,
    Query(pattern=r"^(total|20[0-9]{2}Q[1-4])$", description="`total`, or a quarter; the running one when absent."),
]


def level_of(rows: tuple[LadderRow, ...], points: int) -> LadderRow:
    """The highest level whose threshold is reached, thresholds inclusive (TJ-15.1)."""
    reached = rows[0]
    for row in rows:
        if row.threshold is None or points >= row.threshold:
            reached = row
    return reached


@router.get("/{slug}", responses=signed_in(ErrorCode.NOT_FOUND))
async def the_best(
    slug: SlugPath, me: CurrentUser, services: ServicesDep, season: Season = None, limit: Limit = 20
) -> LadderOut:
    """The best of a season, by gain, or of all time."""
    rows = _levels(services, slug)
    board = season or season_of(me.now)
    async with services.archive.read() as db:
        best = await ladder.top(db, slug, board, limit)
        totals = await ladder.totals(db, slug, [row["user_id"] for row in best])
    return LadderOut.model_validate({"variant": slug, "season": board, "items": _standings(rows, best, totals)})


@router.get("/{slug}/me", responses=signed_in(ErrorCode.NOT_FOUND))
async def my_standing(slug: SlugPath, me: CurrentUser, services: ServicesDep, season: Season = None) -> MyStandingOut:
    """My level, my rank, and those just above and below me."""
    rows = _levels(services, slug)
    board = season or season_of(me.now)
    async with services.archive.read() as db:
        near = await ladder.neighbours(db, slug, board, me.id, _NEIGHBOURS)
        totals = await ladder.totals(db, slug, [me.id, *[row["user_id"] for row in near]])
    level = level_of(rows, totals.get(me.id, 0))
    standings = _standings(rows, near, totals)
    return MyStandingOut.model_validate(
        {
            "variant": slug,
            "season": board,
            "level": level.level,
            "level_name": level.name,
            "points": totals.get(me.id, 0),
            "me": next((row for row in standings if row["user_id"] == me.id), None),
            "neighbours": [row for row in standings if row["user_id"] != me.id],
        }
    )


def _levels(services: Services, slug: str) -> tuple[LadderRow, ...]:
    variant = services.variants.get(slug)
    if variant is None or not variant.meta.ladder:
        raise not_found("ladder")
    return variant.meta.ladder


def _standings(
    rows: tuple[LadderRow, ...], board: list[dict[str, Any]], totals: dict[str, int]
) -> list[dict[str, Any]]:
    levels = [level_of(rows, totals.get(row["user_id"], 0)) for row in board]
    return [{**row, "level": level.level, "level_name": level.name} for row, level in zip(board, levels, strict=True)]
