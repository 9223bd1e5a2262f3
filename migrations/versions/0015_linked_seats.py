"""Seats of a ranked room whose people share an address, a device or a circle (S15): for operators.

Revision 0015, after 0012.
"""

from alembic import op

revision = "0015"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        """
        CREATE TABLE linked_seats (
            round_id text NOT NULL REFERENCES rounds (id) ON DELETE CASCADE,
            seat smallint NOT NULL,
            other smallint NOT NULL,
            shares text[] NOT NULL,
            PRIMARY KEY (round_id, seat, other),
            FOREIGN KEY (round_id, seat) REFERENCES round_seats (round_id, seat),
            FOREIGN KEY (round_id, other) REFERENCES round_seats (round_id, seat),
            CONSTRAINT linked_seats_pair CHECK (seat < other),
            CONSTRAINT linked_seats_shares
                CHECK (cardinality(shares) > 0 AND shares <@ ARRAY['address', 'device', 'circle'])
        )
        """
    )


def downgrade() -> None:
    op.execute("DROP TABLE linked_seats")
