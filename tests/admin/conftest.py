"""The players' and the operators' API in one app, on a real database, and operators of every role."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from app.admin import routes
from app.admin.services import AdminServices
from app.storage.archive.engine import Archive
from app.storage.archive.operators import operators
from app.storage.archive.operators.scopes import AdminRole, granted
from app.storage.archive.people.tokens import digest, new_secret
from app.storage.live.limiter import Limiter
from tests.admin.doubles import TablesInMemory
from tests.api.conftest import Player, StandingClock, app, archive, built, clock, guest, http, live
from tests.storage.archive.databases import emptied, empty_database, one_database

__all__ = [
    "app", "archive", "built", "clock", "emptied", "empty_database", "guest", "http", "live", "one_database",
]  # fmt: skip


@pytest.fixture
def tables() -> TablesInMemory:
    """Live tables without tables."""
    return TablesInMemory()


@pytest.fixture
def admin_app(app: FastAPI, archive: Archive, tables: TablesInMemory, clock: StandingClock) -> FastAPI:
    """The operators' routes on the app of the players."""
    settings = app.state.services.settings.model_copy(update={"admin_token": None})
    services = AdminServices(settings, archive, tables, tables, clock, frozenset({"tianjin"}), _limiter(clock), tables)
    if hasattr(app.state, "admin_services"):
        app.state.admin_services = services
    else:
        routes.include(app, services)
    return app


def _limiter(clock: StandingClock) -> Limiter:
    return Limiter(now_s=lambda: clock.at.timestamp())


@pytest.fixture
async def staff(archive: Archive, admin_app: FastAPI, http: httpx.AsyncClient) -> AsyncIterator[Any]:
    """Makes an operator with a token: `await staff("admin", scopes=["inspect"])`."""

    async def hire(role: AdminRole, scopes: list[str] | None = None) -> Player:
        secret = new_secret()
        name = f"{role}{len(secret)}{secret[:6]}"
        async with archive.begin() as db:
            made = await operators.create_account(db, name, role, "no password")
            await operators.create_token(db, made["id"], "test", digest(secret), granted(role, scopes), None)
        caller = Player(made["id"], {"access_token": secret, "name": name}, http)
        return caller

    yield hire
