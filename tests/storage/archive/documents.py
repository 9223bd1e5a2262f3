"""Finished rounds as a table queues them (`app/tables/README.md`), small enough to read in a test."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from app.storage.archive.engine import Archive
from app.storage.archive.play.rounds import intake
from app.tables.log.documents import read_document

Plain = dict[str, Any]
NOON = datetime(2026, 11, 30, 4, 0, tzinfo=UTC)
"""Noon in Shanghai, in the fourth quarter."""


async def store_round(archive: Archive, document: Plain) -> bool:
    """Have the archive take a document as it comes out of the queue."""
    return await intake(archive, read_document(json.dumps(document).encode()))


def finished(
    users: Sequence[str | None],
    payments: Sequence[tuple[int, int, int]] = ((1, 0, 6), (2, 0, 6), (3, 0, 6)),
    *,
    match: str = "match1",
    round_no: int = 1,
    table: str = "room1",
    outcome: str = "won",
    winner: int = 0,
    patterns: Sequence[str] = ("su", "zhuo_wu"),
    room: Plain | None = None,
    facts: Plain | None = None,
    at: datetime = NOON,
    bots_ever: bool = False,
    over: str | None = None,
) -> Plain:
    """One round. `users`: ids by seat, None for a bot. `payments`: (from, to, points)."""
    nets = [
        sum(p for _, to, p in payments if to == n) - sum(p for f, _, p in payments if f == n) for n in range(len(users))
    ]
    won = [{"type": "won", "seat": winner, "reading": {"patterns": [[name, 1] for name in patterns], "value": 6}}]
    ended_ms = int(at.timestamp() * 1000)
    about = {
        "format": 1, "kind": "round", "table": table, "code": "123456", "variant": "tianjin", "host": None,
        "circle": None, "ranked": True, "bots_ever": bots_ever or None in users, "players": len(users),
        "rules": {"base": 1}, "match": match, "match_no": 1, "round_no": round_no, "parted": [],
        "seats": [
            {"seat": n, "user": user, "name": user and f"name of {user}", "bot": user is None, "left": False}
            for n, user in enumerate(users)
        ],
        **(room or {}),
    }  # fmt: skip
    return {
        **about,
        "outcome": outcome, "started_ms": ended_ms - 60_000, "ended_ms": ended_ms, "dealer": 0, "series": 1,
        "played_no": round_no, "nets": nets, "totals": nets, "winners": [winner] if outcome == "won" else [],
        "lines": [
            {"reason": "win", "clause": "TJ-13.1", "from": payer, "to": payee, "points": points, "detail": []}
            for payer, payee, points in payments
        ],
        "facts": {"dealer": 0, "sit": True, "pull": [0, 1, 2, 0][: len(users)]} if facts is None else facts,
        "match_over": {"reason": over, "ranking": []} if over else None,
        "record": {
            "format": 1, "variant": about["variant"], "rules_version": 1, "rules": about["rules"], "match": match,
            "round_no": round_no, "seats": [{"user": user, "bot": user is None} for user in users],
            "entries": [{"n": 1, "events": won if outcome == "won" else []}],
        },
    }  # fmt: skip


def match_over(document: Plain, reason: str) -> Plain:
    """The document of a match that ended between rounds, after the round of `document`."""
    kept = ("format", "table", "code", "variant", "host", "circle", "ranked", "bots_ever", "players", "rules", "match")
    about = {name: document[name] for name in (*kept, "match_no", "seats", "parted", "ended_ms", "totals")}
    return {
        **about,
        "kind": "match",
        "round_no": document["round_no"] + 1,
        "match_over": {"reason": reason, "ranking": []},
    }
