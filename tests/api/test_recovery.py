"""Passwords that are easy to guess, and recovery codes for accounts whose password is lost."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from app.storage.archive.engine import Archive
from app.storage.archive.people import recovery
from app.storage.archive.schema import recovery_codes

NAME, PASSWORD = "天津老王", "correct horse"


@pytest.mark.parametrize("password", ["password", "12345678", "qwertyui", "天津老王天津老王", "aaaaaaaaaaaaaaaa"])
async def test_a_password_that_is_easy_to_guess_is_refused_with_its_reason(guest: Any, password: str) -> None:
    anna = await guest()
    answer = await anna.call("POST", "/accounts", {"name": NAME, "password": password})
    assert answer.status_code == 422
    assert (answer.json()["error"]["field"], answer.json()["error"]["reason"]) == ("password", "weak_password")
    await anna.post("/accounts", {"name": NAME, "password": PASSWORD})
    change = {"password": password, "old_password": PASSWORD}
    assert await anna.refused("PATCH", "/me", change) == (422, "invalid", "password")


async def test_a_recovery_code_sets_a_new_password_once_and_ends_all_sessions(
    guest: Any, http: httpx.AsyncClient, archive: Archive
) -> None:
    anna = await guest()
    assert (await anna.refused("POST", "/me/recovery-codes", {"password": "x"}))[1] == "conflict", "a guest"
    await anna.post("/accounts", {"name": NAME, "password": PASSWORD})
    assert (await anna.refused("POST", "/me/recovery-codes", {"password": "x"}))[1] == "wrong_password"
    old = (await anna.post("/me/recovery-codes", {"password": PASSWORD}))["codes"]
    codes = (await anna.post("/me/recovery-codes", {"password": PASSWORD}))["codes"]
    assert len({*codes, *old}) == 2 * recovery.CODES

    async def recover(code: str, password: str = "battery staple 12", name: str = NAME) -> int:
        asked = {"name": name, "code": code, "password": password}
        return (await http.post("/v1/recoveries", json=asked)).status_code

    assert [await recover(old[0]), await recover("wrong"), await recover(codes[0], name="nobody")] == [401] * 3
    assert await recover(codes[0], "password") == 422, "a weak password uses no code up"
    twice = await asyncio.gather(recover(codes[0].lower().replace("-", " ")), recover(codes[0]))
    assert sorted(twice) == [204, 401]
    assert (await anna.refused("GET", "/me"))[1] == "not_signed_in"
    for password, status in ((PASSWORD, 401), ("battery staple 12", 200)):
        response = await http.post("/v1/sessions", json={"name": NAME, "password": password})
        assert response.status_code == status
    back = {"Authorization": f"Bearer {response.json()['access_token']}"}
    assert (await http.get("/v1/me/recovery-codes", headers=back)).json() == {"left": recovery.CODES - 1}
    async with archive.read() as db:
        kept = (await db.execute(recovery_codes.select())).all()
    assert not any(code.encode() in row.code_hash for row in kept for code in codes)


async def test_recovery_codes_are_guessed_no_faster_than_passwords(http: httpx.AsyncClient) -> None:
    asked = {"name": NAME, "code": "2222-2222-22222", "password": "battery staple 12"}
    codes = [(await http.post("/v1/recoveries", json=asked)).status_code for _ in range(11)]
    assert codes == [401] * 10 + [429]
