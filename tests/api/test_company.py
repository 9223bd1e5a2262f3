"""Players who never sit together, and fields that a request for a room may not repeat."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text

from app.storage.archive.engine import Archive
from tests.api.conftest import Player

TIANJIN = {"variant": "tianjin"}


async def _pair_kept_apart(guest: Any) -> tuple[Any, Any]:
    anna, ben = await guest(), await guest()
    circle = await anna.post("/circles", {"name": "老友"})
    await ben.post("/circles/join", {"code": circle["code"]})
    await anna.post(f"/circles/{circle['id']}/applications/{ben.id}/approve")
    await anna.post(f"/circles/{circle['id']}/apart", {"a": anna.id, "b": ben.id})
    return anna, ben


async def test_quick_match_keeps_apart_whom_a_circle_keeps_apart(guest: Any) -> None:
    anna, ben = await _pair_kept_apart(guest)
    rooms = [await player.post("/quick", TIANJIN) for player in (anna, ben, await guest())]
    assert rooms[0]["id"] != rooms[1]["id"] and rooms[2]["id"] == rooms[0]["id"]


async def test_a_public_table_out_of_the_lobby_is_no_way_around_it(guest: Any) -> None:
    anna, ben = await _pair_kept_apart(guest)
    room = await anna.post("/quick", TIANJIN)
    assert (await ben.refused("POST", f"/rooms/{room['id']}/join", {}))[:2] == (409, "room_full")
    cleo = await guest()
    await cleo.post("/me/blocks", {"user": anna.id})
    assert (await cleo.refused("POST", f"/rooms/{room['id']}/join", {}))[:2] == (409, "room_full")


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"template": "t", "circle": "c", "rules": {"base": 2}}, "rules"),
        ({"template": "t", "circle": "c", "settings": {"think_s": 9}}, "settings"),
        ({"template": "t", "circle": "c", "variant": "tianjin"}, "variant"),
        ({**TIANJIN, "spectators": "all", "settings": {"spectators": "off"}}, "spectators"),
    ],
)
async def test_what_would_be_ignored_is_refused(guest: Any, asked: Any, field: str) -> None:
    player = await guest()
    assert await player.refused("POST", "/rooms", asked) == (422, "invalid", field)


async def test_nobody_learns_who_avoids_them(guest: Any, live: Any) -> None:
    """S7: blocked by the host, kept apart by the circle, kept apart at a public table, or no seat: one answer."""
    host, blocked, stranger = await guest(), await guest(), await guest()
    await host.post("/me/blocks", {"user": blocked.id})
    room = await host.post("/rooms", TIANJIN)
    answers = [(await blocked.call("POST", f"/rooms/{room['id']}/join", {})).json()]
    anna, ben = await _pair_kept_apart(guest)
    public = await anna.post("/quick", TIANJIN)
    answers.append((await ben.call("POST", f"/rooms/{public['id']}/join", {})).json())
    circle = (await anna.get("/circles"))["items"][0]["id"]
    await anna.post(f"/rooms/{public['id']}/leave")
    of_circle = await anna.post("/rooms", {**TIANJIN, "circle": circle})
    answers.append((await ben.call("POST", f"/rooms/{of_circle['id']}/join", {})).json())
    for _ in range(3):
        await (await guest()).post(f"/rooms/{room['id']}/join")
    answers.append((await stranger.call("POST", f"/rooms/{room['id']}/join", {})).json())
    assert all(answer == answers[0] for answer in answers), answers
    assert answers[0]["error"]["code"] == "room_full"


async def test_a_player_whom_the_host_blocks_cannot_watch(guest: Any, live: Any) -> None:
    """S8."""
    host, blocked, stranger = await guest(), await guest(), await guest()
    room = await host.post("/rooms", {**TIANJIN, "spectators": "all"})
    assert (await blocked.post(f"/rooms/{room['id']}/ticket"))["ticket"]
    await host.post("/me/blocks", {"user": blocked.id})
    assert (await blocked.refused("POST", f"/rooms/{room['id']}/ticket"))[:2] == (403, "not_allowed")
    assert (await stranger.post(f"/rooms/{room['id']}/ticket"))["ticket"]
    assert live.rechecked == [blocked.id], "the socket with which they watch is looked at again"


async def test_a_rooms_id_alone_tells_neither_its_code_nor_who_is_there(guest: Any) -> None:
    """S6: the id may be known from a record; seats, host and code are for who sits there or has the code."""
    host, friend, stranger = await guest(), await guest(), await guest()
    room = await host.post("/rooms", TIANJIN)
    seen = await stranger.get(f"/rooms/{room['id']}")
    assert (seen["id"], seen["code"], seen["live"], seen["host"]) == (room["id"], None, None, None)
    assert host.id not in str(seen) and room["code"] not in str(seen)
    await friend.get(f"/codes/{room['code']}")
    for insider in (friend, host):
        seen = await insider.get(f"/rooms/{room['id']}")
        assert seen["code"] == room["code"] and seen["live"]["seats"][0]["user"] == host.id
    public = await host.call("POST", f"/rooms/{room['id']}/leave")
    assert public.status_code == 204
    table = await host.post("/quick", TIANJIN)
    assert (await stranger.get(f"/rooms/{table['id']}"))["live"] is not None


SCHOOL, HOME = "192.0.2.1", "192.0.2.2"


@asynccontextmanager
async def guests_at(app: FastAPI, address: str, number: int) -> AsyncIterator[list[Player]]:
    """Guests whose requests come from this address."""
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False, client=(address, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as http:
        tokens = [(await http.post("/v1/guests", json={})).json() for _ in range(number)]
        yield [Player(given["user"]["id"], given, http) for given in tokens]


async def test_s15_quick_match_keeps_people_of_one_address_apart_at_ranked_tables(app: FastAPI, live: Any) -> None:
    """S15: strangers fill a ranked table first; people of one network meet only among themselves."""
    async with guests_at(app, SCHOOL, 4) as pupils, guests_at(app, HOME, 1) as [stranger]:
        first = await stranger.post("/quick", TIANJIN)
        rooms = [await pupil.post("/quick", TIANJIN) for pupil in pupils]
        assert rooms[0]["id"] == first["id"] != rooms[1]["id"]
        assert {room["id"] for room in rooms[1:]} == {rooms[1]["id"]}, "three pupils, one table that does not count"
        marks = [set(live.marks[player.id]) for player in (stranger, *pupils)]
        assert not marks[0] & marks[1] and marks[1] & marks[2]


async def test_s15_an_unranked_table_asks_nobody_where_they_are(app: FastAPI, live: Any) -> None:
    """S15: rules of one's own make no ladder, so friends of one network find each other at once."""
    async with guests_at(app, SCHOOL, 2) as pupils:
        asked = {**TIANJIN, "rules": {"base": 2}}
        rooms = [await pupil.post("/quick", asked) for pupil in pupils]
        assert rooms[0]["id"] == rooms[1]["id"] and not rooms[0]["ranked"]
        assert all(live.marks[pupil.id] == () for pupil in pupils)


