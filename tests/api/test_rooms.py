"""Rooms over REST: create with options, find by code, join, ticket, leave, quick match."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from app.refusal import ErrorCode, Refusal
from app.storage.archive.engine import Archive
from app.storage.archive.play.rooms import close_room
from app.tables.asks import OrderDissolve, OrderMute
from tests.api.conftest import StandingClock
from tests.api.doubles import RoomsInMemory

TIANJIN = {"variant": "tianjin"}


async def test_a_room_is_created_with_every_option_filled_in_and_a_seat_held(guest: Any, live: RoomsInMemory) -> None:
    anna = await guest("安娜")
    asked = {**TIANJIN, "rules": {"base": 5}, "settings": {"think_s": 30}, "spectators": "all"}
    room = await anna.post("/rooms", asked)
    assert room["rules"]["base"] == 5 and room["rules"]["rounds"] == 8
    assert room["settings"]["think_s"] == 30 and room["settings"]["spectators"] == "all"
    assert room["kind"] == "private" and room["host"] == anna.id and not room["ranked"]
    assert len(room["code"]) == 6 and room["code"].isdigit()
    assert room["live"]["seats"][0]["name"] == "安娜" and room["live"]["seats"][1:] == [None] * 3
    assert live.specs[room["id"]].rules["base"] == 5
    assert (await anna.get("/me/room"))["room"]["id"] == room["id"]


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"variant": "riichi"}, "variant"),
        ({}, "variant"),
        ({**TIANJIN, "rules": {"cap": -1}}, "rules.cap"),
        ({**TIANJIN, "rules": {"chow": True}}, "rules.chow"),
        ({**TIANJIN, "rules": {"base": True}}, "rules.base"),
        ({**TIANJIN, "settings": {"think_s": 4}}, "settings.think_s"),
        ({**TIANJIN, "settings": {"speed": 1}}, "settings.speed"),
        ({**TIANJIN, "spectators": "friends"}, "spectators"),
        ({**TIANJIN, "stakes": 5}, "stakes"),
        ({**TIANJIN, "rules": {"base": [1]}}, "rules.base.bool"),
        ({"variant": "guizhou", "rules": {"players": 5}}, "rules.players"),
    ],
)
async def test_wrong_options_are_named(guest: Any, live: RoomsInMemory, asked: Any, field: str) -> None:
    anna = await guest()
    assert await anna.refused("POST", "/rooms", asked) == (422, "invalid", field)
    assert live.tables == {}


async def test_one_player_holds_one_seat(guest: Any) -> None:
    anna = await guest()
    room = await anna.post("/rooms", TIANJIN)
    assert (await anna.refused("POST", "/rooms", TIANJIN))[:2] == (409, "conflict")
    assert (await anna.refused("POST", "/quick", TIANJIN))[:2] == (409, "conflict")
    assert (await anna.call("POST", f"/rooms/{room['id']}/leave")).status_code == 204
    assert (await anna.call("POST", f"/rooms/{room['id']}/leave")).status_code == 204
    assert (await anna.get("/me/room"))["room"] is None
    await anna.post("/rooms", TIANJIN)


async def test_friends_find_a_room_by_its_code_and_fill_it(guest: Any) -> None:
    anna, *friends = [await guest() for _ in range(5)]
    room = await anna.post("/rooms", TIANJIN)
    found = await friends[0].get(f"/codes/{room['code']}")
    assert found["id"] == room["id"] and found["live"]["seats"][1] is None
    assert (await friends[0].refused("GET", "/codes/999999"))[:2] == (404, "no_such_room")
    assert (await friends[0].refused("GET", "/codes/12345"))[:2] == (422, "invalid")
    joined = await friends[0].post(f"/rooms/{room['id']}/join", {"seat": 3})
    assert joined["live"]["seats"][3]["user"] == friends[0].id
    assert (await friends[1].refused("POST", f"/rooms/{room['id']}/join", {"seat": 3}))[:2] == (409, "seat_taken")
    for friend in friends[1:3]:
        await friend.post(f"/rooms/{room['id']}/join")
    assert (await friends[3].refused("POST", f"/rooms/{room['id']}/join", {}))[:2] == (409, "room_full")


async def test_a_ticket_is_for_those_who_hold_a_seat_or_may_watch(guest: Any, live: RoomsInMemory) -> None:
    anna, ben, cleo = await guest(), await guest(), await guest()
    room = await anna.post("/rooms", TIANJIN)
    path = f"/rooms/{room['id']}/ticket"
    assert await anna.post(path) == {"ticket": "ticket", "ws_path": "/n/n1/v1/ws", "expires_in": 30}
    assert (await ben.refused("POST", path))[:2] == (403, "not_allowed")
    open_room = await ben.post("/rooms", {**TIANJIN, "spectators": "all"})
    await cleo.post(f"/rooms/{open_room['id']}/ticket")
    await cleo.post("/lobby/ticket")
    assert live.tickets == [
        (f"room:{room['id']}", anna.id, False),
        (f"room:{open_room['id']}", cleo.id, False),
        ("lobby", cleo.id, False),
    ]


async def test_a_closed_room_can_be_looked_at_but_not_joined(
    guest: Any, live: RoomsInMemory, archive: Archive, clock: StandingClock
) -> None:
    anna, ben = await guest(), await guest()
    room = await anna.post("/rooms", TIANJIN)
    live.close(room["id"])
    await close_room(archive, room["id"], "deserted", clock())
    seen = await ben.get(f"/rooms/{room['id']}")
    assert seen["close_reason"] == "deserted" and seen["live"] is None and seen["code"] is None
    assert (await ben.refused("POST", f"/rooms/{room['id']}/join", {}))[:2] == (410, "room_closed")
    assert (await ben.refused("POST", f"/rooms/{room['id']}/ticket"))[:2] == (410, "room_closed")
    assert (await ben.refused("GET", "/rooms/nowhere"))[:2] == (404, "no_such_room")


async def test_when_the_node_is_full_it_says_when_to_try_again(guest: Any, live: RoomsInMemory) -> None:
    anna = await guest()
    live.refuse_create = Refusal(ErrorCode.TOO_MANY_TABLES, "this node has enough tables")
    response = await anna.call("POST", "/rooms", TIANJIN)
    assert (response.status_code, response.json()["error"]["code"]) == (503, "too_many_tables")
    assert response.headers["retry-after"]
    assert (await anna.get("/me/room"))["room"] is None


async def test_the_host_keeps_those_out_whom_he_blocks(guest: Any) -> None:
    anna, ben = await guest(), await guest()
    room = await anna.post("/rooms", TIANJIN)
    await anna.post("/me/blocks", {"user": ben.id})
    assert (await ben.refused("POST", f"/rooms/{room['id']}/join", {}))[:2] == (409, "room_full")


async def test_quick_match_fills_a_ranked_table_before_it_opens_another(guest: Any, live: RoomsInMemory) -> None:
    people = [await guest() for _ in range(5)]
    rooms = [await player.post("/quick", TIANJIN) for player in people]
    assert [room["id"] for room in rooms] == [rooms[0]["id"]] * 4 + [rooms[4]["id"]]
    assert rooms[4]["id"] != rooms[0]["id"]
    assert rooms[0]["ranked"] and rooms[0]["kind"] == "public" and rooms[0]["host"] is None
    shown = (await people[0].get("/lobby"))["items"]
    assert [room["id"] for room in shown] == [rooms[4]["id"], rooms[0]["id"]]


async def test_people_who_ask_at_the_same_moment_meet(guest: Any) -> None:
    people = [await guest() for _ in range(4)]
    rooms = await asyncio.gather(*[player.post("/quick", TIANJIN) for player in people])
    assert len({room["id"] for room in rooms}) == 1


async def test_quick_match_keeps_presets_and_numbers_of_people_apart(guest: Any) -> None:
    anna, ben, cleo, dan = [await guest() for _ in range(4)]
    plain = await anna.post("/quick", TIANJIN)
    other = await ben.post("/quick", {**TIANJIN, "rules": {"base": 2}})
    same = await cleo.post("/quick", {**TIANJIN, "rules": {"rounds": 8}})
    assert same["id"] == plain["id"] != other["id"]
    assert plain["ranked"] and not other["ranked"]
    three = await dan.post("/quick", {"variant": "guizhou", "players": 3})
    assert len(three["live"]["seats"]) == 3 and not three["ranked"]


async def test_quick_match_names_what_is_wrong(guest: Any) -> None:
    anna = await guest()
    assert await anna.refused("POST", "/quick", {**TIANJIN, "players": 3}) == (422, "invalid", "players")
    contradiction = {"variant": "guizhou", "players": 3, "rules": {"players": 2}}
    assert await anna.refused("POST", "/quick", contradiction) == (422, "invalid", "rules.players")
    assert await anna.refused("POST", "/quick", {"variant": "riichi"}) == (422, "invalid", "variant")


async def test_quick_match_never_brings_people_together_who_block_each_other(guest: Any) -> None:
    anna, ben = await guest(), await guest()
    await ben.post("/me/blocks", {"user": anna.id})
    first = await anna.post("/quick", TIANJIN)
    second = await ben.post("/quick", TIANJIN)
    assert first["id"] != second["id"]


async def test_a_muted_player_is_muted_at_the_table_he_joins(guest: Any, archive: Archive, live: RoomsInMemory) -> None:
    from app.storage.archive.people import sanctions

    anna, ben = await guest(), await guest()
    room = await anna.post("/rooms", TIANJIN)
    async with archive.begin() as db:
        await sanctions.impose(db, "mute", ben.id, "swearing", "op", until=None)
    await ben.post(f"/rooms/{room['id']}/join")
    assert live.orders == [(room["id"], OrderMute(ben.id, True))]


async def test_who_left_gets_a_ticket_to_the_seat_that_a_bot_keeps_for_him(guest: Any, live: RoomsInMemory) -> None:
    anna, ben = await guest(), await guest()
    room = await anna.post("/rooms", TIANJIN)
    live.tables[room["id"]] = replace(live.tables[room["id"]], parted=(ben.id,))
    await ben.post(f"/rooms/{room['id']}/ticket")
    assert (await ben.get("/me/room"))["room"]["id"] == room["id"]


async def test_who_plays_on_comes_back_although_he_was_removed_from_the_circle(guest: Any) -> None:
    anna, ben, cleo = await guest(), await guest(), await guest()
    circle = await anna.post("/circles", {"name": "老友"})
    await ben.post("/circles/join", {"code": circle["code"]})
    await anna.post(f"/circles/{circle['id']}/applications/{ben.id}/approve")
    room = await anna.post("/rooms", {**TIANJIN, "circle": circle["id"]})
    await ben.post(f"/rooms/{room['id']}/join")
    await anna.call("DELETE", f"/circles/{circle['id']}/members/{ben.id}")
    await ben.post(f"/rooms/{room['id']}/ticket")
    await ben.call("POST", f"/rooms/{room['id']}/leave")
    assert (await ben.refused("POST", f"/rooms/{room['id']}/ticket"))[:2] == (403, "not_allowed")
    assert (await cleo.refused("POST", f"/rooms/{room['id']}/join", {}))[:2] == (403, "not_allowed")


async def test_of_two_rooms_asked_for_at_once_one_stays(guest: Any, live: RoomsInMemory) -> None:
    anna = await guest()
    await anna.post("/rooms", TIANJIN)
    live.seated_late.add(anna.id)
    assert (await anna.refused("POST", "/rooms", TIANJIN))[:2] == (409, "conflict")
    ((room_id, order),) = live.orders
    assert isinstance(order, OrderDissolve) and live.tables[room_id].seats[0] is None
