"""Checks the chain of the audit log (S13): each row's hash covers the row and the hash of the row before.

Computed here anew, from the rows alone, so that a database whose functions were changed cannot answer for itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import Text, cast, select

from app.storage.archive.engine import Db
from app.storage.archive.schema import audit_head, audit_log

_AT_ONCE: Final = 2_000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Chain:
    """What was found. `broken`: the first row that does not hold, in one sentence; None: all hold."""

    rows: int
    last: int
    """Id of the last row that holds, 0 for none."""
    hash: str
    """Its hash, in hexadecimal: whoever notes id and hash elsewhere can prove later that nothing before was changed."""
    broken: str | None


async def check(db: Db, anchor: tuple[int, str] | None = None) -> Chain:
    """Read the whole log, oldest first, in the caller's transaction, which should be of repeatable reads.

    `anchor`: id and hash of a row, as they were noted earlier.
    """
    end = (await db.execute(select(audit_head.c.id, audit_head.c.hash))).one_or_none()
    last, before, rows = 0, b"", 0
    async for row in _rows(db):
        problem = _problem(row, last, before)
        if problem is None and anchor is not None and row["id"] == anchor[0] and row["hash"].hex() != anchor[1]:
            problem = f"row {row['id']} is not the one that was noted: rows up to it were written anew"
        if problem is not None:
            return Chain(rows, last, before.hex(), problem)
        last, before, rows = row["id"], row["hash"], rows + 1
    return Chain(rows, last, before.hex(), _cut(last, before, end, anchor))


def row_hash(before: bytes, row: Mapping[str, Any]) -> bytes:
    """SHA-256 of the hash before and of the row's parts, each with its length in bytes in front."""
    micros = (row["at"] - _EPOCH) // timedelta(microseconds=1)
    texts = [row[name] for name in ("actor", "action", "subject", "reason", "status", "detail")]
    text = "".join([f"{len(str(part).encode())}:{part}" for part in (row["id"], micros, *texts)])
    return hashlib.sha256(before + text.encode()).digest()


def _problem(row: Mapping[str, Any], last: int, before: bytes) -> str | None:
    if row_hash(before, row) == row["hash"]:
        return None
    if row["id"] > last + 1:
        missing = f"row {last + 1} is" if row["id"] == last + 2 else f"rows {last + 1} to {row['id'] - 1} are"
        return f"{missing} missing, or row {row['id']} was changed"
    return f"row {row['id']} was changed, or does not follow the row before it"


def _cut(last: int, before: bytes, end: Any, anchor: tuple[int, str] | None) -> str | None:
    """The problem with the end of the log."""
    if anchor is not None and anchor[0] > last:
        return f"row {last + 1} is missing: row {anchor[0]} was noted earlier"
    if end is None:
        return "the note of the log's end is missing: rows after the last may be missing too" if last else None
    if end.id > last:
        return f"row {last + 1} is missing: the log once ended with row {end.id}"
    return None if bytes(end.hash) == before and end.id == last else f"row {last} is not the end that was written"


async def _rows(db: Db) -> AsyncIterator[Mapping[str, Any]]:
    """All rows by id; `detail` as Postgres writes it."""
    last = 0
    columns = [column for column in audit_log.c if column.name != "detail"]
    query = select(*columns, cast(audit_log.c.detail, Text).label("detail")).order_by(audit_log.c.id).limit(_AT_ONCE)
    while found := (await db.execute(query.where(audit_log.c.id > last))).mappings().all():
        for row in found:
            yield dict(row)
        last = found[-1]["id"]
