"""Ends of sessions, and a guest's way back (S2, S9)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import httpx
import pytest

from app.storage.archive.engine import Archive
from app.storage.archive.people import sessions
from app.storage.archive.people.tokens import digest
from tests.api.conftest import START, Player, StandingClock
from tests.api.doubles import RoomsInMemory
from tests.storage.archive.documents import finished, store_round

PASSWORD = "correct horse"


async def _again(http: httpx.AsyncClient, player: Player) -> Player:
    """Another session of the same guest or account, by the device."""
    response = await http.post("/v1/guests", json={"device_token": player.tokens["device_token"]})
    assert response.status_code == 200, response.text
    return Player(response.json()["user"]["id"], response.json(), http)


async def _revoke(http: httpx.AsyncClient, refresh_token: str, **more: Any) -> httpx.Response:
    return await http.post("/v1/tokens/revoke", json={"refresh_token": refresh_token, **more})


async def _alive(player: Player) -> bool:
    return (await player.call("GET", "/me")).status_code == 200


async def test_signing_out_ends_one_session(guest: Any, http: httpx.AsyncClient) -> None:
    anna = await guest()
    second = await _again(http, anna)
    assert (await _revoke(http, anna.tokens["refresh_token"])).status_code == 204
    assert not await _alive(anna) and await _alive(second)
    assert (await _revoke(http, "unknown")).status_code == 204


async def test_a_refresh_token_of_a_session_that_ended_ends_nothing(guest: Any, http: httpx.AsyncClient) -> None:
    """S2."""
    anna = await guest()
    living = await _again(http, anna)
    old = anna.tokens["refresh_token"]
    await _revoke(http, old)
    for more in ({}, {"everywhere": True}):
        await _revoke(http, old, **more)
    assert await _alive(living)
    assert (await _again(http, anna)).id == anna.id


@pytest.mark.parametrize("everywhere", [False, True])
async def test_a_used_or_expired_refresh_token_ends_nothing(
    guest: Any, http: httpx.AsyncClient, clock: StandingClock, everywhere: bool
) -> None:
    """S2: the kind: any token that could not be exchanged either."""
    anna = await guest()
    used = anna.tokens["refresh_token"]
    anna.tokens |= (await http.post("/v1/tokens/refresh", json={"refresh_token": used})).json()
    await _revoke(http, used, everywhere=everywhere)
    assert await _alive(anna)
    clock.pass_by(days=61)
    other = await _again(http, anna)
    await _revoke(http, anna.tokens["refresh_token"], everywhere=everywhere)
    assert await _alive(other)


async def test_everything_ends_only_with_a_living_access_token(
    guest: Any, http: httpx.AsyncClient, clock: StandingClock
) -> None:
    """S2."""
    anna = await guest()
    second = await _again(http, anna)
    body = {"refresh_token": anna.tokens["refresh_token"], "everywhere": True}
    assert (await _revoke(http, **body)).status_code == 401
    assert await _alive(second)
    assert (await anna.call("POST", "/tokens/revoke", body)).status_code == 204
    assert not await _alive(anna) and not await _alive(second)
    assert (await anna.call("POST", "/tokens/revoke", body)).status_code == 401


async def test_a_guest_who_signs_out_everywhere_comes_back_by_the_device(guest: Any, http: httpx.AsyncClient) -> None:
    """S2: a guest has no other way back."""
    anna = await guest()
    await anna.call("POST", "/tokens/revoke", {"refresh_token": "x", "everywhere": True})
    assert (await _again(http, anna)).id == anna.id


async def test_the_devices_of_an_account_are_forgotten_everywhere(guest: Any, http: httpx.AsyncClient) -> None:
    anna = await guest()
    await anna.post("/accounts", {"name": "天津老王", "password": PASSWORD})
    await anna.call("POST", "/tokens/revoke", {"refresh_token": "x", "everywhere": True})
    assert (await _again(http, anna)).id != anna.id
    back = await http.post("/v1/sessions", json={"name": "天津老王", "password": PASSWORD})
    assert back.json()["user"]["id"] == anna.id


@pytest.mark.parametrize("what", ["rounds", "circle"])
async def test_an_account_does_not_take_the_device_of_a_guest_with_something_to_lose(
    guest: Any, http: httpx.AsyncClient, archive: Archive, what: str
) -> None:
    """S2."""
    boss, anna = await guest(), await guest()
    await boss.post("/accounts", {"name": "天津老王", "password": PASSWORD})
    if what == "rounds":
        await store_round(archive, finished((anna.id, "bob", "cat", "dan")))
    else:
        await anna.post("/circles", {"name": "老友圈"})
    body = {"name": "天津老王", "password": PASSWORD, "device_token": anna.tokens["device_token"]}
    assert (await http.post("/v1/sessions", json=body)).json()["user"]["id"] == boss.id
    assert (await _again(http, anna)).id == anna.id


async def test_the_tokens_of_an_ended_session_are_deleted(
    guest: Any, archive: Archive, http: httpx.AsyncClient
) -> None:
    """S2."""
    anna = await guest()
    token = digest(anna.tokens["refresh_token"])
    async with archive.read() as db:
        assert await sessions.living_session(db, token, START) is not None
    await _revoke(http, anna.tokens["refresh_token"])
    async with archive.begin() as db:
        assert await sessions.rotate(db, token, b"new", START, timedelta(days=1)) is None
        assert (await db.exec_driver_sql("SELECT count(*) FROM refresh_tokens")).scalar_one() == 0


async def test_a_new_password_ends_all_other_sessions(guest: Any, http: httpx.AsyncClient, live: RoomsInMemory) -> None:
    """S9: the holder of a stolen token is signed out; so is a device that signed in by itself."""
    anna = await guest()
    await anna.post("/accounts", {"name": "天津老王", "password": PASSWORD})
    thief = (await http.post("/v1/sessions", json={"name": "天津老王", "password": PASSWORD,
                                                   "device_token": "d" * 43})).json()  # fmt: skip
    stolen = Player(anna.id, thief, http)
    live.voided.clear()
    changed = await anna.call("PATCH", "/me", {"old_password": PASSWORD, "password": "battery staple"})
    assert changed.status_code == 200 and await _alive(anna) and not await _alive(stolen)
    assert live.voided == {anna.id}
    again = await http.post("/v1/tokens/refresh", json={"refresh_token": thief["refresh_token"]})
    by_device = await http.post("/v1/guests", json={"device_token": "d" * 43})
    assert again.status_code == 401 and by_device.json()["user"]["id"] != anna.id
    assert (await _again(http, anna)).id == anna.id


async def test_an_access_token_alone_does_not_erase_an_account(guest: Any, http: httpx.AsyncClient) -> None:
    """S9."""
    anna = await guest()
    await anna.post("/accounts", {"name": "天津老王", "password": PASSWORD})
    for body in ({}, {"password": "wrong"}, {"device_token": anna.tokens["device_token"]}):
        assert await anna.refused("DELETE", "/me", body) == (401, "wrong_password", "password")
    assert (await anna.call("DELETE", "/me", {"password": PASSWORD})).status_code == 204
    assert not await _alive(anna)


async def test_a_guest_is_erased_with_the_device_token(guest: Any) -> None:
    """S9."""
    anna, ben = await guest(), await guest()
    for body in ({}, {"device_token": "x" * 43}, {"device_token": ben.tokens["device_token"]}, {"password": PASSWORD}):
        assert await anna.refused("DELETE", "/me", body) == (401, "wrong_password", "device_token")
    assert (await anna.call("DELETE", "/me", {"device_token": anna.tokens["device_token"]})).status_code == 204
    assert not await _alive(anna)


async def test_one_sees_where_one_is_signed_in_and_ends_one_or_all_others(
    guest: Any, http: httpx.AsyncClient, clock: StandingClock
) -> None:
    anna, ben = await guest(), await guest()
    await anna.post("/accounts", {"name": "天津老王", "password": PASSWORD})
    second = await _again(http, anna)
    by_name = (await http.post("/v1/sessions", json={"name": "天津老王", "password": PASSWORD})).json()
    third = Player(anna.id, by_name, http)
    seen = (await anna.get("/me/sessions"))["items"]
    assert sorted((row["current"], row["by_device"]) for row in seen) == [(False, False), (False, True), (True, True)]
    ended = next(row["id"] for row in seen if not row["by_device"])
    assert await ben.refused("DELETE", f"/me/sessions/{ended}") == (404, "not_found", None)
    assert (await anna.call("DELETE", f"/me/sessions/{ended}")).status_code == 204
    assert not await _alive(third) and await _alive(second)
    assert (await anna.call("DELETE", "/me/sessions")).status_code == 204
    assert await _alive(anna) and not await _alive(second)
    assert [row["current"] for row in (await anna.get("/me/sessions"))["items"]] == [True]
