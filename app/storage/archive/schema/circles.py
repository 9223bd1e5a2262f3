"""Circles (亲友圈): members with roles, applications, bans, pairs kept apart, room templates (玩法)."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, ForeignKeyConstraint, Index, Table, Text, UniqueConstraint, text

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
"""Deferred triggers: a circle has an owner until it is dissolved; nobody is member, applicant or banned at once."""

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
    Column("user_a", Text, primary_key=True),
    Column("user_b", Text, primary_key=True),
    moment("created_at", now=True),
    *[
        ForeignKeyConstraint(
            ["circle_id", user],
            ["circle_members.circle_id", "circle_members.user_id"],
            name=f"circle_apart_{user}_member",
            ondelete="CASCADE",
        )
        for user in ("user_a", "user_b")
    ],
    CheckConstraint("user_a < user_b", name="circle_apart_ordered"),
    Index("circle_apart_a", "user_a"),
    Index("circle_apart_b", "user_b"),
)
"""Pairs of members that never sit at the same table of the circle, each once; deleted when a member leaves."""

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
