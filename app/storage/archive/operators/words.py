"""What operators changed about the blocked and reserved words, as rows; `app.service.words` makes lists of them."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert

from app.refusal import ErrorCode, Refusal
from app.storage.archive.engine import Db
from app.storage.archive.paging import Row
from app.storage.archive.schema import words

CHANGES_AT_MOST: Final = 5_000


async def changes(db: Db) -> list[Row]:
    """All changes by kind and word: kind, word, allowed (True: a word that we bring along is taken out), changed_by,
    changed_at.
    """
    return [dict(row) for row in (await db.execute(select(words).order_by(words.c.kind, words.c.word))).mappings()]


async def change(db: Db, kind: str, word: str, *, allowed: bool, by: str, now: datetime) -> None:
    """Add a word (`allowed` False) or take it out. Raises Refusal conflict when there are enough changes."""
    if (await db.execute(select(func.count()).select_from(words))).scalar_one() >= CHANGES_AT_MOST:
        raise Refusal(ErrorCode.CONFLICT, f"there are {CHANGES_AT_MOST} changes; take some words out first")
    row = {"kind": kind, "word": word, "allowed": allowed, "changed_by": by, "changed_at": now}
    new = insert(words).values(row)
    await db.execute(new.on_conflict_do_update(index_elements=["kind", "word"], set_=row))


async def forget(db: Db, kind: str, word: str) -> bool:
    """Drop a change. False: there was none."""
    gone = words.delete().where(words.c.kind == kind, words.c.word == word)
    return bool((await db.execute(gone)).rowcount)
