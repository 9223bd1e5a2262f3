"""Documents from a live table to the archive, as JSON bytes: the one contract between the two stores.

`turn_page` and `close` queue a document in the same script that moves the log, so it is written exactly once or waits.
Bytes that an older version queued stay readable, and an older version reads these: fields are only ever added, with a
default. The archive distinguishes documents by `kind`.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from app.kernel.ledger import Line
from app.tables.log.record import record_of
from app.tables.log.table_log import TableLog
from app.tables.match import marks
from app.tables.match.state import MatchState, Over, rank

FORMAT: Final = 1
Plain = dict[str, Any]


class UnacceptableDocument(ValueError):
    """The archive will never take this document: our bug. Trying again does not help; keep it, tell an operator."""


class Seat(msgspec.Struct):
    """A seat as the round ended. `user` None: a bot that nobody sat before; `left`: gone, autoplay played on."""

    seat: int
    user: str | None
    name: str | None
    bot: bool
    autoplay: bool = False
    left: bool = False


class Parted(msgspec.Struct):
    """A player who left the match, with their points up to then (`user` None: a bot)."""

    seat: int
    user: str | None
    total: int


class Linked(msgspec.Struct):
    """Two seats of a ranked room whose people share an address, a device or a circle: `shares` says which (S15)."""

    seat: int
    other: int
    shares: list[str]


class LedgerLine(msgspec.Struct):
    """Points that moved: seat `source` paid seat `target` for `reason`, by the rule `clause`."""

    reason: str
    clause: str
    source: int = msgspec.field(name="from")
    target: int = msgspec.field(name="to")
    points: int
    detail: list[Any] = []


class Ranked(msgspec.Struct):
    """A place in the final ranking: 1 is the best, equal totals share it."""

    seat: int
    user: str | None
    total: int
    rank: int


class MatchEnd(msgspec.Struct):
    """Why the match is over, and its ranking."""

    reason: str
    ranking: list[Ranked]


class _OfMatch(msgspec.Struct, tag_field="kind", omit_defaults=True, kw_only=True):
    """The common fields of a match's documents. Unique by (`match`, `round_no`). Times are milliseconds since 1970."""

    format: int
    table: str
    code: str
    variant: str
    host: str | None
    circle: str | None
    ranked: bool
    bots_ever: bool
    players: int
    rules: Plain
    match: str
    match_no: int
    round_no: int
    seats: list[Seat]
    parted: list[Parted]
    ended_ms: int
    totals: list[int]
    match_over: MatchEnd | None
    linked: list[Linked] = []


class FinishedRound(_OfMatch, tag="round", kw_only=True):
    """A round that was won, exhausted or made void, or (`failed`) that a bug of ours stopped: nobody won or lost then.

    `facts`: all facts of the variant (`Facts.plain`). `seat_facts`: each seat's own; None in documents
    of older versions, where a list in `facts` as long as there are seats is one value per seat.
    `record`: the 牌谱 (`app.records`), all that folding and verifying need and no names; JSON's `null` when failed.
    `patterns`: each winner's patterns by seat; None in documents of older versions, where the record has it.
    """

    outcome: str
    started_ms: int
    dealer: int | None
    series: int
    played_no: int
    nets: list[int]
    winners: list[int]
    lines: list[LedgerLine]
    facts: Plain
    record: msgspec.Raw
    seat_facts: list[Plain] | None = None
    patterns: dict[int, list[str]] | None = None
    error: str | None = None


class FinishedMatch(_OfMatch, tag="match", kw_only=True):
    """A match that ended with its settled rounds, between two rounds."""


class RoomEnded(msgspec.Struct, tag_field="kind", tag="end", kw_only=True):
    """The end of a room, whether or not a round is stored with it."""

    format: int
    table: str
    reason: str
    ended_ms: int


Document = FinishedRound | FinishedMatch | RoomEnded

_DOCUMENT: Final = msgspec.json.Decoder(Document)


class _Kind(msgspec.Struct):
    kind: str = ""


_KIND: Final = msgspec.json.Decoder(_Kind)


class _Name(msgspec.Struct):
    match: Any = None
    round_no: Any = None


