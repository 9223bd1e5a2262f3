"""Ladder (等级): points per board, with counts that give a rank in three short sums.

Revision 0004, after 0003.
"""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_COUNT = """
CREATE FUNCTION count_ladder() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO ladder_counts (variant, season, level, bucket, players)
        SELECT variant, season, level, points >> (8 * level), count(*)
        FROM new_rows, generate_series(0, 2) AS level GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
        ON CONFLICT (variant, season, level, bucket)
        DO UPDATE SET players = ladder_counts.players + EXCLUDED.players;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO ladder_counts (variant, season, level, bucket, players)
        SELECT variant, season, level, points >> (8 * level), -count(*)
        FROM old_rows, generate_series(0, 2) AS level GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
        ON CONFLICT (variant, season, level, bucket)
        DO UPDATE SET players = ladder_counts.players + EXCLUDED.players;
    ELSE
        INSERT INTO ladder_counts (variant, season, level, bucket, players)
        SELECT variant, season, level, points >> (8 * level), sum(step)
        FROM (
            SELECT variant, season, points, 1 AS step FROM new_rows
            UNION ALL
            SELECT variant, season, points, -1 FROM old_rows
        ) moved, generate_series(0, 2) AS level
        GROUP BY 1, 2, 3, 4 HAVING sum(step) <> 0 ORDER BY 1, 2, 3, 4
        ON CONFLICT (variant, season, level, bucket)
        DO UPDATE SET players = ladder_counts.players + EXCLUDED.players;
    END IF;
    RETURN NULL;
END
$$
"""

UP = (
    """
    CREATE TABLE ladder (
        variant text NOT NULL,
        season text NOT NULL,
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        points bigint NOT NULL,
        PRIMARY KEY (variant, season, user_id)
    )
    """,
    "CREATE INDEX ladder_order ON ladder (variant, season, points, user_id)",
    """
    CREATE TABLE ladder_counts (
        variant text NOT NULL,
        season text NOT NULL,
        level smallint NOT NULL,
        bucket bigint NOT NULL,
        players bigint NOT NULL,
        PRIMARY KEY (variant, season, level, bucket)
    )
    """,
    _COUNT,
    """
    CREATE TRIGGER ladder_inserted AFTER INSERT ON ladder
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_ladder()
    """,
    """
    CREATE TRIGGER ladder_updated AFTER UPDATE ON ladder
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_ladder()
    """,
    """
    CREATE TRIGGER ladder_deleted AFTER DELETE ON ladder
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_ladder()
    """,
    """
    CREATE TABLE ladder_adjustments (
        id text PRIMARY KEY,
        variant text NOT NULL,
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        points bigint NOT NULL,
        reason text NOT NULL,
        adjusted_by text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
    )
    """,
    "CREATE INDEX ladder_adjustments_user ON ladder_adjustments (user_id)",
)

DOWN = (
    "DROP TABLE ladder_adjustments",
    "DROP TABLE ladder_counts",
    "DROP TABLE ladder",
    "DROP FUNCTION count_ladder()",
)


def upgrade() -> None:
    for statement in UP:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWN:
        op.execute(statement)
