"""The database role that nodes run with: it owns nothing, and may do to each table only what the program does (S13).

The schema's owner makes the role and grants; so a fault in a node can neither alter or drop a table nor switch a
trigger off. No schema here.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final
from urllib.parse import unquote, urlsplit

import asyncpg

_APPEND: Final = "INSERT SELECT"
_CHANGE: Final = "INSERT SELECT UPDATE"
_DELETE: Final = "DELETE INSERT SELECT UPDATE"
GRANTS: Final[Mapping[str, str]] = MappingProxyType({
    **dict.fromkeys(("alembic_version", "audit_head", "name_keys", "seat_history"), "SELECT"),
    **dict.fromkeys(
        ("audit_log", "ladder_adjustments", "ledger_lines", "linked_seats", "records", "rounds", "shares"), _APPEND
    ),
    **dict.fromkeys(
        ("admin_accounts", "admin_tokens", "circles", "ladder_counts", "matches", "reports", "rooms", "round_seats",
         "users"),
        _CHANGE,
    ),
    **dict.fromkeys(
        ("blocks", "circle_apart", "circle_applications", "circle_bans", "circle_members", "circle_templates",
         "devices", "ladder", "personal_tokens", "recovery_codes", "refresh_tokens", "sanctions", "sessions",
         "webhook_deliveries", "webhooks", "words"),
        _DELETE,
    ),
})  # fmt: skip
"""Table or view → what the program does to it. A test holds it against the schema: a new table needs a row."""

_HELD: Final = """
SELECT c.relname AS name, string_agg(a.privilege_type, ' ' ORDER BY a.privilege_type) AS may
FROM pg_class c, aclexplode(c.relacl) a
WHERE c.relnamespace = 'public'::regnamespace AND a.grantee = (SELECT oid FROM pg_roles WHERE rolname = $1)
GROUP BY 1
"""


def role_in(database_url: str) -> str:
    """The role that an address names; "" when it names none."""
    return unquote(urlsplit(database_url).username or "")


async def give_role(owner: "asyncpg.Connection[asyncpg.Record]", application_url: str) -> None:
    """Make the role of `application_url`, with the password in it, and bring its rights to `GRANTS`; often: no change.

    `owner`: a connection that owns the tables, inside the lock of the migrations. Raises asyncpg's
    InsufficientPrivilegeError when the owner may not make roles and there is none of that name.
    """
    role, password = role_in(application_url), unquote(urlsplit(application_url).password or "")
    async with owner.transaction():
        await _make(owner, role, password)
        held = {row["name"]: row["may"] for row in await owner.fetch(_HELD, role)}
        for table in sorted({*held, *GRANTS}):
            if held.get(table, "") != GRANTS.get(table, ""):
                await _run(owner, "REVOKE ALL ON TABLE public.%I FROM %I", table, role)
                if table in GRANTS:
                    await _run(owner, f"GRANT {GRANTS[table].replace(' ', ', ')} ON TABLE public.%I TO %I", table, role)


async def owns_the_schema(connection: "asyncpg.Connection[asyncpg.Record]") -> bool:
    """True when this connection's role could alter the tables: it owns the audit log, or is a superuser."""
    asked = "SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('public.audit_log')"
    return bool(await connection.fetchval(asked))


async def _make(owner: "asyncpg.Connection[asyncpg.Record]", role: str, password: str) -> None:
    if not await owner.fetchval("SELECT 1 FROM pg_roles WHERE rolname = $1", role):
        await _run(owner, "CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS", role)
    if password:
        await _run(owner, "ALTER ROLE %I PASSWORD %L", role, password)
    if not await owner.fetchval("SELECT has_schema_privilege($1, 'public', 'USAGE')", role):
        await _run(owner, "GRANT USAGE ON SCHEMA public TO %I", role)


async def _run(owner: "asyncpg.Connection[asyncpg.Record]", statement: str, *names: str) -> None:
    """Run a statement in which `%I` are names and `%L` texts, quoted by Postgres itself."""
    marks = ", ".join([f"${number}::text" for number in range(2, len(names) + 2)])
    await owner.execute(await owner.fetchval(f"SELECT format($1, {marks})", statement, *names))
