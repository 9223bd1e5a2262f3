"""Operators' tokens: long enough, not to be guessed, never wider nor good for longer than their maker's (S10)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import httpx
import pytest
from pydantic import ValidationError

from app.settings import Settings
from app.storage.archive.engine import Archive
from app.storage.archive.operators import operators
from app.storage.archive.people.tokens import digest, new_secret
from app.storage.live.limiter import BUDGETS
from tests.api.conftest import START, Player, StandingClock

WHY = {"reason": "夜间报表"}


@pytest.mark.parametrize("token", ["a", "x" * 31])
def test_a_short_deployment_token_is_refused_at_the_start(token: str) -> None:
    """S10."""
    with pytest.raises(ValidationError, match="32 characters"):
        Settings(admin_token=token)  # type: ignore[arg-type]
    assert Settings(admin_token="x" * 32).admin_token is not None  # type: ignore[arg-type]


async def test_tokens_cannot_be_guessed_for_long(staff: Any, http: httpx.AsyncClient, clock: StandingClock) -> None:
    """S10: not even a right one is looked up then; a minute later it is."""
    tries = BUDGETS["bearer"]["address"].burst
    boss = await staff("viewer")
    tried = [
        (await http.get("/v1/admin/me", headers={"Authorization": f"Bearer guess{n}"})).status_code for n in range(60)
    ]
    assert tried == [401] * tries + [429] * (60 - tries)
    assert (await boss.refused("GET", "/admin/me"))[:2] == (429, "rate_limited")
    clock.pass_by(minutes=1)
    assert (await boss.get("/admin/me"))["role"] == "viewer"


async def _narrowed(archive: Archive, http: httpx.AsyncClient, account: str, *scopes: Any, hours: int = 10) -> Player:
    secret = new_secret()
    async with archive.begin() as db:
        await operators.create_token(db, account, "narrow", digest(secret), scopes, START + timedelta(hours=hours))
    return Player(account, {"access_token": secret}, http)


async def test_a_token_makes_none_that_is_wider_or_lasts_longer(
    staff: Any, archive: Archive, http: httpx.AsyncClient
) -> None:
    """S10."""
    boss = await staff("admin")
    narrow = await _narrowed(archive, http, boss.id, "read")
    asked = {**WHY, "label": "cron", "scopes": ["read", "moderate"]}
    assert (await narrow.refused("POST", "/admin/tokens", asked))[:2] == (403, "forbidden")
    for days in (None, 366):
        made = await narrow.post("/admin/tokens", {**WHY, "label": "cron", "scopes": ["read"], "days": days})
        assert made["expires_at"] == (START + timedelta(hours=10)).isoformat().replace("+00:00", "Z")


async def test_a_token_makes_no_account_that_is_wider(staff: Any, archive: Archive, http: httpx.AsyncClient) -> None:
    """S10: the kind: by a new account, a role, or another one's password."""
    boss, other = await staff("admin"), await staff("operator")
    narrow = await _narrowed(archive, http, boss.id, "read", "accounts")
    new = {**WHY, "name": "小李", "role": "admin", "password": "correct horse battery"}
    assert (await narrow.refused("POST", "/admin/accounts", new))[1] == "forbidden"
    for change in ({"role": "admin"}, {"password": "correct horse battery"}):
        assert (await narrow.refused("PATCH", f"/admin/accounts/{other.id}", {**WHY, **change}))[1] == "forbidden"
    assert (await narrow.post("/admin/accounts", {**new, "role": "viewer"}))["role"] == "viewer"
    assert (await boss.post("/admin/accounts", {**new, "name": "小王"}))["role"] == "admin"
