"""Webhooks of circles, and their deliveries: what waits, and what became of it.

Revision 0019, after 0018.
"""

from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

UP = (
    """
    CREATE TABLE webhooks (
        id text PRIMARY KEY,
        circle_id text NOT NULL REFERENCES circles (id) ON DELETE CASCADE,
        url text NOT NULL,
        events text[] NOT NULL,
        secret text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        failing_since timestamptz,
        disabled_at timestamptz,
        CONSTRAINT webhooks_events CHECK (cardinality(events) > 0)
    )
    """,
    "CREATE INDEX webhooks_circle ON webhooks (circle_id)",
    """
    CREATE TABLE webhook_deliveries (
        id text PRIMARY KEY,
        webhook_id text NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
        event text NOT NULL,
        body jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        next_at timestamptz,
        attempts integer NOT NULL DEFAULT 0,
        delivered_at timestamptz,
        status integer,
        error text,
        CONSTRAINT webhook_deliveries_over CHECK (delivered_at IS NULL OR next_at IS NULL)
    )
    """,
    "CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_at) WHERE next_at IS NOT NULL",
    "CREATE INDEX webhook_deliveries_log ON webhook_deliveries (webhook_id, created_at)",
)
DOWN = ("DROP TABLE webhook_deliveries", "DROP TABLE webhooks")


def upgrade() -> None:
    for statement in UP:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWN:
        op.execute(statement)
