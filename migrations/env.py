"""Alembic's entry: runs `versions/` against the address in `sqlalchemy.url`, else the one in MJ_DATABASE_URL.

Each revision runs in its own transaction. The revisions are plain SQL, so that an old one never changes its meaning
because the code moved on; with `--sql` they are printed instead of run.
"""

import asyncio
import os
from typing import Any

from alembic import context
from sqlalchemy import Connection, pool
from sqlalchemy.ext.asyncio import create_async_engine

from app.storage.archive.engine import with_driver
from app.storage.archive.schema import metadata


def _include(thing: Any, name: str | None, kind: str, reflected: bool, compare_to: Any) -> bool:
    return name != "alembic_version"


def _run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=metadata,
        include_object=_include,
        compare_type=True,
        transaction_per_migration=True,
    )
    with context.begin_transaction():
        context.run_migrations()


def _url() -> str:
    """The database's address. Raises SystemExit with one sentence when none is set."""
    url = context.config.attributes.get("database_url") or os.environ.get("MJ_DATABASE_URL")
    if not url:
        raise SystemExit("Set MJ_DATABASE_URL, or use `mj migrate --database-url`.")
    return with_driver(str(url))


async def _connect_and_run() -> None:
    engine = create_async_engine(_url(), poolclass=pool.NullPool)
    async with engine.connect() as connection:
        await connection.run_sync(_run)
    await engine.dispose()


if context.is_offline_mode():
    context.configure(dialect_name="postgresql", literal_binds=True, transaction_per_migration=True)
    with context.begin_transaction():
        context.run_migrations()
else:
    asyncio.run(_connect_and_run())
