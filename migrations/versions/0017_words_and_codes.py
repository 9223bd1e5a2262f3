"""Words that operators block or reserve, the version of the keys of names, recovery codes, operators' second factor.

Revision 0017, after 0016.
"""

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

UP = (
    """
    CREATE TABLE words (
        kind text NOT NULL,
        word text NOT NULL,
        allowed boolean NOT NULL,
        changed_by text NOT NULL,
        changed_at timestamptz NOT NULL,
        PRIMARY KEY (kind, word),
        CONSTRAINT words_kind CHECK (kind IN ('blocked', 'reserved'))
    )
    """,
    """
    CREATE TABLE name_keys (
        one boolean PRIMARY KEY DEFAULT true,
        version text NOT NULL,
        CONSTRAINT name_keys_one CHECK (one)
    )
    """,
    """
    CREATE TABLE recovery_codes (
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        code_hash bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (user_id, code_hash)
    )
    """,
    """
    ALTER TABLE admin_accounts
        ADD COLUMN totp_secret text,
        ADD COLUMN totp_since timestamptz,
        ADD COLUMN totp_step bigint,
        ADD CONSTRAINT admin_accounts_totp CHECK (totp_since IS NULL OR totp_secret IS NOT NULL)
    """,
)

DOWN = (
    "ALTER TABLE admin_accounts DROP COLUMN totp_step, DROP COLUMN totp_since, DROP COLUMN totp_secret",
    "DROP TABLE recovery_codes",
    "DROP TABLE name_keys",
    "DROP TABLE words",
)


def upgrade() -> None:
    for statement in UP:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWN:
        op.execute(statement)
