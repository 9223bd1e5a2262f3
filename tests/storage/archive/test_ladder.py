"""Ranks are exact after any change of points, and the counts behind them never drift."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import insert, select, text

from app.storage.archive.engine import Archive
from app.storage.archive.play import ladder as ladders
from app.storage.archive.play.seasons import SHANGHAI, TOTAL, season_of, start_of
from app.storage.archive.schema import ladder, users
from tests.storage.archive.documents import NOON

_DRIFT = text(
    """
    SELECT count(*) FROM (
        SELECT level, bucket, players FROM ladder_counts WHERE season = 'total' AND players <> 0
        EXCEPT
        SELECT level, points >> (8 * level), count(*) FROM ladder, generate_series(0, 2) AS level
        WHERE season = 'total' GROUP BY 1, 2
    ) AS wrong
    """
)


async def test_ranks_are_those_of_a_plain_count_after_many_moves(archive: Archive) -> None:
    chance = random.Random(7)
    people = [f"p{n}" for n in range(300)]
    points = dict.fromkeys(people, 0)
    async with archive.begin() as db:
        await db.execute(insert(users), [{"id": p, "name": p, "name_key": p, "avatar": ""} for p in people])
        for _ in range(40):
            some = {p: chance.choice([-70_000, -300, -1, 1, 255, 256, 65_536]) for p in chance.sample(people, 20)}
            await ladders.move(db, "tianjin", some, NOON)
            for person, gain in some.items():
                points[person] += gain
        await db.execute(ladder.delete().where(ladder.c.user_id == "p0"))
        await db.execute(ladder.update().where(ladder.c.user_id == "p1").values(points=123_456))
        kept = {row.user_id: row.points for row in await db.execute(select(ladder).where(ladder.c.season == TOTAL))}
        told = await ladders.neighbours(db, "tianjin", TOTAL, "p1", len(kept))
        assert {row["user_id"]: (row["points"], row["rank"]) for row in told} == {
            user: (p, 1 + sum(other > p for other in kept.values())) for user, p in kept.items()
        }
        assert [row["user_id"] for row in told] == sorted(kept, key=lambda user: (kept[user], user), reverse=True)
        best = await ladders.top(db, "tianjin", TOTAL, 100)
        assert best == told[:100]
        assert (await db.execute(_DRIFT)).scalar_one() == 0


async def test_neighbours_are_the_nearest_on_both_sides_of_a_tie(archive: Archive) -> None:
    gains = {"ann": 90, "bob": 50, "cat": 50, "dan": 50, "eve": -300}
    async with archive.begin() as db:
        await ladders.move(db, "tianjin", gains, NOON)

        async def near(user: str, each_way: int) -> list[tuple[str, int]]:
            rows = await ladders.neighbours(db, "tianjin", TOTAL, user, each_way)
            return [(row["user_id"], row["rank"]) for row in rows]

        assert await near("cat", 1) == [("dan", 2), ("cat", 2), ("bob", 2)]
        assert await near("cat", 2) == [("ann", 1), ("dan", 2), ("cat", 2), ("bob", 2), ("eve", 5)]
        assert await near("eve", 0) == [("eve", 5)]
        assert await near("nobody", 5) == []
        assert await ladders.neighbours(db, "guizhou", TOTAL, "cat", 5) == []


async def test_an_adjustment_is_kept_with_its_reason(archive: Archive) -> None:
    async with archive.begin() as db:
        await ladders.move(db, "tianjin", {"ann": 100}, NOON)
        assert await ladders.adjust(db, "tianjin", "ann", -40, "collusion", "op", NOON) == 60
        row = (await db.execute(text("SELECT points, reason, adjusted_by FROM ladder_adjustments"))).one()
    assert tuple(row) == (-40, "collusion", "op")


@given(st.datetimes(timezones=st.just(SHANGHAI), min_value=datetime(2000, 1, 1)))
def test_a_period_began_at_a_midnight_before(now: datetime) -> None:
    starts = [start_of(period, now) for period in ("day", "week", "month", "quarter")]
    for start in starts:
        assert start is not None and start <= now and (start.hour, start.minute) == (0, 0)
    day, week, month, quarter = starts
    assert day and week and month and quarter
    assert now - day < timedelta(days=1) and week.weekday() == 0 and month.day == 1 and quarter.month in (1, 4, 7, 10)
    assert season_of(now) == season_of(quarter) == f"{now.year}Q{(now.month - 1) // 3 + 1}"
