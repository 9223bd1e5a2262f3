"""Rights to read finished play, and lists that go on without gaps while others play."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx
import pytest

from app.storage.archive.engine import Archive
from tests.api.conftest import START, Player
from tests.storage.archive.documents import finished, store_round

SEEN, HIDDEN, GONE = (200, None), (404, "not_found"), (401, "not_signed_in")
PATHS = ("/rounds/match1.1", "/records/match1.1", "/matches/match1")


@dataclass
class Company:
    """A circle that played, and people who stand to it in every way there is, by what they are."""

    circle: str
    people: dict[str, Player]

    def ids(self, *names: str) -> list[str]:
        return [self.people[name].id for name in names]


@pytest.fixture
async def company(guest: Any, archive: Archive) -> Company:
    """owner, played, left_later and deleted_later played a round of the circle; the others did not."""
    names = (
        "owner", "played", "left_later", "deleted_later", "member", "former", "banned", "applicant", "stranger",
        "blocked", "blocked_member",
    )  # fmt: skip
    people = {name: await guest() for name in names}
    owner = people["owner"]
    circle = await owner.post("/circles", {"name": "老友"})
    for name in ("played", "left_later", "deleted_later", "member", "former", "banned", "applicant", "blocked_member"):
        await people[name].post("/circles/join", {"code": circle["code"]})
        if name != "applicant":
            await owner.post(f"/circles/{circle['id']}/applications/{people[name].id}/approve")
    for name in ("blocked", "blocked_member"):
        await owner.post("/me/blocks", {"user": people[name].id})
    made = Company(circle["id"], people)
    room = {"circle": made.circle, "ranked": False}
    seats = made.ids("owner", "played", "left_later", "deleted_later")
    await store_round(archive, finished(seats, room=room))
    for name in ("former", "left_later"):
        await people[name].call("DELETE", f"/circles/{made.circle}/members/{people[name].id}")
    await owner.post(f"/circles/{made.circle}/bans", {"user": people["banned"].id, "reason": "x"})
    leaver = people["deleted_later"]
    gone = await leaver.call("DELETE", "/me", {"device_token": leaver.tokens["device_token"]})
    assert gone.status_code == 204
    return made


async def _answers(player: Player, *paths: str) -> set[tuple[int, str | None]]:
    found = set()
    for path in paths:
        response = await player.call("GET", path)
        found.add((response.status_code, response.json().get("error", {}).get("code")))
    return found


READERS = {
    "owner": SEEN, "played": SEEN, "left_later": SEEN, "member": SEEN, "blocked_member": SEEN,
    "deleted_later": GONE,
    "former": HIDDEN, "banned": HIDDEN, "applicant": HIDDEN, "stranger": HIDDEN, "blocked": HIDDEN,
}  # fmt: skip


async def test_a_round_of_a_circle_is_for_its_players_and_the_circles_members_of_today(company: Company) -> None:
    for name, player in company.people.items():
        assert await _answers(player, *PATHS) == {READERS[name]}, name
        share = await player.call("POST", "/rounds/match1.1/share")
        assert share.status_code == READERS[name][0], name


async def test_a_circles_lists_are_for_its_members_of_today(company: Company) -> None:
    base = f"/circles/{company.circle}"
    lists = (f"{base}/matches", f"{base}/dealings", f"{base}/leaderboard")
    for name, player in company.people.items():
        in_it = name in ("owner", "played", "member", "blocked_member")
        expected = SEEN if in_it else READERS[name] if name == "deleted_later" else HIDDEN
        assert await _answers(player, *lists) == {expected}, name


async def test_when_the_circle_is_dissolved_its_rounds_stay_with_their_players(company: Company) -> None:
    await company.people["owner"].call("DELETE", f"/circles/{company.circle}")
    for name, player in company.people.items():
        expected = SEEN if name in ("owner", "played", "left_later") else READERS["former"]
        assert await _answers(player, *PATHS) == {expected if name != "deleted_later" else GONE}, name


async def test_whoever_has_the_code_may_read_that_one_round_even_when_its_sharer_is_gone(
    company: Company, http: httpx.AsyncClient, archive: Archive
) -> None:
    played, stranger = company.people["played"], company.people["stranger"]
    code = (await played.post("/rounds/match1.1/share"))["code"]
    seats = company.ids("owner", "played", "left_later", "member")
    await store_round(archive, finished(seats, room={"circle": company.circle, "ranked": False}, round_no=2))
    await played.call("DELETE", "/me", {"device_token": played.tokens["device_token"]})
    told = (await http.get(f"/v1/shares/{code}")).json()
    assert told["round"]["id"] == code == told["record"]["match"]
    assert "已注销" in told["round"]["seats"][1]["name"] and len(told["round"]["lines"]) == 3
    assert await _answers(stranger, "/rounds/match1.1", "/records/match1.2") == {HIDDEN}


async def test_whoever_sat_out_a_round_of_no_circle_may_not_read_that_round(guest: Any, archive: Archive) -> None:
    four = [await guest() for _ in range(5)]
    ids = [player.id for player in four]
    await store_round(archive, finished(ids[:4]))
    await store_round(archive, finished([*ids[:3], ids[4]], round_no=2))
    assert await _answers(four[3], "/rounds/match1.1", "/matches/match1") == {SEEN}
    assert await _answers(four[3], "/rounds/match1.2", "/records/match1.2") == {HIDDEN}


async def test_a_round_that_runs_is_nobodys_to_read(guest: Any, archive: Archive) -> None:
    """There is nothing of it in the archive: not for its players, not by a code, not for operators."""
    anna, ben = await guest(), await guest()
    await store_round(archive, finished((anna.id, ben.id), [(1, 0, 6)]))
    for player in (anna, ben):
        assert await _answers(player, "/rounds/match1.2", "/records/match1.2") == {HIDDEN}
        assert (await player.refused("POST", "/rounds/match1.2/share"))[:2] == HIDDEN


async def _pages(player: Player, path: str, between: Callable[[], Any]) -> AsyncIterator[list[dict[str, Any]]]:
    cursor = None
    while True:
        page, _ = await asyncio.gather(player.get(path, limit=2, cursor=cursor), between())
        assert len(page["items"]) <= 2
        yield page["items"]
        cursor = page["cursor"]
        if cursor is None:
            return


LISTS = {
    "/me/rounds": lambda row: row["id"],
    "/me/dealings": lambda row: row["round_id"],
    "/me/matches": lambda row: row["id"],
    "/circles/{circle}/matches": lambda row: row["id"],
    "/circles/{circle}/dealings": lambda row: (row["round_id"], row["seat"]),
}


@pytest.mark.parametrize("path", LISTS)
async def test_a_list_goes_on_without_gaps_or_doubles_while_others_play(
    guest: Any, archive: Archive, path: str
) -> None:
    people = [await guest() for _ in range(4)]
    circle = (await people[0].post("/circles", {"name": "老友"}))["id"]
    ids, room, late = [player.id for player in people], {"circle": circle, "ranked": False}, iter(range(100, 999))

    async def play(n: int, minutes: float) -> None:
        at = START + timedelta(minutes=minutes)
        await store_round(archive, finished(ids, match=f"m{n}", table=f"t{n}", room=room, at=at))

    async def others_play() -> None:
        await play(next(late), 60)  # newer than all
        await play(next(late), 2)  # in the same moment as the newest of before

    for n in range(7):
        await play(n, n // 3)  # some in the same moment
    whole = await people[0].get(path.format(circle=circle), limit=100)
    before = [LISTS[path](row) for row in whole["items"]]
    assert len(before) == len(set(before)) == 7 * (4 if "circle" in path and "dealings" in path else 1)
    seen = [
        LISTS[path](row) async for page in _pages(people[0], path.format(circle=circle), others_play) for row in page
    ]
    assert len(seen) == len(set(seen))
    assert [key for key in seen if key in before] == before
