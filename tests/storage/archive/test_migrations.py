"""The schema is made by migrations alone: up, down with data in it, up again; and the code's tables are the same."""

import asyncio
import os
import subprocess
import sys

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy.ext.asyncio import create_async_engine

from app.embedded.places import ROOT, StartError
from app.service.words.keys import exact_key
from app.service.words.looks import skeleton
from app.serving.migrate import alembic_config, revisions, upgrade
from app.storage.archive.engine import Archive
from app.storage.archive.people.accounts import account
from app.storage.archive.schema import metadata
from tests.storage.archive.small_world import DATA, run, value

REVISIONS = [
    "0019",
    "0018",
    "0017",
    "0016",
    "0015",
    "0012",
    "0007",
    "0006",
    "0005",
    "0004",
    "0003",
    "0002",
    "0001",
    "base",
]
TABLES = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'"
FUNCTIONS = "SELECT count(*) FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = 'public'"


async def test_every_revision_goes_down_and_up_again_with_data(database_url: str) -> None:
    await run(database_url, DATA)
    config = alembic_config(database_url)
    for revision in REVISIONS[1:]:
        await asyncio.to_thread(command.downgrade, config, revision)
    assert await value(database_url, TABLES) == 0
    assert await value(database_url, FUNCTIONS) == 0
    for revision in reversed(REVISIONS[:-1]):
        await asyncio.to_thread(command.upgrade, config, revision)
    await run(database_url, DATA)
    assert await value(database_url, "SELECT facts->>'sit' FROM rounds") == "true"


async def test_older_tables_keep_their_rows_when_the_newest_revisions_are_undone(database_url: str) -> None:
    await run(database_url, DATA)
    await asyncio.to_thread(command.downgrade, alembic_config(database_url), "0003")
    assert await value(database_url, "SELECT count(*) FROM round_seats") == 4
    await asyncio.to_thread(command.upgrade, alembic_config(database_url), "head")
    assert await value(database_url, "SELECT points FROM ledger_lines") == 6


async def test_the_tables_in_the_code_are_those_of_the_migrations(database_url: str) -> None:
    engine = create_async_engine(database_url)
    async with engine.connect() as connection:
        differences = await connection.run_sync(
            lambda sync: compare_metadata(
                MigrationContext.configure(sync, opts={"compare_type": True}),
                metadata,
            )
        )
    await engine.dispose()
    assert [d for d in differences if "alembic_version" not in str(d)] == []


UNRULY = """
UPDATE circle_members SET role = 'member' WHERE user_id = 'u0';
INSERT INTO circle_members (circle_id, user_id, role, joined_at)
    VALUES ('c', 'u2', 'manager', now() + interval '1 day');
INSERT INTO circle_bans (circle_id, user_id, banned_by) VALUES ('c', 'u1', 'u0');
INSERT INTO circle_applications (circle_id, user_id) VALUES ('c', 'u3');
INSERT INTO circle_apart (circle_id, user_a, user_b) VALUES ('c', 'u0', 'u2'), ('c', 'u0', 'u3');
INSERT INTO circles (id, name, code, deleted_at) VALUES ('d', 'dissolved', '00000001', now()),
    ('e', 'empty', '00000002', NULL), ('f', 'old friends', '00000003', NULL);
INSERT INTO circle_members (circle_id, user_id, role, joined_at) VALUES ('d', 'u0', 'owner', now()),
    ('f', 'u3', 'member', now()), ('f', 'u2', 'member', now() - interval '1 day');
UPDATE users SET deleted_at = now(), password_hash = 'x' WHERE id = 'u3';
INSERT INTO refresh_tokens (token_hash, session_id, issued_at, expires_at)
    VALUES ('new', 'e', now() + interval '1 day', now());
UPDATE rooms SET closed_at = now();
UPDATE matches SET end_reason = 'finished';
UPDATE reports SET reason = 'boredom', handled_at = now();
UPDATE sanctions SET reason = ' ';
INSERT INTO ladder_adjustments (id, variant, user_id, points, reason, adjusted_by)
    VALUES ('z', 'tianjin', 'u0', 0, '', 'root');
UPDATE ladder_adjustments SET reason = '' WHERE id = 'j';
INSERT INTO ladder (variant, season, user_id, points) VALUES ('tianjin', 'spring', 'u0', 3);
UPDATE admin_tokens SET scopes = '{read,fly,audit}';
INSERT INTO audit_log (actor, action, subject, reason, status, detail) VALUES ('', 'x', 'y', 'z', 200, '{}');
UPDATE rounds SET ended_at = ended_at - interval '1 day';
"""

