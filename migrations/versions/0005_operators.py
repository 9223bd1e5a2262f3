"""Operators: accounts, API tokens, the audit log (append-only), sanctions, reports.

Revision 0005, after 0004.
"""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

UP = (
    """
    CREATE TABLE admin_accounts (
        id text PRIMARY KEY,
        name text NOT NULL UNIQUE,
        role text NOT NULL,
        password_hash text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        disabled_at timestamptz,
        CONSTRAINT admin_accounts_role CHECK (role IN ('viewer', 'moderator', 'operator', 'admin'))
    )
    """,
    """
    CREATE TABLE admin_tokens (
        id text PRIMARY KEY,
        token_hash bytea NOT NULL UNIQUE,
        account_id text NOT NULL REFERENCES admin_accounts (id) ON DELETE CASCADE,
        label text NOT NULL,
        scopes text[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz,
        revoked_at timestamptz
    )
    """,
    "CREATE INDEX admin_tokens_account ON admin_tokens (account_id)",
    """
    CREATE TABLE audit_log (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT now(),
        actor text NOT NULL,
        action text NOT NULL,
        subject text NOT NULL,
        reason text NOT NULL,
        status integer NOT NULL,
        detail jsonb NOT NULL
    )
    """,
    "CREATE INDEX audit_log_at ON audit_log (at)",
    "CREATE INDEX audit_log_subject ON audit_log (subject)",
    """
    CREATE FUNCTION keep_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'integrity_constraint_violation';
    END
    $$
    """,
    """
    CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_log()
    """,
    """
    CREATE TABLE sanctions (
        id text PRIMARY KEY,
        kind text NOT NULL,
        user_id text REFERENCES users (id) ON DELETE CASCADE,
        device_hash bytea,
        reason text NOT NULL,
        imposed_by text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        until timestamptz,
        lifted_at timestamptz,
        CONSTRAINT sanctions_kind CHECK (kind IN ('ban', 'mute')),
        CONSTRAINT sanctions_subject CHECK ((user_id IS NULL) <> (device_hash IS NULL)),
        CONSTRAINT sanctions_mute_user CHECK (kind = 'ban' OR user_id IS NOT NULL)
    )
    """,
    "CREATE INDEX sanctions_user ON sanctions (user_id)",
    "CREATE INDEX sanctions_device ON sanctions (device_hash)",
    """
    CREATE TABLE reports (
        id text PRIMARY KEY,
        reporter_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        reported_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        reason text NOT NULL,
        text text NOT NULL,
        round_id text REFERENCES rounds (id),
        created_at timestamptz NOT NULL DEFAULT now(),
        handled_at timestamptz,
        handled_by text,
        CONSTRAINT reports_not_oneself CHECK (reporter_id <> reported_id)
    )
    """,
    "CREATE INDEX reports_open ON reports (created_at)",
)

DOWN = (
    "DROP TABLE reports",
    "DROP TABLE sanctions",
    "DROP TABLE audit_log",
    "DROP FUNCTION keep_audit_log()",
    "DROP TABLE admin_tokens",
    "DROP TABLE admin_accounts",
)


def upgrade() -> None:
    for statement in UP:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWN:
        op.execute(statement)
