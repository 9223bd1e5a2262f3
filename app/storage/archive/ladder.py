"""The ladder (等级): moving points, ranks, neighbours, the top. Levels are the variant's data, not known here.

A rank counts those with strictly more points: equal points share it. It comes out of `ladder_counts` (see the schema).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Select, func, insert, literal, select, text, tuple_
from sqlalchemy.dialects.postgresql import insert as upsert

from app.storage.archive.engine import Db
from app.storage.archive.schema import ladder, ladder_adjustments, users
from app.storage.archive.schema.columns import new_id
from app.storage.archive.seasons import TOTAL, season_of

_RANKS: Final = text(
    """
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
    FROM unnest(CAST(:points AS bigint[])) AS p
    """
)
"""Three ranges of the primary key, of at most 256 rows each below the top level."""


async def move(db: Db, variant: str, gains: Mapping[str, int], at: datetime) -> None:
    """Add each user's points to his running total and to his gain in the season of `at`.

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
    """A player's points on a board, None when he never played for it."""
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


async def ranks(db: Db, variant: str, season: str, points: Iterable[int]) -> dict[int, int]:
    """Points → the rank, from 1, of somebody with these points."""
    asked = {"variant": variant, "season": season, "points": sorted(set(points))}
    return {int(row.p): int(row.rank) for row in await db.execute(_RANKS, asked)}


async def counted_rank(db: Db, variant: str, season: str, points: int) -> int:
    """The same rank by counting everybody above: slow, for checking."""
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


async def neighbours(
    db: Db, variant: str, season: str, user_id: str, points: int, each_way: int
) -> list[dict[str, Any]]:
    """Those just above, the player himself, those just below: user_id, name, avatar, points, rank."""
    mine = tuple_(literal(points), literal(user_id))
    place = tuple_(ladder.c.points, ladder.c.user_id)
    board = _board(variant, season)
    above = board.where(place > mine).order_by(ladder.c.points, ladder.c.user_id).limit(each_way)
    below = board.where(place <= mine).order_by(ladder.c.points.desc(), ladder.c.user_id.desc()).limit(each_way + 1)
    rows = [dict(row) for row in (await db.execute(above)).mappings()][::-1]
    rows += [dict(row) for row in (await db.execute(below)).mappings()]
    places = await ranks(db, variant, season, [row["points"] for row in rows])
    for row in rows:
        row["rank"] = places[row["points"]]
    return rows


def _board(variant: str, season: str) -> Select[Any]:
    return (
        select(ladder.c.user_id, users.c.name, users.c.avatar, ladder.c.points)
        .join(users)
        .where(ladder.c.variant == variant, ladder.c.season == season)
    )
