"""People: users, devices, sessions, refresh tokens, blocks.

Revision 0001, after None.
"""

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

UP = (
    """
    CREATE TABLE users (
        id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
        name text NOT NULL,
        name_key text NOT NULL,
        avatar text NOT NULL,
        password_hash text,
        created_at timestamptz NOT NULL DEFAULT now(),
        deleted_at timestamptz
    )
    """,
    "CREATE UNIQUE INDEX users_name_of_account ON users (name_key) WHERE password_hash IS NOT NULL",
    "CREATE INDEX users_name_key ON users (name_key)",
    """
    CREATE TABLE devices (
        token_hash bytea PRIMARY KEY,
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        created_at timestamptz NOT NULL DEFAULT now()
    )
    """,
    "CREATE INDEX devices_user ON devices (user_id)",
    """
    CREATE TABLE sessions (
        id text PRIMARY KEY,
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        device_hash bytea,
        created_at timestamptz NOT NULL DEFAULT now(),
        revoked_at timestamptz
    )
    """,
    "CREATE INDEX sessions_user ON sessions (user_id)",
    """
    CREATE TABLE refresh_tokens (
        token_hash bytea PRIMARY KEY,
        session_id text NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        issued_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        used_at timestamptz
    )
    """,
    "CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id)",
    """
    CREATE TABLE blocks (
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        blocked_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (user_id, blocked_id),
        CONSTRAINT blocks_not_oneself CHECK (user_id <> blocked_id)
    )
    """,
    "CREATE INDEX blocks_blocked ON blocks (blocked_id)",
)

DOWN = (
    "DROP TABLE blocks",
    "DROP TABLE refresh_tokens",
    "DROP TABLE sessions",
    "DROP TABLE devices",
    "DROP TABLE users",
)


def upgrade() -> None:
    for statement in UP:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWN:
        op.execute(statement)
