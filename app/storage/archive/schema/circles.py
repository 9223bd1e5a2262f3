"""Circles (亲友圈): members with roles, applications, bans, pairs kept apart, room templates (玩法)."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, Index, Table, Text, UniqueConstraint, text

from app.storage.archive.schema.columns import document, id_column, metadata, moment, refers

circles = Table(
    "circles",
    metadata,
    id_column(),
    Column("name", Text, nullable=False),
    Column("code", Text, nullable=False, unique=True),
    Column("notice", Text, nullable=False, server_default=""),
    moment("created_at", now=True),
    moment("deleted_at", null=True),
)
"""`code` is what people type to apply; a deleted circle keeps its row for the history of its rounds."""

circle_members = Table(
    "circle_members",
    metadata,
    refers("circle_id", "circles.id", key=True, cascade=True),
    refers("user_id", "users.id", key=True, cascade=True),
    Column("role", Text, nullable=False),
    moment("joined_at", now=True),
    CheckConstraint("role IN ('owner', 'manager', 'member')", name="circle_members_role"),
    Index("circle_one_owner", "circle_id", unique=True, postgresql_where=text("role = 'owner'")),
    Index("circle_members_user", "user_id"),
)

circle_applications = Table(
    "circle_applications",
    metadata,
    refers("circle_id", "circles.id", key=True, cascade=True),
    refers("user_id", "users.id", key=True, cascade=True),
    Column("message", Text, nullable=False, server_default=""),
    moment("created_at", now=True),
)

circle_bans = Table(
    "circle_bans",
    metadata,
    refers("circle_id", "circles.id", key=True, cascade=True),
    refers("user_id", "users.id", key=True, cascade=True),
    Column("reason", Text, nullable=False, server_default=""),
    refers("banned_by", "users.id"),
    moment("created_at", now=True),
)

circle_apart = Table(
    "circle_apart",
    metadata,
    refers("circle_id", "circles.id", key=True, cascade=True),
    refers("user_a", "users.id", key=True, cascade=True),
    refers("user_b", "users.id", key=True, cascade=True),
    moment("created_at", now=True),
    CheckConstraint("user_a < user_b", name="circle_apart_ordered"),
)
"""Pairs that never sit at the same table of the circle, each once."""

circle_templates = Table(
    "circle_templates",
    metadata,
    id_column(),
    refers("circle_id", "circles.id", cascade=True),
    Column("name", Text, nullable=False),
    Column("variant", Text, nullable=False),
    document("rules"),
    document("settings"),
    moment("created_at", now=True),
    UniqueConstraint("circle_id", "name", name="circle_templates_name"),
)
