"""Log entries: one command with all its events as JSON bytes, and back. The bytes are what is durable.

Number 0 of a page holds the whole match; every other entry holds the events of the round and of the match apart, as
they fold independently. Nothing of an entry's envelope (number, time, token, ref) ever reaches a viewer.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from app.kernel.errors import MalformedInput
from app.kernel.events import Event
from app.kernel.notation import plain_event, read_event
from app.tables.match.events import MatchEvent, plain_match_event, read_match_event
from app.tables.match.state import MatchState

Plain = dict[str, Any]


class Unreadable(Exception):
    """A log that cannot be understood: corrupt, of another format, or of rules this node does not have."""


class Entry(NamedTuple):
    """One entry. `plain_events` are the round events in plain form, for the wire and the record.

    `ref`, `seat`: the request it answers and who asked; None for clocks, bots and operators.
    `memory` (page start only): request ids by user, with the last at the end.
    """

    n: int
    at_ms: int
    ref: str | None
    seat: int | None
    command: Plain
    events: tuple[Event, ...]
    plain_events: list[Plain]
    match_events: tuple[MatchEvent, ...]
    match: MatchState | None
    memory: dict[str, list[str]]
    raw: bytes


def write_entry(
    n: int, at_ms: int, token: str, ref: str | None, seat: int | None, command: Plain,
    events: tuple[Event, ...], match_events: tuple[MatchEvent, ...],
) -> Entry:  # fmt: skip
    """An entry with its bytes."""
    plain: Plain = {"n": n, "at_ms": at_ms, "token": token, "command": command}
    if ref is not None:
        plain["ref"] = ref
    if seat is not None:
        plain["seat"] = seat
    plain_events = [plain_event(event) for event in events]
    if plain_events:
        plain["events"] = plain_events
    if match_events:
        plain["match_events"] = [plain_match_event(event) for event in match_events]
    raw = msgspec.json.encode(plain)
    return Entry(n, at_ms, ref, seat, command, events, plain_events, match_events, None, {}, raw)


def write_page(at_ms: int, token: str, match: MatchState, memory: dict[str, list[str]]) -> Entry:
    """The first entry of a page: the whole match, the next round's secret seed included."""
    raw = msgspec.json.encode({"n": 0, "at_ms": at_ms, "token": token, "match": match, "memory": memory})
    return Entry(0, at_ms, None, None, {}, (), [], (), match, memory, raw)


def read_entry(raw: bytes, n: int) -> Entry:
    """Inverse of both, for the entry found at place `n`. Raises Unreadable."""
    try:
        plain = msgspec.json.decode(raw)
        if plain["n"] != n:
            raise Unreadable(f"entry {n} says it is {plain['n']}")
        if "match" in plain:
            return _read_page(plain, raw)
        plain_events = plain.get("events", [])
        return Entry(
            n, plain["at_ms"], plain.get("ref"), plain.get("seat"), plain["command"],
            tuple([read_event(event) for event in plain_events]), plain_events,
            tuple([read_match_event(event) for event in plain.get("match_events", ())]), None, {}, raw,
        )  # fmt: skip
    except (msgspec.MsgspecError, MalformedInput, KeyError, TypeError) as wrong:
        raise Unreadable(f"entry {n}: {wrong!r}") from wrong


def _read_page(plain: Plain, raw: bytes) -> Entry:
    match = msgspec.convert(plain["match"], MatchState)
    return Entry(0, plain["at_ms"], None, None, {}, (), [], (), match, plain["memory"], raw)
