"""Sums over finished play: a player's statistics per variant, a circle's board and members. Reads only.

Void and failed rounds count nowhere.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, func, select

from app.storage.archive.engine import Db
from app.storage.archive.paging import Row
from app.storage.archive.schema import round_seats, rounds, users

_ROUNDS = func.count().label("rounds")
_WINS = func.count().filter(round_seats.c.won).label("wins")
COUNTED = rounds.c.outcome.in_(("won", "exhausted"))
_NET = func.coalesce(func.sum(round_seats.c.net), 0).label("net")


async def of_player(db: Db, user_id: str, circle_id: str | None = None) -> list[Row]:
    """Per variant: sums, win_rate, the favourite pattern (番, None without a win), the biggest round."""
    mine = [round_seats.c.user_id == user_id, COUNTED]
    if circle_id is not None:
        mine.append(rounds.c.circle_id == circle_id)
    dealt = func.count().filter(round_seats.c.seat == rounds.c.dealer).label("dealer_rounds")
    query = (
        select(rounds.c.variant, _ROUNDS, _WINS, dealt, _NET)
        .join(round_seats)
        .where(*mine)
        .group_by(rounds.c.variant)
        .order_by(rounds.c.variant)
    )
    sums = [dict(row) for row in (await db.execute(query)).mappings()]
    favourites, biggest = await _favourites(db, mine), await _biggest(db, mine)
    for row in sums:
        row["win_rate"] = round(row["wins"] / row["rounds"], 4)
        row["favourite"] = favourites.get(row["variant"])
        row["biggest"] = biggest.get(row["variant"])
    return sums


async def _favourites(db: Db, mine: list[ColumnElement[bool]]) -> dict[str, Row]:
    """Variant → the pattern (番) won with most often: pattern, times."""
    pattern = func.unnest(round_seats.c.patterns).label("pattern")
    each = select(rounds.c.variant, pattern).join(round_seats).where(*mine).subquery()
    times = func.count().label("times")
    query = (
        select(each.c.variant, each.c.pattern, times)
        .group_by(each.c.variant, each.c.pattern)
        .distinct(each.c.variant)
        .order_by(each.c.variant, times.desc(), each.c.pattern)
    )
    return {row.variant: {"pattern": row.pattern, "times": row.times} for row in await db.execute(query)}


async def _biggest(db: Db, mine: list[ColumnElement[bool]]) -> dict[str, Row]:
    """Variant → the round that brought most."""
    query = (
        select(rounds.c.variant, rounds.c.id, round_seats.c.net)
        .join(round_seats)
        .where(*mine)
        .distinct(rounds.c.variant)
        .order_by(rounds.c.variant, round_seats.c.net.desc(), rounds.c.ended_at)
    )
    return {row.variant: {"round_id": row.id, "net": row.net} for row in await db.execute(query)}


async def of_players(db: Db, variant: str, user_ids: list[str]) -> dict[str, tuple[int, int]]:
    """User → rounds and wins in one game, for those who have played it."""
    query = (
        select(round_seats.c.user_id, _ROUNDS, _WINS)
        .join(rounds)
        .where(rounds.c.variant == variant, round_seats.c.user_id.in_(user_ids), COUNTED)
        .group_by(round_seats.c.user_id)
    )
    return {row.user_id: (row.rounds, row.wins) for row in await db.execute(query)}


async def board_of_circle(db: Db, circle_id: str, since: datetime | None, variant: str | None, limit: int) -> list[Row]:
    """A circle's best since a moment, by net: user_id, name, avatar, rounds, wins, net, rank (equal nets share it)."""
    conditions = [rounds.c.circle_id == circle_id, COUNTED, round_seats.c.user_id.is_not(None)]
    if since is not None:
        conditions.append(rounds.c.ended_at >= since)
    if variant is not None:
        conditions.append(rounds.c.variant == variant)
    query = (
        select(
            users.c.id.label("user_id"), users.c.name, users.c.avatar, _ROUNDS, _WINS, _NET,
            func.rank().over(order_by=func.sum(round_seats.c.net).desc()).label("rank"),
        )
        .select_from(round_seats)
        .join(rounds)
        .join(users)
        .where(*conditions)
        .group_by(users.c.id)
        .order_by(_NET.desc(), users.c.id)
        .limit(limit)
    )  # fmt: skip
    return [dict(row) for row in (await db.execute(query)).mappings()]


async def of_members(db: Db, circle_id: str, user_ids: list[str]) -> dict[str, dict[str, Any]]:
    """User → their totals in the circle: rounds, wins, net, last_played_at."""
    query = (
        select(round_seats.c.user_id, _ROUNDS, _WINS, _NET, func.max(rounds.c.ended_at).label("last_played_at"))
        .join(rounds)
        .where(rounds.c.circle_id == circle_id, round_seats.c.user_id.in_(user_ids), COUNTED)
        .group_by(round_seats.c.user_id)
    )
    return {row["user_id"]: dict(row) for row in (await db.execute(query)).mappings()}
