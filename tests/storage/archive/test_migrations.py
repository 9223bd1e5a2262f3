"""The schema is made by migrations alone: up, down with data in it, up again; and the code's tables are the same."""

import asyncio
from typing import Any

import asyncpg
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy.ext.asyncio import create_async_engine

from app.devstack.migrate import alembic_config, plain
from app.storage.archive.schema import metadata

REVISIONS = ["0006", "0005", "0004", "0003", "0002", "0001", "base"]
TABLES = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'"
FUNCTIONS = "SELECT count(*) FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = 'public'"

DATA = """
INSERT INTO users (id, name, name_key, avatar) SELECT 'u' || n, 'n' || n, 'n' || n, 'a' FROM generate_series(0, 3) n;
INSERT INTO circles (id, name, code) VALUES ('c', '老友', '12345678');
INSERT INTO circle_members (circle_id, user_id, role) VALUES ('c', 'u0', 'owner'), ('c', 'u1', 'member');
INSERT INTO rooms (id, kind, variant, rules, settings, circle_id) VALUES ('r', 'circle', 'tianjin', '{}', '{}', 'c');
INSERT INTO matches (id, room_id, started_at) VALUES ('m', 'r', now());
INSERT INTO rounds (id, match_id, round_no, circle_id, variant, rules_version, rules, dealer, outcome, started_at,
    ended_at, facts) VALUES ('o', 'm', 1, 'c', 'tianjin', 1, '{}', 0, 'won', now(), now(), '{"sit": true}');
INSERT INTO round_seats (round_id, seat, user_id, name, bot, net, won, patterns, facts, ended_at)
    SELECT 'o', n, 'u' || n, 'n', false, CASE n WHEN 0 THEN 6 WHEN 1 THEN -6 ELSE 0 END, n = 0, '{}', '{}', now()
    FROM generate_series(0, 3) n;
INSERT INTO ledger_lines (round_id, n, reason, clause, payer, payee, points, detail)
    VALUES ('o', 0, 'win', 'TJ-13.1', 1, 0, 6, '[]');
INSERT INTO records (round_id, format, record) VALUES ('o', 1, '{}');
INSERT INTO ladder (variant, season, user_id, points)
    VALUES ('tianjin', 'total', 'u0', 6), ('tianjin', 'total', 'u1', -6);
INSERT INTO admin_accounts (id, name, role, password_hash) VALUES ('a', 'root', 'admin', 'x');
INSERT INTO audit_log (actor, action, subject, reason, status, detail) VALUES ('root', 'x', 'y', 'z', 200, '{}');
INSERT INTO sanctions (id, kind, user_id, reason, imposed_by) VALUES ('s', 'ban', 'u3', 'x', 'root');
"""


async def _value(url: str, sql: str) -> Any:
    connection = await asyncpg.connect(plain(url))
    try:
        return await connection.fetchval(sql)
    finally:
        await connection.close()


async def _run(url: str, sql: str) -> None:
    connection = await asyncpg.connect(plain(url))
    try:
        await connection.execute(sql)
    finally:
        await connection.close()


async def test_every_revision_goes_down_and_up_again_with_data(database_url: str) -> None:
    await _run(database_url, DATA)
    config = alembic_config(database_url)
    for revision in REVISIONS[1:]:
        await asyncio.to_thread(command.downgrade, config, revision)
    assert await _value(database_url, TABLES) == 0
    assert await _value(database_url, FUNCTIONS) == 0
    for revision in reversed(REVISIONS[:-1]):
        await asyncio.to_thread(command.upgrade, config, revision)
    await _run(database_url, DATA)
    assert await _value(database_url, "SELECT facts->>'sit' FROM rounds") == "true"


async def test_older_tables_keep_their_rows_when_the_newest_revisions_are_undone(database_url: str) -> None:
    await _run(database_url, DATA)
    await asyncio.to_thread(command.downgrade, alembic_config(database_url), "0003")
    assert await _value(database_url, "SELECT count(*) FROM round_seats") == 4
    await asyncio.to_thread(command.upgrade, alembic_config(database_url), "head")
    assert await _value(database_url, "SELECT points FROM ledger_lines") == 6


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


BROKEN = {
    "a net without lines": "UPDATE round_seats SET net = 7 WHERE seat = 0",
    "a line without nets": "UPDATE ledger_lines SET points = 5",
    "a line taken away": "DELETE FROM ledger_lines",
    "a void round with points": "UPDATE rounds SET outcome = 'void'; UPDATE round_seats SET won = false",
    "a settled round that becomes void later": "UPDATE rounds SET outcome = 'void'",
    "lines that move to another round": """INSERT INTO rounds (id, match_id, round_no, variant, rules_version, rules,
        dealer, outcome, started_at, ended_at, facts) VALUES ('p', 'm', 2, 'tianjin', 1, '{}', 0, 'won', now(), now(),
        '{}'); INSERT INTO round_seats (round_id, seat, user_id, name, bot, net, won, patterns, facts, ended_at)
        SELECT 'p', seat, user_id, name, bot, net, won, patterns, facts, ended_at FROM round_seats;
        UPDATE ledger_lines SET round_id = 'p'""",
    "a ranked round of a circle": "UPDATE rounds SET ranked = true",
    "a ranked round with a bot": """UPDATE rounds SET circle_id = NULL, ranked = true;
        UPDATE round_seats SET user_id = NULL, bot = true WHERE seat = 3""",
    "a round stored twice": """INSERT INTO rounds (id, match_id, round_no, variant, rules_version, rules, dealer,
        outcome, started_at, ended_at, facts) VALUES ('p', 'm', 1, 'tianjin', 1, '{}', 0, 'won', now(), now(), '{}')""",
    "a line to a seat that is not there": """INSERT INTO ledger_lines (round_id, n, reason, clause, payer, payee,
        points, detail) VALUES ('o', 1, 'x', 'y', 0, 7, 1, '[]')""",
    "a payment to oneself": "UPDATE ledger_lines SET payee = 1",
    "one player on two seats": "UPDATE round_seats SET user_id = 'u0' WHERE seat = 1",
    "a second owner": "UPDATE circle_members SET role = 'owner'",
    "a room of no circle that says circle": "UPDATE rooms SET circle_id = NULL",
    "a ranked circle room": "UPDATE rooms SET ranked = true",
    "a user who is still in a round": "DELETE FROM users WHERE id = 'u0'",
    "an altered audit log": "UPDATE audit_log SET actor = 'nobody'",
    "a shortened audit log": "DELETE FROM audit_log",
}


async def test_the_database_refuses_what_breaks_a_rule(database_url: str) -> None:
    await _run(database_url, DATA)
    for what, statement in BROKEN.items():
        try:
            await _run(database_url, f"BEGIN; {statement}; COMMIT")
        except asyncpg.IntegrityConstraintViolationError:
            continue
        pytest.fail(f"the database took {what}")


async def test_a_round_and_its_lines_may_go_together(database_url: str) -> None:
    await _run(database_url, DATA)
    await _run(database_url, "BEGIN; DELETE FROM ledger_lines; DELETE FROM rounds; COMMIT")
    assert await _value(database_url, "SELECT count(*) FROM records") == 0
