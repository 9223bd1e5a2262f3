"""The ladder (等级): points per player and board, and how many players stand at each number of points.

`season` is `total` for the running total, else a calendar quarter such as `2026Q4`. `ladder_counts` is kept by a
trigger: level 0 counts exact points, level 1 and 2 buckets of 256 and 65,536, so a rank is three short sums.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, CheckConstraint, Column, Index, SmallInteger, Table, Text

from app.storage.archive.schema.columns import id_column, metadata, moment, refers

ladder = Table(
    "ladder",
    metadata,
    Column("variant", Text, primary_key=True),
    Column("season", Text, primary_key=True),
    refers("user_id", "users.id", key=True, cascade=True),
    Column("points", BigInteger, nullable=False),
    CheckConstraint("season = 'total' OR season ~ '^[0-9]{4}Q[1-4]$'", name="ladder_season"),
    Index("ladder_order", "variant", "season", "points", "user_id"),
)

ladder_counts = Table(
    "ladder_counts",
    metadata,
    Column("variant", Text, primary_key=True),
    Column("season", Text, primary_key=True),
    Column("level", SmallInteger, primary_key=True),
    Column("bucket", BigInteger, primary_key=True),
    Column("players", BigInteger, nullable=False),
)

ladder_adjustments = Table(
    "ladder_adjustments",
    metadata,
    id_column(),
    Column("variant", Text, nullable=False),
    refers("user_id", "users.id", cascade=True),
    Column("points", BigInteger, nullable=False),
    Column("reason", Text, nullable=False),
    Column("adjusted_by", Text, nullable=False),
    moment("created_at", now=True),
    CheckConstraint("btrim(reason) <> ''", name="ladder_adjustments_reason"),
    CheckConstraint("points <> 0", name="ladder_adjustments_points"),
    Index("ladder_adjustments_user", "user_id"),
)
