"""Who never sits with whom, and what a request for a room may not say twice."""

from __future__ import annotations

from typing import Any

import pytest

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
    assert (await ben.refused("POST", f"/rooms/{room['id']}/join", {}))[:2] == (403, "not_allowed")
    cleo = await guest()
    await cleo.post("/me/blocks", {"user": anna.id})
    assert (await cleo.refused("POST", f"/rooms/{room['id']}/join", {}))[:2] == (403, "not_allowed")


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
