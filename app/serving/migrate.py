"""`mj migrate`: bring a Postgres database to this version's schema. The revisions are in `migrations/`.

The package holds that folder by a link, so that a wheel has it too. The tables belong to the role that migrates; the
nodes run with a role of their own, which is made here as well (`app/storage/archive/roles.py`).

A database that is there already costs one question: Alembic, which takes a second to import, is not needed for that.
"""

import argparse
import asyncio
import re
from importlib.resources import files

import asyncpg

from app.embedded.places import StartError
from app.service.words.keys import keys_are_new, renew_keys
from app.serving.configure import read_settings
from app.storage.archive.roles import give_role, owns_the_schema, role_in

_LOCK = 0x6D6A_0001
"""Key of the advisory lock under which the schema is changed, so that two nodes may start at once."""
_TABLES = "SELECT to_regclass('public.alembic_version') IS NOT NULL"
_OPTIONS = {"database_url": "--database-url", "owner_database_url": "--owner-database-url"}
_REVISION = re.compile(r"(\d{4})_\w+\.py")


def upgrade(database_url: str, revision: str = "head", *, application_url: str = "") -> None:
    """Migrate up to `revision`, one migrator at a time; then make the role of `application_url`, for the nodes.

    Without the latter, or when both name one role, `database_url` is what the nodes use as well. Raises StartError: the
    database cannot be reached, has a schema that is newer than this program, or does not belong to the role given.
    """
    asyncio.run(_upgrade(database_url, revision, application_url))


def revisions() -> list[str]:
    """The revisions that this program knows, from the first to the newest."""
    names = [entry.name for entry in files("app.storage.archive").joinpath("migrations", "versions").iterdir()]
    return sorted(found[1] for name in names if (found := _REVISION.fullmatch(name)))


async def _upgrade(database_url: str, revision: str, application_url: str) -> None:
    try:
        connection = await asyncpg.connect(plain(database_url))
    except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise StartError(f"Postgres cannot be reached at the address given: {error}.") from None
    makes_role = application_url != "" and role_in(application_url) != role_in(database_url)
    try:
        current = revision == "head" and await _is_current(connection)
        if current and not makes_role and await keys_are_new(connection):
            return
        await _refuse_stranger(connection)
        await connection.execute("SELECT pg_advisory_lock($1)", _LOCK)
        if not current:
            await asyncio.to_thread(_run_alembic, database_url, revision)
        if revision == "head":
            await renew_keys(connection)
        if makes_role and revision == "head":
            await _give_role(connection, application_url)
    finally:
        await connection.close()


async def _give_role(owner: "asyncpg.Connection[asyncpg.Record]", application_url: str) -> None:
    try:
        await give_role(owner, application_url)
    except asyncpg.InsufficientPrivilegeError as error:
        role = role_in(application_url)
        raise StartError(f"The database's owner cannot make the role '{role}': {error}.") from None


async def _refuse_stranger(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Raises StartError when there are tables that this role does not own."""
    if await connection.fetchval(_TABLES) and not await owns_the_schema(connection):
        role = await connection.fetchval("SELECT current_user")
        raise StartError(
            f"The database's schema is not that of this program, and the role '{role}' may not change it:"
            " run `mj migrate` with its owner in MJ_OWNER_DATABASE_URL."
        )


async def _is_current(connection: "asyncpg.Connection[asyncpg.Record]") -> bool:
    """True when the schema is up to date. Raises StartError for a schema that this program does not know."""
    if not await connection.fetchval(_TABLES):
        return False
    try:
        known, found = revisions(), await connection.fetchval("SELECT version_num FROM alembic_version")
    except asyncpg.InsufficientPrivilegeError:
        return False
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
    parser = argparse.ArgumentParser(
        prog="mj migrate", description="Bring the database to this version's schema, and make the role of the nodes."
    )
    parser.add_argument("--database-url", default=None, help="as the nodes use it; default: MJ_DATABASE_URL")
    parser.add_argument(
        "--owner-database-url", default=None, help="as the owner of the tables; default: MJ_OWNER_DATABASE_URL, or none"
    )
    parser.add_argument("revision", nargs="?", default="head")
    given = parser.parse_args(argv)
    addresses = {name: url for name in _OPTIONS if (url := getattr(given, name))}
    settings = read_settings(addresses, _OPTIONS)
    if not settings.database_url:
        parser.error("give --database-url or MJ_DATABASE_URL")
    owner = settings.owner_database_url or settings.database_url
    upgrade(owner, given.revision, application_url=settings.database_url)
    return 0
