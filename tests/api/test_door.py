"""The door answers a plain return as the route would, and nothing else: the same refusals, the same tickets."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from app.api.fast_path import ReturnFastPath
from app.storage.archive.engine import Archive
from app.storage.archive.people import sanctions
from app.tables.asks import OrderMute
from tests.api.conftest import StandingClock
from tests.api.doubles import RoomsInMemory

_NOWHERE = "postgresql+asyncpg://nobody@127.0.0.1:9/nothing"
"""Nobody listens there."""


class Asked:
    """The app behind the door, and what was passed on to it."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app
        self.passed: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.passed.append(scope["path"])
        await self.app(scope, receive, send)


async def _no_sockets(websocket: WebSocket) -> None:
    raise AssertionError("no socket was opened")


@pytest.fixture
def behind(app: FastAPI) -> Asked:
    """The app behind the door."""
    return Asked(app)


@pytest.fixture
async def by_the_door(behind: Asked) -> AsyncIterator[httpx.AsyncClient]:
    """A client whose calls come by the door."""
    door = ReturnFastPath(behind, _no_sockets)

    async def front(scope: Scope, receive: Receive, send: Send) -> None:
        await door({**scope, "app": behind.app}, receive, send)  # as an app does for its layers

    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=front), base_url="http://test") as client:
        yield client


async def _seated(guest: Any) -> tuple[Any, str]:
    anna = await guest()
    return anna, (await anna.post("/rooms", {"variant": "tianjin"}))["id"]


async def test_who_comes_back_to_his_table_gets_his_ticket_at_once(
    guest: Any, by_the_door: httpx.AsyncClient, behind: Asked, live: RoomsInMemory
) -> None:
    anna, room = await _seated(guest)
    by_the_route = await anna.post(f"/rooms/{room}/ticket")
    response = await by_the_door.post(f"/v1/rooms/{room}/ticket", headers=_signed(anna))
    assert response.json() == by_the_route and response.headers["content-type"] == "application/json"
    assert behind.passed == [], "the route was not asked"
    with_a_body = await by_the_door.post(f"/v1/rooms/{room}/ticket", headers=_signed(anna), json={})
    assert with_a_body.json() == by_the_route and len(behind.passed) == 1
    assert live.tickets == [(f"room:{room}", anna.id, False)] * 3


def _signed(player: Any) -> dict[str, str]:
    return {"Authorization": f"Bearer {player.tokens['access_token']}"}


async def test_who_may_not_is_told_what_the_route_tells(
    guest: Any, http: httpx.AsyncClient, by_the_door: httpx.AsyncClient, archive: Archive, clock: StandingClock
) -> None:
    anna, room = await _seated(guest)
    path = f"/v1/rooms/{room}/ticket"
    stranger, leaver, banned = await guest(), await guest(), await guest()
    await leaver.call("POST", "/tokens/revoke", {"refresh_token": leaver.tokens["refresh_token"]})
    async with archive.begin() as db:
        await sanctions.impose(db, "ban", banned.id, "cheating", "op", until=None)
    cases = {
        "stranger": (_signed(stranger), 403), "signed out": (_signed(leaver), 401), "banned": (_signed(banned), 403),
        "nobody": ({}, 401), "forged": ({"Authorization": "Bearer a.b.c"}, 401),
        "another way": ({"Authorization": "Basic eDp5"}, 401),
    }  # fmt: skip
    for name, (headers, status) in cases.items():
        told = [await client.post(path, headers=headers) for client in (http, by_the_door)]
        assert [one.status_code for one in told] == [status, status], name
        assert told[0].json() == told[1].json(), name
    clock.at += timedelta(minutes=16)
    late = await by_the_door.post(path, headers=_signed(anna))
    assert (late.status_code, late.json()["error"]["code"]) == (401, "not_signed_in")


async def test_who_is_muted_is_muted_again_where_he_sits(
    guest: Any, by_the_door: httpx.AsyncClient, behind: Asked, archive: Archive, live: RoomsInMemory
) -> None:
    anna, room = await _seated(guest)
    async with archive.begin() as db:
        await sanctions.impose(db, "mute", anna.id, "swearing", "op", until=None)
    await live.void(anna.id)
    assert (await by_the_door.post(f"/v1/rooms/{room}/ticket", headers=_signed(anna))).status_code == 200
    assert live.orders == [(room, OrderMute(anna.id, True, None))] and len(behind.passed) == 1
    live.voided.clear()  # it is long ago, and her token younger than the mute
    anna.tokens = await anna.post("/tokens/refresh", {"refresh_token": anna.tokens["refresh_token"]})
    assert (await by_the_door.post(f"/v1/rooms/{room}/ticket", headers=_signed(anna))).status_code == 200
    assert live.orders == [(room, OrderMute(anna.id, True, None))] * 2 and len(behind.passed) == 2


