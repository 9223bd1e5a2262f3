"""Taking the documents of live tables: finished rounds, ended matches, ended rooms. Exactly once, however often it is
tried.

No judgement of rules: points, facts and outcome are taken as they are, and the database checks the sums.
"""

from __future__ import annotations

from typing import Final

import asyncpg
from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.exc import DataError, IntegrityError

from app.storage.archive.engine import Archive, Db
from app.storage.archive.play.rooms import close_room, keep_room_of_round
from app.storage.archive.play.round_rows import KEEP, moment, person, rows_of
from app.storage.archive.schema import matches, users
from app.storage.archive.webhooks import outcomes
from app.tables.log.documents import (
    Document,
    FinishedMatch,
    FinishedRound,
    RoomEnded,
    UnacceptableDocument,
    read_document,
)

_REFUSED: Final = (IntegrityError, DataError, asyncpg.IntegrityConstraintViolationError, asyncpg.DataError)
"""The database's refusals, as SQLAlchemy and as the driver name them."""


async def take(archive: Archive, raw: bytes) -> None:
    """Store a document as it lay in the live store's queue. Raises as `intake` does."""
    await intake(archive, read_document(raw))


async def intake(archive: Archive, document: Document) -> bool:
    """Store a document with all that belongs to it, whole or not at all. False: it was there already.

    Raises UnacceptableDocument when it breaks a rule of the archive, or SQLAlchemy's errors while Postgres is away (try
    again then).
    """
    if isinstance(document, RoomEnded):
        await close_room(archive, document.table, document.reason, moment(document.ended_ms))
        return True
    try:
        if isinstance(document, FinishedRound):
            stored = await _round(archive, document)
        else:
            stored = True
            await _match_end(archive, document)
        await outcomes.tell(archive, document, moment(document.ended_ms))
        return stored
    except _REFUSED as error:
        reason = str(getattr(error, "orig", None) or repr(error))
        raise UnacceptableDocument(f"{document.match}/{document.round_no}: {reason}") from error


async def _round(archive: Archive, finished: FinishedRound) -> bool:
    rows = rows_of(finished)
    answer = await archive.change(KEEP, *rows)
    if answer["known"]:
        return bool(answer["stored"])
    async with archive.begin() as db:
        await _keep_owners(db, finished)
        return bool((await db.exec_driver_sql(KEEP, rows)).mappings().one()["stored"])


async def _match_end(archive: Archive, ended: FinishedMatch) -> None:
    """The end of a match between two rounds."""
    async with archive.begin() as db:
        if not await _owners_known(db, ended):
            await _keep_owners(db, ended)
        if ended.match_over is not None:
            change = update(matches).where(matches.c.id == ended.match, matches.c.ended_at.is_(None))
            await db.execute(change.values(ended_at=moment(ended.ended_ms), end_reason=ended.match_over.reason))


async def _owners_known(db: Db, ended: FinishedMatch) -> bool:
    """True when the match, its room and all its people have rows: after the first round of a match they do."""
    people = {user for seat in ended.seats if (user := person(seat)) is not None}
    known = select(func.count()).select_from(users).where(users.c.id.in_(people)).scalar_subquery()
    found = (await db.execute(select(known).where(matches.c.id == ended.match))).scalar_one_or_none()
    return found == len(people)


async def _keep_owners(db: Db, finished: FinishedRound | FinishedMatch) -> None:
    """Make missing rows of room, match and users: after a restore from a backup they may be missing. No round is lost
    for that; an unknown user gets a row with the name they played under.
    """
    for seat in sorted(finished.seats, key=lambda seat: str(seat.user)):
        if (user := person(seat)) is not None:
            name = seat.name or ""
            values = {"id": user, "name": name, "name_key": name.casefold(), "avatar": ""}
            await db.execute(upsert(users).values(values).on_conflict_do_nothing())
    await keep_room_of_round(db, finished)
    match = upsert(matches).values(
        id=finished.match,
        room_id=finished.table,
        started_at=moment(finished.started_ms if isinstance(finished, FinishedRound) else finished.ended_ms),
    )
    await db.execute(match.on_conflict_do_nothing())
