"""The OpenAPI page describes the server: complete, with examples and errors, and true for any input."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import SecretStr
from schemathesis import checks
from schemathesis.python import asgi
from schemathesis.specs.openapi import checks as openapi

from app.admin import routes as admin_routes
from app.admin.services import AdminServices
from app.api import routes
from app.api.services import Services
from app.refusal import ErrorCode
from app.rest.bodies import RequestBody, ResponseBody
from app.rest.errors import STATUS
from app.service.words.book import WordBook
from app.settings import Settings
from app.storage.archive.engine import Archive
from app.storage.live.limiter import BUDGETS, Limiter, Rate
from app.variants import VARIANTS
from tests.admin.doubles import TablesInMemory
from tests.api.conftest import StandingClock
from tests.api.doubles import EventsInMemory, RoomsInMemory
from tests.storage.archive.documents import finished, store_round

CHECKS = [
    checks.not_a_server_error,
    openapi.status_code_conformance,
    openapi.content_type_conformance,
    openapi.response_schema_conformance,
]
EXAMPLES = 5
"""Requests per operation; there are about ninety operations."""


@pytest.fixture
def whole(emptied: str, tmp_path: Path) -> Iterator[FastAPI]:
    """Players' and operators' routes."""
    clock = StandingClock()
    own = Settings(
        database_url=emptied, data=tmp_path, secret="for tests only, for tests only, for tests only",
        admin_token=SecretStr("operator" * 4),
    )  # fmt: skip
    archive = Archive.at(emptied)

    @asynccontextmanager
    async def running(_app: FastAPI) -> AsyncIterator[None]:
        yield
        await archive.close()

    app = FastAPI(title="Quezhuo", lifespan=running)
    calculators = ThreadPoolExecutor(1)
    endless = {budget: dict.fromkeys(scopes, Rate(10**6, 0.001)) for budget, scopes in BUDGETS.items()}
    limiter = Limiter(budgets=endless)
    routes.include(
        app,
        Services(
            own, archive, RoomsInMemory(), VARIANTS, clock, calculators, WordBook(archive), EventsInMemory(), limiter
        ),
    )
    tables = TablesInMemory()
    admin_routes.include(app, AdminServices(own, archive, tables, tables, clock, frozenset(VARIANTS), limiter, tables))
    yield app
    calculators.shutdown()


def _operations(page: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [(path, method, told) for path, item in page["paths"].items() for method, told in item.items()]


def test_every_operation_is_described(whole: FastAPI) -> None:
    page = whole.openapi()
    seen: set[str] = set()
    for path, method, told in _operations(page):
        where = f"{method} {path}"
        assert told["summary"] and told["description"] and told["tags"], where
        assert told["operationId"] not in seen, where
        seen.add(told["operationId"])
        open_to_all = told["operationId"] in {
            "accounts_sign_in_as_guest", "accounts_sign_in", "accounts_refresh", "accounts_recover",
            "variants_variants", "variants_rules", "variants_score", "history_shared", "operators_sign_in",
        }  # fmt: skip
        assert bool(told.get("security")) is not open_to_all, where
        for status, answer in told["responses"].items():
            if int(status) >= 400:
                schema = answer["content"]["application/json"]["schema"]
                assert answer["content"]["application/json"]["examples"], where
                assert schema["$ref"].rsplit("/", 1)[1] == "ErrorBody", where
        assert {"400", "413", "422", "503"} <= set(told["responses"]), where


def test_every_schema_says_what_it_is_and_lists_are_bounded(whole: FastAPI) -> None:
    page = whole.openapi()
    for name, schema in page["components"]["schemas"].items():
        assert schema.get("description") or "enum" in schema, name
    for path, method, told in _operations(page):
        for parameter in told.get("parameters", ()):
            if parameter["name"] == "limit":
                assert parameter["schema"]["maximum"] <= 100, f"{method} {path}"


def test_every_body_has_examples_and_they_are_what_they_say(whole: FastAPI) -> None:
    page = whole.openapi()
    for path, method, told in _operations(page):
        for _, body in _bodies(told):
            schema = body["content"]["application/json"]["schema"]
            assert any(_examples(schema, page, frozenset())), f"{method} {path}"
    for name, schema in page["components"]["schemas"].items():
        for field, described in schema.get("properties", {}).items():
            for example in described.get("examples", ()):
                whole_page = {**described, "components": page["components"]}
                errors = list(Draft202012Validator(whole_page).iter_errors(example))
                assert not errors, f"{name}.{field}: {errors[0].message}"


def test_examples_make_whole_bodies_that_are_valid(whole: FastAPI) -> None:
    """An author of a client can copy them: every field of every request and response has a valid example."""
    page = whole.openapi()
    missing: set[str] = set()
    made = [
        (f"{method} {path} {where}", schema, _made_up(schema, page, where, missing))
        for path, method, told in _operations(page)
        for where, body in _bodies(told)
        if (schema := body["content"]["application/json"]["schema"])
    ]
    assert sorted(missing) == []
    for where, schema, example in made:
        errors = list(Draft202012Validator({**schema, "components": page["components"]}).iter_errors(example))
        assert not errors, f"{where}: {errors[0].message}"


def _bodies(told: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The bodies of requests and of good responses."""
    if "requestBody" in told:
        yield "request", told["requestBody"]
    for status, answer in told["responses"].items():
        if int(status) < 300 and "application/json" in answer.get("content", {}):
            yield status, answer


