"""A little of everything in the archive, as plain SQL: what migrations and the database's own rules are tried on."""

from __future__ import annotations

from typing import Any

import asyncpg

from app.serving.migrate import plain

DATA = """
INSERT INTO users (id, name, name_key, avatar) SELECT 'u' || n, 'n' || n, 'n' || n, 'a' FROM generate_series(0, 3) n;
INSERT INTO circles (id, name, code) VALUES ('c', '老友', '12345678');
INSERT INTO circle_members (circle_id, user_id, role) VALUES ('c', 'u0', 'owner'), ('c', 'u1', 'member');
INSERT INTO circle_apart (circle_id, user_a, user_b) VALUES ('c', 'u0', 'u1');
INSERT INTO circle_applications (circle_id, user_id) VALUES ('c', 'u2');
INSERT INTO circle_bans (circle_id, user_id, banned_by) VALUES ('c', 'u3', 'u0');
INSERT INTO sessions (id, user_id) VALUES ('e', 'u0');
INSERT INTO refresh_tokens (token_hash, session_id, expires_at) VALUES ('t', 'e', now());
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
INSERT INTO admin_tokens (id, token_hash, account_id, label, scopes) VALUES ('k', 't', 'a', 'x', '{read}');
INSERT INTO ladder_adjustments (id, variant, user_id, points, reason, adjusted_by)
    VALUES ('j', 'tianjin', 'u0', 1, 'x', 'root');
INSERT INTO reports (id, reporter_id, reported_id, reason, text) VALUES ('p', 'u0', 'u1', 'abuse', '');
INSERT INTO audit_log (actor, action, subject, reason, status, detail) VALUES ('root', 'x', 'y', 'z', 200, '{}');
INSERT INTO sanctions (id, kind, user_id, reason, imposed_by) VALUES ('s', 'ban', 'u3', 'x', 'root');
"""


async def value(url: str, sql: str) -> Any:
    """The first value of a question."""
    connection = await asyncpg.connect(plain(url))
    try:
        return await connection.fetchval(sql)
    finally:
        await connection.close()


async def run(url: str, sql: str) -> None:
    """Some statements, in one transaction unless they say otherwise."""
    connection = await asyncpg.connect(plain(url))
    try:
        await connection.execute(sql)
    finally:
        await connection.close()
