"""Log entries: one command with all its events as JSON bytes, and back. Only the bytes are durable.

Number 0 of a page holds the whole match; every other entry holds the events of the round and of the match apart, as
they fold independently. Nothing of an entry's envelope (number, time, token, ref) ever reaches a viewer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import msgspec

from app.kernel.errors import InvariantViolation, MalformedInput
from app.kernel.events import Event
from app.kernel.text.notation import plain_event, read_event
from app.tables.log.chain import Chain, is_sealed
from app.tables.log.upcast import FORMAT, head, upcast_entry
from app.tables.match.events import MatchEvent
from app.tables.match.state import MatchState

Plain = dict[str, Any]


Memory = Mapping[str, Mapping[str, int]]
"""By user: the ids of requests that took effect, with their content."""


class Asked(NamedTuple):
    """The request that an entry answers: its id, the seat that asked, and `asks.content_of` it."""

    ref: str
    seat: int
    content: int


class Unreadable(Exception):
    """A log that cannot be understood: corrupt, of another format, or of rules this node does not have."""


class Entry(msgspec.Struct, frozen=True):
    """One entry, as its bytes say. `plain_events` are the round events in plain form, for the wire and the record.

    `ref`, `seat`, `content`: the request it answers, who asked, and `asks.content_of` what was asked; None for clocks,
    bots and operators. `memory` (page start only): by user the ids of requests with their content, the last at the end.
    A content is 0 in entries of older versions.
    """

    n: int
    at_ms: int
    ref: str | None
    seat: int | None
    content: int
    events: tuple[Event, ...]
    plain_events: list[Plain]
    match_events: tuple[MatchEvent, ...]
    match: MatchState | None
    memory: dict[str, dict[str, int]]
    raw: bytes
    stored: bytes
    """As it lies in the store; `raw` is the same, or its conversion from an older format."""


class _Stored(msgspec.Struct):
    """The fields that are read of the bytes.

    The rest (`token`, `command`) serves the append's checks and the record.
    """

    n: int
    at_ms: int
    sealed: bool = False
    ref: str | None = None
    seat: int | None = None
    content: int = 0
    events: list[Plain] = []
    match_events: tuple[MatchEvent, ...] = ()
    match: MatchState | None = None
    memory: dict[str, list[str]] = {}
    contents: dict[str, list[int]] = {}


_HEAD: Final = head()
_STORED: Final = msgspec.json.Decoder(_Stored)


def write_entry(
    chain: Chain, n: int, at_ms: int, token: str, asked: Asked | None, command: Plain,
    events: tuple[Event, ...], match_events: tuple[MatchEvent, ...],
) -> Entry:  # fmt: skip
    """The entry after those that `chain` has seen, read back from its bytes.

    Hence a later owner reads the very events on which we go on. Raises InvariantViolation when the bytes differ from
    the decision.
    """
    plain: Plain = {"format": FORMAT, "n": n, "at_ms": at_ms, "token": token, "command": command}
    if asked is not None:
        plain["ref"], plain["seat"], plain["content"] = asked
    if events:
        plain["events"] = [plain_event(event) for event in events]
    if match_events:
        plain["match_events"] = match_events
    entry = read_entry(chain.seal(msgspec.json.encode(plain)), n)
    if entry.events != events or entry.match_events != match_events:
        raise InvariantViolation("the bytes to store do not read back as the decided events")
    return entry


def write_page(at_ms: int, token: str, match: MatchState, memory: Memory) -> Entry:
    """The first entry of a page: the whole match, the next round's secret seed included."""
    plain: Plain = {
        "format": FORMAT, "n": 0, "sealed": True, "at_ms": at_ms, "token": token, "match": match,
        "memory": {user: list(asked) for user, asked in memory.items()},
        "contents": {user: list(asked.values()) for user, asked in memory.items()},
    }  # fmt: skip
    chain = Chain(match.spec.table_id, match.round_no)
    return read_entry(chain.seal(msgspec.json.encode(plain)), 0)


def read_entry(raw: bytes, n: int) -> Entry:
    """The entry in the bytes found at place `n`. Raises Unreadable."""
    found = raw
    try:
        if not raw.startswith(_HEAD):
            raw = upcast_entry(raw)
        stored = _STORED.decode(raw)
        events = tuple([read_event(plain) for plain in stored.events])
    except (ValueError, MalformedInput, KeyError, TypeError) as wrong:  # msgspec's errors are ValueErrors
        raise Unreadable(f"entry {n}: {wrong!r}") from wrong
    if stored.sealed and not is_sealed(found):
        raise Unreadable(f"entry {n} has lost its checksum")
    if stored.n != n:
        raise Unreadable(f"entry {n} says it is {stored.n}")
    return Entry(
        n, stored.at_ms, stored.ref, stored.seat, stored.content, events, stored.events, stored.match_events,
        stored.match, _memory(stored), raw, found,
    )  # fmt: skip


def _memory(stored: _Stored) -> dict[str, dict[str, int]]:
    if not stored.memory:
        return {}
    return {
        user: dict(zip(refs, stored.contents.get(user) or [0] * len(refs), strict=True))
        for user, refs in stored.memory.items()
    }
