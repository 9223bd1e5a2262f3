"""At the edges: large and slow bodies, callers who ask too often, a database that is away, two people at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from app.api.limits import BODY_BYTES
from app.storage.archive.engine import Archive
from tests.api.conftest import Player


async def test_a_body_in_many_pieces_is_counted_as_it_comes(http: httpx.AsyncClient) -> None:
    sent: list[int] = []

    async def pieces() -> AsyncIterator[bytes]:
        for n in range(1000):
            sent.append(n)
            yield b"x" * 1024

    response = await http.post("/v1/guests", content=pieces())
    assert (response.status_code, response.json()["error"]["code"]) == (413, "too_large")
    assert len(sent) <= BODY_BYTES // 1024 + 2


async def test_a_body_just_within_the_limit_is_read(http: httpx.AsyncClient) -> None:
    body = b'{"name": "' + b" " * (BODY_BYTES - 12) + b'"}'
    assert len(body) == BODY_BYTES
    response = await http.post("/v1/guests", content=body, headers={"content-type": "application/json"})
    assert response.json()["error"] == {
        "code": "invalid", "message": "String should have at most 64 characters", "field": "name",
        "reason": "too_long", "limit": 64,
    }  # fmt: skip


@pytest.fixture
async def away(app: FastAPI) -> AsyncIterator[None]:
    """Postgres cannot be reached."""
    from dataclasses import replace

    nowhere = Archive.at("postgresql+asyncpg://quezhuo@/none?host=/nowhere")
    app.state.services = replace(app.state.services, archive=nowhere)
    yield
    await nowhere.close()


@pytest.mark.usefixtures("away")
async def test_while_the_database_is_away_callers_are_told_to_try_again(http: httpx.AsyncClient) -> None:
    response = await http.post("/v1/guests", json={})
    assert (response.status_code, response.json()["error"]["code"]) == (503, "busy")
    assert response.headers["retry-after"]
    assert (await http.get("/v1/variants")).status_code == 200


async def test_a_bug_of_ours_is_not_made_the_callers_fault(app: FastAPI, guest: Any, live: Any) -> None:
    anna = await guest()
    del live.tables
    response = await anna.call("GET", "/me/room")
    assert (response.status_code, response.json()["error"]["code"]) == (500, "internal")
    assert "tables" not in response.text


async def _circle(owner: Player, *others: Player) -> str:
    made = await owner.post("/circles", {"name": "老友"})
    for player in others:
        await player.post("/circles/join", {"code": made["code"]})
    return f"/circles/{made['id']}"


async def test_two_managers_who_answer_at_once_do_not_let_somebody_in_twice(guest: Any) -> None:
    owner, other = await guest(), await guest()
    path = await _circle(owner, other)
    answer = f"{path}/applications/{other.id}"
    both = await asyncio.gather(owner.call("POST", f"{answer}/approve"), owner.call("POST", f"{answer}/approve"))
    assert sorted(response.status_code for response in both) == [204, 404]


async def test_a_circle_handed_over_twice_at_once_has_one_owner(guest: Any) -> None:
    owner, ann, bob = await guest(), await guest(), await guest()
    path = await _circle(owner, ann, bob)
    for player in (ann, bob):
        await owner.post(f"{path}/applications/{player.id}/approve")
    both = await asyncio.gather(*[owner.call("POST", f"{path}/transfer", {"user": heir.id}) for heir in (ann, bob)])
    assert sorted(response.status_code for response in both) == [200, 403]
    roles = sorted(row["role"] for row in (await owner.get(f"{path}/members"))["items"])
    assert roles == ["manager", "member", "owner"]


async def test_two_who_take_the_same_name_at_once(guest: Any) -> None:
    ann, bob = await guest(), await guest()
    asked = {"name": "天津老王", "password": "correct horse"}
    both = await asyncio.gather(ann.call("POST", "/accounts", asked), bob.call("POST", "/accounts", asked))
    assert sorted(response.status_code for response in both) == [200, 409]
