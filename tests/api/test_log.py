"""Log lines that a client can cause: no values, and a limited number (S12, R5)."""

from __future__ import annotations

import logging
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.rest import bug_log, errors
from app.rest.bug_log import LogLimit, log_bug
from app.storage.archive.engine import Archive

SECRET = "mimi-s-secret"
log = logging.getLogger("tests.log")


@pytest.fixture(autouse=True)
def _nothing_counted() -> None:
    """Tests before these may have written lines of the same kind within this minute."""
    bug_log._LIMIT._counts.clear()


async def _failing(error: BaseException) -> tuple[httpx.Response, FastAPI]:
    app = FastAPI()
    errors.install(app)

    @app.get("/fail/{what}")
    async def fail(what: str) -> None:
        raise error

    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as http:
        return await http.get("/fail/now"), app


async def test_a_bug_is_answered_and_never_reaches_the_server_under_us(caplog: pytest.LogCaptureFixture) -> None:
    """S12: it would log the exception with its whole text."""
    response, _ = await _failing(KeyError("x"))
    assert response.status_code == 500 and response.json()["error"]["code"] == "internal"
    assert len(caplog.records) == 1 and "GET /fail/{what}" in caplog.text and "test_log.py" in caplog.text


async def test_what_a_driver_says_of_its_parameters_is_not_logged(
    archive: Archive, caplog: pytest.LogCaptureFixture
) -> None:
    """S12."""
    with pytest.raises(DBAPIError) as failed:
        async with archive.begin() as db:
            await db.execute(text("SELECT CAST(:value AS timestamptz)"), {"value": SECRET})
    await _failing(failed.value)
    assert SECRET in repr(failed.value.orig) or SECRET in str(failed.value)
    assert SECRET not in caplog.text and "DBAPIError" in caplog.text and len(caplog.text) < 1500


async def test_a_store_that_is_away_is_one_short_line_and_try_again(caplog: pytest.LogCaptureFixture) -> None:
    """R5."""
    response, _ = await _failing(ConnectionError("Postgres is away: the database system is starting up"))
    assert (response.status_code, response.json()["error"]["code"]) == (503, "busy")
    assert response.headers["retry-after"]
    assert len(caplog.text.splitlines()) == 1 and "Traceback" not in caplog.text


def test_a_client_cannot_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """S12: of a thousand failures of one kind in a minute ten lines; a minute later the next."""
    now = 0.0
    limit = LogLimit(lambda: now)
    for _ in range(1000):
        log_bug(log, "GET /x", KeyError("x\ny" * 500), limit)
    assert len(caplog.records) == 10 and len(caplog.text) < 5000 and "512 this minute" in caplog.text
    now = 61.0
    log_bug(log, "GET /x", KeyError("x"), limit)
    assert len(caplog.records) == 11


CURSORS = [
    "MDAwMS0wMS0wMVQwMDowMDowMCsyMzo1OSBhYmM",  # 0001-01-01T00:00:00+23:59 abc
    "OTk5OS0xMi0zMVQyMzo1OTo1OS0yMzo1OSBhYmM",  # 9999-12-31T23:59:59-23:59 abc
    "MjAyNi0xMS0zMFQxMjowMDowMFogYQBi",  # a NUL in the key
    "MjAyNi0xMS0zMFQxMjowMDowMCBhYmM",  # no zone
    "====", "", "a", "\u4e00" * 3, "MjAyNi0xMS0zMFQxMjowMDowMFog" + "YWFh" * 40,
]  # fmt: skip


@pytest.mark.parametrize("path", ["/me/matches", "/me/rounds", "/me/dealings"])
@pytest.mark.parametrize("cursor", CURSORS)
async def test_a_forged_cursor_is_the_callers_mistake(
    guest: Any, path: str, cursor: str, caplog: pytest.LogCaptureFixture
) -> None:
    """S12."""
    anna = await guest()
    status, code, field = await anna.refused("GET", path, cursor=cursor)
    assert (status, code, field) == (422, "invalid", "cursor")
    assert "rest.errors" not in caplog.text


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00Z"])
async def test_moments_at_the_ends_of_time_are_no_bugs(guest: Any, moment: str) -> None:
    """S12: the kind: extreme moments in every query."""
    anna = await guest()
    for name in ("since", "until"):
        assert (await anna.call("GET", "/me/rounds", **{name: moment})).status_code == 200


HUGE = "9" * 5000


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/rooms", f'{{"variant": "tianjin", "rules": {{"base": {HUGE}}}}}'),
        ("POST", "/rooms", f'{{"variant": "tianjin", "settings": {{"think_s": {HUGE}}}}}'),
        ("POST", "/quick", f'{{"variant": "tianjin", "players": {HUGE}}}'),
        ("POST", "/variants/tianjin/score", f'{{"list": "hands", "entries": [{{"hand": {HUGE}}}]}}'),
        ("POST", "/rooms", '{"variant": "tianjin", "rules": {"a\\u0000b": "a\\u0000b"}}'),
        ("POST", "/rooms", '{"variant": "tianjin", "settings": {"spectators": "a\\u0000b"}}'),
        ("POST", "/variants/tianjin/score", '{"list": "hands", "entries": [{"a\\u0000": "\\ud800"}]}'),
        ("POST", "/circles", '{"name": "a\\u0000b"}'),
        ("POST", "/circles/join", '{"code": "40571836", "message": "a\\u0000b"}'),
        ("PATCH", "/me", '{"name": "\\ud800\\ud800"}'),
        ("POST", "/me/reports", '{"user": "x", "reason": "abuse", "text": "a\\u0000b"}'),
        ("GET", "/me/rounds?circle=a%00b", ""), ("GET", "/me/rounds?variant=a%00b", ""),
        ("GET", "/rooms/a%00b", ""), ("GET", "/ladder/tianjin?season=2026Q1%0A", ""),
        ("GET", f"/me/rounds?limit={HUGE[:4000]}", ""),
    ],
)  # fmt: skip
async def test_odd_texts_and_numbers_are_the_callers_mistake(
    guest: Any, http: httpx.AsyncClient, method: str, path: str, body: str
) -> None:
    """S12: NUL characters, lone surrogates and endless numbers, in every kind of input."""
    anna = await guest()
    headers = {"Authorization": f"Bearer {anna.tokens['access_token']}", "Content-Type": "application/json"}
    response = await http.request(method, f"/v1{path}", content=body, headers=headers)
    assert 400 <= response.status_code < 500, response.text
