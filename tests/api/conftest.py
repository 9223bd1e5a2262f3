"""The REST API in-process, on a real database, with live rooms in memory and a clock that stands still."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from app.api.routes import include
from app.api.services import Services
from app.embedded.postgres import as_application
from app.service.words.book import WordBook
from app.settings import Settings
from app.storage.archive.engine import Archive
from app.storage.live.limiter import Limiter
from app.variants import VARIANTS
from tests.api.doubles import EventsInMemory, RoomsInMemory
from tests.storage.archive.databases import empty_database, one_database

__all__ = ["empty_database", "one_database"]

_CALCULATORS = ThreadPoolExecutor(1)
START = datetime(2026, 11, 30, 4, 0, tzinfo=UTC)
"""Noon in Shanghai."""


class StandingClock:
    """Aware UTC time that moves only by `advance`."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> datetime:
        return self.at

    def pass_by(self, **parts: float) -> None:
        self.at += timedelta(**parts)


@dataclass
class Player:
    """A signed-in user; their calls carry their token."""

    id: str
    tokens: dict[str, Any]
    http: httpx.AsyncClient

    async def call(self, method: str, path: str, body: Any = None, **query: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.tokens['access_token']}"}
        params = {key: value for key, value in query.items() if value is not None} or None
        return await self.http.request(method, f"/v1{path}", json=body, params=params, headers=headers)

    async def get(self, path: str, **query: Any) -> Any:
        return _good(await self.call("GET", path, **query))

    async def post(self, path: str, body: Any = None) -> Any:
        return _good(await self.call("POST", path, {} if body is None else body))

    async def refused(self, method: str, path: str, body: Any = None, **query: Any) -> tuple[int, str, str | None]:
        """Status, code and field of a call that must be refused."""
        response = await self.call(method, path, body, **query)
        assert response.status_code >= 400, response.text
        error = response.json()["error"]
        return response.status_code, error["code"], error.get("field")


def _good(response: httpx.Response) -> Any:
    assert response.status_code < 300, response.text
    return response.json() if response.content else None


@pytest.fixture
def clock() -> StandingClock:
    """Noon in Shanghai, standing still."""
    return StandingClock()


@pytest.fixture
def live() -> RoomsInMemory:
    """Live rooms without tables."""
    return RoomsInMemory()


@pytest.fixture
async def archive(empty_database: str) -> AsyncIterator[Archive]:
    """A fresh archive, with the role that nodes have: so each test proves that its rights suffice (S13)."""
    archive = Archive.at(as_application(empty_database), connections=5)
    yield archive
    await archive.close()


@pytest.fixture(scope="session")
def built() -> FastAPI:
    """One app for all tests: mounting the routes takes longer than most of them."""
    return FastAPI()


@pytest.fixture
def app(
    built: FastAPI,
    archive: Archive,
    empty_database: str,
    live: RoomsInMemory,
    clock: StandingClock,
    tmp_path: Path,
) -> FastAPI:
    """An app with nothing but the REST routes, and nothing left of the test before."""
    settings = Settings(
        database_url=empty_database, data=tmp_path, secret="for tests only, for tests only, for tests only"
    )
    limiter = Limiter(now_s=lambda: clock.at.timestamp())
    words = WordBook(archive, lambda: clock.at.timestamp())
    services = Services(settings, archive, live, VARIANTS, clock, _CALCULATORS, words, EventsInMemory(), limiter)
    if hasattr(built.state, "services"):
        built.state.services = services
    else:
        include(built, services)
    return built


@pytest.fixture
async def http(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the app that is not signed in."""
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        yield client


@pytest.fixture
def guest(http: httpx.AsyncClient) -> Callable[..., Awaitable[Player]]:
    """Signs a new guest in: `await guest("老王")`."""

    async def sign_in(name: str | None = None) -> Player:
        tokens = _good(await http.post("/v1/guests", json={"name": name} if name else {}))
        return Player(tokens["user"]["id"], tokens, http)

    return sign_in