async def test_who_plays_comes_back_also_while_the_archive_is_away(
    guest: Any, by_the_door: httpx.AsyncClient, behind: Asked, http: httpx.AsyncClient
) -> None:
    anna, room = await _seated(guest)
    behind.app.state.services = replace(behind.app.state.services, archive=Archive.at(_NOWHERE))
    back = await by_the_door.post(f"/v1/rooms/{room}/ticket", headers=_signed(anna))
    assert (back.status_code, back.json()["ticket"]) == (200, "ticket")
    assert (await http.get("/v1/me", headers=_signed(anna))).status_code == 503, "only the way back needs no archive"


async def _sign_out(anna: Any) -> None:
    await anna.call("POST", "/tokens/revoke", {"refresh_token": anna.tokens["refresh_token"]})


async def _sign_out_everywhere(anna: Any) -> None:
    await anna.call("POST", "/tokens/revoke", {"refresh_token": anna.tokens["refresh_token"], "everywhere": True})


async def _show_a_copied_token(anna: Any) -> None:
    used = {"refresh_token": anna.tokens["refresh_token"]}
    assert [(await anna.call("POST", "/tokens/refresh", used)).status_code for _ in range(2)] == [200, 401]


@pytest.mark.parametrize("end", [_sign_out, _sign_out_everywhere, _show_a_copied_token])
async def test_an_access_token_of_an_ended_session_opens_nothing(
    guest: Any, by_the_door: httpx.AsyncClient, end: Callable[[Any], Awaitable[None]]
) -> None:
    anna, room = await _seated(guest)
    await end(anna)
    told = await by_the_door.post(f"/v1/rooms/{room}/ticket", headers=_signed(anna))
    assert (told.status_code, told.json()["error"]["code"]) == (401, "not_signed_in")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PATCH", "/me", {"name": "安娜"}),
        ("PATCH", "/me", {"avatar": "beef"}),
        ("POST", "/accounts", {"name": "安娜老师", "password": "long enough a word"}),
    ],
)
async def test_who_has_a_new_name_or_face_is_looked_up_again(
    guest: Any, by_the_door: httpx.AsyncClient, behind: Asked, method: str, path: str, body: Any
) -> None:
    anna, room = await _seated(guest)
    changed = await anna.call(method, path, body)
    assert changed.status_code < 300, changed.text
    assert (await by_the_door.post(f"/v1/rooms/{room}/ticket", headers=_signed(anna))).status_code == 200
    assert len(behind.passed) == 1


async def test_who_deletes_his_account_does_not_come_back(guest: Any, by_the_door: httpx.AsyncClient) -> None:
    anna, room = await _seated(guest)
    assert (await anna.call("DELETE", "/me", {"device_token": anna.tokens["device_token"]})).status_code == 204
    told = await by_the_door.post(f"/v1/rooms/{room}/ticket", headers=_signed(anna))
    assert (told.status_code, told.json()["error"]["code"]) == (401, "not_signed_in")


async def test_everything_else_goes_on_to_the_routes(guest: Any, by_the_door: httpx.AsyncClient, behind: Asked) -> None:
    anna, room = await _seated(guest)
    for method, path in (
        ("GET", f"/v1/rooms/{room}"),
        ("POST", "/v1/lobby/ticket"),
        ("GET", f"/v1/rooms/{room}/ticket"),
    ):
        await by_the_door.request(method, path, headers=_signed(anna))
    assert len(behind.passed) == 3


async def test_only_the_sockets_path_leads_to_the_sockets(behind: Asked) -> None:
    opened: list[str] = []

    async def sockets(websocket: WebSocket) -> None:
        opened.append(websocket.url.path)

    async def nothing() -> Message:
        return {"type": "websocket.connect"}

    async def swallow(message: Message) -> None: ...

    for path in ("/v1/ws", "/v1/other"):
        scope: Scope = {
            "type": "websocket", "path": path, "raw_path": path.encode(), "root_path": "", "scheme": "ws",
            "query_string": b"", "headers": [(b"host", b"test")], "subprotocols": [], "state": {},
        }  # fmt: skip
        await ReturnFastPath(behind, sockets)(scope, nothing, swallow)
    assert opened == ["/v1/ws"] and behind.passed == ["/v1/other"]