def read_document(raw: bytes) -> Document:
    """A document as it lay in the queue, of this version or an older one. Raises UnacceptableDocument."""
    try:
        document: Document = _DOCUMENT.decode(raw)
    except msgspec.DecodeError as wrong:
        raise UnacceptableDocument(f"{_named(raw)}: {wrong}") from wrong
    return document


def is_round(raw: bytes) -> bool:
    """Whether a queued document is a round; it is not checked otherwise."""
    try:
        return _KIND.decode(raw).kind == "round"
    except msgspec.DecodeError:
        return False


def _named(raw: bytes) -> str:
    try:
        name = msgspec.json.decode(raw, type=_Name)
    except msgspec.DecodeError:
        return "unreadable"
    return f"{name.match}/{name.round_no}"


def round_document(log: TableLog, after: MatchState, ended_ms: int) -> bytes:
    """The round that has just ended on this page. `after`: the match with it counted in (or closed over it)."""
    table = log.round.table
    ended, facts = table.ending.ended, log.variant.facts(log.round)
    return msgspec.json.encode(
        FinishedRound(
            **_of_match(log.match, after.over),
            ended_ms=ended_ms,
            totals=list(after.totals),
            outcome=ended.outcome,
            started_ms=table.facts.dealt_at_ms,
            dealer=table.facts.dealer,
            series=log.match.series,
            played_no=after.played,
            nets=list(table.points),
            winners=list(ended.winners),
            lines=[_ledger_line(line) for line in table.lines],
            facts=facts.plain(),
            seat_facts=[dict(seat) for seat in facts.seats],
            record=msgspec.Raw(record_of(log)),
            patterns={won.seat: [name for name, _ in won.reading.patterns] for won in table.ending.wins},
        )
    )


def failed_document(log: TableLog, error: str, ended_ms: int) -> bytes:
    """A round that our own bug stopped: what is known."""
    match = log.match
    return msgspec.json.encode(
        FinishedRound(
            **_of_match(match, Over("failed", rank(match))),
            ended_ms=ended_ms,
            totals=list(match.totals),
            outcome="failed",
            started_ms=msgspec.json.decode(log.entries[0])["at_ms"],
            dealer=match.dealer,
            series=match.series,
            played_no=match.played,
            nets=[0] * len(match.seats),
            winners=[],
            lines=[],
            facts={},
            seat_facts=[{} for _ in match.seats],
            record=msgspec.Raw(b"null"),
            error=error,
        )
    )


def match_document(match: MatchState, ended_ms: int) -> bytes:
    """A match that ended with its settled rounds, outside a round."""
    return msgspec.json.encode(
        FinishedMatch(**_of_match(match, match.over), ended_ms=ended_ms, totals=list(match.totals))
    )


def ending_document(table_id: str, reason: str, ended_ms: int) -> bytes:
    """The end of a room."""
    return msgspec.json.encode(RoomEnded(format=FORMAT, table=table_id, reason=reason, ended_ms=ended_ms))


def _of_match(match: MatchState, over: Over | None) -> Plain:
    spec = match.spec
    return {
        "format": FORMAT, "table": spec.table_id, "code": spec.code, "variant": spec.variant, "host": spec.host,
        "circle": spec.circle, "ranked": match.counts, "bots_ever": match.bots_ever, "players": spec.players,
        "rules": dict(spec.rules), "match": match.match_id, "match_no": match.match_no, "round_no": match.round_no,
        "seats": [
            Seat(
                place, seat.person.user if seat.person else None, seat.person.name if seat.person else None, seat.bot,
                seat.autoplay, seat.left,
            )
            for place, seat in enumerate(match.seats)
        ],
        "parted": [Parted(p.seat, p.user or None, p.total) for p in match.parted],
        "match_over": None if over is None else _match_end(over),
        "linked": [Linked(seat, other, marks.kinds(shared)) for seat, other, shared in match.linked],
    }  # fmt: skip


def _match_end(over: Over) -> MatchEnd:
    return MatchEnd(over.reason, [Ranked(r.seat, r.user or None, r.total, r.rank) for r in over.ranking])


def _ledger_line(line: Line) -> LedgerLine:
    return LedgerLine(
        line.reason, line.clause, line.source, line.target, line.points, [list(part) for part in line.detail]
    )
