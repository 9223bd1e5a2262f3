"""People: users, their devices, sessions with rotating refresh tokens, whom they block."""

from __future__ import annotations

from sqlalchemy import Boolean, CheckConstraint, Column, Index, LargeBinary, Table, Text, UniqueConstraint, text, true
from sqlalchemy.dialects.postgresql import ARRAY

from app.storage.archive.schema.columns import id_column, metadata, moment, refers

users = Table(
    "users",
    metadata,
    id_column(),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False),
    Column("avatar", Text, nullable=False),
    Column("password_hash", Text),
    moment("created_at", now=True),
    moment("deleted_at", null=True),
    refers("bot_owner_id", "users.id", null=True),
    Index("users_name_of_account", "name_key", unique=True, postgresql_where=text("password_hash IS NOT NULL")),
    Index("users_name_key", "name_key"),
    Index("users_bots", "bot_owner_id", postgresql_where=text("bot_owner_id IS NOT NULL")),
    CheckConstraint("bot_owner_id <> id", name="users_bot_of_another"),
    CheckConstraint(
        "deleted_at IS NULL OR (password_hash IS NULL AND avatar = '' AND name_key = 'deleted:' || id)",
        name="users_forgotten",
    ),
)
"""`name_key` is the name's skeleton (case, width and look-alikes folded): an account's is unique. `bot_owner_id`: the
player who answers for this bot account; None: a person's account or a guest."""

devices = Table(
    "devices",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    refers("user_id", "users.id", cascade=True),
    moment("created_at", now=True),
    Index("devices_user", "user_id"),
)

sessions = Table(
    "sessions",
    metadata,
    id_column(),
    refers("user_id", "users.id", cascade=True),
    Column("device_hash", LargeBinary),
    moment("created_at", now=True),
    moment("revoked_at", null=True),
    Index("sessions_user", "user_id"),
)

refresh_tokens = Table(
    "refresh_tokens",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    refers("session_id", "sessions.id", cascade=True),
    moment("issued_at", now=True),
    moment("expires_at"),
    moment("used_at", null=True),
    Index("refresh_tokens_session", "session_id"),
    Index("refresh_tokens_one_unused", "session_id", unique=True, postgresql_where=text("used_at IS NULL")),
)

personal_tokens = Table(
    "personal_tokens",
    metadata,
    id_column(),
    refers("session_id", "sessions.id", cascade=True),
    Column("token_hash", LargeBinary, nullable=False),
    Column("label", Text, nullable=False),
    Column("scopes", ARRAY(Text), nullable=False),
    moment("created_at", now=True),
    moment("expires_at"),
    moment("last_used_at", null=True),
    UniqueConstraint("token_hash", name="personal_tokens_hash"),
    CheckConstraint(
        "scopes <@ ARRAY['play', 'read', 'circle'] AND cardinality(scopes) > 0", name="personal_tokens_scopes"
    ),
    Index("personal_tokens_session", "session_id", unique=True),
)
"""A token has a session of its own: whatever ends the session (a ban apart) ends the token."""

blocks = Table(
    "blocks",
    metadata,
    refers("user_id", "users.id", key=True, cascade=True),
    refers("blocked_id", "users.id", key=True, cascade=True),
    moment("created_at", now=True),
    CheckConstraint("user_id <> blocked_id", name="blocks_not_oneself"),
    Index("blocks_blocked", "blocked_id"),
)

name_keys = Table(
    "name_keys",
    metadata,
    Column("one", Boolean, primary_key=True, server_default=true()),
    Column("version", Text, nullable=False),
    CheckConstraint("one", name="name_keys_one"),
)
"""The version of the table of look-alikes by which `users.name_key` was made; the migrations alone write it."""

recovery_codes = Table(
    "recovery_codes",
    metadata,
    refers("user_id", "users.id", key=True, cascade=True),
    Column("code_hash", LargeBinary, primary_key=True),
    moment("created_at", now=True),
)
"""The unused ones; a code that was used is deleted."""