def _made_up(schema: dict[str, Any], page: dict[str, Any], where: str, missing: set[str]) -> Any:
    """A value of this shape out of its examples; where there is none, the place goes to `missing`."""
    for word in ("examples", "enum"):
        if schema.get(word):
            return schema[word][0]
    if "const" in schema:
        return schema["const"]
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return _made_up(page["components"]["schemas"][name], page, name, missing)
    if "anyOf" in schema:
        return _made_up(schema["anyOf"][0], page, where, missing)
    if schema.get("type") == "boolean":
        return True
    if schema.get("type") == "array":
        return [_made_up(schema["items"], page, where, missing)]
    if "properties" in schema:
        return {name: _made_up(its, page, f"{where}.{name}", missing) for name, its in schema["properties"].items()}
    missing.add(where)
    return None


def test_every_error_has_a_code_that_is_known_and_belongs_to_its_status(whole: FastAPI) -> None:
    page = whole.openapi()
    for path, method, told in _operations(page):
        where = f"{method} {path}"
        errors = {int(status): answer for status, answer in told["responses"].items() if int(status) >= 400}
        if told.get("security"):
            assert {401, 403} <= errors.keys(), where
        if "{" in path and told["operationId"] not in NOTHING_TO_MISS:
            assert errors.keys() & {404, 409}, where
        for status, answer in errors.items():
            content = answer["content"]["application/json"]
            for code, example in content["examples"].items():
                assert STATUS[ErrorCode(code)] == status, f"{where}: {code}"
                assert example["value"]["error"]["code"] == code and example["value"]["error"]["message"]
            body = page["components"]["schemas"][content["schema"]["$ref"].rsplit("/", 1)[-1]]
            detail = page["components"]["schemas"][body["properties"]["error"]["$ref"].rsplit("/", 1)[-1]]
            assert detail["required"] == ["code", "message"], where
            assert detail["properties"]["code"]["$ref"].endswith("/ErrorCode"), where


NOTHING_TO_MISS = {"me_unblock", "rooms_leave"}
"""Operations on something that need not be there."""

BOUNDED: dict[str, str] = {
    "circles_my_circles": "one is in 100 at most",
    "circles_templates": "a circle has 30 at most",
    "circles_pairs": "a circle keeps 200 pairs at most",
    "me_blocks": "500 at most",
    "me_my_sessions": "the newest 100",
    "me_my_tokens": "10 at most",
    "me_my_bots": "5 at most",
    "circles_webhooks": "5 at most",
    "circles_webhook_deliveries": "the newest 50",
    "history_my_statistics": "one for each game",
    "circles_member_statistics": "one for each game",
    "circles_circle_lobby": "the newest 500 tables",
    "rooms_lobby": "the newest 500 tables",
    "operators_accounts": "200 at most",
    "operators_my_tokens": "the newest 100",
    "operators_tokens_of": "the newest 100",
    **dict.fromkeys(
        ("operators_list_words", "operators_put_word", "operators_take_word_out"), "5,000 changes of the built-in ones"
    ),
    "rooms_players": "one for each seat",
    "operators_nodes": "those that beat lately",
    "operators_alerts": "the newest 200",
    "operators_refused_documents": "200 tables",
}
"""Lists that are short by a rule of their own; all others have a limit."""


