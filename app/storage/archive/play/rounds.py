"""Taking the documents of live tables: finished rounds, ended matches, ended rooms. Exactly once, however often it is
tried.

No judgement of rules: points, facts and outcome are taken as they are, and the database checks the sums.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from sqlalchemy import func, insert, select, text, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.exc import DataError, IntegrityError

from app.storage.archive.engine import Archive, Db
from app.storage.archive.play import ladder
from app.storage.archive.play.rooms import close_room, keep_room_of_round
from app.storage.archive.schema import ledger_lines, linked_seats, matches, rooms, round_seats, rounds, users
from app.tables.log.documents import (
    Document,
    FinishedMatch,
    FinishedRound,
    RoomEnded,
    Seat,
    UnacceptableDocument,
    read_document,
)

_NEW_RECORD: Final = text(
    "INSERT INTO records (round_id, format, record) VALUES (:round_id, :format, CAST(:record AS jsonb))"
)
"""The record goes as the text that it is: it is neither read nor written again here."""


class _RecordHead(msgspec.Struct):
    format: int
    rules_version: int


def round_id(match: str, round_no: int) -> str:
    """The id of a round: its match and its number, so that every node and client can name it."""
    return f"{match}.{round_no}"


async def take(archive: Archive, raw: bytes) -> None:
    """Store a document as it lay in the live store's queue. Raises as `intake` does."""
    await intake(archive, read_document(raw))


async def intake(archive: Archive, document: Document) -> bool:
    """Store a document with all that belongs to it, in one transaction. False: it was there already.

    Raises UnacceptableDocument when it breaks a rule of the archive, or SQLAlchemy's errors while Postgres is away (try
    again then).
    """
    match document:
        case RoomEnded(table=table, reason=reason, ended_ms=ended_ms):
            await close_room(archive, table, reason, _moment(ended_ms))
            return True
        case FinishedMatch() | FinishedRound():
            try:
                async with archive.begin() as db:
                    if not await _owners_known(db, document):
                        await _keep_owners(db, document)
                    if document.match_over is not None:
                        await _end_match(db, document.match, document.match_over.reason, _moment(document.ended_ms))
                    return await _store(db, document) if isinstance(document, FinishedRound) else True
            except (IntegrityError, DataError) as error:
                reason = str(getattr(error, "orig", None) or repr(error))
                raise UnacceptableDocument(f"{document.match}/{document.round_no}: {reason}") from error


async def _store(db: Db, finished: FinishedRound) -> bool:
    at = _moment(finished.ended_ms)
    circle = select(rooms.c.circle_id).where(rooms.c.id == finished.table).scalar_subquery()
    key = round_id(finished.match, finished.round_no)
    record = msgspec.json.decode(finished.record, type=_RecordHead | None)
    new = upsert(rounds).values(
        id=key, match_id=finished.match, round_no=finished.round_no, circle_id=circle,
        variant=finished.variant, rules_version=record and record.rules_version, rules=finished.rules,
        dealer=finished.dealer or 0, outcome=finished.outcome, ranked=counts(finished),
        started_at=_moment(finished.started_ms), ended_at=at, facts=finished.facts,
    )  # fmt: skip
    inserted = await db.execute(new.on_conflict_do_nothing().returning(rounds.c.id))
    if inserted.first() is None:
        return False
    gone = await _forgotten(db, finished)
    await db.execute(insert(round_seats), _seat_rows(finished, key, at, gone))
    if finished.lines:
        await db.execute(insert(ledger_lines), _line_rows(finished, key))
    if finished.linked:
        await db.execute(
            insert(linked_seats), [{"round_id": key, **msgspec.structs.asdict(pair)} for pair in finished.linked]
        )
    if record is not None:
        written = bytes(finished.record).decode()
        await db.execute(_NEW_RECORD, {"round_id": key, "format": record.format, "record": written})
    if counts(finished):
        nets = zip(finished.seats, finished.nets, strict=True)
        gains = {seat.user: net for seat, net in nets if seat.user is not None and seat.user not in gone}
        await ladder.move(db, finished.variant, gains, at)
    return True


async def _owners_known(db: Db, finished: FinishedRound | FinishedMatch) -> bool:
    """True when the match, its room and all its people have rows: after the first round of a match they do."""
    people = {user for seat in finished.seats if (user := _person(seat)) is not None}
    known = select(func.count()).select_from(users).where(users.c.id.in_(people)).scalar_subquery()
    found = (await db.execute(select(known).where(matches.c.id == finished.match))).scalar_one_or_none()
    return found == len(people)


