"""The documents that a finished round, a match that ended between rounds, and a room leave for the archive, as JSON.

`turn_page` and `close` queue it in the same script that moves the log, so it is written exactly once or waits.
Unique by (`match`, `round_no`). The record (牌谱) inside holds all that folding and verifying need, and no names.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from app.records.codec import build
from app.tables.log.table_log import TableLog
from app.tables.match.state import MatchState, Over, rank

FORMAT: Final = 1
Plain = dict[str, Any]


def round_document(log: TableLog, after: MatchState, ended_ms: int) -> bytes:
    """The round that has just ended on this page. `after`: the match with it counted in (or closed over it)."""
    table = log.round.table
    ended = table.ending.ended
    document: Plain = {
        **_envelope(log.match, "round"),
        "outcome": ended.outcome, "started_ms": table.facts.dealt_at_ms, "ended_ms": ended_ms,
        "dealer": table.facts.dealer, "series": log.match.series, "played_no": after.played,
        "nets": list(table.points), "totals": list(after.totals), "winners": list(ended.winners),
        "lines": plain_ledger(log), "facts": dict(log.variant.facts(log.round)),
        "match_over": _over(after.over), "record": record(log),
    }  # fmt: skip
    return msgspec.json.encode(document)


def failed_document(log: TableLog, error: str, ended_ms: int) -> bytes:
    """A round that our own bug stopped: what is known, outcome `failed`, nobody won or lost anything."""
    match = log.match
    started = msgspec.json.decode(log.entries[0])["at_ms"]
    document: Plain = {
        **_envelope(match, "round"),
        "outcome": "failed", "started_ms": started, "ended_ms": ended_ms, "dealer": match.dealer,
        "series": match.series, "played_no": match.played, "nets": [0] * len(match.seats),
        "totals": list(match.totals), "winners": [], "lines": [], "facts": {}, "error": error,
        "match_over": _over(Over("failed", rank(match))), "record": None,
    }  # fmt: skip
    return msgspec.json.encode(document)


def match_document(match: MatchState, ended_ms: int) -> bytes:
    """A match that ended with its settled rounds, outside a round."""
    document = {
        **_envelope(match, "match"), "ended_ms": ended_ms, "totals": list(match.totals),
        "match_over": _over(match.over),
    }  # fmt: skip
    return msgspec.json.encode(document)


def ending_document(table_id: str, reason: str, ended_ms: int) -> bytes:
    """The end of a room, whether or not a round is stored with it."""
    return msgspec.json.encode(
        {"format": FORMAT, "kind": "end", "table": table_id, "reason": reason, "ended_ms": ended_ms}
    )


def _envelope(match: MatchState, kind: str) -> Plain:
    spec = match.spec
    return {
        "format": FORMAT, "kind": kind, "table": spec.table_id, "code": spec.code, "variant": spec.variant,
        "host": spec.host, "circle": spec.circle, "ranked": spec.ranked, "bots_ever": match.bots_ever,
        "players": spec.players, "rules": dict(spec.rules), "match": match.match_id, "match_no": match.match_no,
        "round_no": match.round_no,
        "seats": [
            {
                "seat": place, "user": seat.person.user if seat.person else None,
                "name": seat.person.name if seat.person else None, "bot": seat.bot, "autoplay": seat.autoplay,
                "left": seat.left,
            }
            for place, seat in enumerate(match.seats)
        ],
        "parted": [{"seat": p.seat, "user": p.user or None, "total": p.total} for p in match.parted],
    }  # fmt: skip


def _over(over: Over | None) -> Plain | None:
    if over is None:
        return None
    rows = [{"seat": r.seat, "user": r.user or None, "total": r.total, "rank": r.rank} for r in over.ranking]
    return {"reason": over.reason, "ranking": rows}


def plain_ledger(log: TableLog) -> list[Plain]:
    """The round's ledger lines as the archive, the wire and the settlement panel know them."""
    return [
        {
            "reason": line.reason, "clause": line.clause, "from": line.source, "to": line.target,
            "points": line.points, "detail": [list(part) for part in line.detail],
        }
        for line in log.round.table.lines
    ]  # fmt: skip


def record(log: TableLog) -> Plain:
    """The 牌谱 of the page's round (`app.records`): all that chance and people brought in, every entry of the round."""
    match = log.match
    stored = [entry for entry in map(msgspec.json.decode, log.entries) if "events" in entry]
    about = {
        "match": match.match_id, "round_no": match.round_no,
        "seats": [{"user": seat.person.user if seat.person else None, "bot": seat.bot} for seat in match.seats],
        "dealer_drawn": stored[0]["command"].get("drawn"),
    }  # fmt: skip
    match = log.match
    stored = [entry for entry in map(msgspec.json.decode, log.entries) if "events" in entry]
    entries = [{**entry, "ref": entry.get("ref")} for entry in stored]
    entries[0]["command"] = None
    return build(about, entries)
