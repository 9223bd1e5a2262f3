"""The ladder (等级): moving points, ranks, neighbours, the top. Levels are the variant's data, not known here.

A rank counts those with strictly more points: equal points share it. It comes out of `ladder_counts` (see the schema).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cache
from typing import Any, Final

from sqlalchemy import Select, TextClause, func, insert, select, text
from sqlalchemy.dialects.postgresql import insert as upsert

from app.storage.archive.engine import Db
from app.storage.archive.play.seasons import TOTAL, season_of
from app.storage.archive.schema import ladder, ladder_adjustments, users
from app.storage.archive.schema.columns import new_id

_NEAR: Final = """
    WITH mine AS (
        SELECT points FROM ladder WHERE variant = :variant AND season = :season AND user_id = :user_id
    ), near AS (
        (SELECT user_id, points FROM ladder
         WHERE variant = :variant AND season = :season AND (points, user_id) > ((SELECT points FROM mine), :user_id)
         ORDER BY points, user_id LIMIT {above})
        UNION ALL
        (SELECT user_id, points FROM ladder
         WHERE variant = :variant AND season = :season AND (points, user_id) <= ((SELECT points FROM mine), :user_id)
         ORDER BY points DESC, user_id DESC LIMIT {below})
    ), places AS (
        SELECT p, 1 + COALESCE((
            SELECT sum(players) FROM ladder_counts
            WHERE variant = :variant AND season = :season AND level = 2 AND bucket > p >> 16
        ), 0) + COALESCE((
            SELECT sum(players) FROM ladder_counts
            WHERE variant = :variant AND season = :season AND level = 1
              AND bucket > p >> 8 AND bucket < ((p >> 16) + 1) << 8
        ), 0) + COALESCE((
            SELECT sum(players) FROM ladder_counts
            WHERE variant = :variant AND season = :season AND level = 0
              AND bucket > p AND bucket < ((p >> 8) + 1) << 8
        ), 0) AS rank
        FROM (SELECT DISTINCT points AS p FROM near) AS asked
    )
    SELECT near.user_id, users.name, users.avatar, near.points, CAST(places.rank AS bigint) AS rank
    FROM near JOIN users ON users.id = near.user_id JOIN places ON places.p = near.points
    ORDER BY near.points DESC, near.user_id DESC
"""
"""One way to the database and back. A rank is three ranges of a primary key, of at most 256 rows below the top level.

The limits are written out: with unknown ones no plan is good for every call, and each call is planned anew.
"""


@cache
def _near(each_way: int) -> TextClause:
    return text(_NEAR.format(above=int(each_way), below=int(each_way) + 1))


async def move(db: Db, variant: str, gains: Mapping[str, int], at: datetime) -> None:
    """Add each user's points to their running total and to their gain in the season of `at`.

    Users in order of id, so that two rounds never wait for each other crosswise.
    """
    rows = [
        {"variant": variant, "season": season, "user_id": user, "points": points}
        for season in (season_of(at), TOTAL)
        for user, points in sorted(gains.items())
    ]
    if not rows:
        return
    change = upsert(ladder).values(rows)
    await db.execute(
        change.on_conflict_do_update(
            index_elements=[ladder.c.variant, ladder.c.season, ladder.c.user_id],
            set_={"points": ladder.c.points + change.excluded.points},
        )
    )


async def adjust(db: Db, variant: str, user_id: str, points: int, reason: str, by: str, at: datetime) -> int:
    """An operator's correction, kept with its reason. Returns the new total."""
    await db.execute(
        insert(ladder_adjustments).values(
            id=new_id(), variant=variant, user_id=user_id, points=points, reason=reason, adjusted_by=by, created_at=at
        )
    )
    await move(db, variant, {user_id: points}, at)
    return await points_of(db, variant, TOTAL, user_id) or 0


async def points_of(db: Db, variant: str, season: str, user_id: str) -> int | None:
    """A player's points on a board, None when they never played for it."""
    query = select(ladder.c.points).where(
        ladder.c.variant == variant, ladder.c.season == season, ladder.c.user_id == user_id
    )
    return (await db.execute(query)).scalar_one_or_none()


async def totals(db: Db, variant: str, user_ids: Iterable[str]) -> dict[str, int]:
    """User → running total, for those who have one."""
    query = select(ladder.c.user_id, ladder.c.points).where(
        ladder.c.variant == variant, ladder.c.season == TOTAL, ladder.c.user_id.in_(list(user_ids))
    )
    return {row.user_id: row.points for row in await db.execute(query)}


async def counted_rank(db: Db, variant: str, season: str, points: int) -> int:
    """The rank for a number of points, counted over all users above: slow, for checking."""
    above = select(func.count()).where(ladder.c.variant == variant, ladder.c.season == season, ladder.c.points > points)
    return 1 + int((await db.execute(above)).scalar_one())


async def top(db: Db, variant: str, season: str, limit: int) -> list[dict[str, Any]]:
    """The best: user_id, name, avatar, points, rank."""
    query = _board(variant, season).order_by(ladder.c.points.desc(), ladder.c.user_id.desc()).limit(limit)
    rows = [dict(row) for row in (await db.execute(query)).mappings()]
    for place, row in enumerate(rows):
        tied = place > 0 and row["points"] == rows[place - 1]["points"]
        row["rank"] = rows[place - 1]["rank"] if tied else place + 1
    return rows


async def neighbours(db: Db, variant: str, season: str, user_id: str, each_way: int) -> list[dict[str, Any]]:
    """The players just above, the player, those just below: user_id, name, avatar, points, rank.

    Empty for a player who is not on the board.
    """
    asked = {"variant": variant, "season": season, "user_id": user_id}
    return [dict(row) for row in (await db.execute(_near(each_way), asked)).mappings()]


def _board(variant: str, season: str) -> Select[Any]:
    return (
        select(ladder.c.user_id, users.c.name, users.c.avatar, ladder.c.points)
        .join(users)
        .where(ladder.c.variant == variant, ladder.c.season == season)
    )
