"""Personal tokens of players, and bot accounts with the player who answers for them.

Revision 0012, after 0007. A personal token belongs to a session, so whatever ends sessions ends it.
"""

from alembic import op

revision = "0012"
down_revision = "0007"
branch_labels = None
depends_on = None

UP = (
    """
    CREATE TABLE personal_tokens (
        id text PRIMARY KEY,
        session_id text NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        token_hash bytea NOT NULL,
        label text NOT NULL,
        scopes text[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        last_used_at timestamptz,
        CONSTRAINT personal_tokens_hash UNIQUE (token_hash),
        CONSTRAINT personal_tokens_scopes CHECK (scopes <@ ARRAY['play', 'read', 'circle'] AND cardinality(scopes) > 0)
    )
    """,
    "CREATE UNIQUE INDEX personal_tokens_session ON personal_tokens (session_id)",
    "ALTER TABLE users ADD COLUMN bot_owner_id text REFERENCES users (id),"
    " ADD CONSTRAINT users_bot_of_another CHECK (bot_owner_id <> id)",
    "CREATE INDEX users_bots ON users (bot_owner_id) WHERE bot_owner_id IS NOT NULL",
)
DOWN = (
    "DROP INDEX users_bots",
    "ALTER TABLE users DROP CONSTRAINT users_bot_of_another, DROP COLUMN bot_owner_id",
    "DROP TABLE personal_tokens",
)


def upgrade() -> None:
    for statement in UP:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWN:
        op.execute(statement)
