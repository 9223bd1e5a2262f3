"""One database for many tests, emptied before each: some milliseconds, where a new one costs a good part of a second.

Tests that change the schema, or start processes on the database, take `database_url` of the suite instead.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator

import asyncpg
import pytest

from app.serving.migrate import plain


async def _run(url: str, statement: str) -> None:
    connection = await asyncpg.connect(plain(url))
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


async def _empty(url: str) -> None:
    """Delete every row, triggers and foreign keys notwithstanding."""
    connection = await asyncpg.connect(plain(url))
    try:
        tables = await connection.fetch(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'"
        )
        deletes = "; ".join([f"DELETE FROM {row['tablename']}" for row in tables])
        await connection.execute(f"SET session_replication_role = replica; {deletes}")
    finally:
        await connection.close()


def _finish(url: str, statement: str) -> None:
    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(_run(url, statement))
    finally:
        loop.close()


@pytest.fixture(scope="session")
def one_database(postgres_url: str, _template: str) -> Iterator[str]:
    """Address of a database at the current schema, for the whole run."""
    name = f"kept_{secrets.token_hex(4)}"
    head, query = postgres_url.split("?", 1)
    _finish(postgres_url, f"CREATE DATABASE {name} TEMPLATE {_template}")
    yield f"{head.rsplit('/', 1)[0]}/{name}?{query}"
    _finish(postgres_url, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
async def empty_database(one_database: str) -> str:
    """Address of a database without rows."""
    await _empty(one_database)
    return one_database


@pytest.fixture
def emptied(one_database: str) -> str:
    """The same for tests without an event loop."""
    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(_empty(one_database))
    finally:
        loop.close()
    return one_database
