"""Tables of play: rooms, matches, rounds with seats, ledger lines and facts, records (牌谱), share codes.

No column of one game: facts of one game only (坐庄, 拉庄 …) lie in `facts`: all of them at the round, those with
one value per seat at the seats too.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKeyConstraint,
    Index,
    Integer,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY

from app.storage.archive.schema.columns import document, id_column, metadata, moment, refers

rooms = Table(
    "rooms",
    metadata,
    id_column(),
    Column("kind", Text, nullable=False),
    Column("variant", Text, nullable=False),
    document("rules"),
    document("settings"),
    refers("circle_id", "circles.id", null=True),
    refers("host_id", "users.id", null=True),
    Column("ranked", Boolean, nullable=False, server_default=text("false")),
    moment("created_at", now=True),
    moment("closed_at", null=True),
    Column("close_reason", Text),
    CheckConstraint("kind IN ('private', 'circle', 'public')", name="rooms_kind"),
    CheckConstraint("(kind = 'circle') = (circle_id IS NOT NULL)", name="rooms_circle"),
    CheckConstraint("kind = 'public' OR NOT ranked", name="rooms_ranked"),
    CheckConstraint("(closed_at IS NULL) = (close_reason IS NULL)", name="rooms_closed"),
    Index("rooms_circle", "circle_id"),
    Index(
        "rooms_open_public",
        "variant",
        "created_at",
        postgresql_where=text("kind = 'public' AND closed_at IS NULL"),
    ),
)

matches = Table(
    "matches",
    metadata,
    id_column(),
    refers("room_id", "rooms.id"),
    moment("started_at"),
    moment("ended_at", null=True),
    Column("end_reason", Text),
    CheckConstraint("(ended_at IS NULL) = (end_reason IS NULL)", name="matches_ended"),
    Index("matches_room", "room_id"),
)

rounds = Table(
    "rounds",
    metadata,
    id_column(),
    refers("match_id", "matches.id"),
    Column("round_no", Integer, nullable=False),
    Column("series", Integer),
    refers("circle_id", "circles.id", null=True),
    Column("variant", Text, nullable=False),
    Column("rules_version", Integer),
    document("rules"),
    Column("dealer", SmallInteger, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("ranked", Boolean, nullable=False, server_default=text("false")),
    moment("started_at"),
    moment("ended_at"),
    document("facts"),
    UniqueConstraint("match_id", "round_no", name="rounds_once"),
    CheckConstraint("outcome IN ('won', 'exhausted', 'void', 'failed')", name="rounds_outcome"),
    CheckConstraint("round_no > 0", name="rounds_numbered"),
    CheckConstraint("dealer BETWEEN 0 AND 3", name="rounds_dealer"),
    Index("rounds_facts", "facts", postgresql_using="gin"),
    Index("rounds_circle", "circle_id", "ended_at", "id"),
)
"""Void rounds were broken off, `failed` ones stopped by a bug of ours: kept, but no points and in no sum.

`series` (局) is null for rounds stored before revision 0018.
"""

round_seats = Table(
    "round_seats",
    metadata,
    refers("round_id", "rounds.id", key=True, cascade=True),
    Column("seat", SmallInteger, primary_key=True),
    refers("user_id", "users.id", null=True),
    Column("name", Text, nullable=False),
    Column("bot", Boolean, nullable=False),
    Column("net", BigInteger, nullable=False),
    Column("won", Boolean, nullable=False),
    Column("patterns", ARRAY(Text), nullable=False),
    document("facts"),
    moment("ended_at"),
    CheckConstraint("seat BETWEEN 0 AND 3", name="round_seats_seat"),
    CheckConstraint("bot <> (user_id IS NOT NULL)", name="round_seats_bot"),
    Index("round_seats_user", "user_id", "ended_at", "round_id"),
    Index("round_seats_once", "round_id", "user_id", unique=True, postgresql_where=text("user_id IS NOT NULL")),
    Index("round_seats_facts", "facts", postgresql_using="gin"),
)
"""`ended_at` repeats the round's, so that a player's history is one index."""

ledger_lines = Table(
    "ledger_lines",
    metadata,
    refers("round_id", "rounds.id", key=True, cascade=True),
    Column("n", Integer, primary_key=True),
    Column("reason", Text, nullable=False),
    Column("clause", Text, nullable=False),
    Column("payer", SmallInteger, key="source", nullable=False),
    Column("payee", SmallInteger, key="target", nullable=False),
    Column("points", BigInteger, nullable=False),
    document("detail"),
    ForeignKeyConstraint(["round_id", "source"], ["round_seats.round_id", "round_seats.seat"]),
    ForeignKeyConstraint(["round_id", "target"], ["round_seats.round_id", "round_seats.seat"]),
    CheckConstraint("points > 0", name="ledger_lines_points"),
    CheckConstraint("payer <> payee", name="ledger_lines_two_seats"),
)
"""`source` pays `target`. The columns keep the names they had in the database, so that nodes of the version before can
store rounds while an upgrade goes from node to node."""

linked_seats = Table(
    "linked_seats",
    metadata,
    refers("round_id", "rounds.id", key=True, cascade=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("other", SmallInteger, primary_key=True),
    Column("shares", ARRAY(Text), nullable=False),
    ForeignKeyConstraint(["round_id", "seat"], ["round_seats.round_id", "round_seats.seat"]),
    ForeignKeyConstraint(["round_id", "other"], ["round_seats.round_id", "round_seats.seat"]),
    CheckConstraint("seat < other", name="linked_seats_pair"),
    CheckConstraint(
        "cardinality(shares) > 0 AND shares <@ ARRAY['address', 'device', 'circle']", name="linked_seats_shares"
    ),
)
"""Two seats of a ranked room whose people share an address, a device or a circle: the round does not count (S15)."""

records = Table(
    "records",
    metadata,
    refers("round_id", "rounds.id", key=True, cascade=True),
    Column("format", Integer, nullable=False),
    document("record"),
)

shares = Table(
    "shares",
    metadata,
    Column("code", Text, primary_key=True),
    refers("round_id", "rounds.id", cascade=True),
    refers("shared_by", "users.id", null=True),
    moment("created_at", now=True),
    UniqueConstraint("round_id", name="shares_round"),
)
