"""Rooms as the archive keeps them: their agreement, the time and reason of their end, the right to read about them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func, insert, literal, select, text, update
from sqlalchemy.dialects.postgresql import insert as upsert

from app.refusal import ErrorCode, Refusal
from app.storage.archive.engine import Archive, Db
from app.storage.archive.paging import Row
from app.storage.archive.schema import circle_members, circles, matches, rooms, users
from app.storage.archive.webhooks import hooks
from app.tables.log.documents import FinishedMatch, FinishedRound
from app.tables.settings import TableSpec

_CANDIDATES = 30
_SETTLED = timedelta(minutes=10)
"""A room that is older has its table, or never gets one."""


def _kind(circle: str | None, host: str | None, ranked: bool) -> str:
    if circle is not None:
        return "circle"
    return "public" if ranked or host is None else "private"


async def keep_room(db: Db, spec: TableSpec) -> None:
    """Write a room down before its table starts."""
    await db.execute(
        insert(rooms).values(
            id=spec.table_id,
            kind=_kind(spec.circle, spec.host, spec.ranked),
            variant=spec.variant,
            rules=dict(spec.rules),
            settings=asdict(spec.settings),
            circle_id=spec.circle,
            host_id=spec.host,
            ranked=spec.ranked,
        )
    )


async def keep_room_of_round(db: Db, finished: FinishedRound | FinishedMatch) -> None:
    """Write a room down from a finished round's document, where it is not known (an archive out of a backup)."""
    circle = await _known(db, select(circles.c.id).where(circles.c.id == finished.circle))
    host = await _known(db, select(users.c.id).where(users.c.id == finished.host))
    ranked = bool(finished.ranked) and circle is None
    row = {
        "id": finished.table,
        "kind": _kind(circle, finished.host, ranked),
        "variant": finished.variant,
        "rules": finished.rules,
        "settings": {},
        "circle_id": circle,
        "host_id": host,
        "ranked": ranked,
    }
    await db.execute(upsert(rooms).values(row).on_conflict_do_nothing())


async def _known(db: Db, query: Any) -> str | None:
    found: str | None = (await db.execute(query)).scalar_one_or_none()
    return found


async def room(db: Db, room_id: str) -> dict[str, Any]:
    """Id, kind, variant, rules, settings, circle_id, host_id, ranked, created_at, closed_at, close_reason.

    Raises Refusal no_such_room.
    """
    row = (await db.execute(select(rooms).where(rooms.c.id == room_id))).mappings().one_or_none()
    if row is None:
        raise Refusal(ErrorCode.NO_SUCH_ROOM, "there is no such room")
    return dict(row)


async def close_room(archive: Archive, room_id: str, reason: str, at: datetime) -> None:
    """Note that a room is over, and a match of it that was still open. Again: no change."""
    async with archive.begin() as db:
        closed = await db.execute(
            update(rooms)
            .where(rooms.c.id == room_id, rooms.c.closed_at.is_(None))
            .values(closed_at=at, close_reason=reason)
            .returning(rooms.c.circle_id)
        )
        await hooks.queue(db, closed.scalar(), "room.closed", {"room": room_id, "reason": reason}, at)
        await db.execute(
            update(matches)
            .where(matches.c.room_id == room_id, matches.c.ended_at.is_(None))
            .values(ended_at=at, end_reason=reason)
        )


async def close_orphans(archive: Archive, in_use: Callable[[str], Awaitable[bool]]) -> int:
    """Close rooms, as `failed`, whose table was never made or was lost because a process ended in between. Returns how
    many.

    `in_use(room_id)`: is there a table, or does its end wait to be written?
    """
    query = select(rooms.c.id, func.now()).where(
        rooms.c.closed_at.is_(None), rooms.c.created_at < func.now() - _SETTLED
    )  # fmt: skip
    async with archive.read() as db:
        old = (await db.execute(query)).all()
    used = await asyncio.gather(*[in_use(room_id) for room_id, _ in old])  # at once: they leave in one pipeline
    orphans = [room for room, taken in zip(old, used, strict=True) if not taken]
    for room_id, now in orphans:
        await close_room(archive, room_id, "failed", now)
    return len(orphans)


async def refuse_stranger(db: Db, circle_id: str | None, user_id: str) -> None:
    """Raises Refusal not_allowed when the room belongs to a circle and the user does not."""
    if circle_id is not None and not await is_member(db, circle_id, user_id):
        raise Refusal(ErrorCode.NOT_ALLOWED, "this room is for members of its circle")


async def is_member(db: Db, circle_id: str, user_id: str) -> bool:
    """Is the user in the circle?"""
    query = select(literal(1)).where(circle_members.c.circle_id == circle_id, circle_members.c.user_id == user_id)
    return (await db.execute(query)).first() is not None


async def some_rooms(db: Db, room_ids: list[str]) -> dict[str, Row]:
    """Id → room, as `room`; unknown ids are left out."""
    found = await db.execute(select(rooms).where(rooms.c.id.in_(room_ids)))
    return {row["id"]: dict(row) for row in found.mappings()}


async def one_at_a_time(db: Db, what: str) -> None:
    """Wait until nobody else, on any node, is in a transaction that asked for the same."""
    await db.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:what, 0))"), {"what": what})


async def open_public(db: Db, variant: str, rules: dict[str, Any]) -> list[tuple[str, timedelta]]:
    """Public rooms of just these rules that may be open, oldest first, of the newest `_CANDIDATES`: id and age."""
    query = (
        select(rooms.c.id, func.clock_timestamp() - rooms.c.created_at)
        .where(
            rooms.c.kind == "public",
            rooms.c.variant == variant,
            rooms.c.rules == rules,
            rooms.c.closed_at.is_(None),
        )
        .order_by(rooms.c.created_at.desc())
        .limit(_CANDIDATES)
    )
    return [(room_id, age) for room_id, age in reversed((await db.execute(query)).all())]
