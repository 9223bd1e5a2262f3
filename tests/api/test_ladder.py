"""The ladder over REST: levels, seasons, ranks, neighbours."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from app.api.play.ladder import level_of
from app.storage.archive.engine import Archive
from app.storage.archive.play import ladder
from app.variants import VARIANTS
from tests.api.conftest import StandingClock

LEVELS = VARIANTS["tianjin"].meta.ladder
THRESHOLDS = [
    100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 800_000, 1_200_000,
    2_000_000, 3_000_000,
]  # fmt: skip


@pytest.mark.parametrize(
    ("points", "level"),
    [
        (-(10**9), 1), (0, 1),
        *[(threshold - 1, at + 1) for at, threshold in enumerate(THRESHOLDS)],
        *[(threshold, at + 2) for at, threshold in enumerate(THRESHOLDS)],
        (10**9, 17),
    ],
)  # fmt: skip
def test_thresholds_are_inclusive(points: int, level: int) -> None:
    """TJ-15.1, TJ-15.2."""
    assert level_of(LEVELS, points).level == level


def test_the_seventeen_levels_are_those_of_the_page() -> None:
    """TJ-15.1, TJ-15.3: names as written, 西 before 南."""
    winds = ["东风", "西风", "南风", "北风"]
    names = ["白板", *[f"{n}万" for n in "一二三四五六七八九"], *winds, "中", "发", "雀神"]
    assert [(row.level, row.name, row.threshold) for row in LEVELS] == [
        (level, name, threshold)
        for level, (name, threshold) in enumerate(zip(names, [None, *THRESHOLDS], strict=True), start=1)
    ]


async def test_those_at_a_table_see_each_others_level_and_rounds_and_strangers_do_not(
    guest: Any, archive: Archive
) -> None:
    anna, boris, cleo = [await guest(name) for name in ("安娜", "鲍里斯", "克莱奥")]
    async with archive.begin() as db:
        await ladder.move(db, "tianjin", {boris.id: 250}, datetime(2026, 11, 1, tzinfo=UTC))
    room = await anna.post("/rooms", {"variant": "tianjin"})
    await boris.get(f"/codes/{room['code']}")
    await boris.post(f"/rooms/{room['id']}/join", {})
    told = {row["user"]: row for row in (await anna.get(f"/rooms/{room['id']}/players"))["items"]}
    assert told.keys() == {anna.id, boris.id}
    assert (told[boris.id]["level"], told[boris.id]["level_name"]) == (3, "二万")
    assert (told[anna.id]["level_name"], told[anna.id]["rounds"], told[anna.id]["win_rate"]) == ("白板", 0, 0.0)
    refused = await cleo.refused("GET", f"/rooms/{room['id']}/players")
    assert refused[:2] == (403, "not_allowed")


async def test_my_place_my_level_and_my_neighbours(guest: Any, archive: Archive) -> None:
    people = [await guest(f"雀友{n}号") for n in range(14)]
    gains = {
        player.id: points
        for player, points in zip(people, [3000, 900, 900, 400, 100, 99, 0, -5, *range(-20, -14)], strict=True)
    }
    async with archive.begin() as db:
        await ladder.move(db, "tianjin", gains, datetime(2026, 11, 1, tzinfo=UTC))
    best = await people[0].get("/ladder/tianjin", limit=4)
    assert best["season"] == "2026Q4"
    assert [(row["rank"], row["points"], row["level_name"]) for row in best["items"]] == [
        (1, 3000, "五万"), (2, 900, "三万"), (2, 900, "三万"), (4, 400, "二万"),
    ]  # fmt: skip
    mine = await people[5].get("/ladder/tianjin/me")
    assert (mine["me"]["rank"], mine["level"], mine["level_name"], mine["points"]) == (6, 1, "白板", 99)
    assert [row["rank"] for row in mine["neighbours"]] == [1, 2, 2, 4, 5, 7, 8, 9, 10, 11]


async def test_a_season_ranks_its_gain_and_the_total_runs_on(
    guest: Any, archive: Archive, clock: StandingClock
) -> None:
    """TJ-15.4: seasons turn at midnight in Shanghai."""
    anna = await guest()
    async with archive.begin() as db:
        await ladder.move(db, "tianjin", {anna.id: 700}, datetime(2026, 12, 31, 15, 59, tzinfo=UTC))
        await ladder.move(db, "tianjin", {anna.id: -50}, datetime(2026, 12, 31, 16, 0, tzinfo=UTC))
    old = await anna.get("/ladder/tianjin/me", season="2026Q4")
    new = await anna.get("/ladder/tianjin/me", season="2027Q1")
    total = await anna.get("/ladder/tianjin/me", season="total")
    assert [row["me"]["points"] for row in (old, new, total)] == [700, -50, 650]
    assert [row["level_name"] for row in (old, new, total)] == ["三万"] * 3


async def test_who_never_played_has_a_level_but_no_place(guest: Any) -> None:
    anna = await guest()
    mine = await anna.get("/ladder/tianjin/me")
    assert (mine["me"], mine["neighbours"], mine["level"], mine["points"]) == (None, [], 1, 0)
    for game in ("guizhou", "tangshan", "riichi"):
        for path in (f"/ladder/{game}", f"/ladder/{game}/me"):
            assert await anna.refused("GET", path) == (404, "not_found", None)
    assert await anna.refused("GET", "/ladder/tianjin", season="2026") == (422, "invalid", "season")