async def test_s15_after_half_a_minute_of_waiting_playing_is_worth_more_than_counting(
    app: FastAPI, archive: Archive
) -> None:
    """S15: a table with a stranger and a neighbour takes another neighbour when it has waited for 30 s."""
    async with guests_at(app, SCHOOL, 2) as pupils, guests_at(app, HOME, 1) as [stranger]:
        room = await stranger.post("/quick", TIANJIN)
        assert (await pupils[0].post("/quick", TIANJIN))["id"] == room["id"]
        async with archive.begin() as db:
            await db.execute(text("UPDATE rooms SET created_at = created_at - interval '31 s'"))
        assert (await pupils[1].post("/quick", TIANJIN))["id"] == room["id"]


async def test_s15_a_circle_or_a_device_in_common_counts_like_an_address(app: FastAPI, live: Any) -> None:
    """S15: an owner and a member, at two addresses; an account and the guest of one device."""
    async with guests_at(app, SCHOOL, 2) as [anna, cleo], guests_at(app, HOME, 1) as [ben]:
        circle = await anna.post("/circles", {"name": "老友"})
        await ben.post("/circles/join", {"code": circle["code"]})
        await anna.post(f"/circles/{circle['id']}/applications/{ben.id}/approve")
        for player in (anna, ben, cleo):
            await player.post("/quick", TIANJIN)
        shared = set(live.marks[anna.id]) & set(live.marks[ben.id])
        assert {mark[0] for mark in shared} == {"c"} and {mark[0] for mark in live.marks[cleo.id]} == {"a", "d"}
