"""Finished play for its players, for their circle, and for holders of a share code. Reads only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    DateTime,
    Text,
    and_,
    cast,
    column,
    exists,
    func,
    null,
    or_,
    select,
    table,
    true,
)

from app.records.upcast import upcast
from app.refusal import not_found
from app.storage.archive.engine import Db
from app.storage.archive.paging import Page, Row, after, page
from app.storage.archive.schema import circle_members, ledger_lines, matches, records, rooms, round_seats, rounds, users

_seat_history = table(
    "seat_history",
    *[column(name, Text) for name in ("round_id", "match_id", "variant", "circle_id", "outcome", "user_id")],
    *[column(name) for name in ("round_no", "series", "seat", "is_dealer", "won", "net", "round_facts", "seat_facts")],
    column("ended_at", DateTime(timezone=True)),
)
"""The view of the migrations: one row per seat and round, with what the variant states about both."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Filters of a history; None: no filter."""

    variant: str | None = None
    circle_id: str | None = None
    outcome: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    def conditions(self) -> list[ColumnElement[bool]]:
        """For a query over `rounds`."""
        column = rounds.c
        equal = ((self.variant, column.variant), (self.circle_id, column.circle_id), (self.outcome, column.outcome))
        found: list[ColumnElement[bool]] = [its == value for value, its in equal if value is not None]
        if self.since is not None:
            found.append(column.ended_at >= self.since)
        if self.until is not None:
            found.append(column.ended_at < self.until)
        return found


async def rounds_of(db: Db, user_id: str, wanted: Filter, cursor: str | None, limit: int) -> Page:
    """A player's rounds, newest first, each with their seat, whether they were dealer, net, won and patterns."""
    query = (
        select(
            rounds.c.id, rounds.c.match_id, rounds.c.round_no, rounds.c.variant, rounds.c.circle_id, rounds.c.outcome,
            rounds.c.ranked, rounds.c.series, round_seats.c.ended_at, round_seats.c.seat,
            (round_seats.c.seat == rounds.c.dealer).label("dealer"),
            round_seats.c.net, round_seats.c.won, round_seats.c.patterns,
        )
        .join(round_seats)
        .where(round_seats.c.user_id == user_id, *wanted.conditions())
        .where(*after(cursor, round_seats.c.ended_at, round_seats.c.round_id))
        .order_by(round_seats.c.ended_at.desc(), round_seats.c.round_id.desc())
        .limit(limit + 1)
    )  # fmt: skip
    return page((await db.execute(query)).mappings().all(), limit, "ended_at", "id")


async def matches_of(db: Db, user_id: str, wanted: Filter, cursor: str | None, limit: int) -> Page:
    """A player's matches, newest first; `rounds` counts those not void, `net` is the player's sum."""
    mine = select(func.sum(round_seats.c.net)).where(
        round_seats.c.round_id == rounds.c.id, round_seats.c.user_id == user_id
    )
    played = exists().where(round_seats.c.round_id == rounds.c.id, round_seats.c.user_id == user_id)
    net = func.sum(mine.correlate(rounds).scalar_subquery())
    return await _matches(db, [*wanted.conditions(), played], net, true(), cursor, limit)


async def matches_of_circle(db: Db, circle_id: str, wanted: Filter, cursor: str | None, limit: int) -> Page:
    """A circle's matches, newest first, like a player's, but `net` is null."""
    of_circle = rooms.c.circle_id == circle_id
    return await _matches(db, wanted.conditions(), cast(null(), BigInteger), of_circle, cursor, limit)


async def _matches(
    db: Db, of_rounds: list[ColumnElement[bool]], net: ColumnElement[Any], of_room: ColumnElement[bool],
    cursor: str | None, limit: int,
) -> Page:  # fmt: skip
    """Matches with such rounds: first a page of them, then the sums over their rounds only."""
    found = (
        select(
            matches.c.id, matches.c.room_id, rooms.c.variant, rooms.c.circle_id, matches.c.started_at,
            matches.c.ended_at, matches.c.end_reason,
        )
        .join(rooms, rooms.c.id == matches.c.room_id)
        .where(exists().where(rounds.c.match_id == matches.c.id, *of_rounds), of_room)
        .where(*after(cursor, matches.c.started_at, matches.c.id))
        .order_by(matches.c.started_at.desc(), matches.c.id.desc())
        .limit(limit + 1)
        .subquery()
    )  # fmt: skip
    counted = func.count().filter(rounds.c.outcome.in_(("won", "exhausted"))).label("rounds")
    sums = select(counted, net.label("net")).where(rounds.c.match_id == found.c.id, *of_rounds).lateral()
    query = select(found, sums).join(sums, true()).order_by(found.c.started_at.desc(), found.c.id.desc())
    return page((await db.execute(query)).mappings().all(), limit, "started_at", "id")


async def match(db: Db, match_id: str, reader: str | None) -> Row:
    """A match with its rounds and nets; `reader` None: an operator. Raises Refusal not_found, also for strangers."""
    query = (
        select(
            matches.c.id, matches.c.room_id, matches.c.started_at, matches.c.ended_at, matches.c.end_reason,
            rooms.c.variant, rooms.c.rules, rooms.c.settings, rooms.c.circle_id, rooms.c.ranked,
        )
        .join(rooms)
        .where(matches.c.id == match_id)
    )  # fmt: skip
    found = (await db.execute(query)).mappings().one_or_none()
    played = select(rounds).where(rounds.c.match_id == match_id).order_by(rounds.c.round_no)
    its_rounds = [dict(row) for row in (await db.execute(played)).mappings()] if found else []
    if found is None or not await _may_read(db, rounds.c.match_id == match_id, found["circle_id"], reader):
        raise not_found("match")
    seats = await _seats(db, [row["id"] for row in its_rounds])
    return {**found, "rounds": [{**row, "seats": seats[row["id"]]} for row in its_rounds]}


