"""S4, D3, D4, D5: what costs the server or tries secrets has a budget; a refusal says truly when to come again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from app.api.services import Services
from app.refusal import Refusal
from app.storage.live.limiter import BUDGETS
from tests.api.conftest import Player, StandingClock

Send = Callable[[str, str, dict[str, Any] | None], Awaitable[httpx.Response]]
HERE = "127.0.0.1"


async def empty(app: FastAPI, budget: str, scope: str, **who: str) -> None:
    """Spend a whole budget of one scope."""
    services: Services = app.state.services
    for _ in range(BUDGETS[budget][scope].burst):
        try:
            await services.limiter.spend(budget, **who)
        except Refusal:
            return


def is_refused(answer: httpx.Response, every_s: float) -> None:
    """The refusal says in body and header after how long there is one again."""
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (429, "rate_limited")
    assert error["left_ms"] == every_s * 1000
    assert int(answer.headers["retry-after"]) == max(1, -(-int(every_s * 1000) // 1000))


BODIES: dict[str, tuple[str, dict[str, Any] | None]] = {
    "code of a room": ("GET /codes/000000", None),
    "code of a circle": ("POST /circles/join", {"code": "00000000", "message": ""}),
    "code of a share": ("GET /shares/aaaaaaaaaaaa", None),
    "guest": ("POST /guests", {}),
    "sign_in": ("POST /sessions", {"name": "nobody", "password": "a guess"}),
    "password": ("POST /accounts", {"name": "新名字", "password": "correct horse battery"}),
    "room": ("POST /rooms", {"variant": "tianjin"}),
    "seat": ("POST /quick", {"variant": "tianjin"}),
    "report": ("POST /me/reports", {"user": "x", "reason": "abuse", "text": ""}),
    "score": ("POST /variants/tianjin/score", {"list": "hands", "entries": [{}]}),
}


@pytest.mark.parametrize("what", BODIES)
async def test_an_address_spends_one_budget_whoever_asks(app: FastAPI, guest: Any, what: str) -> None:
    """S4, D3, D4, D5."""
    player: Player = await guest()
    budget = what.split()[0]
    await empty(app, budget, "address", address=HERE)
    (method, path), body = BODIES[what][0].split(), BODIES[what][1]
    answer = await player.call(method, path, body)
    is_refused(answer, BUDGETS[budget]["address"].every_s)


@pytest.mark.parametrize("what", ["code of a room", "code of a circle", "password", "room", "seat", "report"])
async def test_a_user_spends_their_own_budget(app: FastAPI, guest: Any, what: str) -> None:
    """S4, D4, D5."""
    player: Player = await guest()
    budget = what.split()[0]
    await empty(app, budget, "user", user=player.id)
    (method, path), body = BODIES[what][0].split(), BODIES[what][1]
    is_refused(await player.call(method, path, body), BUDGETS[budget]["user"].every_s)


@pytest.mark.parametrize("what", ["code of a room", "code of a circle", "code of a share"])
async def test_wrong_codes_of_every_kind_cost_a_try(app: FastAPI, guest: Any, clock: StandingClock, what: str) -> None:
    """S4: guesses of one kind are paid from the budget of all kinds."""
    player: Player = await guest()
    await empty(app, "code", "address", address=HERE)
    await app.state.services.limiter.give_back("code", address=HERE)
    (method, path), body = BODIES[what][0].split(), BODIES[what][1]
    first = await player.call(method, path, body)
    assert first.status_code == 404
    assert (await player.call("GET", "/codes/000000")).status_code == 429


@pytest.mark.parametrize("way", ["/rooms", "/quick"])
async def test_d4_each_opened_room_counts_for_the_address_of_its_maker(app: FastAPI, guest: Any, way: str) -> None:
    """D4: rooms by invitation and public tables alike."""
    player: Player = await guest()
    room = (await player.call("POST", way, {"variant": "tianjin"})).json()
    assert app.state.services.rooms.counted == [(room["id"], HERE)]


async def test_d4_each_seat_counts_for_the_address_from_which_it_is_taken(app: FastAPI, guest: Any) -> None:
    """D4: a room made, a room joined, a quick match; coming back to one's seat takes none."""
    host, friend, stranger = await guest(), await guest(), await guest()
    room = await host.post("/rooms", {"variant": "tianjin"})
    for _ in range(2):
        await friend.post(f"/rooms/{room['id']}/join")
    await stranger.post("/quick", {"variant": "tianjin"})
    counted = app.state.services.rooms.counted_seats
    assert [user for user, address in counted if address == HERE][:2] == [host.id, friend.id]
    assert {user for user, _ in counted} == {host.id, friend.id, stranger.id}
    assert [user for user, _ in counted].count(friend.id) == 1