async def _keep_owners(db: Db, finished: FinishedRound | FinishedMatch) -> None:
    """Make missing rows of room, match and users: after a restore from a backup they may be missing. No round is lost
    for that; an unknown user gets a row with the name they played under.
    """
    for seat in sorted(finished.seats, key=lambda seat: str(seat.user)):
        if (user := _person(seat)) is not None:
            name = seat.name or ""
            values = {"id": user, "name": name, "name_key": name.casefold(), "avatar": ""}
            await db.execute(upsert(users).values(values).on_conflict_do_nothing())
    await keep_room_of_round(db, finished)
    match = upsert(matches).values(
        id=finished.match,
        room_id=finished.table,
        started_at=_moment(finished.started_ms if isinstance(finished, FinishedRound) else finished.ended_ms),
    )
    await db.execute(match.on_conflict_do_nothing())


async def _end_match(db: Db, match: str, reason: str, at: datetime) -> None:
    await db.execute(
        update(matches)
        .where(matches.c.id == match, matches.c.ended_at.is_(None))
        .values(ended_at=at, end_reason=reason)
    )


async def _forgotten(db: Db, finished: FinishedRound) -> dict[str, str]:
    """People who deleted their account while this round ran → their pseudonym: name and ladder do not come back.

    The others cannot be deleted until the round is stored.
    """
    people = [user for seat in finished.seats if (user := _person(seat)) is not None]
    query = select(users.c.id, users.c.name, users.c.deleted_at).where(users.c.id.in_(people)).order_by(users.c.id)
    held = await db.execute(query.with_for_update(read=True, key_share=True))
    return {row.id: row.name for row in held if row.deleted_at is not None}


def _person(seat: Seat) -> str | None:
    """The user in a seat; None: a bot, also in the seat of a former player."""
    return None if seat.bot else seat.user


def counts(finished: FinishedRound) -> bool:
    """Does this round count for the ladder (TJ-15.4)? A ranked room, no bot ever in a seat, not void."""
    return finished.ranked and not finished.bots_ever and finished.outcome in ("won", "exhausted")


def seat_facts(facts: Mapping[str, Any], players: int) -> list[dict[str, Any]]:
    """Each seat's own facts, of a document that does not state them apart (written before 2026-12).

    By the convention of that time a list as long as there are seats is one value per seat.
    """
    per_seat = {
        name: value for name, value in facts.items() if isinstance(value, list | tuple) and len(value) == players
    }
    return [{name: value[seat] for name, value in per_seat.items()} for seat in range(players)]


def _patterns(finished: FinishedRound) -> dict[int, list[str]]:
    """Seat of each winner → the names of their hand's patterns (番). Older documents say it in the record's events."""
    if finished.patterns is not None:
        return finished.patterns
    entries = msgspec.json.decode(finished.record)["entries"]
    return {
        event["seat"]: [name for name, _ in event["reading"]["patterns"]]
        for entry in entries
        for event in entry["events"]
        if event["type"] == "won"
    }


def _seat_rows(finished: FinishedRound, key: str, at: datetime, gone: Mapping[str, str]) -> list[dict[str, Any]]:
    facts = finished.seat_facts
    if facts is None:
        facts = seat_facts(finished.facts, len(finished.seats))
    won = _patterns(finished) if finished.outcome == "won" else {}
    return [
        {
            "round_id": key,
            "seat": number,
            "user_id": _person(seat),
            "name": (seat.user and gone.get(seat.user)) or seat.name or "",
            "bot": _person(seat) is None,
            "net": finished.nets[number],
            "won": number in won,
            "patterns": won.get(number, []),
            "facts": facts[number],
            "ended_at": at,
        }
        for number, seat in enumerate(finished.seats)
    ]


def _line_rows(finished: FinishedRound, key: str) -> list[dict[str, Any]]:
    return [
        {
            "round_id": key,
            "n": n,
            "reason": line.reason,
            "clause": line.clause,
            "payer": line.source,
            "payee": line.target,
            "points": line.points,
            "detail": line.detail,
        }
        for n, line in enumerate(finished.lines)
    ]


def _moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
