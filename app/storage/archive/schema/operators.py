"""Operators' books: admin accounts and API tokens with scopes, sanctions, reports, and the audit log (append-only)."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Identity,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    true,
)
from sqlalchemy.dialects.postgresql import ARRAY

from app.storage.archive.schema.columns import document, id_column, metadata, moment, refers

admin_accounts = Table(
    "admin_accounts",
    metadata,
    id_column(),
    Column("name", Text, nullable=False, unique=True),
    Column("role", Text, nullable=False),
    Column("password_hash", Text, nullable=False),
    moment("created_at", now=True),
    moment("disabled_at", null=True),
    Column("totp_secret", Text),
    moment("totp_since", null=True),
    Column("totp_step", BigInteger),
    CheckConstraint("role IN ('viewer', 'moderator', 'operator', 'admin')", name="admin_accounts_role"),
    CheckConstraint("totp_since IS NULL OR totp_secret IS NOT NULL", name="admin_accounts_totp"),
)
"""A deferred trigger keeps the last admin one. `totp_since` null: the second factor is not confirmed; `totp_step`: the
last step of 30 s whose code was accepted."""

admin_tokens = Table(
    "admin_tokens",
    metadata,
    id_column(),
    Column("token_hash", LargeBinary, nullable=False, unique=True),
    refers("account_id", "admin_accounts.id", cascade=True),
    Column("label", Text, nullable=False),
    Column("scopes", ARRAY(Text), nullable=False),
    moment("created_at", now=True),
    moment("expires_at", null=True),
    moment("revoked_at", null=True),
    CheckConstraint(
        "scopes <@ ARRAY['read', 'moderate', 'operate', 'export', 'ladder', 'inspect', 'audit', 'accounts']",
        name="admin_tokens_scopes",
    ),
    Index("admin_tokens_account", "account_id"),
)

audit_log = Table(
    "audit_log",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    moment("at", now=True),
    Column("actor", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("status", Integer, nullable=False),
    document("detail"),
    Column("hash", LargeBinary, nullable=False),
    CheckConstraint("actor <> '' AND action <> ''", name="audit_log_who"),
    Index("audit_log_at", "at"),
    Index("audit_log_actor", "actor", "id"),
    Index("audit_log_subject", "subject"),
)
"""Append-only. A trigger gives each row its id and its hash, which binds the row before: see `operators/chain.py`."""

audit_head = Table(
    "audit_head",
    metadata,
    Column("one", Boolean, primary_key=True, server_default=true()),
    Column("id", BigInteger, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    CheckConstraint("one", name="audit_head_one"),
)
"""The newest row of the audit log; the trigger alone writes it."""

words = Table(
    "words",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("word", Text, primary_key=True),
    Column("allowed", Boolean, nullable=False),
    Column("changed_by", Text, nullable=False),
    moment("changed_at"),
    CheckConstraint("kind IN ('blocked', 'reserved')", name="words_kind"),
)
"""What operators changed about the built-in words: added (`allowed` false) or taken out."""

sanctions = Table(
    "sanctions",
    metadata,
    id_column(),
    Column("kind", Text, nullable=False),
    refers("user_id", "users.id", null=True, cascade=True),
    Column("device_hash", LargeBinary),
    Column("reason", Text, nullable=False),
    Column("imposed_by", Text, nullable=False),
    moment("created_at", now=True),
    moment("until", null=True),
    moment("lifted_at", null=True),
    CheckConstraint("kind IN ('ban', 'mute')", name="sanctions_kind"),
    CheckConstraint("(user_id IS NULL) <> (device_hash IS NULL)", name="sanctions_subject"),
    CheckConstraint("kind = 'ban' OR user_id IS NOT NULL", name="sanctions_mute_user"),
    CheckConstraint("btrim(reason) <> ''", name="sanctions_reason"),
    Index("sanctions_user", "user_id"),
    Index("sanctions_device", "device_hash"),
)

reports = Table(
    "reports",
    metadata,
    id_column(),
    refers("reporter_id", "users.id", cascade=True),
    refers("reported_id", "users.id", cascade=True),
    Column("reason", Text, nullable=False),
    Column("text", Text, nullable=False),
    refers("round_id", "rounds.id", null=True),
    moment("created_at", now=True),
    moment("handled_at", null=True),
    Column("handled_by", Text),
    CheckConstraint("reporter_id <> reported_id", name="reports_not_oneself"),
    CheckConstraint("reason IN ('cheating', 'collusion', 'abuse', 'name', 'other')", name="reports_reason"),
    CheckConstraint("(handled_at IS NULL) = (handled_by IS NULL)", name="reports_handled"),
    Index("reports_open", "created_at"),
)
