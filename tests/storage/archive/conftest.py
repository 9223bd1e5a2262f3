"""An archive on a fresh database, with some people in it."""

from collections.abc import AsyncIterator

import pytest
from sqlalchemy import insert

from app.embedded.postgres import as_application
from app.storage.archive.engine import Archive
from app.storage.archive.schema import users
from tests.storage.archive.databases import empty_database, one_database

__all__ = ["empty_database", "one_database"]

PEOPLE = ("ann", "bob", "cat", "dan", "eve")


@pytest.fixture
async def archive(empty_database: str) -> AsyncIterator[Archive]:
    """Five people exist: ann, bob, cat, dan, eve."""
    archive = Archive.at(as_application(empty_database), connections=5)
    async with archive.begin() as db:
        rows = [{"id": name, "name": name.title(), "name_key": name, "avatar": "seed"} for name in PEOPLE]
        await db.execute(insert(users), rows)
    yield archive
    await archive.close()
