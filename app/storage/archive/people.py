"""What people do with their account: change name and avatar, block, report, take their data with them, be forgotten."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import and_, delete, func, insert, or_, select, union, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.exc import IntegrityError

from app.storage.archive import accounts
from app.storage.archive.engine import Db
from app.storage.archive.refusal import Refusal
from app.storage.archive.schema import (
    blocks,
    circle_apart,
    circle_applications,
    circle_members,
    circles,
    devices,
    ladder,
    ladder_adjustments,
    reports,
    round_seats,
    rounds,
    sanctions,
    sessions,
    users,
)
from app.storage.archive.schema.columns import new_id

BLOCKS_AT_MOST = 500
EXPORTED_ROUNDS = 10_000


async def rename(db: Db, user_id: str, name: str, name_key: str) -> None:
    """Change the display name. Raises Refusal name_taken when another account has it."""
    if await accounts.account_has_name(db, name_key, besides=user_id):
        raise Refusal("name_taken", "this name belongs to an account", "name")
    try:
        await db.execute(update(users).where(users.c.id == user_id).values(name=name, name_key=name_key))
    except IntegrityError:
        raise Refusal("name_taken", "this name belongs to an account", "name") from None


async def set_avatar(db: Db, user_id: str, avatar: str) -> None:
    """Change the seed from which clients draw the avatar."""
    await db.execute(update(users).where(users.c.id == user_id).values(avatar=avatar))


async def block(db: Db, user_id: str, blocked_id: str) -> None:
    """Block somebody, once or again. Raises Refusal: invalid (oneself), not_found, conflict (the list is full)."""
    if user_id == blocked_id:
        raise Refusal("invalid", "nobody can block himself", "user")
    await accounts.person(db, blocked_id)
    count = select(func.count()).select_from(blocks).where(blocks.c.user_id == user_id)
    if (await db.execute(count)).scalar_one() >= BLOCKS_AT_MOST:
        raise Refusal("conflict", f"at most {BLOCKS_AT_MOST} players can be blocked")
    await db.execute(upsert(blocks).values(user_id=user_id, blocked_id=blocked_id).on_conflict_do_nothing())


async def unblock(db: Db, user_id: str, blocked_id: str) -> None:
    """Undo a block; without one nothing happens."""
    await db.execute(delete(blocks).where(blocks.c.user_id == user_id, blocks.c.blocked_id == blocked_id))


async def blocked(db: Db, user_id: str) -> list[dict[str, Any]]:
    """Whom the user blocks, newest first: id, name, avatar."""
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


async def report(db: Db, reporter_id: str, reported_id: str, reason: str, text: str, round_id: str | None) -> str:
    """Tell the operators about a player. Returns the report's id. Raises Refusal: invalid, not_found."""
    if reporter_id == reported_id:
        raise Refusal("invalid", "nobody can report himself", "user")
    await accounts.person(db, reported_id)
    if round_id is not None:
        mine = round_seats.c.user_id == reporter_id
        played = select(round_seats.c.seat).where(round_seats.c.round_id == round_id, mine)
        if (await db.execute(played)).first() is None:
            raise Refusal("invalid", "no round of the reporter", "round")
    report_id = new_id()
    await db.execute(
        insert(reports).values(
            id=report_id, reporter_id=reporter_id, reported_id=reported_id, reason=reason, text=text, round_id=round_id
        )
    )
    return report_id


async def export(db: Db, user_id: str) -> dict[str, Any]:
    """All that is kept about a user, as plain values: profile, devices, sessions, circles, blocks, ladder, rounds."""
    profile = select(users.c.id, users.c.name, users.c.avatar, users.c.created_at).where(users.c.id == user_id)
    lists = {
        "devices": select(devices.c.created_at).where(devices.c.user_id == user_id),
        "sessions": select(sessions.c.created_at, sessions.c.revoked_at).where(sessions.c.user_id == user_id),
        "circles": select(circles.c.id, circles.c.name, circle_members.c.role, circle_members.c.joined_at)
        .join(circle_members)
        .where(circle_members.c.user_id == user_id),
        "blocks": select(blocks.c.blocked_id, blocks.c.created_at).where(blocks.c.user_id == user_id),
        "applications": select(
            circle_applications.c.circle_id, circle_applications.c.message, circle_applications.c.created_at
        ).where(circle_applications.c.user_id == user_id),
        "sanctions": select(
            sanctions.c.kind, sanctions.c.reason, sanctions.c.created_at, sanctions.c.until, sanctions.c.lifted_at
        ).where(sanctions.c.user_id == user_id),
        "ladder_adjustments": select(
            ladder_adjustments.c.variant, ladder_adjustments.c.points, ladder_adjustments.c.reason,
            ladder_adjustments.c.created_at,
        ).where(ladder_adjustments.c.user_id == user_id),
        "reports": select(reports.c.reported_id, reports.c.reason, reports.c.text, reports.c.created_at).where(
            reports.c.reporter_id == user_id
        ),
        "ladder": select(ladder.c.variant, ladder.c.season, ladder.c.points).where(ladder.c.user_id == user_id),
        "rounds": select(
            rounds.c.id, rounds.c.variant, rounds.c.match_id, rounds.c.round_no, rounds.c.outcome, rounds.c.ended_at,
            round_seats.c.seat, round_seats.c.net, round_seats.c.won, round_seats.c.patterns,
        )
        .join(round_seats)
        .where(round_seats.c.user_id == user_id)
        .order_by(round_seats.c.ended_at.desc())
        .limit(EXPORTED_ROUNDS),
    }  # fmt: skip
    found: dict[str, Any] = {"profile": dict((await db.execute(profile)).mappings().one())}
    for name, query in lists.items():
        found[name] = [dict(row) for row in (await db.execute(query)).mappings()]
    return found


async def forget(db: Db, user_id: str, now: datetime) -> None:
    """Delete a user: name, password, devices, sessions, blocks, circles and ladder go; rounds keep a pseudonym.

    Raises Refusal conflict while he owns a circle: it must be handed over or dissolved first.
    """
    owns = select(circle_members.c.circle_id).where(
        and_(circle_members.c.user_id == user_id, circle_members.c.role == "owner")
    )
    if (await db.execute(owns)).first() is not None:
        raise Refusal("conflict", "hand over or dissolve your circles first")
    await accounts.revoke_everything(db, user_id, now)
    for table in (sessions, circle_members, circle_applications, ladder):
        await db.execute(delete(table).where(table.c.user_id == user_id))
    await db.execute(delete(blocks).where(or_(blocks.c.user_id == user_id, blocks.c.blocked_id == user_id)))
    in_pair = or_(circle_apart.c.user_a == user_id, circle_apart.c.user_b == user_id)
    await db.execute(delete(circle_apart).where(in_pair))
    pseudonym = f"已注销{user_id[-4:]}"
    await db.execute(
        update(users)
        .where(users.c.id == user_id)
        .values(name=pseudonym, name_key=f"deleted:{user_id}", avatar="", password_hash=None, deleted_at=now)
    )
    await db.execute(update(round_seats).where(round_seats.c.user_id == user_id).values(name=pseudonym))
