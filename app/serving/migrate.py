"""`mj migrate`: bring a Postgres database to this version's schema. The migrations themselves lie in `migrations/`."""

import argparse
import asyncio

import asyncpg
from alembic import command
from alembic.config import Config

from app.embedded.places import ROOT, StartError

_LOCK = 0x6D6A_0001
"""Key of the advisory lock under which the schema is changed, so that two nodes may start at once."""


def upgrade(database_url: str, revision: str = "head") -> None:
    """Migrate up to `revision`, one migrator at a time. Raises StartError when the database cannot be reached."""
    asyncio.run(_under_lock(database_url, revision))


def alembic_config(database_url: str) -> Config:
    """Alembic's configuration out of `pyproject.toml`, pointed at this database (option `sqlalchemy.url`)."""
    config = Config(toml_file=ROOT / "pyproject.toml")
    config.set_main_option("sqlalchemy.url", database_url.replace("%", "%%"))
    return config


async def _under_lock(database_url: str, revision: str) -> None:
    try:
        connection = await asyncpg.connect(plain(database_url))
    except (OSError, asyncpg.PostgresError) as error:
        raise StartError(f"Postgres cannot be reached at the address given: {error}.") from None
    try:
        await connection.execute("SELECT pg_advisory_lock($1)", _LOCK)
        # migrations/env.py runs an event loop of its own, so it gets a thread of its own.
        await asyncio.to_thread(command.upgrade, alembic_config(database_url), revision)
    finally:
        await connection.close()


def plain(database_url: str) -> str:
    """The URL as asyncpg itself wants it, without SQLAlchemy's driver."""
    return database_url.replace("postgresql+asyncpg://", "postgresql://", 1)


def main(argv: list[str]) -> int:
    """Run the command. Returns the exit status."""
    from app.settings import Settings

    parser = argparse.ArgumentParser(prog="mj migrate", description="Bring the database to this version's schema.")
    parser.add_argument("--database-url", default=None, help="default: MJ_DATABASE_URL")
    parser.add_argument("revision", nargs="?", default="head")
    given = parser.parse_args(argv)
    url = Settings(database_url=given.database_url).database_url if given.database_url else Settings().database_url
    if not url:
        parser.error("give --database-url or MJ_DATABASE_URL")
    upgrade(url, given.revision)
    return 0
