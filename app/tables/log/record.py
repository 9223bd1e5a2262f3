"""The record (牌谱, `app.records`) of the round on a page: all that chance and people brought in, every entry of it."""

from __future__ import annotations

import hashlib
from typing import Any, Final

import msgspec

from app.records.codec import Record, assembled, digest
from app.tables.log.table_log import TableLog


class _Kept(msgspec.Struct):
    """The fields of an entry that its record keeps, in their order there."""

    n: int
    at_ms: int
    ref: str | None = None
    command: Any = None
    events: list[dict[str, Any]] = []


_ENTRIES: Final = msgspec.json.Decoder(list[_Kept])


def record_of(log: TableLog) -> bytes:
    """The record of the page's finished round as JSON. It names seats by user id only.

    The entries are read at once, from their bytes one after another, and written as they were read.
    """
    match, table = log.match, log.round.table
    entries = [entry for entry in _ENTRIES.decode(b"[%b]" % b",".join(log.entries)) if entry.events]
    about = {
        "match": match.match_id, "round_no": match.round_no,
        "seats": [{"user": seat.person.user if seat.person else None, "bot": seat.bot} for seat in match.seats],
        "dealer_drawn": entries[0].command.get("drawn"),
    }  # fmt: skip
    entries[0].command = None
    newest = 0
    for entry in entries:
        entry.at_ms = newest = max(newest, entry.at_ms)
    start, end = entries[0].events[0], entries[-1].events[-1]
    record = assembled(about, entries, start, end, list(table.points))
    return msgspec.json.encode({**record, "digest": quick_digest(record)})


def quick_digest(record: Record) -> str:
    """`app.records.codec.digest` of a record without one, by the C encoder where the text is plain ASCII."""
    text = msgspec.json.encode(record, order="sorted")
    if text.isascii() and b"\x7f" not in text:
        return hashlib.sha256(text).hexdigest()
    return digest(msgspec.to_builtins(record))