async def round_detail(db: Db, round_id: str, reader: str | None) -> Row:
    """A round with seats and all ledger lines (n, reason, clause, source, target, points, detail).

    Raises as `match`.
    """
    await refuse_stranger(db, round_id, reader)
    return await round_for_authorised(db, round_id)


async def round_for_authorised(db: Db, round_id: str) -> Row:
    """The same for a caller whose right was checked already."""
    found = (await db.execute(select(rounds).where(rounds.c.id == round_id))).mappings().one()
    columns = [column.label(column.key) for column in ledger_lines.c]
    lines = select(*columns).where(ledger_lines.c.round_id == round_id).order_by(ledger_lines.c.n)
    seats = await _seats(db, [round_id])
    return {**found, "seats": seats[round_id], "lines": [dict(row) for row in (await db.execute(lines)).mappings()]}


async def record(db: Db, round_id: str, reader: str | None) -> Row:
    """The record (牌谱) of a round. Raises as `match`."""
    await refuse_stranger(db, round_id, reader)
    return await record_for_authorised(db, round_id)


async def record_for_authorised(db: Db, round_id: str) -> Row:
    """The same for a caller whose right was checked already, converted to the present format.

    Raises Refusal not_found for a round that failed.
    """
    kept: Row | None = (
        await db.execute(select(records.c.record).where(records.c.round_id == round_id))
    ).scalar_one_or_none()
    if kept is None:
        raise not_found("record")
    return upcast(kept)


async def records_of_match(db: Db, match_id: str, reader: str) -> tuple[str, list[Row]]:
    """The game of a match and the records of its rounds in order, in the present format. Raises as `match`."""
    found = await match(db, match_id, reader)
    query = select(records.c.record).join(rounds).where(rounds.c.match_id == match_id).order_by(rounds.c.round_no)
    return found["variant"], [upcast(kept) for kept in (await db.execute(query)).scalars()]


async def refuse_stranger(db: Db, round_id: str, reader: str | None) -> None:
    """Raises Refusal not_found unless the round exists and the reader played in it or is of its circle."""
    found = (await db.execute(select(rounds.c.circle_id).where(rounds.c.id == round_id))).one_or_none()
    if found is None or not await _may_read(db, rounds.c.id == round_id, found.circle_id, reader):
        raise not_found("round")


async def _may_read(db: Db, which: ColumnElement[bool], circle_id: str | None, reader: str | None) -> bool:
    if reader is None:
        return True
    played = select(round_seats.c.round_id).join(rounds).where(which, round_seats.c.user_id == reader)
    member = select(circle_members.c.user_id).where(
        and_(circle_members.c.circle_id == circle_id, circle_members.c.user_id == reader)
    )
    return bool((await db.execute(select(or_(played.exists(), member.exists())))).scalar_one())


async def _seats(db: Db, round_ids: list[str]) -> dict[str, list[Row]]:
    """Round → its seats in order.

    Each has seat, user_id, name (today's), avatar, bot, bot_account, net, won, patterns, facts.
    """
    query = (
        select(
            round_seats.c.round_id, round_seats.c.seat, round_seats.c.user_id,
            func.coalesce(users.c.name, round_seats.c.name).label("name"),
            func.coalesce(users.c.avatar, "").label("avatar"),
            round_seats.c.bot, users.c.bot_owner_id.is_not(None).label("bot_account"), round_seats.c.net,
            round_seats.c.won, round_seats.c.patterns, round_seats.c.facts,
        )
        .outerjoin(users)
        .where(round_seats.c.round_id.in_(round_ids))
        .order_by(round_seats.c.round_id, round_seats.c.seat)
    )  # fmt: skip
    found: dict[str, list[Row]] = {key: [] for key in round_ids}
    for row in (await db.execute(query)).mappings():
        found[row["round_id"]].append(dict(row))
    return found


async def dealings_of(db: Db, user_id: str, variant: str | None, cursor: str | None, limit: int) -> Page:
    """Dealer and 坐庄 / 拉庄 history of a player: the variant's facts about each round and about the player's seat."""
    return await _dealings(db, _seat_history.c.user_id == user_id, variant, cursor, limit)


async def dealings_of_circle(db: Db, circle_id: str, variant: str | None, cursor: str | None, limit: int) -> Page:
    """The same for all seats of a circle's rounds."""
    return await _dealings(db, _seat_history.c.circle_id == circle_id, variant, cursor, limit)


async def _dealings(db: Db, whose: ColumnElement[bool], variant: str | None, cursor: str | None, limit: int) -> Page:
    view = _seat_history.c
    key = view.round_id + "/" + cast(view.seat, Text)
    query = (
        select(_seat_history, key.label("key"))
        .where(whose, *([] if variant is None else [view.variant == variant]), *after(cursor, view.ended_at, key))
        .order_by(view.ended_at.desc(), key.desc())
        .limit(limit + 1)
    )
    return page((await db.execute(query)).mappings().all(), limit, "ended_at", "key")
