"""All rows of a finished round in one statement: one way to Postgres and back, and no transaction to open or close.

The values come as one JSON document, so that Postgres, and no code of ours, turns them into columns. Nothing happens
when the match or one of its people has no row (`known` false); then `rounds.py` makes those rows first.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from app.storage.archive.play.seasons import TOTAL, season_of
from app.tables.log.documents import FinishedRound, Seat

KEEP: Final = """
    WITH given AS (
        SELECT * FROM jsonb_to_record($1::jsonb) AS g(
            id text, match_id text, room_id text, round_no int, series int, variant text, rules_version int,
            rules jsonb, dealer smallint, outcome text, ranked boolean, started_at timestamptz, ended_at timestamptz,
            facts jsonb, end_reason text, people text[], seasons text[], seats jsonb, lines jsonb, linked jsonb,
            format int
        )
    ), known AS MATERIALIZED (
        SELECT * FROM given
        WHERE EXISTS (SELECT FROM matches WHERE id = given.match_id)
          AND (SELECT count(*) FROM users WHERE id = ANY (given.people)) = cardinality(given.people)
    ), held AS MATERIALIZED (
        SELECT id, name, deleted_at FROM users
        WHERE id = ANY ((SELECT people FROM known)::text[]) ORDER BY id FOR KEY SHARE
    ), new AS (
        INSERT INTO rounds (id, match_id, round_no, series, circle_id, variant, rules_version, rules, dealer, outcome,
                            ranked, started_at, ended_at, facts)
        SELECT id, match_id, round_no, series, (SELECT circle_id FROM rooms WHERE rooms.id = known.room_id), variant,
               rules_version, rules, dealer, outcome, ranked, started_at, ended_at, facts
        FROM known
        ON CONFLICT DO NOTHING RETURNING id
    ), seated AS (
        SELECT s.*, known.ended_at, held.name AS name_now, held.deleted_at IS NOT NULL AS gone
        FROM known CROSS JOIN jsonb_to_recordset(known.seats) AS s(
            seat smallint, user_id text, name text, bot boolean, net bigint, won boolean, patterns text[], facts jsonb
        ) LEFT JOIN held ON held.id = s.user_id
    ), kept_seats AS (
        INSERT INTO round_seats (round_id, seat, user_id, name, bot, net, won, patterns, facts, ended_at)
        SELECT new.id, seat, user_id, CASE WHEN gone THEN name_now ELSE name END, bot, net, won, patterns, facts,
               ended_at
        FROM new CROSS JOIN seated
    ), kept_lines AS (
        INSERT INTO ledger_lines (round_id, n, reason, clause, payer, payee, points, detail)
        SELECT new.id, l.n, l.reason, l.clause, l.source, l.target, l.points, l.detail
        FROM new CROSS JOIN known CROSS JOIN jsonb_to_recordset(known.lines) AS l(
            n int, reason text, clause text, source smallint, target smallint, points bigint, detail jsonb
        )
    ), kept_links AS (
        INSERT INTO linked_seats (round_id, seat, other, shares)
        SELECT new.id, pair.seat, pair.other, pair.shares
        FROM new CROSS JOIN known CROSS JOIN jsonb_to_recordset(known.linked) AS pair(
            seat smallint, other smallint, shares text[]
        )
    ), kept_record AS (
        INSERT INTO records (round_id, format, record)
        SELECT new.id, known.format, $2::jsonb FROM new CROSS JOIN known WHERE known.format IS NOT NULL
    ), moved AS (
        INSERT INTO ladder (variant, season, user_id, points)
        SELECT known.variant, board.season, seated.user_id, sum(seated.net)
        FROM new CROSS JOIN known CROSS JOIN unnest(known.seasons) WITH ORDINALITY AS board(season, place)
        CROSS JOIN seated WHERE seated.user_id IS NOT NULL AND NOT seated.gone
        GROUP BY known.variant, board.season, board.place, seated.user_id
        ORDER BY board.place, seated.user_id
        ON CONFLICT (variant, season, user_id) DO UPDATE SET points = ladder.points + excluded.points
    ), over AS (
        UPDATE matches SET ended_at = known.ended_at, end_reason = known.end_reason
        FROM known
        WHERE matches.id = known.match_id AND known.end_reason IS NOT NULL AND matches.ended_at IS NULL
    )
    SELECT EXISTS (SELECT FROM known) AS known, EXISTS (SELECT FROM new) AS stored
"""
"""$1: what `rows_of` gives; $2: the record as text. `known`: all owners have rows; `stored`: the round is new.

`held` keeps people from being deleted until the round is stored; who was deleted while it ran is stored by their
pseudonym, and neither name nor ladder comes back. The ladder is moved in order of id, so that two rounds never wait
for each other crosswise.
"""


class _RecordHead(msgspec.Struct):
    format: int
    rules_version: int


def round_id(match: str, round_no: int) -> str:
    """The id of a round: its match and its number, so that every node and client can name it."""
    return f"{match}.{round_no}"


def rows_of(finished: FinishedRound) -> tuple[str, str]:
    """The parameters of `KEEP`."""
    record = msgspec.json.decode(finished.record, type=_RecordHead | None)
    at = moment(finished.ended_ms)
    given = {
        "id": round_id(finished.match, finished.round_no), "match_id": finished.match, "room_id": finished.table,
        "round_no": finished.round_no, "series": finished.series, "variant": finished.variant, "rules": finished.rules,
        "rules_version": record and record.rules_version, "format": record and record.format,
        "dealer": finished.dealer or 0, "outcome": finished.outcome, "ranked": counts(finished),
        "started_at": moment(finished.started_ms), "ended_at": at, "facts": finished.facts,
        "end_reason": finished.match_over and finished.match_over.reason,
        "people": sorted({user for seat in finished.seats if (user := person(seat)) is not None}),
        "seasons": [season_of(at), TOTAL] if counts(finished) else [],
        "seats": _seat_rows(finished), "linked": finished.linked,
        "lines": [
            {
                "n": n, "reason": line.reason, "clause": line.clause, "source": line.source, "target": line.target,
                "points": line.points, "detail": line.detail,
            }
            for n, line in enumerate(finished.lines)
        ],
    }  # fmt: skip
    return msgspec.json.encode(given).decode(), bytes(finished.record).decode()


def moment(milliseconds: int) -> datetime:
    """The moment that many milliseconds after 1970 began."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def person(seat: Seat) -> str | None:
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


def _seat_rows(finished: FinishedRound) -> list[dict[str, Any]]:
    facts = finished.seat_facts
    if facts is None:
        facts = seat_facts(finished.facts, len(finished.seats))
    won = _patterns(finished) if finished.outcome == "won" else {}
    return [
        {
            "seat": number, "user_id": person(seat), "name": seat.name or "", "bot": person(seat) is None,
            "net": finished.nets[number], "won": number in won, "patterns": won.get(number, []),
            "facts": facts[number],
        }
        for number, seat in enumerate(finished.seats)
    ]  # fmt: skip
