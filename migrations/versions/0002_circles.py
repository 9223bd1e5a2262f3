"""Circles (亲友圈): members, applications, bans, apart pairs, templates.

Revision 0002, after 0001.
"""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

UP = (
    """
    CREATE TABLE circles (
        id text PRIMARY KEY,
        name text NOT NULL,
        code text NOT NULL UNIQUE,
        notice text NOT NULL DEFAULT '',
        created_at timestamptz NOT NULL DEFAULT now(),
        deleted_at timestamptz
    )
    """,
    """
    CREATE TABLE circle_members (
        circle_id text NOT NULL REFERENCES circles (id) ON DELETE CASCADE,
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        role text NOT NULL,
        joined_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (circle_id, user_id),
        CONSTRAINT circle_members_role CHECK (role IN ('owner', 'manager', 'member'))
    )
    """,
    "CREATE UNIQUE INDEX circle_one_owner ON circle_members (circle_id) WHERE role = 'owner'",
    "CREATE INDEX circle_members_user ON circle_members (user_id)",
    """
    CREATE TABLE circle_applications (
        circle_id text NOT NULL REFERENCES circles (id) ON DELETE CASCADE,
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        message text NOT NULL DEFAULT '',
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (circle_id, user_id)
    )
    """,
    """
    CREATE TABLE circle_bans (
        circle_id text NOT NULL REFERENCES circles (id) ON DELETE CASCADE,
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        reason text NOT NULL DEFAULT '',
        banned_by text NOT NULL REFERENCES users (id),
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (circle_id, user_id)
    )
    """,
    """
    CREATE TABLE circle_apart (
        circle_id text NOT NULL REFERENCES circles (id) ON DELETE CASCADE,
        user_a text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        user_b text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (circle_id, user_a, user_b),
        CONSTRAINT circle_apart_ordered CHECK (user_a < user_b)
    )
    """,
    """
    CREATE TABLE circle_templates (
        id text PRIMARY KEY,
        circle_id text NOT NULL REFERENCES circles (id) ON DELETE CASCADE,
        name text NOT NULL,
        variant text NOT NULL,
        rules jsonb NOT NULL,
        settings jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT circle_templates_name UNIQUE (circle_id, name)
    )
    """,
)

DOWN = (
    "DROP TABLE circle_templates",
    "DROP TABLE circle_apart",
    "DROP TABLE circle_bans",
    "DROP TABLE circle_applications",
    "DROP TABLE circle_members",
    "DROP TABLE circles",
)


def upgrade() -> None:
    for statement in UP:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWN:
        op.execute(statement)
