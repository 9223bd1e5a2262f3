"""Signals of collusion in ranked rooms, for operators to look at: no proof, and nothing follows from them (S15)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlalchemy import text

from app.storage.archive.engine import Db
from app.storage.archive.paging import Row

ONE_WAY: Final = 0.8
"""The least part of all points between two people that must have gone one way."""

_TOGETHER: Final = text(
    """
    WITH pairs AS (
        SELECT least(one.user_id, other.user_id) AS a, greatest(one.user_id, other.user_id) AS b,
               one.round_id, one.ended_at, share
        FROM linked_seats link
        JOIN round_seats one ON one.round_id = link.round_id AND one.seat = link.seat
        JOIN round_seats other ON other.round_id = link.round_id AND other.seat = link.other
        CROSS JOIN LATERAL unnest(link.shares) AS share
        WHERE one.ended_at >= :since AND one.user_id IS NOT NULL AND other.user_id IS NOT NULL
    )
    SELECT pairs.a, ua.name AS a_name, pairs.b, ub.name AS b_name, array_agg(DISTINCT share ORDER BY share) AS shares,
           count(DISTINCT round_id) AS rounds, max(pairs.ended_at) AS last_at
    FROM pairs JOIN users ua ON ua.id = pairs.a JOIN users ub ON ub.id = pairs.b
    GROUP BY pairs.a, ua.name, pairs.b, ub.name
    ORDER BY rounds DESC, last_at DESC, a, b LIMIT :limit
    """
)
_ONE_SIDED: Final = text(
    """
    WITH pairs AS (
        SELECT one.user_id AS a, other.user_id AS b, one.round_id,
               COALESCE(sum(line.points) FILTER (WHERE line.payer = one.seat), 0) AS a_to_b,
               COALESCE(sum(line.points) FILTER (WHERE line.payee = one.seat), 0) AS b_to_a
        FROM rounds
        JOIN round_seats one ON one.round_id = rounds.id
        JOIN round_seats other ON other.round_id = rounds.id AND other.seat <> one.seat
        LEFT JOIN ledger_lines line ON line.round_id = rounds.id
            AND (line.payer, line.payee) IN ((one.seat, other.seat), (other.seat, one.seat))
        WHERE rounds.circle_id IS NULL AND rounds.ranked AND rounds.ended_at >= :since
        GROUP BY one.user_id, other.user_id, one.round_id
    ), sums AS (
        SELECT a, b, count(*) AS rounds, sum(a_to_b)::bigint AS a_to_b, sum(b_to_a)::bigint AS b_to_a
        FROM pairs GROUP BY a, b
    )
    SELECT sums.a, ua.name AS a_name, sums.b, ub.name AS b_name, rounds, a_to_b, b_to_a
    FROM sums JOIN users ua ON ua.id = sums.a JOIN users ub ON ub.id = sums.b
    WHERE rounds >= :least_rounds AND a_to_b > b_to_a AND a_to_b >= :one_way * (a_to_b + b_to_a)
    ORDER BY a_to_b - b_to_a DESC, a, b LIMIT :limit
    """
)


async def seated_together(db: Db, since: datetime, limit: int) -> list[Row]:
    """Pairs who shared an address, a device or a circle at a ranked table: a, b ({id, name}), shares, rounds, last_at.

    The pair with most rounds first. These rounds did not count.
    """
    return [_pair(row) for row in (await db.execute(_TOGETHER, {"since": since, "limit": limit})).mappings()]


async def one_sided(db: Db, since: datetime, least_rounds: int, limit: int) -> list[Row]:
    """Pairs between whom points of ranked rounds went one way: a, b ({id, name}), rounds, a_to_b, b_to_a in points.

    a paid more. Only pairs with at least `least_rounds` rounds together, between whom at least `ONE_WAY` of all points
    went that way; the largest difference first.
    """
    given = {"since": since, "least_rounds": least_rounds, "one_way": ONE_WAY, "limit": limit}
    return [_pair(row) for row in (await db.execute(_ONE_SIDED, given)).mappings()]


def _pair(row: Any) -> Row:
    people = {who: {"id": row[who], "name": row[f"{who}_name"]} for who in ("a", "b")}
    return {**{name: value for name, value in row.items() if not name.endswith("_name")}, **people}
