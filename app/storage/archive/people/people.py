"""People's own changes: name and avatar, blocks, reports. Export and deletion: `leaving`."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, func, insert, or_, select, union, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.exc import IntegrityError

from app.refusal import ErrorCode, Refusal, not_found
from app.storage.archive.engine import Db
from app.storage.archive.people import accounts
from app.storage.archive.schema import (
    blocks,
    circle_apart,
    circle_members,
    devices,
    reports,
    round_seats,
    sessions,
    users,
)
from app.storage.archive.schema.columns import new_id

BLOCKS_AT_MOST = 500
_DEVICES = 8
_CIRCLES = 30


async def rename(db: Db, user_id: str, name: str, name_key: str) -> None:
    """Change the display name. Raises Refusal name_taken when another account has it."""
    if await accounts.account_has_name(db, name_key, besides=user_id):
        raise Refusal(ErrorCode.NAME_TAKEN, "this name belongs to an account", "name")
    try:
        await db.execute(update(users).where(users.c.id == user_id).values(name=name, name_key=name_key))
    except IntegrityError:
        raise Refusal(ErrorCode.NAME_TAKEN, "this name belongs to an account", "name") from None


async def set_avatar(db: Db, user_id: str, avatar: str) -> None:
    """Change the seed from which clients draw the avatar."""
    there = (users.c.id == user_id) & users.c.deleted_at.is_(None)
    await db.execute(update(users).where(there).values(avatar=avatar))


async def block(db: Db, user_id: str, blocked_id: str) -> None:
    """Block a user; repeating it changes nothing.

    Raises Refusal: invalid (oneself), not_found, conflict (the list is full).
    """
    if user_id == blocked_id:
        raise Refusal(ErrorCode.INVALID, "nobody can block themselves", "user", reason="oneself")
    if not all([await accounts.held(db, somebody) for somebody in sorted((user_id, blocked_id))]):
        raise not_found("player")
    count = select(func.count()).select_from(blocks).where(blocks.c.user_id == user_id)
    if (await db.execute(count)).scalar_one() >= BLOCKS_AT_MOST:
        message = f"at most {BLOCKS_AT_MOST} players can be blocked"
        raise Refusal(ErrorCode.CONFLICT, message, reason="blocks_full", limit=BLOCKS_AT_MOST)
    await db.execute(upsert(blocks).values(user_id=user_id, blocked_id=blocked_id).on_conflict_do_nothing())


async def unblock(db: Db, user_id: str, blocked_id: str) -> None:
    """Undo a block; without one nothing happens."""
    await db.execute(delete(blocks).where(blocks.c.user_id == user_id, blocks.c.blocked_id == blocked_id))


async def blocked(db: Db, user_id: str) -> list[dict[str, Any]]:
    """The users that a user blocks, newest first: id, name, avatar."""
    query = (
        select(users.c.id, users.c.name, users.c.avatar)
        .join(blocks, blocks.c.blocked_id == users.c.id)
        .where(blocks.c.user_id == user_id)
        .order_by(blocks.c.created_at.desc())
    )
    return [dict(row) for row in (await db.execute(query)).mappings()]


async def blocks_him(db: Db, user_id: str, other_id: str) -> bool:
    """Does the user block this other one?"""
    query = select(blocks.c.blocked_id).where(blocks.c.user_id == user_id, blocks.c.blocked_id == other_id)
    return (await db.execute(query)).first() is not None


async def shunned(db: Db, user_id: str) -> set[str]:
    """Users who never sit with this one at a public table: by a block, either way, or as a circle's pair kept apart."""
    blocked = select(blocks.c.user_id, blocks.c.blocked_id).where(
        or_(blocks.c.user_id == user_id, blocks.c.blocked_id == user_id)
    )
    apart = select(circle_apart.c.user_a, circle_apart.c.user_b).where(
        or_(circle_apart.c.user_a == user_id, circle_apart.c.user_b == user_id)
    )
    pairs = (await db.execute(union(blocked, apart))).all()
    return {other for pair in pairs for other in pair} - {user_id}


async def belongings(db: Db, user_id: str) -> tuple[list[bytes], list[str]]:
    """Hashes of the devices a user signed in from, and ids of their circles: the newest ones of each."""
    signed_in = select(sessions.c.device_hash, sessions.c.created_at).where(
        sessions.c.user_id == user_id, sessions.c.device_hash.is_not(None)
    )
    own = select(devices.c.token_hash, devices.c.created_at).where(devices.c.user_id == user_id)
    used = union(signed_in, own).subquery()
    newest = select(used.c[0]).group_by(used.c[0]).order_by(func.max(used.c[1]).desc(), used.c[0]).limit(_DEVICES)
    joined = (
        select(circle_members.c.circle_id)
        .where(circle_members.c.user_id == user_id)
        .order_by(circle_members.c.joined_at.desc(), circle_members.c.circle_id)
        .limit(_CIRCLES)
    )
    return list((await db.execute(newest)).scalars()), list((await db.execute(joined)).scalars())


async def report(db: Db, reporter_id: str, reported_id: str, reason: str, text: str, round_id: str | None) -> str:
    """Tell the operators about a player. Returns the report's id. Raises Refusal: invalid, not_found."""
    if reporter_id == reported_id:
        raise Refusal(ErrorCode.INVALID, "nobody can report themselves", "user", reason="oneself")
    await accounts.person(db, reported_id)
    if round_id is not None:
        mine = round_seats.c.user_id == reporter_id
        played = select(round_seats.c.seat).where(round_seats.c.round_id == round_id, mine)
        if (await db.execute(played)).first() is None:
            raise Refusal(ErrorCode.INVALID, "no round of the reporter", "round")
    report_id = new_id()
    await db.execute(
        insert(reports).values(
            id=report_id, reporter_id=reporter_id, reported_id=reported_id, reason=reason, text=text, round_id=round_id
        )
    )
    return report_id
