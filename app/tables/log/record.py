"""The record (牌谱, `app.records`) of the round on a page: all that chance and people brought in, every entry of it."""

from __future__ import annotations

import hashlib

import msgspec

from app.records.codec import Record, build, digest
from app.tables.log.table_log import TableLog


def record_of(log: TableLog) -> bytes:
    """The record of the page's finished round as JSON. It names seats by user id only."""
    match = log.match
    stored = [entry for entry in map(msgspec.json.decode, log.entries) if "events" in entry]
    about = {
        "match": match.match_id, "round_no": match.round_no,
        "seats": [{"user": seat.person.user if seat.person else None, "bot": seat.bot} for seat in match.seats],
        "dealer_drawn": stored[0]["command"].get("drawn"),
    }  # fmt: skip
    entries = [{**entry, "ref": entry.get("ref")} for entry in stored]
    entries[0]["command"] = None
    return msgspec.json.encode(build(about, entries, quick_digest))


def quick_digest(record: Record) -> str:
    """`app.records.codec.digest` of a record without one, by the C encoder where the text is plain ASCII."""
    text = msgspec.json.encode(record, order="sorted")
    if text.isascii() and b"\x7f" not in text:
        return hashlib.sha256(text).hexdigest()
    return digest(record)
