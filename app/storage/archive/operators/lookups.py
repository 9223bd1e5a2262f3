"""Operators' look-ups: people by name or id, and totals. Reads only."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import func, select

from app.refusal import not_found
from app.storage.archive.engine import Db
from app.storage.archive.paging import Row
from app.storage.archive.people.accounts import in_force
from app.storage.archive.schema import circles, devices, matches, reports, rounds, sanctions, sessions, users

_USER = (
    users.c.id, users.c.name, users.c.avatar, users.c.password_hash.is_not(None).label("registered"),
    users.c.created_at, users.c.deleted_at,
)  # fmt: skip


async def find_users(db: Db, beginning: str, limit: int) -> list[Row]:
    """People whose name begins with this text in any case, sorted by name."""
    pattern = beginning.lower().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
    query = select(*_USER).where(func.lower(users.c.name).like(pattern, escape="\\")).order_by(users.c.name, users.c.id)
    return [dict(row) for row in (await db.execute(query.limit(limit))).mappings()]


async def user_detail(db: Db, user_id: str, now: datetime) -> Row:
    """A user, with the number of their devices and live sessions, and the sanctions in force.

    Raises Refusal not_found.
    """
    found = (await db.execute(select(*_USER).where(users.c.id == user_id))).mappings().one_or_none()
    if found is None:
        raise not_found("player")
    has = select(func.count()).select_from(devices).where(devices.c.user_id == user_id)
    live = select(func.count()).where(sessions.c.user_id == user_id, sessions.c.revoked_at.is_(None))
    held = select(sanctions.c.kind).where(sanctions.c.user_id == user_id, in_force(now)).distinct()
    return {
        **found,
        "devices": (await db.execute(has)).scalar_one(),
        "sessions": (await db.execute(live)).scalar_one(),
        "sanctions": sorted((await db.execute(held)).scalars()),
    }


async def counts(db: Db, now: datetime) -> dict[str, int]:
    """The numbers of users, accounts, circles, open matches, rounds (and of the last day), open reports and bans."""
    day = now - timedelta(days=1)
    counted = {
        "users": select(func.count()).where(users.c.deleted_at.is_(None)),
        "accounts": select(func.count()).where(users.c.password_hash.is_not(None)),
        "circles": select(func.count()).where(circles.c.deleted_at.is_(None)),
        "matches_open": select(func.count()).where(matches.c.ended_at.is_(None)),
        "rounds": select(func.count()).select_from(rounds),
        "rounds_day": select(func.count()).where(rounds.c.ended_at > day),
        "reports_open": select(func.count()).where(reports.c.handled_at.is_(None)),
        "bans": select(func.count()).where(sanctions.c.kind == "ban", in_force(now)),
    }
    return {name: int((await db.execute(query)).scalar_one()) for name, query in counted.items()}
