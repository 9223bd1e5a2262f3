"""Bans and mutes by operators, of a user or of their devices. Sanctions in force at a moment: `accounts.in_force`."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from sqlalchemy import insert, select, union, update

from app.refusal import not_found
from app.storage.archive.engine import Db
from app.storage.archive.paging import Page, after, page
from app.storage.archive.people.accounts import in_force, person
from app.storage.archive.schema import devices, sanctions, sessions, users
from app.storage.archive.schema.columns import new_id

Kind = Literal["ban", "mute"]


async def impose(
    db: Db, kind: Kind, user_id: str, reason: str, by: str, *, until: datetime | None, devices_too: bool = False
) -> list[str]:
    """Ban or mute a user, with `devices_too` also every device that they signed in from. Returns the sanctions' ids.

    Raises Refusal not_found.
    """
    await person(db, user_id)
    rows: list[dict[str, Any]] = [{"user_id": user_id, "device_hash": None}]
    if devices_too:
        rows += [{"user_id": None, "device_hash": device} for device in await _devices(db, user_id)]
    about = {"kind": kind, "reason": reason, "imposed_by": by, "until": until}
    ids = [new_id() for _ in rows]
    await db.execute(insert(sanctions), [{"id": key, **row, **about} for key, row in zip(ids, rows, strict=True)])
    return ids


async def _devices(db: Db, user_id: str) -> list[bytes]:
    """The user's own devices and those of their sessions: signing out everywhere deletes only the former."""
    his = select(devices.c.token_hash).where(devices.c.user_id == user_id)
    used = select(sessions.c.device_hash).where(sessions.c.user_id == user_id, sessions.c.device_hash.is_not(None))
    return sorted((await db.execute(union(his, used))).scalars())


async def sharing_devices(db: Db, user_id: str) -> list[str]:
    """The other users who are signed in on one of the user's devices."""
    shared = sessions.c.device_hash.in_(await _devices(db, user_id))
    query = select(sessions.c.user_id).where(shared, sessions.c.revoked_at.is_(None), sessions.c.user_id != user_id)
    return sorted((await db.execute(query.distinct())).scalars())


async def lift(db: Db, sanction_id: str, now: datetime) -> str | None:
    """End a sanction; one that ended already stays as it is. Raises Refusal not_found.

    Returns the user who may speak again: it was a mute, and no other mute of the user is in force.
    """
    known = select(sanctions.c.kind, sanctions.c.user_id).where(sanctions.c.id == sanction_id)
    found = (await db.execute(known)).one_or_none()
    if found is None:
        raise not_found("sanction")
    still = (sanctions.c.id == sanction_id) & sanctions.c.lifted_at.is_(None)
    await db.execute(update(sanctions).where(still).values(lifted_at=now))
    other = select(sanctions.c.id).where(
        sanctions.c.kind == "mute", sanctions.c.user_id == found.user_id, in_force(now)
    )
    silent = found.kind != "mute" or (await db.execute(other)).first() is not None
    return None if silent else str(found.user_id)


async def listed(db: Db, user_id: str | None, now: datetime, cursor: str | None, limit: int) -> Page:
    """Sanctions, newest first, all or those of a user, each with whether it is in force."""
    query = (
        select(
            sanctions.c.id, sanctions.c.kind, sanctions.c.user_id, users.c.name,
            sanctions.c.device_hash.is_not(None).label("of_device"), sanctions.c.reason, sanctions.c.imposed_by,
            sanctions.c.created_at, sanctions.c.until, sanctions.c.lifted_at, in_force(now).label("in_force"),
        )
        .outerjoin(users, users.c.id == sanctions.c.user_id)
        .where(*after(cursor, sanctions.c.created_at, sanctions.c.id))
        .order_by(sanctions.c.created_at.desc(), sanctions.c.id.desc())
        .limit(limit + 1)
    )  # fmt: skip
    if user_id is not None:
        query = query.where(sanctions.c.user_id == user_id)
    return page((await db.execute(query)).mappings().all(), limit, "created_at", "id")
