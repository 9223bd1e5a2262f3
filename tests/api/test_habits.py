"""What HTTP offers to a client: a request repeated safely, answers not sent twice, errors and limits it can read."""

from __future__ import annotations

import asyncio
import gzip
import json
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from app.rest.habits import Habits, Retired, mark_retired
from app.storage.live.rooms.repeats import Repeats
from tests.api.conftest import Player
from tests.storage.archive.documents import finished, store_round


@pytest.fixture
async def four(guest: Any) -> list[Player]:
    """Four people."""
    return [await guest(name) for name in ("安娜", "小本", "老陈", "大地")]


async def _make(player: Player, path: str, body: Any, key: str | None) -> httpx.Response:
    headers = {"Authorization": f"Bearer {player.tokens['access_token']}"}
    headers |= {} if key is None else {"Idempotency-Key": key}
    return await player.http.post(f"/v1{path}", json=body, headers=headers)


async def test_a_circle_founded_again_with_the_same_key_is_the_same_circle(four: list[Player]) -> None:
    """A lost answer: the client asks again, and there is one circle, not two."""
    ann = four[0]
    first = await _make(ann, "/circles", {"name": "老友"}, "k-1")
    again = await _make(ann, "/circles", {"name": "老友"}, "k-1")
    assert (first.status_code, first.json()) == (again.status_code, again.json())
    assert len((await ann.get("/circles"))["items"]) == 1
    assert (await _make(ann, "/circles", {"name": "新友"}, "k-2")).json()["id"] != first.json()["id"]


async def test_a_room_made_again_is_the_same_room_and_no_conflict(four: list[Player]) -> None:
    asked = {"variant": "tianjin"}
    rooms = [await _make(four[0], "/rooms", asked, "abc") for _ in range(2)]
    assert [room.status_code for room in rooms] == [201, 201] and rooms[0].json() == rooms[1].json()


async def test_a_report_sent_again_is_one_report(four: list[Player]) -> None:
    asked = {"user": four[1].id, "reason": "abuse", "text": "…"}
    filed = [await _make(four[0], "/me/reports", asked, "r") for _ in range(2)]
    assert filed[0].json() == filed[1].json()
    assert (await _make(four[2], "/me/reports", asked, "r")).json() != filed[0].json()


async def test_a_key_stands_for_one_request(four: list[Player]) -> None:
    await _make(four[0], "/circles", {"name": "老友"}, "k")
    other = await _make(four[0], "/circles", {"name": "新友"}, "k")
    told = other.json()["error"]
    assert (other.status_code, told["field"], told["reason"]) == (422, "Idempotency-Key", "reused")
    assert (await _make(four[0], "/circles", {"name": "新友"}, "with space")).status_code == 422


async def test_a_refused_request_leaves_its_key_free(four: list[Player]) -> None:
    await _make(four[0], "/rooms", {"variant": "tianjin"}, None)
    assert (await _make(four[0], "/rooms", {"variant": "tianjin"}, "k")).status_code == 409
    assert (await _make(four[0], "/circles", {"name": "老友"}, "k")).status_code == 201


async def test_the_same_request_twice_at_once_is_done_once() -> None:
    repeats = Repeats()
    begun = await asyncio.gather(*[repeats.begin("u", "k", "asked") for _ in range(2)], return_exceptions=True)
    assert begun[0] is None and getattr(begun[1], "reason", "") == "under_way"


async def test_what_a_client_has_already_is_not_sent_again(four: list[Player], archive: Any) -> None:
    await store_round(archive, finished([player.id for player in four]))
    for path in ("/variants", "/records/match1.1", "/rounds/match1.1"):
        first = await four[0].call("GET", path)
        headers = {"Authorization": first.request.headers["Authorization"], "If-None-Match": first.headers["etag"]}
        again = await four[0].http.get(f"/v1{path}", headers=headers)
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
        assert "no-cache" in again.headers["cache-control"]
    stranger = await four[0].http.get("/v1/records/match1.1", headers={"If-None-Match": "*"})
    assert stranger.status_code == 401


