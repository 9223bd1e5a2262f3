"""S13: the audit log cannot be changed unseen, and the nodes' role cannot change it at all."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import re
from urllib.parse import quote

import asyncpg
import pytest

from app.cli.verify.record import main
from app.embedded.places import StartError
from app.embedded.postgres import as_application
from app.serving.migrate import upgrade
from app.storage.archive.engine import Archive
from app.storage.archive.operators import operators
from app.storage.archive.operators.chain import Chain, check
from app.storage.archive.roles import GRANTS
from app.storage.archive.schema import metadata
from tests.storage.archive.small_world import run, value

_AS_OWNER = "SET session_replication_role = replica; "


async def _write(archive: Archive, number: int) -> None:
    async with archive.begin() as db:
        detail = {"雀": '友 "quoted"', "number": str(number), "a": None}
        await operators.log_call(db, f"操作员{number}", "ban_user", "u1", "chéating: 1:2", 204, detail)


async def _chain(archive: Archive, anchor: tuple[int, str] | None = None) -> Chain:
    async with archive.read() as db:
        return await check(db, anchor)


async def test_s13_rows_written_at_once_by_two_nodes_make_one_chain_without_gaps(
    archive: Archive, empty_database: str
) -> None:
    other = Archive.at(as_application(empty_database), connections=5)
    await asyncio.gather(*[_write(node, number) for number in range(12) for node in (archive, other)])
    await other.close()
    found = await _chain(archive)
    assert (found.rows, found.last, found.broken) == (24, 24, None)
    assert (await _chain(archive, (24, found.hash))).broken is None


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ("UPDATE audit_log SET reason = 'none' WHERE id = 3", "row 3 was changed"),
        ("UPDATE audit_log SET detail = detail || '{\"number\": \"9\"}' WHERE id = 2", "row 2 was changed"),
        ("UPDATE audit_log SET at = at + interval '1 microsecond' WHERE id = 5", "row 5 was changed"),
        ("UPDATE audit_log SET actor = action, action = actor WHERE id = 1", "row 1 was changed"),
        ("UPDATE audit_log SET hash = sha256('x') WHERE id = 4", "row 4 was changed"),
        ("UPDATE audit_log l SET status = 500, hash = audit_row_hash((SELECT hash FROM audit_log WHERE id = 2),"
         " jsonb_populate_record(l, '{\"status\": 500}')) WHERE id = 3", "row 4 was changed, or does not follow"),
        ("DELETE FROM audit_log WHERE id = 3", "row 3 is missing, or row 4 was changed"),
        ("DELETE FROM audit_log WHERE id IN (2, 3)", "rows 2 to 3 are missing, or row 4 was changed"),
        ("DELETE FROM audit_log WHERE id >= 4", "row 4 is missing: the log once ended with row 5"),
        ("DELETE FROM audit_log", "row 1 is missing: the log once ended with row 5"),
        ("DELETE FROM audit_head", "the note of the log's end is missing"),
    ],
)  # fmt: skip
async def test_s13_the_first_row_that_was_changed_or_is_missing_is_named(
    archive: Archive, empty_database: str, change: str, named: str
) -> None:
    for number in range(5):
        await _write(archive, number)
    await run(empty_database, _AS_OWNER + change)
    broken = (await _chain(archive)).broken
    assert broken is not None and broken.startswith(named)


async def test_s13_a_log_written_anew_from_the_start_differs_from_what_was_noted(
    archive: Archive, empty_database: str
) -> None:
    """The chain alone has no key: its owner can write it anew, but not so that an earlier note of its end fits."""
    await _write(archive, 1)
    noted = await _chain(archive)
    await run(empty_database, _AS_OWNER + "DELETE FROM audit_log; DELETE FROM audit_head")
    await _write(archive, 2)
    assert (await _chain(archive)).broken is None
    assert (await _chain(archive, (1, noted.hash))).broken == (
        "row 1 is not the one that was noted: rows up to it were written anew"
    )
    assert (await _chain(archive, (7, noted.hash))).broken == "row 2 is missing: row 7 was noted earlier"


def test_s13_the_command_says_ok_with_the_end_of_the_log_and_names_the_broken_row(
    database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async def fill() -> None:
        archive = Archive.at(as_application(database_url), connections=1)
        for number in range(3):
            await _write(archive, number)
        await archive.close()

    asyncio.run(fill())
    asked = ["--audit", "--database-url", as_application(database_url).replace("+asyncpg", "")]
    assert main(asked) == 0
    end = capsys.readouterr().out.split()[-1]
    assert end.startswith("3:") and main([*asked, "--anchor", end]) == 0
    asyncio.run(run(database_url, _AS_OWNER + "UPDATE audit_log SET status = 200 WHERE id = 2"))
    capsys.readouterr()
    assert main(asked) == 1
    assert capsys.readouterr().out.startswith("  BROKEN   row 2 was changed")


FORBIDDEN = (
    "ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only",
    "UPDATE audit_log SET actor = 'nobody'",
    "DELETE FROM audit_log",
    "TRUNCATE audit_log",
    "DROP TABLE audit_log",
    "UPDATE audit_head SET id = 0",
    "DELETE FROM audit_head",
    "SET session_replication_role = replica",
    "CREATE OR REPLACE FUNCTION keep_audit_log() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
    "CREATE OR REPLACE FUNCTION chain_audit_log() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
    "ALTER TABLE users DROP COLUMN name",
    "DROP TABLE rounds CASCADE",
    "CREATE TABLE mine (a int)",
    "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "UPDATE records SET record = '{}'",
    "UPDATE ledger_lines SET points = 1",
    "DELETE FROM rounds",
    "DELETE FROM users",
    "UPDATE alembic_version SET version_num = '0001'",
    "SET ROLE quezhuo",
    "CREATE ROLE mine SUPERUSER",
    "ALTER ROLE quezhuo_app SUPERUSER",
    "COPY users TO PROGRAM 'cat'",
    "SELECT pg_read_file('/etc/hostname')",
)


async def test_s13_the_role_of_the_nodes_can_do_nothing_that_they_need_not(
    archive: Archive, empty_database: str
) -> None:
    await _write(archive, 1)
    for statement in FORBIDDEN:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await run(as_application(empty_database), statement)
            pytest.fail(statement)


def test_s13_each_table_has_a_row_among_the_rights() -> None:
    assert {*GRANTS} == {*metadata.tables, "alembic_version", "seat_history"}


def test_s13_a_database_from_before_gets_the_role_and_its_rights_at_the_next_start(database_url: str) -> None:
    """And rights that somebody added by hand go; a second start finds nothing to do."""
    role = "quezhuo_app"
    for change in (f"DROP OWNED BY {role}", f"GRANT ALL ON audit_log TO {role}"):
        asyncio.run(run(database_url, change))
        upgrade(database_url, application_url=as_application(database_url))
        held = f"SELECT has_table_privilege('{role}', 'audit_log', '{{}}')"
        answers = [asyncio.run(value(database_url, held.format(verb))) for verb in ("SELECT", "INSERT", "UPDATE")]
        assert answers == [True, True, False]


def test_s13_a_role_that_owns_nothing_is_told_who_has_to_migrate(database_url: str) -> None:
    upgrade(as_application(database_url))  # at the present schema there is nothing to do
    asyncio.run(run(database_url, "UPDATE alembic_version SET version_num = '0007'"))
    with pytest.raises(StartError, match="run `mj migrate` with its owner in MJ_OWNER_DATABASE_URL"):
        upgrade(as_application(database_url))


def test_s13_the_password_of_the_role_is_the_one_in_its_address(database_url: str) -> None:
    """In compose: made by the owner with the password that the nodes are given, quotes and all."""
    role, password = "app_with_word", 'it\'s 50% "good"'
    url = as_application(database_url).replace("//quezhuo_app@", f"//{role}:{quote(password)}@")
    upgrade(database_url, application_url=url)
    kept = asyncio.run(value(database_url, f"SELECT rolpassword FROM pg_authid WHERE rolname = '{role}'"))
    asyncio.run(run(database_url, f"DROP OWNED BY {role}; DROP ROLE {role}"))
    rounds, salt, stored = re.fullmatch(r"SCRAM-SHA-256\$(\d+):(.+)\$(.+):.+", str(kept)).groups()  # type: ignore[union-attr]
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), base64.b64decode(salt), int(rounds))
    client = hmac.digest(salted, b"Client Key", "sha256")
    assert hashlib.sha256(client).digest() == base64.b64decode(stored)
