"""Operators' second factor, and the tokens of other operators."""

from __future__ import annotations

import dataclasses
from typing import Any

import httpx
import pyotp
import pytest
from fastapi import FastAPI

from app.storage.archive.engine import Archive
from app.storage.archive.operators import operators
from app.storage.archive.operators.second_factor import STEP_S
from app.storage.archive.people import passwords
from tests.api.conftest import Player, StandingClock

WHY = {"reason": "new phone"}
PASSWORD = "correct horse battery"
NAME = "夜班"


@pytest.fixture
async def account(archive: Archive, admin_app: FastAPI) -> str:
    """An operator with a password; its id."""
    async with archive.begin() as db:
        made = await operators.create_account(db, NAME, "moderator", await passwords.hashed(PASSWORD))
    return str(made["id"])


async def _sign_in(http: httpx.AsyncClient, code: str | None = None) -> httpx.Response:
    body = {"name": NAME, "password": PASSWORD} | ({} if code is None else {"one_time_password": code})
    return await http.post("/v1/admin/sessions", json=body)


def _caller(account: str, http: httpx.AsyncClient, signed_in: httpx.Response) -> Player:
    return Player(account, {"access_token": signed_in.json()["token"], "name": NAME}, http)


def _code(totp: pyotp.TOTP, clock: StandingClock, steps: int = 0) -> str:
    """The code of an authenticator whose clock is some steps of 30 s off."""
    return totp.generate_otp(int(clock.at.timestamp()) // STEP_S + steps)


async def _enrolled(account: str, http: httpx.AsyncClient, clock: StandingClock) -> pyotp.TOTP:
    me = _caller(account, http, await _sign_in(http))
    made = await me.post("/admin/second-factor", {**WHY, "password": PASSWORD})
    assert made["uri"].startswith("otpauth://totp/Quezhuo:")
    totp = pyotp.TOTP(made["secret"])
    await me.call("POST", "/admin/second-factor/confirm", {**WHY, "one_time_password": _code(totp, clock)})
    return totp


async def test_a_second_factor_is_asked_for_once_it_is_confirmed(
    account: str, http: httpx.AsyncClient, clock: StandingClock
) -> None:
    """A code holds for one sign-in, drifts by a step at most, and no earlier one works after it."""
    totp = await _enrolled(account, http, clock)
    used = _code(totp, clock)
    for code in (None, used, _code(totp, clock, -1), _code(totp, clock, 3), "000000"):
        assert (await _sign_in(http, code)).status_code == 401, code
    early = _code(totp, clock, 1)
    assert (await _sign_in(http, early)).status_code == 200
    clock.pass_by(minutes=1)
    assert (await _sign_in(http, early)).status_code == 401, "used"
    late = _code(totp, clock)
    clock.pass_by(seconds=30)
    assert (await _sign_in(http, late)).status_code == 200
    assert (await _sign_in(http, late)).status_code == 401, "used"


async def test_a_code_is_confirmed_before_it_is_asked_for_and_the_password_stands_before_it(
    account: str, http: httpx.AsyncClient, clock: StandingClock
) -> None:
    me = _caller(account, http, await _sign_in(http))
    assert (await me.refused("POST", "/admin/second-factor", {**WHY, "password": "x"}))[1] == "wrong_password"
    wrong = {**WHY, "one_time_password": "000000"}
    assert (await me.refused("POST", "/admin/second-factor/confirm", wrong))[1] == "wrong_password"
    await me.post("/admin/second-factor", {**WHY, "password": PASSWORD})
    assert (await _sign_in(http)).status_code == 200
    await _enrolled(account, http, clock)
    assert (await me.refused("POST", "/admin/second-factor", {**WHY, "password": PASSWORD}))[1] == "conflict"


async def test_where_the_owner_demands_it_a_sign_in_without_it_may_only_enrol(
    account: str, http: httpx.AsyncClient, clock: StandingClock, admin_app: FastAPI
) -> None:
    services = admin_app.state.admin_services
    settings = services.settings.model_copy(update={"operator_second_factor": True})
    admin_app.state.admin_services = dataclasses.replace(services, settings=settings)
    me = _caller(account, http, await _sign_in(http))
    assert (await me.get("/admin/me"))["scopes"] == []
    assert (await me.refused("GET", "/admin/rooms"))[1] == "forbidden"
    totp = await _enrolled(account, http, clock)
    signed_in = await _sign_in(http, _code(totp, clock, 1))
    assert "moderate" in signed_in.json()["scopes"]


async def test_the_owner_lets_an_operator_back_in_who_lost_the_authenticator(
    account: str, http: httpx.AsyncClient, clock: StandingClock, staff: Any
) -> None:
    await _enrolled(account, http, clock)
    boss, colleague = await staff("admin"), await staff("moderator")
    path = f"/admin/accounts/{account}/second-factor?reason=lost"
    assert (await colleague.refused("DELETE", path))[1] == "forbidden"
    await boss.call("DELETE", path)
    assert (await _sign_in(http)).status_code == 200
    assert (await boss.refused("DELETE", "/admin/accounts/nobody/second-factor?reason=x"))[1] == "not_found"


async def test_tokens_of_another_operator_are_listed_and_ended(
    account: str, http: httpx.AsyncClient, staff: Any
) -> None:
    me, boss = _caller(account, http, await _sign_in(http)), await staff("admin")
    (token,) = (await boss.get(f"/admin/accounts/{account}/tokens"))["items"]
    assert token["label"] == "signed in" and "token" not in token
    path = f"/admin/accounts/{account}/tokens/{token['id']}?reason=left"
    assert (await me.refused("DELETE", path))[1] == "forbidden"
    await boss.call("DELETE", path)
    assert (await me.refused("GET", "/admin/me"))[1] == "not_signed_in"
    assert (await boss.get(f"/admin/accounts/{account}/tokens"))["items"][0]["revoked_at"] is not None
    assert (await boss.refused("GET", "/admin/accounts/nobody/tokens"))[1] == "not_found"


@pytest.mark.parametrize("password", ["passwordpassword", "123456789012", "qwertyuiopas"])
async def test_operators_passwords_are_hard_to_guess(staff: Any, password: str) -> None:
    boss = await staff("admin")
    body = {"reason": "x", "name": "new one", "role": "viewer", "password": password}
    assert (await boss.refused("POST", "/admin/accounts", body))[1:] == ("invalid", "password")