async def test_public_answers_are_compressed_and_secrets_never(http: httpx.AsyncClient, guest: Any) -> None:
    """BREACH: an answer that holds a token has the same length whatever else is in it."""
    async with http.stream("GET", "/v1/variants", headers={"Accept-Encoding": "gzip"}) as told:
        raw = b"".join([part async for part in told.aiter_raw()])
    assert told.headers["content-encoding"] == "gzip" and len(raw) * 3 < len(gzip.decompress(raw))
    assert json.loads(gzip.decompress(raw))["variants"]
    plain = await http.get("/v1/variants", headers={"Accept-Encoding": "gzip;q=0, br"})
    assert "content-encoding" not in plain.headers
    player = await guest()
    for path in ("/me", "/me/export"):
        assert "content-encoding" not in (await player.call("GET", path)).headers


async def test_an_error_is_a_problem_document_for_who_asks_for_one(http: httpx.AsyncClient) -> None:
    asked = await http.get("/v1/shares/aaaaaaaaaaaa", headers={"Accept": "application/problem+json"})
    told = asked.json()
    assert asked.headers["content-type"] == "application/problem+json"
    assert (told["status"], told["title"], told["type"]) == (404, "Not Found", "/developers/rest#not_found")
    assert told["detail"] == told["error"]["message"]
    plain = await http.get("/v1/shares/aaaaaaaaaaaa")
    assert plain.headers["content-type"] == "application/json" and list(plain.json()) == ["error"]


async def test_the_caller_reads_what_is_left_of_a_budget(four: list[Player]) -> None:
    asked = {"user": four[1].id, "reason": "abuse", "text": "…"}
    left = []
    for _ in range(11):
        answer = await _make(four[0], "/me/reports", asked, None)
        left.append(answer.headers["ratelimit"].split(";")[1])
    assert answer.headers["ratelimit-policy"] == '"report";q=10;w=3600'
    assert left == [f"r={n}" for n in (9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0)]
    seconds = int(answer.headers["ratelimit"].rpartition("t=")[2])
    assert answer.status_code == 429 and str(seconds) == answer.headers["retry-after"]
    assert "ratelimit" not in (await four[0].call("GET", "/me")).headers


async def test_a_route_that_will_go_says_since_when_and_until_when() -> None:
    app, at = FastAPI(), {"x_old": Retired(datetime(2026, 12, 1, tzinfo=UTC), datetime(2027, 6, 1, tzinfo=UTC))}

    for name in ("old", "new"):
        app.add_api_route(f"/{name}", lambda: {"n": 1}, name=name, tags=["x"], operation_id=f"x_{name}")

    app.add_middleware(Habits, retired=at)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
        old, new = await client.get("/old"), await client.get("/new")
    assert old.headers["deprecation"] == "@1796083200"
    assert old.headers["sunset"] == "Tue, 01 Jun 2027 00:00:00 GMT"
    assert 'rel="deprecation"' in old.headers["link"]
    assert not {"deprecation", "sunset", "link"} & set(new.headers)
    document = app.openapi()
    mark_retired(document, at)
    assert document["paths"]["/old"]["get"]["deprecated"] and "deprecated" not in document["paths"]["/new"]["get"]


@pytest.mark.parametrize("status", [400, 405])
async def test_errors_of_the_framework_are_problem_documents_too(http: httpx.AsyncClient, status: int) -> None:
    ways = {400: ("POST", "/v1/guests"), 405: ("DELETE", "/v1/variants")}
    answer = await http.request(
        *ways[status], content=b"{" if status == 400 else b"",
        headers={"Accept": "application/problem+json", "Content-Type": "application/json"},
    )  # fmt: skip
    assert answer.status_code == status and answer.json()["status"] == status
