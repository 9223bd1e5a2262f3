"""`mj migrate`: bring a Postgres database to this version's schema. The revisions are in `migrations/`.

The package holds that folder by a link, so that a wheel has it too.

A database that is there already costs one question: Alembic, which takes a second to import, is not needed for that.
"""

import argparse
import asyncio
import re
from importlib.resources import files

import asyncpg

from app.embedded.places import StartError
from app.serving.configure import read_settings

_LOCK = 0x6D6A_0001
"""Key of the advisory lock under which the schema is changed, so that two nodes may start at once."""
_REVISION = re.compile(r"(\d{4})_\w+\.py")


def upgrade(database_url: str, revision: str = "head") -> None:
    """Migrate up to `revision`, one migrator at a time.

    Raises StartError: the database cannot be reached, or has a schema that is newer than this program.
    """
    asyncio.run(_upgrade(database_url, revision))


def revisions() -> list[str]:
    """The revisions that this program knows, from the first to the newest."""
    names = [entry.name for entry in files("app.storage.archive").joinpath("migrations", "versions").iterdir()]
    return sorted(found[1] for name in names if (found := _REVISION.fullmatch(name)))


async def _upgrade(database_url: str, revision: str) -> None:
    try:
        connection = await asyncpg.connect(plain(database_url))
    except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise StartError(f"Postgres cannot be reached at the address given: {error}.") from None
    try:
        if revision == "head" and await _is_current(connection):
            return
        await connection.execute("SELECT pg_advisory_lock($1)", _LOCK)
        await asyncio.to_thread(_run_alembic, database_url, revision)
    finally:
        await connection.close()


async def _is_current(connection: "asyncpg.Connection[asyncpg.Record]") -> bool:
    """True when the schema is up to date. Raises StartError for a schema that this program does not know."""
    if await connection.fetchval("SELECT to_regclass('alembic_version')") is None:
        return False
    known, found = revisions(), await connection.fetchval("SELECT version_num FROM alembic_version")
    if found is not None and found not in known:
        raise StartError(
            f"The database has schema {found}, which is newer than this program knows ({known[-1]}):"
            " start the version that made it, or restore a backup from before."
        )
    return bool(found == known[-1])


def _run_alembic(database_url: str, revision: str) -> None:
    """In a thread of its own, since the migrations' entry runs an event loop of its own."""
    from alembic import command

    command.upgrade(alembic_config(database_url), revision)


def alembic_config(database_url: str):  # type: ignore[no-untyped-def]
    """Alembic's configuration, pointed at this database; type `alembic.config.Config`."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "app.storage.archive:migrations")
    config.attributes["database_url"] = database_url
    return config


def plain(database_url: str) -> str:
    """The URL as asyncpg itself wants it, without SQLAlchemy's driver."""
    return database_url.replace("postgresql+asyncpg://", "postgresql://", 1)


def main(argv: list[str]) -> int:
    """Run the command. Returns the exit status. Raises StartError."""
    parser = argparse.ArgumentParser(prog="mj migrate", description="Bring the database to this version's schema.")
    parser.add_argument("--database-url", default=None, help="default: MJ_DATABASE_URL")
    parser.add_argument("revision", nargs="?", default="head")
    given = parser.parse_args(argv)
    url = read_settings(
        {"database_url": given.database_url} if given.database_url else {}, {"database_url": "--database-url"}
    ).database_url
    if not url:
        parser.error("give --database-url or MJ_DATABASE_URL")
    upgrade(url, given.revision)
    return 0
