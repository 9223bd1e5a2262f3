"""The database keeps the rules of the data by itself, for every writer."""

from __future__ import annotations

import asyncpg
import pytest

from tests.storage.archive.small_world import DATA, run, value

BROKEN = {
    "a net without lines": "UPDATE round_seats SET net = 7 WHERE seat = 0",
    "a line without nets": "UPDATE ledger_lines SET points = 5",
    "a line taken away": "DELETE FROM ledger_lines",
    "a void round with points": "UPDATE rounds SET outcome = 'void'; UPDATE round_seats SET won = false",
    "a settled round that becomes void later": "UPDATE rounds SET outcome = 'void'",
    "lines that move to another round": """INSERT INTO rounds (id, match_id, round_no, variant, rules_version, rules,
        dealer, outcome, started_at, ended_at, facts) VALUES ('p', 'm', 2, 'tianjin', 1, '{}', 0, 'won', now(), now(),
        '{}'); INSERT INTO round_seats (round_id, seat, user_id, name, bot, net, won, patterns, facts, ended_at)
        SELECT 'p', seat, user_id, name, bot, net, won, patterns, facts, now() FROM round_seats;
        UPDATE rounds SET circle_id = 'c' WHERE id = 'p'; UPDATE ledger_lines SET round_id = 'p'""",
    "a ranked round of a circle": "UPDATE rounds SET ranked = true",
    "a ranked round with a bot": """UPDATE rounds SET circle_id = NULL, ranked = true;
        UPDATE round_seats SET user_id = NULL, bot = true WHERE seat = 3""",
    "a round stored twice": """INSERT INTO rounds (id, match_id, round_no, variant, rules_version, rules, dealer,
        outcome, started_at, ended_at, facts) VALUES ('p', 'm', 1, 'tianjin', 1, '{}', 0, 'won', now(), now(), '{}')""",
    "a line to a seat that is not there": """INSERT INTO ledger_lines (round_id, n, reason, clause, payer, payee,
        points, detail) VALUES ('o', 1, 'x', 'y', 0, 7, 1, '[]')""",
    "a payment to oneself": "UPDATE ledger_lines SET payee = 1",
    "one player on two seats": "UPDATE round_seats SET user_id = 'u0' WHERE seat = 1",
    "a seat whose moment is not the round's": "UPDATE round_seats SET ended_at = now() - interval '1 day'",
    "a round whose moment is not its seats'": "UPDATE rounds SET ended_at = now() - interval '1 day'",
    "a winner of an exhausted round": "UPDATE rounds SET outcome = 'exhausted'",
    "a round of another circle than its room's": "UPDATE rounds SET circle_id = NULL",
    "a ranked round of a room that is not": """UPDATE rounds SET circle_id = NULL, ranked = true;
        UPDATE rooms SET circle_id = NULL, kind = 'private'""",
    "a second owner": "UPDATE circle_members SET role = 'owner'",
    "a circle without an owner": "UPDATE circle_members SET role = 'manager'",
    "a circle whose owner left": "DELETE FROM circle_members WHERE role = 'owner'",
    "an owner who goes to another circle": """INSERT INTO circles (id, name, code) VALUES ('d', 'x', '87654321');
        UPDATE circle_members SET circle_id = 'd' WHERE role = 'owner'""",
    "a circle without anybody": "INSERT INTO circles (id, name, code) VALUES ('d', 'x', '87654321')",
    "a dissolved circle with members": "UPDATE circles SET deleted_at = now()",
    "a pair with a stranger": "INSERT INTO circle_apart (circle_id, user_a, user_b) VALUES ('c', 'u0', 'u2')",
    "a pair of somebody with himself": "INSERT INTO circle_apart (circle_id, user_a, user_b) VALUES ('c', 'u0', 'u0')",
    "a pair the wrong way round": "INSERT INTO circle_apart (circle_id, user_a, user_b) VALUES ('c', 'u1', 'u0')",
    "a banned member": "INSERT INTO circle_bans (circle_id, user_id, banned_by) VALUES ('c', 'u1', 'u0')",
    "a member who was banned": "INSERT INTO circle_members (circle_id, user_id, role) VALUES ('c', 'u3', 'member')",
    "an applicant who is in": "INSERT INTO circle_members (circle_id, user_id, role) VALUES ('c', 'u2', 'member')",
    "an application of somebody banned": "INSERT INTO circle_applications (circle_id, user_id) VALUES ('c', 'u3')",
    "a role nobody has": "UPDATE circle_members SET role = 'king' WHERE role = 'member'",
    "somebody deleted who has a password": "UPDATE users SET deleted_at = now(), password_hash = 'x', avatar = ''",
    "somebody deleted who has his name": "UPDATE users SET deleted_at = now(), avatar = ''",
    "two refresh tokens to use": """INSERT INTO refresh_tokens (token_hash, session_id, expires_at)
        VALUES ('s', 'e', now())""",
    "a room that closed for nothing": "UPDATE rooms SET closed_at = now()",
    "a match that ended for nothing": "UPDATE matches SET ended_at = now()",
    "a match that goes on for a reason": "UPDATE matches SET end_reason = 'finished'",
    "a report handled by nobody": "UPDATE reports SET handled_at = now()",
    "a report for no known reason": "UPDATE reports SET reason = 'boredom'",
    "a ban without a reason": "UPDATE sanctions SET reason = ' '",
    "an adjustment without a reason": "UPDATE ladder_adjustments SET reason = ''",
    "an adjustment of nothing": "UPDATE ladder_adjustments SET points = 0",
    "a board of no season": "UPDATE ladder SET season = '2026'",
    "a scope that is none": "UPDATE admin_tokens SET scopes = '{read,fly}'",
    "a server without an admin": "UPDATE admin_accounts SET role = 'viewer'",
    "a server whose admins are disabled": "UPDATE admin_accounts SET disabled_at = now()",
    "a server whose admins are gone": "DELETE FROM admin_accounts",
    "a call of nobody in the log": """INSERT INTO audit_log (actor, action, subject, reason, status, detail)
        VALUES ('', 'x', 'y', 'z', 200, '{}')""",
    "a room of no circle that says circle": "UPDATE rooms SET circle_id = NULL",
    "a ranked circle room": "UPDATE rooms SET ranked = true",
    "a user who is still in a round": "DELETE FROM users WHERE id = 'u0'",
    "an altered audit log": "UPDATE audit_log SET actor = 'nobody'",
    "a shortened audit log": "DELETE FROM audit_log",
}


