"""Webhooks of circles and their deliveries. A delivery waits while it has a `next_at`."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, Index, Integer, Table, Text, text
from sqlalchemy.dialects.postgresql import ARRAY

from app.storage.archive.schema.columns import document, id_column, metadata, moment, refers

webhooks = Table(
    "webhooks",
    metadata,
    id_column(),
    refers("circle_id", "circles.id", cascade=True),
    Column("url", Text, nullable=False),
    Column("events", ARRAY(Text), nullable=False),
    Column("secret", Text, nullable=False),
    moment("created_at", now=True),
    moment("failing_since", null=True),
    moment("disabled_at", null=True),
    CheckConstraint("cardinality(events) > 0", name="webhooks_events"),
    Index("webhooks_circle", "circle_id"),
)
"""`secret` signs what is sent, so it is kept as it is."""

webhook_deliveries = Table(
    "webhook_deliveries",
    metadata,
    id_column(),
    refers("webhook_id", "webhooks.id", cascade=True),
    Column("event", Text, nullable=False),
    document("body"),
    moment("created_at", now=True),
    moment("next_at", null=True),
    Column("attempts", Integer, nullable=False, server_default=text("0")),
    moment("delivered_at", null=True),
    Column("status", Integer),
    Column("error", Text),
    CheckConstraint("delivered_at IS NULL OR next_at IS NULL", name="webhook_deliveries_over"),
    Index("webhook_deliveries_due", "next_at", postgresql_where=text("next_at IS NOT NULL")),
    Index("webhook_deliveries_log", "webhook_id", "created_at"),
)
