"""The log of operators' calls: for every call its caller, time and reason, and never a secret."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text

from app.admin.audit_throttle import AuditThrottle
from app.refusal import Refusal
from app.storage.archive.engine import Archive
from app.storage.archive.operators import operators
from app.storage.archive.people import passwords
from app.storage.archive.people.tokens import digest
from app.storage.live.limiter import BUDGETS
from tests.api.conftest import START, Player, StandingClock

WHY = {"reason": "重复举报"}
PASSWORD = "a long password"


async def _log(archive: Archive) -> list[dict[str, Any]]:
    """All lines, oldest first."""
    async with archive.read() as db:
        return (await operators.audit(db, None, None, None, None, 1000))[::-1]


def _token_id(operator: Player, lines: list[dict[str, Any]]) -> str:
    return str(next(line["detail"]["token"] for line in lines if line["actor"] == operator.tokens["name"]))


async def test_every_call_is_in_the_log_with_who_when_and_why(staff: Any, archive: Archive, tables: Any) -> None:
    tables.seat("room1", "ann")
    boss, viewer = await staff("admin"), await staff("viewer")
    await boss.post("/admin/rooms/room1/freeze", {"reason": "疑似作弊"})
    await viewer.refused("POST", "/admin/rooms/room1/dissolve", {"reason": "试试"})
    await viewer.refused("POST", "/admin/rooms/room1/freeze", {"nothing": "x" * 5000})
    await viewer.call("GET", "/admin/rooms/room1", reason="看看")
    lines = (await boss.get("/admin/audit"))["items"]
    told = [(line["actor"][:5], line["action"], line["subject"], line["reason"], line["status"]) for line in lines]
    assert told == [
        ("viewe", "room", "room1", "看看", 404),
        ("viewe", "freeze", "room1", "", 403),
        ("viewe", "freeze", "room1", "", 0),
        ("viewe", "dissolve", "room1", "试试", 403),
        ("viewe", "dissolve", "room1", "试试", 0),
        ("admin", "freeze", "room1", "疑似作弊", 200),
        ("admin", "freeze", "room1", "疑似作弊", 0),
    ]
    only = (await boss.get("/admin/audit", action="dissolve", limit=1))["items"]
    async with archive.read() as db:
        account = await operators.credentials(db, viewer.tokens["name"])
        assert account is not None
        [token] = await operators.tokens(db, account[0])
    assert only[0]["detail"] == {"error": "forbidden", "remote": "127.0.0.1", "token": token["id"][:8]}
    assert only[0]["at"]
    assert (await boss.get("/admin/audit", before=only[0]["id"], actor=boss.tokens["name"]))["items"]


async def test_a_refused_call_says_how_it_ended(staff: Any) -> None:
    boss = await staff("admin")
    for body in (WHY, {}):
        await boss.refused("POST", "/admin/rooms/nothing/freeze", body)
    lines = (await boss.get("/admin/audit", action="freeze"))["items"]
    ended = [(line["status"], line["detail"].get("error")) for line in lines if line["status"]]
    assert ended == [(422, "invalid"), (404, "no_such_room")]


async def test_every_call_that_changes_something_wants_a_reason(
    staff: Any, admin_app: FastAPI, archive: Archive
) -> None:
    boss = await staff("admin")
    changing = [
        (method.upper(), path)
        for path, item in admin_app.openapi()["paths"].items()
        for method in item
        if path.startswith("/v1/admin") and method != "get" and path != "/v1/admin/sessions"
    ]
    assert len(changing) >= 15
    for method, path in changing:
        there = path.removeprefix("/v1").replace("{slug}", "tianjin").replace("{", "").replace("}", "")
        for given in ({}, {"reason": "  "}):
            body, query = (None, given) if method == "DELETE" else (given, {})
            assert await boss.refused(method, there, body, **query) == (422, "invalid", "reason"), (method, path)
    assert {line["status"] for line in await _log(archive)} == {0, 422}


@pytest.fixture
async def chang(archive: Archive, admin_app: FastAPI) -> str:
    """The id of an operator 小张 with a password."""
    async with archive.begin() as db:
        return str((await operators.create_account(db, "小张", "operator", await passwords.hashed(PASSWORD)))["id"])


async def test_calls_without_a_token_that_opens_anything_are_logged_too(
    staff: Any, guest: Any, http: httpx.AsyncClient, archive: Archive, chang: str, clock: StandingClock
) -> None:
    boss, player = await staff("admin"), await guest()
    signed = (await http.post("/v1/admin/sessions", json={"name": "小张", "password": PASSWORD})).json()
    his = Player(chang, {"access_token": signed["token"], "name": "小张"}, http)
    await http.get("/v1/admin/rooms")
    await http.post("/v1/admin/rooms/room1/dissolve", json={"reason": "乱来", "password": "hunter2hunter2"})
    await player.refused("GET", "/admin/counters")
    async with archive.read() as db:
        [token] = await operators.tokens(db, chang)
    clock.pass_by(hours=11)
    await his.refused("GET", "/admin/me")
    await boss.call("PATCH", f"/admin/accounts/{chang}", {**WHY, "disabled": True})
    clock.at = START
    await his.refused("GET", "/admin/me")
    async with archive.begin() as db:
        await operators.revoke_token(db, chang, token["id"], START)
    await his.refused("GET", "/admin/me")
    lines = [line for line in await _log(archive) if line["status"] == 401]
    here, mark = {"error": "not_signed_in", "remote": "127.0.0.1"}, token["id"][:8]
    unknown = digest(player.tokens["access_token"]).hex()[:8]
    assert [(line["actor"], line["action"], line["reason"], line["detail"]) for line in lines] == [
        ("no token", "live_rooms", "", here),
        ("no token", "dissolve", "乱来", here),
        ("unknown token", "counters", "", {**here, "token_hash": unknown}),
        ("小张", "who_am_i", "", {**here, "token": mark, "refused": "expired"}),
        ("小张", "who_am_i", "", {**here, "token": mark, "refused": "disabled"}),
        ("小张", "who_am_i", "", {**here, "token": mark, "refused": "revoked"}),
    ]


async def test_sign_ins_are_logged_by_the_name_that_was_tried(
    http: httpx.AsyncClient, admin_app: FastAPI, archive: Archive, chang: str
) -> None:
    good = {"name": "小张", "password": PASSWORD, "scopes": ["read"], "reason": "夜班"}
    assert (await http.post("/v1/admin/sessions", json=good)).status_code == 200
    for body in ({**good, "password": "a guess"}, {"name": "root", "password": "a guess"}, {"name": "root"}, []):
        assert (await http.post("/v1/admin/sessions", json=body)).status_code in (401, 422)
    limiter = admin_app.state.admin_services.limiter
    for _ in range(BUDGETS["operator_sign_in"]["name"].burst):
        with suppress(Refusal):
            await limiter.spend("operator_sign_in", name=good["name"], address="127.0.0.1")
    assert (await http.post("/v1/admin/sessions", json=good)).status_code == 429
    lines = await _log(archive)
    async with archive.read() as db:
        [token] = await operators.tokens(db, chang)
    told = [(line["actor"], line["status"], line["subject"], line["reason"]) for line in lines]
    assert told == [
        ("小张", 200, token["id"], "夜班"),
        ("小张", 401, "", "夜班"),
        ("root", 401, "", ""),
        ("root", 422, "", ""),
        ("no token", 422, "", ""),
        ("小张", 429, "", "夜班"),
    ]
    assert {line["action"] for line in lines} == {"sign_in"}
    assert lines[0]["detail"] == {"remote": "127.0.0.1", "scopes": "read"}
    assert [line["detail"].get("error") for line in lines[1:]] == [
        "wrong_password", "wrong_password", "invalid", "invalid", "rate_limited",
    ]  # fmt: skip


async def test_making_and_ending_a_token_says_which_and_why(staff: Any, archive: Archive) -> None:
    boss = await staff("admin")
    await boss.post("/admin/tokens", {"label": "cron", "scopes": ["read"], "reason": "夜间报表"})
    token = next(row["id"] for row in (await boss.get("/admin/tokens"))["items"] if row["label"] == "cron")
    await boss.call("DELETE", f"/admin/tokens/{token}", reason="泄露")
    lines = [line for line in await _log(archive) if line["status"] in (201, 204)]
    told = [(line["action"], line["subject"], line["reason"]) for line in lines]
    assert told == [("make_token", token, "夜间报表"), ("revoke_token", token, "泄露")]


async def test_no_secret_reaches_the_log(staff: Any, http: httpx.AsyncClient, archive: Archive, chang: str) -> None:
    boss = await staff("admin")
    secrets = ["very secret words", "other secret words", "hidden in a list", "a token in the query", "nested words"]
    asked = {**WHY, "name": "新人", "role": "viewer", "password": secrets[0]}
    await boss.post("/admin/accounts", asked)
    await boss.call("PATCH", f"/admin/accounts/{chang}", {**WHY, "password": secrets[1]})
    await boss.call("POST", "/admin/announcements", {**WHY, "text": "x", "rooms": [{"password": secrets[2]}]})
    await boss.call("GET", "/admin/nodes", access_token=secrets[3])
    await boss.call("POST", "/admin/rooms/room1/freeze", {**WHY, "Old-Password": secrets[4], "a": {"b": secrets[4]}})
    signed = (await http.post("/v1/admin/sessions", json={"name": "小张", "password": secrets[1]})).json()
    made = await boss.post("/admin/tokens", {**WHY, "label": "cron", "scopes": ["read"]})
    await http.post("/v1/admin/sessions", json={"name": "小张", "password": secrets[0]})
    await http.get("/v1/admin/me", headers={"Authorization": f"Bearer {secrets[0]}"})
    async with archive.read() as db:
        everything = str((await db.execute(text("SELECT * FROM audit_log"))).all())
    tokens = [boss.tokens["access_token"], signed["token"], made["token"]]
    assert "重复举报" in everything and [secret for secret in (*secrets, *tokens) if secret in everything] == []


async def test_what_is_logged_about_a_caller_cannot_be_forged(staff: Any) -> None:
    boss = await staff("admin")
    await boss.refused("POST", "/admin/rooms/room1/freeze", {**WHY, "remote": "10.0.0.1", "error": "none"})
    line = (await boss.get("/admin/audit", action="freeze"))["items"][0]
    assert (line["detail"]["remote"], line["detail"]["error"]) == ("127.0.0.1", "invalid")


@pytest.mark.usefixtures("chang")
async def test_nobody_fills_the_log_by_calling_very_often_or_hides_a_sign_in_behind_it(
    http: httpx.AsyncClient, admin_app: FastAPI, archive: Archive, clock: StandingClock
) -> None:
    admin_app.state.admin_services = replace(admin_app.state.admin_services, strangers=AuditThrottle())
    for _ in range(130):
        assert (await http.get("/v1/admin/me")).status_code == 401
    lines = await _log(archive)
    assert len(lines) == AuditThrottle.EACH + 2
    assert [line["detail"].get("calls_this_minute") for line in lines[-3:]] == [None, 64, 128]
    good = {"name": "小张", "password": PASSWORD}
    assert (await http.post("/v1/admin/sessions", json={**good, "password": "x"})).status_code == 401
    assert (await http.post("/v1/admin/sessions", json=good)).status_code == 200
    assert [(line["action"], line["status"]) for line in (await _log(archive))[len(lines) :]] == [("sign_in", 200)]
    clock.pass_by(minutes=1)
    await http.get("/v1/admin/me")
    assert "calls_this_minute" not in (await _log(archive))[-1]["detail"]
