"""The OpenAPI page says what the server does: complete, with examples and errors, and true for whatever is sent."""

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
from app.api.limits import Rate
from app.api.services import Services
from app.settings import Settings
from app.storage.archive.engine import Archive
from app.storage.archive.rounds import store_round
from app.variants import VARIANTS
from tests.admin.doubles import TablesInMemory
from tests.api.conftest import StandingClock
from tests.api.doubles import RoomsInMemory
from tests.storage.archive.documents import finished

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
        admin_token=SecretStr("operator"),
    )  # fmt: skip
    archive = Archive.at(emptied)

    @asynccontextmanager
    async def running(_app: FastAPI) -> AsyncIterator[None]:
        yield
        await archive.close()

    app = FastAPI(title="Quezhuo", lifespan=running)
    calculators = ThreadPoolExecutor(1)
    limits = routes.Limits()
    limits.scores = limits.guests = Rate(10**6, 1.0)
    routes.include(app, Services(own, archive, RoomsInMemory(), VARIANTS, clock, calculators), limits)
    admin_routes.include(
        app, AdminServices(own, archive, TablesInMemory(), clock, lambda caller: None, frozenset(VARIANTS))
    )
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
            "accounts_sign_in_as_guest", "accounts_sign_in", "accounts_refresh", "accounts_sign_out",
            "variants_variants", "variants_score", "history_shared", "operators_sign_in",
        }  # fmt: skip
        assert bool(told.get("security")) is not open_to_all, where
        for status, answer in told["responses"].items():
            if int(status) >= 400:
                schema = answer["content"]["application/json"]["schema"]
                assert answer["content"]["application/json"]["examples"], where
                assert schema["$ref"].rsplit("/", 1)[1] in ("ErrorBody", "OperatorError"), where
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
        bodies = [told["requestBody"]] if "requestBody" in told else []
        bodies += [answer for status, answer in told["responses"].items() if int(status) < 300 and "content" in answer]
        for body in bodies:
            schema = body["content"]["application/json"]["schema"]
            assert any(_examples(schema, page, frozenset())), f"{method} {path}"
    for name, schema in page["components"]["schemas"].items():
        for field, described in schema.get("properties", {}).items():
            for example in described.get("examples", ()):
                whole_page = {**described, "components": page["components"]}
                errors = list(Draft202012Validator(whole_page).iter_errors(example))
                assert not errors, f"{name}.{field}: {errors[0].message}"


def _examples(schema: dict[str, Any], page: dict[str, Any], seen: frozenset[str]) -> Iterator[Any]:
    """All examples in a schema and in the schemas it refers to."""
    yield from (*schema.get("examples", ()), *schema.get("enum", ()))
    if (name := schema.get("$ref", "").rsplit("/", 1)[-1]) and name not in seen:
        yield from _examples(page["components"]["schemas"][name], page, seen | {name})
    parts = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    for part in [*parts, schema["items"]] if "items" in schema else parts:
        yield from _examples(part, page, seen)


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
