"""The list of games, and the calculator."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.api.play.bodies import RulesOut

CASES = json.loads((Path(__file__).parent.parent / "variants" / "tianjin" / "cases.json").read_text("utf-8"))


async def test_every_game_says_all_that_a_form_needs(http: httpx.AsyncClient) -> None:
    told = (await http.get("/v1/variants")).json()
    assert {row["slug"] for row in told["variants"]} >= {"tianjin"}
    tianjin = next(row for row in told["variants"] if row["slug"] == "tianjin")
    base = next(option for option in tianjin["options"] if option["name"] == "base")
    assert (base["kind"], base["default"], base["low"], base["high"]) == ("int", 1, 1, 100)
    assert base["label_zh"] and tianjin["pattern_names"] and tianjin["reason_names"]
    assert len(tianjin["ladder"]) == 17 and tianjin["ladder"][-1] == {"level": 17, "name": "雀神", "threshold": 3000000}
    assert {option["name"] for option in told["settings"]} >= {"think_s", "claim_s", "claim_hold_ms", "spectators"}


async def test_the_rules_of_a_game_are_served_by_clause_with_its_words(http: httpx.AsyncClient) -> None:
    """M1: the pages were in the tree and served nowhere. Asked again, nothing is sent that the asker has."""
    answer = await http.get("/v1/variants/tianjin/rules")
    told = RulesOut.model_validate(answer.json())
    clauses = {block.clause: block.text for section in told.sections for block in section.blocks if block.clause}
    assert clauses["TJ-7.1"].startswith("可以打出混") and "运行时" not in clauses["TJ-1.4"]
    assert "TJ-9.6" in told.digest_en and told.reasons["too_small"].zh and told.offers["kong.kong_gold"].costs.en
    assert told.silence["answer"].clause == "TJ-3.4"
    again = await http.get("/v1/variants/tianjin/rules", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert (await http.get("/v1/variants/riichi/rules")).status_code == 404


async def test_the_calculator_settles_as_the_command_does(http: httpx.AsyncClient) -> None:
    entries = CASES["hands"][:50]
    given = [{key: value for key, value in entry.items() if key != "expect"} for entry in entries]
    response = await http.post("/v1/variants/tianjin/score", json={"list": "hands", "entries": given})
    assert response.status_code == 200, response.text
    for entry, result in zip(entries, response.json()["results"], strict=True):
        assert {key: result[key] for key in entry["expect"]} == entry["expect"]


@pytest.mark.parametrize(
    ("slug", "body", "status", "code"),
    [
        ("riichi", {"list": "hands", "entries": [{}]}, 404, "not_found"),
        ("tianjin", {"list": "hands", "entries": []}, 422, "invalid"),
        ("tianjin", {"list": "hands", "entries": [{}] * 51}, 422, "invalid"),
        ("tianjin", {"list": "nonsense", "entries": [{}]}, 422, "invalid"),
        ("tianjin", {"list": "hands", "entries": [{"hand": "\ud800"}]}, 422, "invalid"),
        ("tianjin", {"list": "hands", "entries": [7]}, 422, "invalid"),
        ("tianjin", {"list": "hands", "entries": [{"hand": "1m" * 40_000}]}, 413, "too_large"),
    ],
)
async def test_the_calculator_refuses(http: httpx.AsyncClient, slug: str, body: Any, status: int, code: str) -> None:
    content = json.dumps(body).encode()
    response = await http.post(
        f"/v1/variants/{slug}/score", content=content, headers={"content-type": "application/json"}
    )
    assert (response.status_code, response.json()["error"]["code"]) == (status, code)


async def test_a_wrong_entry_is_named_by_its_place(http: httpx.AsyncClient) -> None:
    good = {key: value for key, value in CASES["hands"][0].items() if key != "expect"}
    bad = {**good, "drawn": "9z"}
    response = await http.post("/v1/variants/tianjin/score", json={"list": "hands", "entries": [good, bad]})
    assert response.status_code == 422
    assert response.json()["error"]["field"].startswith("entries.1.")


async def test_the_calculator_is_rationed(http: httpx.AsyncClient) -> None:
    body = {"list": "hands", "entries": [{}]}
    codes = [(await http.post("/v1/variants/tianjin/score", json=body)).status_code for _ in range(61)]
    assert codes[-1] == 429 and 429 not in codes[:60]


@pytest.mark.parametrize(
    ("content", "status", "code"),
    [
        (b"{", 400, "malformed"),
        (b"\xff\xfe", 400, "malformed"),
        (b"[" * 30_000, 400, "malformed"),
        (b'{"a":' * 10_000, 400, "malformed"),
        (b"null", 422, "invalid"),
        (b"", 422, "invalid"),
        (b'"text"', 422, "invalid"),
        (b" " * 70_000, 413, "too_large"),
    ],
)
async def test_bodies_that_make_no_sense(http: httpx.AsyncClient, content: bytes, status: int, code: str) -> None:
    response = await http.post("/v1/guests", content=content, headers={"content-type": "application/json"})
    assert (response.status_code, response.json()["error"]["code"]) == (status, code)


async def test_what_is_not_there_is_answered_in_the_same_form(http: httpx.AsyncClient) -> None:
    missing = await http.get("/v1/nothing")
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "not_found")
    wrong = await http.delete("/v1/variants")
    assert wrong.status_code == 405 and wrong.json()["error"]["code"] == "invalid" and wrong.headers["allow"]
