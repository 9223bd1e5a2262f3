"""Finished play, for its players and nobody else."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import httpx
import pytest

from app.storage.archive.engine import Archive
from tests.api.conftest import START, Player
from tests.storage.archive.documents import finished, store_round


@pytest.fixture
async def four(guest: Any) -> list[Player]:
    """Four people."""
    return [await guest(name) for name in ("安娜", "小本", "老陈", "大地")]


def _ids(people: list[Player]) -> list[str]:
    return [player.id for player in people]


async def test_a_round_and_its_record_are_for_its_players(four: list[Player], guest: Any, archive: Archive) -> None:
    stranger = await guest()
    await store_round(archive, finished(_ids(four)))
    told = await four[1].get("/rounds/match1.1")
    assert [seat["name"] for seat in told["seats"]] == ["安娜", "小本", "老陈", "大地"]
    assert {"source": 1, "target": 0, "points": 6, "clause": "TJ-13.1"}.items() <= told["lines"][0].items()
    assert (await four[2].get("/records/match1.1"))["record"]["variant"] == "tianjin"
    for path in ("/rounds/match1.1", "/records/match1.1", "/matches/match1"):
        assert await stranger.refused("GET", path) == (404, "not_found", None)
    assert await stranger.refused("POST", "/rounds/match1.1/share") == (404, "not_found", None)
    assert await four[0].refused("GET", "/records/match1.2") == (404, "not_found", None)


async def test_a_share_code_opens_one_record_to_anybody(
    four: list[Player], archive: Archive, http: httpx.AsyncClient
) -> None:
    await store_round(archive, finished(_ids(four)))
    code = (await four[3].post("/rounds/match1.1/share"))["code"]
    assert (await four[0].post("/rounds/match1.1/share"))["code"] == code
    seen = (await http.get(f"/v1/shares/{code}")).json()
    assert seen["round"]["id"] == code == seen["record"]["match"]
    for secret in ("match1", "table1", *_ids(four)):
        assert secret not in str(seen), "S6: a share names nothing but the round"
    wrong = await http.get("/v1/shares/222222222222")
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (404, "not_found")


async def test_history_goes_back_page_by_page_without_gaps(four: list[Player], archive: Archive) -> None:
    for n in range(1, 8):
        at = START + timedelta(minutes=n // 2)  # two rounds each in the same moment
        await store_round(archive, finished(_ids(four), match=f"m{n % 3}", table=f"t{n % 3}", round_no=n, at=at))
    seen: list[str] = []
    cursor = None
    while True:
        page = await four[0].get("/me/rounds", limit=3, cursor=cursor)
        seen += [row["id"] for row in page["items"]]
        cursor = page["cursor"]
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == 7
    first = await four[0].get("/me/matches", limit=2)
    rest = await four[0].get("/me/matches", limit=2, cursor=first["cursor"])
    assert len(first["items"]) == 2 and len(rest["items"]) == 1 and rest["cursor"] is None
    assert {row["id"]: (row["rounds"], row["net"]) for row in first["items"] + rest["items"]} == {
        "m0": (2, 36),
        "m1": (3, 54),
        "m2": (2, 36),
    }
    for cursor in ("nonsense", "%00", "MjAyNi0xMS0zMA", "x" * 201):
        assert (await four[0].refused("GET", "/me/rounds", cursor=cursor))[::2] == (422, "cursor")


async def test_filters_narrow_the_history(four: list[Player], archive: Archive) -> None:
    ids = _ids(four)
    await store_round(archive, finished(ids, match="a", table="ta"))
    await store_round(archive, finished(ids, [], match="a", table="ta", round_no=2, outcome="exhausted"))
    late = START + timedelta(days=2)
    await store_round(
        archive, finished(ids, match="b", table="tb", room={"variant": "guizhou", "ranked": False}, at=late)
    )

    async def found(**query: Any) -> set[str]:
        return {row["id"] for row in (await four[0].get("/me/rounds", **query))["items"]}

    assert await found() == {"a.1", "a.2", "b.1"}
    assert await found(variant="guizhou") == {"b.1"}
    assert await found(outcome="exhausted") == {"a.2"}
    assert await found(since=(START + timedelta(days=1)).isoformat()) == {"b.1"}
    assert await found(until=(START + timedelta(days=1)).isoformat()) == {"a.1", "a.2"}
    assert await found(circle="none") == set()
    assert (await four[0].refused("GET", "/me/rounds", outcome="draw"))[::2] == (422, "outcome")
    assert (await four[0].refused("GET", "/me/rounds", since="2026-11-30T00:00:00"))[::2] == (422, "since")
    assert (await four[0].refused("GET", "/me/rounds", limit=101))[::2] == (422, "limit")


async def test_a_match_shows_its_rounds(four: list[Player], archive: Archive) -> None:
    await store_round(archive, finished(_ids(four)))
    await store_round(archive, finished(_ids(four), [(0, 1, 4)], round_no=2, winner=1, over="finished"))
    told = await four[0].get("/matches/match1")
    assert [[seat["net"] for seat in row["seats"]] for row in told["rounds"]] == [[18, -6, -6, -6], [-4, 4, 0, 0]]
    assert told["end_reason"] == "finished" and told["ended_at"]


async def test_statistics_say_win_rate_favourite_and_biggest_round(four: list[Player], archive: Archive) -> None:
    ids = _ids(four)
    await store_round(archive, finished(ids, patterns=["long"]))
    await store_round(archive, finished(ids, [(1, 0, 50)], round_no=2, patterns=["long", "su"]))
    await store_round(archive, finished(ids, [(0, 1, 9)], round_no=3, winner=1, patterns=["su"]))
    await store_round(archive, finished(ids, [], round_no=4, outcome="void"))
    [mine] = (await four[0].get("/me/statistics"))["items"]
    assert mine == {
        "variant": "tianjin", "rounds": 3, "wins": 2, "win_rate": 0.6667, "dealer_rounds": 3, "net": 59,
        "favourite": {"pattern": "long", "times": 2}, "biggest": {"round_id": "match1.2", "net": 50},
    }  # fmt: skip
    [his] = (await four[2].get("/me/statistics"))["items"]
    assert (his["wins"], his["favourite"], his["biggest"]["net"]) == (0, None, 0)


async def test_sit_and_pull_can_be_looked_up(four: list[Player], archive: Archive) -> None:
    await store_round(archive, finished(_ids(four)))
    [row] = (await four[2].get("/me/dealings", variant="tianjin"))["items"]
    assert (row["is_dealer"], row["round_facts"]["sit"], row["seat_facts"]) == (False, True, {"pull": 2})
    assert (await four[2].get("/me/dealings", variant="guizhou"))["items"] == []


async def test_a_match_is_one_file_that_names_nobody(four: list[Player], guest: Any, archive: Archive) -> None:
    for number in (2, 1):
        await store_round(archive, finished(_ids(four), round_no=number))
    told = await four[0].get("/matches/match1/export")
    assert told["variant"] == "tianjin" and [record["round_no"] for record in told["records"]] == [1, 2]
    assert {record["match"] for record in told["records"]} == {told["match"]} and told["match"] != "match1"
    assert not [player.id for player in four if player.id in str(told)] and "match1" not in str(told)
    assert await (await guest()).refused("GET", "/matches/match1/export") == (404, "not_found", None)