MENDED = {
    "SELECT string_agg(user_id || role, ' ' ORDER BY user_id) FROM circle_members WHERE circle_id = 'c'":
        "u0member u2owner",
    "SELECT string_agg(user_id || role, ' ' ORDER BY user_id) FROM circle_members WHERE circle_id = 'f'":
        "u2owner u3member",
    "SELECT count(*) FROM circle_members WHERE circle_id IN ('d', 'e')": 0,
    "SELECT bool_and(deleted_at IS NOT NULL) FROM circles WHERE id IN ('d', 'e')": True,
    "SELECT string_agg(user_id, ' ' ORDER BY user_id) FROM circle_bans": "u1 u3",
    "SELECT count(*) FROM circle_applications": 0,
    "SELECT string_agg(user_a || user_b, ' ') FROM circle_apart": "u0u2",
    "SELECT name || name_key || avatar || coalesce(password_hash, '') FROM users WHERE id = 'u3'":
        "已注销u3deleted:u3",
    "SELECT token_hash FROM refresh_tokens WHERE used_at IS NULL": b"new",
    "SELECT close_reason FROM rooms": "unknown",
    "SELECT end_reason FROM matches": None,
    "SELECT reason || handled_by FROM reports": "otherunknown",
    "SELECT reason FROM sanctions": "unknown",
    "SELECT string_agg(id || reason, ' ') FROM ladder_adjustments": "junknown",
    "SELECT points FROM ladder WHERE season = 'spring'": 3,
    "SELECT scopes FROM admin_tokens": ["audit", "read"],
    "SELECT count(*) FROM audit_log WHERE actor = ''": 1,
    "SELECT count(*) FROM rounds JOIN round_seats s ON s.round_id = rounds.id AND s.ended_at > rounds.ended_at": 4,
}  # fmt: skip
"""The repair of rows that break the rules of 0007 already; rows without a sensible repair stay as they are."""


async def test_rows_that_break_the_newest_rules_are_put_right_on_the_way_up(database_url: str) -> None:
    config = alembic_config(database_url)
    await asyncio.to_thread(command.downgrade, config, "0006")
    await run(database_url, DATA)
    await run(database_url, UNRULY)
    await asyncio.to_thread(command.upgrade, config, "head")
    for question, answer in MENDED.items():
        assert await value(database_url, question) == answer, question
    await asyncio.to_thread(command.downgrade, config, "0006")
    await asyncio.to_thread(command.upgrade, config, "head")


def test_r8_a_schema_from_the_future_is_refused_in_one_sentence(database_url: str) -> None:
    asyncio.run(run(database_url, "UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StartError, match=rf"schema 9999, which is newer than this program knows \({revisions()[-1]}\)"):
        upgrade(database_url)


def test_a10_alembics_own_commands_work_with_the_address_in_the_environment(database_url: str) -> None:
    env = {**os.environ, "MJ_DATABASE_URL": database_url.replace("+asyncpg", "")}
    for arguments, words in (
        (["current"], f"{revisions()[-1]} (head)"),
        (["upgrade", "0001:0002", "--sql"], "CREATE TABLE circles"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "alembic", *arguments],
            cwd=ROOT,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0 and words in done.stdout, done.stderr


async def test_s14_keys_of_names_are_made_anew_when_the_table_of_look_alikes_changed(database_url: str) -> None:
    """Accounts whose names look alike only now keep both their names: each still signs in with its own."""
    people = [("old", "bob", "bob"), ("new", "bᴏb", "bᴏb"), ("third", "工人", "工人")]
    for days, (user, name, key) in enumerate(people):
        await run(
            database_url,
            "INSERT INTO users (id, name, name_key, avatar, password_hash, created_at)"
            f" VALUES ('{user}', '{name}', '{key}', '', 'hash', now() + interval '{days} day')",
        )
    await run(database_url, "UPDATE name_keys SET version = 'before'")
    await asyncio.to_thread(upgrade, database_url)
    archive = Archive.at(database_url, connections=1)
    async with archive.read() as db:
        found = {name: await account(db, skeleton(name), exact_key(name)) for _, name, _ in people}
        elsewhere = await account(db, skeleton("BOB"), exact_key("BOB"))
    await archive.close()
    assert found == {name: (user, "hash") for user, name, _ in people} and elsewhere == ("old", "hash")
