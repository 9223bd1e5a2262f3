"""Taking one's data along, and being forgotten: a person's data: export and deletion.

Two tables say it for every column that names a user (`SECTIONS`, `WITHHELD` and `GOES`, `STAYS`); a test holds them
against the schema, so a new table with people in it cannot be left out of either.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Column, FromClause, and_, delete, or_, select, update

from app.refusal import ErrorCode, Refusal
from app.storage.archive.engine import Db
from app.storage.archive.schema import (
    blocks,
    circle_apart,
    circle_applications,
    circle_bans,
    circle_members,
    circles,
    devices,
    ladder,
    ladder_adjustments,
    personal_tokens,
    recovery_codes,
    reports,
    rooms,
    round_seats,
    rounds,
    sanctions,
    sessions,
    shares,
    users,
)

EXPORTED_ROWS: Final = 10_000
"""Limit for each kind in an export, newest first; older rounds are in `/v1/me/rounds`."""


@dataclass(frozen=True, slots=True)
class Section:
    """Rows of one kind: theirs whose id stands in one of `owners`, newest first by `at`; `source`: with what joined."""

    owners: tuple[Column[Any], ...]
    shown: tuple[Column[Any], ...]
    at: Column[Any]
    source: FromClause


def _section(owner: Column[Any], *shown: Column[Any], at: Column[Any] | None = None, **more: Any) -> Section:
    return Section((owner, *more.get("also", ())), shown, shown[-1] if at is None else at, more.get("of", owner.table))


SECTIONS: Final[dict[str, Section]] = {
    "devices": _section(devices.c.user_id, devices.c.created_at),
    "sessions": _section(
        sessions.c.user_id, personal_tokens.c.label, personal_tokens.c.scopes, personal_tokens.c.expires_at,
        personal_tokens.c.last_used_at, sessions.c.revoked_at, sessions.c.created_at,
        of=sessions.outerjoin(personal_tokens),
    ),
    "bots": _section(users.c.bot_owner_id, users.c.id, users.c.name, users.c.created_at),
    "recovery_codes": _section(recovery_codes.c.user_id, recovery_codes.c.created_at),
    "circles": _section(
        circle_members.c.user_id, circles.c.id, circles.c.name, circle_members.c.role, circle_members.c.joined_at,
        of=circle_members.join(circles),
    ),
    "applications": _section(
        circle_applications.c.user_id, circle_applications.c.circle_id, circle_applications.c.message,
        circle_applications.c.created_at,
    ),
    "circle_bans": _section(
        circle_bans.c.user_id, circle_bans.c.circle_id, circle_bans.c.reason, circle_bans.c.created_at
    ),
    "circle_bans_given": _section(
        circle_bans.c.banned_by, circle_bans.c.circle_id, circle_bans.c.user_id, circle_bans.c.reason,
        circle_bans.c.created_at,
    ),
    "kept_apart": _section(
        circle_apart.c.user_a, circle_apart.c.circle_id, circle_apart.c.created_at, also=(circle_apart.c.user_b,)
    ),
    "blocks": _section(blocks.c.user_id, blocks.c.blocked_id, blocks.c.created_at),
    "sanctions": _section(
        sanctions.c.user_id, sanctions.c.kind, sanctions.c.reason, sanctions.c.until, sanctions.c.lifted_at,
        sanctions.c.created_at,
    ),
    "reports": _section(
        reports.c.reporter_id, reports.c.reported_id, reports.c.reason, reports.c.text, reports.c.round_id,
        reports.c.handled_at, reports.c.created_at,
    ),
    "ladder": _section(ladder.c.user_id, ladder.c.variant, ladder.c.points, ladder.c.season),
    "ladder_adjustments": _section(
        ladder_adjustments.c.user_id, ladder_adjustments.c.variant, ladder_adjustments.c.points,
        ladder_adjustments.c.reason, ladder_adjustments.c.created_at,
    ),
    "rooms_hosted": _section(
        rooms.c.host_id, rooms.c.id, rooms.c.kind, rooms.c.variant, rooms.c.circle_id, rooms.c.rules,
        rooms.c.settings, rooms.c.closed_at, rooms.c.created_at,
    ),
    "shared": _section(shares.c.shared_by, shares.c.code, shares.c.round_id, shares.c.created_at),
    "rounds": _section(
        round_seats.c.user_id, rounds.c.id, rounds.c.variant, rounds.c.match_id, rounds.c.round_no, rounds.c.circle_id,
        rounds.c.outcome, round_seats.c.seat, round_seats.c.name, round_seats.c.net, round_seats.c.won,
        round_seats.c.patterns, round_seats.c.facts, round_seats.c.ended_at, of=round_seats.join(rounds),
    ),
}  # fmt: skip

WITHHELD: Final[dict[Column[Any], str]] = {
    blocks.c.blocked_id: "a user's blocks are private to that user",
    reports.c.reported_id: "it would reveal who reported the user",
}
"""Columns that name the user in the data of others, and the reason why an export omits them."""

GOES: Final[tuple[Column[Any], ...]] = (
    devices.c.user_id, recovery_codes.c.user_id, sessions.c.user_id, circle_members.c.user_id,
    circle_applications.c.user_id,
    circle_bans.c.user_id, circle_apart.c.user_a, circle_apart.c.user_b, blocks.c.user_id, blocks.c.blocked_id,
    ladder.c.user_id,
)  # fmt: skip
"""Rows that name the user here are deleted with the user; pairs kept apart go with the membership."""

STAYS: Final[dict[Column[Any], str]] = {
    users.c.bot_owner_id: "a bot account stays marked, and names who answered for it",
    round_seats.c.user_id: "rounds belong to all who played; the seat has the pseudonym",
    rooms.c.host_id: "the opener of a room is part of its history",
    shares.c.shared_by: "a code that was given to others goes on working",
    circle_bans.c.banned_by: "the ban is the circle's",
    sanctions.c.user_id: "acts of operators stay accountable",
    ladder_adjustments.c.user_id: "acts of operators stay accountable",
    reports.c.reporter_id: "the report is about another user; its text is deleted",
    reports.c.reported_id: "acts of operators stay accountable; the text is deleted",
}
"""Rows that keep the id of a user without a name."""


async def export(db: Db, user_id: str) -> dict[str, Any]:
    """All that is kept about a user, as plain values by section. `cut_off`: sections of which only the newest are here.

    Raises SQLAlchemy's NoResultFound for nobody.
    """
    profile = select(
        users.c.id, users.c.name, users.c.avatar, users.c.password_hash.is_not(None).label("registered"),
        users.c.created_at,
    ).where(users.c.id == user_id)  # fmt: skip
    found: dict[str, Any] = {"profile": dict((await db.execute(profile)).mappings().one())}
    for name, section in SECTIONS.items():
        mine = or_(*[owner == user_id for owner in section.owners])
        query = select(*section.shown).select_from(section.source).where(mine)
        rows = (await db.execute(query.order_by(section.at.desc()).limit(EXPORTED_ROWS + 1))).mappings()
        found[name] = [dict(row) for row in rows]
    found["cut_off"] = [name for name in SECTIONS if len(found[name]) > EXPORTED_ROWS]
    return {**found, **{name: found[name][:EXPORTED_ROWS] for name in SECTIONS}}


async def forget(db: Db, user_id: str, now: datetime) -> None:
    """Delete a user: their name, password and all that `GOES`; rows in `STAYS` get a pseudonym. Raises Refusal conflict
    while the user owns a circle: it must be handed over or dissolved first.
    """
    await _hold_all(db, user_id)
    owns = and_(circle_members.c.user_id == user_id, circle_members.c.role == "owner")
    if (await db.execute(select(circle_members.c.circle_id).where(owns))).first() is not None:
        raise Refusal(ErrorCode.CONFLICT, "hand over or dissolve your circles first", reason="owns_circles")
    await _drop_spent_device_bans(db, user_id, now)
    for column in GOES:
        await db.execute(delete(column.table).where(column == user_id))
    pseudonym = f"已注销{user_id[-4:]}"
    await db.execute(
        update(users)
        .where(users.c.id == user_id)
        .values(name=pseudonym, name_key=f"deleted:{user_id}", avatar="", password_hash=None, deleted_at=now)
    )
    await db.execute(update(round_seats).where(round_seats.c.user_id == user_id).values(name=pseudonym))
    moot = and_(reports.c.reported_id == user_id, reports.c.handled_at.is_(None))
    await db.execute(update(reports).where(moot).values(handled_at=now, handled_by="account deleted"))
    concerns = or_(reports.c.reporter_id == user_id, reports.c.reported_id == user_id)
    await db.execute(update(reports).where(concerns).values(text=""))


async def _hold_all(db: Db, user_id: str) -> None:
    """Until this is over no transaction changes the user's circles or membership, signs them in or stores a round of
    theirs. Circles first, the order of every change of a circle.
    """
    his = select(circle_members.c.circle_id).where(circle_members.c.user_id == user_id)
    await db.execute(select(circles.c.id).where(circles.c.id.in_(his)).order_by(circles.c.id).with_for_update())
    await db.execute(select(users.c.id).where(users.c.id == user_id).with_for_update())


async def _drop_spent_device_bans(db: Db, user_id: str, now: datetime) -> None:
    """Expired bans of the user's devices are deleted; those in force stay, or deleting would lift them."""
    used = select(sessions.c.device_hash).where(sessions.c.user_id == user_id, sessions.c.device_hash.is_not(None))
    known = select(devices.c.token_hash).where(devices.c.user_id == user_id)
    over = or_(sanctions.c.lifted_at.is_not(None), sanctions.c.until <= now)
    his = or_(sanctions.c.device_hash.in_(used), sanctions.c.device_hash.in_(known))
    await db.execute(delete(sanctions).where(his, over))