def test_every_list_has_a_limit(whole: FastAPI) -> None:
    page = whole.openapi()
    unlimited = set()
    for _path, _method, told in _operations(page):
        for _, answer in _bodies({"responses": told["responses"]}):
            name = answer["content"]["application/json"]["schema"].get("$ref", "").rsplit("/", 1)[-1]
            lists = "items" in page["components"]["schemas"].get(name, {}).get("properties", {})
            if lists and "limit" not in {parameter["name"] for parameter in told.get("parameters", ())}:
                unlimited.add(told["operationId"])
    assert unlimited == BOUNDED.keys()


def _examples(schema: dict[str, Any], page: dict[str, Any], seen: frozenset[str]) -> Iterator[Any]:
    """All examples in a schema and in the schemas it refers to."""
    yield from (*schema.get("examples", ()), *schema.get("enum", ()))
    if (name := schema.get("$ref", "").rsplit("/", 1)[-1]) and name not in seen:
        yield from _examples(page["components"]["schemas"][name], page, seen | {name})
    parts = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    for part in [*parts, schema["items"]] if "items" in schema else parts:
        yield from _examples(part, page, seen)


@pytest.mark.timeout(600)  # 28 s of a core of one's own
def test_whatever_is_sent_the_server_answers_as_it_says(whole: FastAPI, emptied: str) -> None:
    statuses: Counter[int] = Counter()
    with asgi.get_client(whole) as client:
        anna = client.post("/v1/guests", json={}).json()
        asyncio.run(_play_a_round(emptied, anna["user"]["id"]))
        for found in schemathesis.openapi.from_asgi("/openapi.json", whole).get_all_operations():
            operation = found.ok()
            throwaway = (operation.method, operation.path) == ("delete", "/v1/me")
            me = client.post("/v1/guests", json={}).json() if throwaway else anna
            token = "operator" if "/admin" in operation.path else me["access_token"]
            _try(operation, client, token, _things(client, operation.path, me), statuses)
    assert statuses[200] and statuses[201] and statuses[204] and statuses[404] and statuses[422], statuses


async def _play_a_round(database_url: str, user: str) -> None:
    archive = Archive.at(database_url)
    await store_round(archive, finished((user, None, None, None)))
    await archive.close()


def _things(client: Any, path: str, me: dict[str, Any]) -> dict[str, str]:
    """Things that exist, by the name of the path's parameter; every operation gets a room and a circle of its own."""
    headers = {"Authorization": f"Bearer {me['access_token']}"}
    known = {"user": me["user"]["id"], "match": "match1", "round_id": "match1.1", "node": "n1", "slug": "tianjin"}
    if "{room}" in path:
        seated = client.get("/v1/me/room", headers=headers).json()["room"]
        if seated:
            client.post(f"/v1/rooms/{seated['id']}/leave", headers=headers)
        known["room"] = client.post("/v1/rooms", json={"variant": "tianjin"}, headers=headers).json()["id"]
    if "{circle}" in path:
        for circle in client.get("/v1/circles", headers=headers).json()["items"]:
            client.delete(f"/v1/circles/{circle['id']}", headers=headers)
        known["circle"] = client.post("/v1/circles", json={"name": "老友"}, headers=headers).json()["id"]
    return known


def _try(operation: Any, client: Any, token: str, known: dict[str, str], statuses: Counter[int]) -> None:
    @settings(
        max_examples=EXAMPLES, deadline=None, database=None, derandomize=True, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=operation.as_strategy(), real=st.sampled_from([True, True, False]))
    def answers(case: Any, real: bool) -> None:
        if real:
            case.path_parameters = {name: known.get(name, value) for name, value in case.path_parameters.items()}
        headers = {"Authorization": f"Bearer {token}"}
        statuses[case.call_and_validate(session=client, headers=headers, checks=CHECKS).status_code] += 1

    answers()


def test_bodies_are_named_by_one_rule() -> None:
    """A request body by what it asks for, a response body, whole or part, with `Out` at the end."""
    assert [body.__name__ for body in _all(ResponseBody) if not body.__name__.endswith("Out")] == []
    assert [body.__name__ for body in _all(RequestBody) if body.__name__.endswith(("Out", "Asked", "Change"))] == []


def _all(base: type) -> set[type]:
    return {found for child in base.__subclasses__() for found in (child, *_all(child))}