async def test_the_database_refuses_what_breaks_a_rule(database_url: str) -> None:
    await run(database_url, DATA)
    for what, statement in BROKEN.items():
        try:
            await run(database_url, f"BEGIN; {statement}; COMMIT")
        except asyncpg.IntegrityConstraintViolationError:
            continue
        pytest.fail(f"the database took {what}")


ALLOWED = {
    "an owner hands over": """UPDATE circle_members SET role = 'manager' WHERE role = 'owner';
        UPDATE circle_members SET role = 'owner' WHERE user_id = 'u1'""",
    "a circle dissolves": "DELETE FROM circle_members; UPDATE circles SET deleted_at = now()",
    "a circle vanishes with its members": "DELETE FROM rooms WHERE false; DELETE FROM circle_members; "
    "UPDATE rounds SET circle_id = NULL; UPDATE rooms SET circle_id = NULL, kind = 'private'; DELETE FROM circles",
    "an applicant is let in": """DELETE FROM circle_applications;
        INSERT INTO circle_members (circle_id, user_id, role) VALUES ('c', 'u2', 'member')""",
    "a member is banned": """DELETE FROM circle_members WHERE user_id = 'u1';
        INSERT INTO circle_bans (circle_id, user_id, banned_by) VALUES ('c', 'u1', 'u0')""",
    "a refresh token is used": """UPDATE refresh_tokens SET used_at = now();
        INSERT INTO refresh_tokens (token_hash, session_id, expires_at) VALUES ('s', 'e', now())""",
    "an admin goes when there is another": """INSERT INTO admin_accounts (id, name, role, password_hash)
        VALUES ('b', 'next', 'admin', 'x'); DELETE FROM admin_accounts WHERE id = 'a'""",
}


async def test_the_database_takes_what_keeps_the_rules(database_url: str) -> None:
    await run(database_url, DATA)
    for statement in ALLOWED.values():
        await run(database_url, f"BEGIN; {statement}; SET CONSTRAINTS ALL IMMEDIATE; ROLLBACK")


async def test_who_leaves_a_circle_takes_his_pairs_with_him(database_url: str) -> None:
    await run(database_url, DATA)
    await run(database_url, "DELETE FROM circle_members WHERE user_id = 'u1'")
    assert await value(database_url, "SELECT count(*) FROM circle_apart") == 0


async def test_a_round_and_its_lines_may_go_together(database_url: str) -> None:
    await run(database_url, DATA)
    await run(database_url, "BEGIN; DELETE FROM ledger_lines; DELETE FROM rounds; COMMIT")
    assert await value(database_url, "SELECT count(*) FROM records") == 0
