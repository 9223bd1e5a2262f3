"""Alembic's entry: runs `versions/` against the address in `sqlalchemy.url`, each revision in its own transaction.

The revisions are plain SQL, so that an old one never changes its meaning because the code moved on.
"""

import asyncio
from typing import Any

from alembic import context
from sqlalchemy import Connection, pool
from sqlalchemy.ext.asyncio import create_async_engine

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


async def _connect_and_run() -> None:
    url = context.config.get_main_option("sqlalchemy.url")
    assert url is not None, "sqlalchemy.url is set by `mj migrate`"
    engine = create_async_engine(url, poolclass=pool.NullPool)
    async with engine.connect() as connection:
        await connection.run_sync(_run)
    await engine.dispose()


asyncio.run(_connect_and_run())
