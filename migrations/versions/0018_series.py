"""The series (局) of a round, stored and shown in the history of dealers.

Revision 0018, after 0017. Rounds that were stored before have null: no document of theirs is left that says it.
"""

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

COLUMNS = """
    r.id AS round_id, r.match_id, r.round_no, r.variant, r.circle_id, r.outcome, r.ended_at,
    s.seat, s.user_id, s.seat = r.dealer AS is_dealer, s.won, s.net,
    r.facts AS round_facts, s.facts AS seat_facts
"""
JOINED = "FROM rounds r JOIN round_seats s ON s.round_id = r.id"


def upgrade() -> None:
    op.execute("ALTER TABLE rounds ADD COLUMN series integer")
    op.execute(f"CREATE OR REPLACE VIEW seat_history AS SELECT {COLUMNS}, r.series {JOINED}")


def downgrade() -> None:
    op.execute("DROP VIEW seat_history")
    op.execute(f"CREATE VIEW seat_history AS SELECT {COLUMNS} {JOINED}")
    op.execute("ALTER TABLE rounds DROP COLUMN series")
