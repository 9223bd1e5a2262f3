"""Fixtures for every test: real embedded stores, one of each per test run (and per xdist worker), never skipped.

`valkey_url`, `postgres_url`: the servers' addresses, for the whole run.
`valkey`: a client on an emptied store. `database_url`: a fresh database at the schema of `migrations/`.
`folder`: a new folder that an unprivileged Postgres can reach.
`settings`: settings that point at both. `own_stores`: both, of a module's own, to be stopped and broken.
A test that asks for none of these starts no store.

A machine without the programs of `tests/tools.py` runs the other tests and says so in one line; with CI=true it fails.
"""

import asyncio
import itertools
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Coroutine, Iterator
from pathlib import Path
from typing import Any

import asyncpg
import hypothesis
import pytest
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from app.embedded.postgres import as_application, start_postgres
from app.embedded.valkey import start_valkey
from app.lab.chaos.chaos import Stores, stores
from app.settings import Settings
from tests.tools import TOOLS

# No example fails for having taken long, nor for having been drawn slowly: machines differ.
hypothesis.settings.register_profile(
    "any machine", hypothesis.settings(), deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("any machine")

_LEFT_OUT = pytest.StashKey[list[str]]()
_TEMPLATE = "migrated"
_numbers = itertools.count(1)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave tests out whose program is not here; in CI that is an error."""
    config.stash[_LEFT_OUT] = []
    for marker, (found, name) in TOOLS.items():
        driven = [item for item in items if item.get_closest_marker(marker)]
        if not driven or found() is not None:
            continue
        if os.environ.get("CI") == "true":
            raise pytest.UsageError(f"CI must have {name}: tests marked {marker} cannot be left out")
        items[:] = [item for item in items if item not in driven]
        config.hook.pytest_deselected(items=driven)
        config.stash[_LEFT_OUT].append(f"{len(driven)} tests were left out: there is no {name} here.")


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """One line for each program that is missing."""
    for line in config.stash.get(_LEFT_OUT, []):
        terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def _stores_folder() -> Iterator[Path]:
    """A folder with a short path that an unprivileged Postgres can reach (pytest's own is of mode 0700)."""
    folder = Path(tempfile.mkdtemp(prefix="mj-test-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A new folder that every account may enter (pytest's `tmp_path` has parents of mode 0700)."""
    made = Path(tempfile.mkdtemp(prefix="mj-test-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture(scope="session")
def valkey_url(_stores_folder: Path) -> Iterator[str]:
    """Address of a real Valkey, started once; `unix://…`. Ask for `valkey` too when the test needs it empty."""
    child = start_valkey(_stores_folder / "valkey")
    yield child.url
    child.stop()


@pytest.fixture(scope="module")
def own_stores() -> Iterator[Stores]:
    """Stores of a module's own, to be stopped."""
    with stores() as made:
        yield made


@pytest.fixture
async def valkey(valkey_url: str) -> AsyncIterator[Redis]:
    """An asyncio client (bytes in, bytes out, no retries of its own) on a store that has just been emptied."""
    client = Redis.from_url(valkey_url, retry=Retry(NoBackoff(), 0))
    await client.flushall()
    yield client
    await client.aclose()


@pytest.fixture(scope="session")
def postgres_url(_stores_folder: Path) -> Iterator[str]:
    """Address of a real Postgres, started once, in SQLAlchemy's form; its database is empty: see `database_url`."""
    child = start_postgres(_stores_folder / "postgres", durable=False)
    yield child.url
    child.stop()


@pytest.fixture(scope="session")
def _template(postgres_url: str) -> str:
    """A database migrated once, copied for every test that wants one."""
    from app.serving.migrate import upgrade  # here, because Alembic takes a second to import

    _on_server(postgres_url, f"CREATE DATABASE {_TEMPLATE}")
    template = _database(postgres_url, _TEMPLATE)
    upgrade(template, application_url=as_application(template))
    return _TEMPLATE


@pytest.fixture
def database_url(postgres_url: str, _template: str) -> Iterator[str]:
    """Address of a fresh database with the current schema as its owner, dropped after the test; `postgresql+asyncpg://…`."""
    name = f"test_{next(_numbers)}"
    _on_server(postgres_url, f"CREATE DATABASE {name} TEMPLATE {_template} STRATEGY WAL_LOG")
    yield _database(postgres_url, name)
    _on_server(postgres_url, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def settings(valkey: Redis, valkey_url: str, database_url: str, tmp_path: Path) -> Settings:
    """Settings of a node on the emptied Valkey and the fresh database, with the role that nodes have."""
    return Settings(
        valkey_url=valkey_url,
        database_url=as_application(database_url),
        data=tmp_path,
        secret="for tests only, for tests only, for tests only",
    )


def _database(server_url: str, name: str) -> str:
    head, query = server_url.split("?", 1)
    return f"{head.rsplit('/', 1)[0]}/{name}?{query}"


def _on_server(server_url: str, statement: str) -> None:
    async def run() -> None:
        connection = await asyncpg.connect(server_url.replace("+asyncpg", "", 1))
        await connection.execute(statement)
        await connection.close()

    _finish(run())


def _finish(work: Coroutine[Any, Any, None]) -> None:
    """Run to the end on a loop of its own, leaving the test's loop alone."""
    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(work)
    finally:
        loop.close()
