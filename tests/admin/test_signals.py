"""Signals of collusion for operators: people seated together in ranked rooms, points that go one way (S15)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from app.storage.archive.engine import Archive
from tests.api.conftest import StandingClock
from tests.storage.archive.documents import finished, store_round


async def test_s15_operators_see_who_sat_together_and_what_they_share(
    staff: Any, guest: Any, archive: Archive, clock: StandingClock
) -> None:
    """S15: each pair with what they share and how often; these rounds moved no ladder points."""
    boss, people = await staff("moderator"), [await guest(name) for name in ("甲", "乙", "丙", "丁")]
    ids = [player.id for player in people]
    for number, shares in enumerate((["address"], ["address", "circle"]), 1):
        linked = {"linked": [{"seat": 0, "other": 2, "shares": shares}], "ranked": False}
        assert await store_round(archive, finished(ids, round_no=number, at=clock.at, room=linked))
    [pair] = (await boss.get("/admin/signals/together"))["items"]
    assert {pair["a"]["id"], pair["b"]["id"]} == {ids[0], ids[2]} and {pair["a"]["name"], pair["b"]["name"]} == {
        "甲",
        "丙",
    }
    assert pair["shares"] == ["address", "circle"] and pair["rounds"] == 2
    assert (await boss.get("/admin/signals/one-sided", rounds=1))["items"] == [], "only rounds that count"
    clock.pass_by(days=31)
    boss = await staff("moderator")
    assert (await boss.get("/admin/signals/together"))["items"] == []
    assert len((await boss.get("/admin/signals/together", days=60))["items"]) == 1


async def test_s15_operators_see_between_whom_points_go_one_way(
    staff: Any, guest: Any, archive: Archive, clock: StandingClock
) -> None:
    """S15: of four people who play twenty ranked rounds, one pays the same other each time."""
    boss, ids = await staff("moderator"), [(await guest()).id for _ in range(4)]
    for number in range(1, 21):
        one, other = (2, 3) if number % 2 else (3, 2)
        payments = ((1, 0, 8), (one, other, 4))
        at = clock.at - timedelta(minutes=number)
        assert await store_round(archive, finished(ids, payments, round_no=number, at=at))
    [pair] = (await boss.get("/admin/signals/one-sided"))["items"]
    assert (pair["a"]["id"], pair["b"]["id"]) == (ids[1], ids[0])
    assert (pair["rounds"], pair["a_to_b"], pair["b_to_a"]) == (20, 160, 0)
    assert (await boss.get("/admin/signals/one-sided", rounds=21))["items"] == []
