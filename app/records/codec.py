"""Records: their form, building one from a round's log, and their bytes.

A record is a plain dict, format 2:
`format, shuffle_version, variant, rules_version, rules, match, round_no, seats, dealer, dealer_drawn, dice, wall,
commitment, contributions, seed, entries[{n, at_ms, ref, command, events}], result, digest`. `wall` is mpsz text in
drawing order; `dealer_drawn`: whether the shuffle drew the dealer (None: not known); `digest` binds all the rest.
The browser replays it as it stands; nothing in it may be secret once the round is over. No file, no database here.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from app.kernel.errors import MalformedInput
from app.kernel.play.shuffle import SHUFFLE_VERSION
from app.records.upcast import FORMAT, upcast

Record = dict[str, Any]

KEYS: Final = (
    "format", "shuffle_version", "variant", "rules_version", "rules", "match", "round_no", "seats", "dealer",
    "dealer_drawn", "dice", "wall", "commitment", "contributions", "seed", "entries", "result", "digest",
)  # fmt: skip
_ENTRY_KEYS: Final = ("n", "at_ms", "ref", "command", "events")
_FROM_START: Final = (
    "variant", "rules_version", "rules", "dealer", "dice", "wall", "commitment", "contributions", "seed",
)  # fmt: skip
_FROM_END: Final = ("outcome", "winners", "next_dealer")


def build(match: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]) -> Record:
    """The record of a finished round.

    `match`: `{"match": id, "round_no": from 1, "seats": [facts about each seat, in seat order]}`, and
    `dealer_drawn` where it is known. `entries`: the round's plain log entries `{n, at_ms, ref, command, events}` from
    `round_started` to `round_ended`; the first has command None. Other keys of both are left out. A clock that was
    set back between two entries does not show: times never fall. Raises MalformedInput when the round is not whole.
    """
    kept = [{key: entry[key] for key in _ENTRY_KEYS} for entry in entries]
    start, end = _bounds(kept)
    times = itertools.accumulate([entry["at_ms"] for entry in kept], max)
    kept = [{**entry, "at_ms": at_ms} for entry, at_ms in zip(kept, times, strict=True)]
    return sealed(assembled(match, kept, start, end, points_of(kept, start["players"])))


def assembled(
    match: Mapping[str, Any], entries: Sequence[Any], start: Mapping[str, Any], end: Mapping[str, Any],
    points: list[int],
) -> Record:  # fmt: skip
    """A record without its digest, from the first and the last event of its entries, and the points by seat."""
    return {
        "format": FORMAT,
        "shuffle_version": SHUFFLE_VERSION,
        **{key: start[key] for key in _FROM_START},
        **{key: match[key] for key in ("match", "round_no", "seats")},
        "dealer_drawn": match.get("dealer_drawn"),
        "entries": entries,
        "result": {**{key: end[key] for key in _FROM_END}, "points": points},
    }


def sealed(record: Record) -> Record:
    """The record with the digest of all that stands in it. For a new record, and for one that names nobody any more."""
    return {**record, "digest": digest(record)}


def nameless(record: Record, match: str) -> Record:
    """The record with `match` for its match and no user ids, sealed anew; without a digest if it had none."""
    plain = {**record, "match": match, "seats": [{**seat, "user": None} for seat in record["seats"]]}
    return plain if record["digest"] is None else sealed(plain)


def digest(record: Mapping[str, Any]) -> str:
    """SHA-256 over the whole record but its `digest`, as lower-case hex.

    Over its JSON with sorted keys, no spaces, and everything outside ASCII as escapes: equal for equal records only.
    """
    bound = {key: value for key, value in record.items() if key != "digest"}
    text = json.dumps(bound, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def points_of(entries: Sequence[Mapping[str, Any]], players: int) -> list[int]:
    """Per-seat sums of all ledger lines in plain entries."""
    totals = [0] * players
    for entry in entries:
        for event in entry["events"]:
            if event["type"] == "points_moved":
                for line in event["lines"]:
                    totals[line["source"]] -= line["points"]
                    totals[line["target"]] += line["points"]
    return totals


def encode(record: Mapping[str, Any]) -> bytes:
    """A record as compact UTF-8 JSON, keys in the order of `KEYS`: equal records are equal bytes."""
    ordered = {key: record[key] for key in KEYS}
    return json.dumps(ordered, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def decode(text: bytes | str) -> Record:
    """Read a record of any format ever written and lift it to this one. Raises MalformedInput."""
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MalformedInput("record", f"not JSON: {error}") from error
    record = upcast(plain)
    for key in KEYS:
        if key not in record:
            raise MalformedInput(key, "missing in the record")
    for key in record:
        if key not in KEYS:
            raise MalformedInput(key, "no part of a record")
    _check_entries(record["entries"])
    _bounds(record["entries"])
    return record


def _check_entries(entries: Any) -> None:
    if not isinstance(entries, list) or not entries:
        raise MalformedInput("entries", "expected a list of entries")
    for place, entry in enumerate(entries):
        if not isinstance(entry, dict) or not all(key in entry for key in _ENTRY_KEYS):
            raise MalformedInput(f"entries[{place}]", f"expected an object with {', '.join(_ENTRY_KEYS)}")
        if not isinstance(entry["events"], list) or not all(isinstance(event, dict) for event in entry["events"]):
            raise MalformedInput(f"entries[{place}].events", "expected a list of events")


def _bounds(entries: Sequence[Mapping[str, Any]]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The first and the last event, which must be the round's start and end."""
    if not entries or not entries[0]["events"] or entries[0]["events"][0].get("type") != "round_started":
        raise MalformedInput("entries[0]", "a record begins with round_started")
    if not entries[-1]["events"] or entries[-1]["events"][-1].get("type") != "round_ended":
        raise MalformedInput(f"entries[{len(entries) - 1}]", "a record ends with round_ended")
    return entries[0]["events"][0], entries[-1]["events"][-1]
