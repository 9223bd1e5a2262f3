"""Check a record against itself: the shuffle against the seed, every entry against the rules, sums against lines.

Pure; `mj verify` prints the outcome. Says for each check what was compared, and the first difference in plain words.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.kernel.errors import MalformedInput, Rejection
from app.kernel.notation import plain_event, read_command, read_event, text_tiles
from app.kernel.shuffle import SHUFFLE_VERSION, commitment, deal
from app.kernel.variant import Setup, Variant
from app.records.codec import Record, points_of


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was compared. `difference` is None when it holds, `skipped` says why it was not compared."""

    name: str
    difference: str | None = None
    skipped: str | None = None


def verify(record: Record, variants: Mapping[str, Variant[Any]]) -> tuple[Check, ...]:
    """The checks of a decoded record, in order, up to the first that fails.

    Raises MalformedInput when the variant is unknown or a command or event cannot be read.
    """
    variant = variants.get(record["variant"])
    if variant is None:
        raise MalformedInput("variant", f"no such variant {record['variant']!r}")
    done: list[Check] = []
    for check in _CHECKS:
        done.append(check(record, variant))
        if done[-1].difference is not None:
            break
    return tuple(done)


def _header(record: Record, variant: Variant[Any]) -> Check:
    start, end = record["entries"][0]["events"][0], record["entries"][-1]["events"][-1]
    for key in ("variant", "rules_version", "rules", "dealer", "dice", "wall", "commitment", "contributions", "seed"):
        if record[key] != start.get(key):
            return Check("header", _differs(key, record[key], start.get(key)))
    for key in ("seed", "wall"):
        if record[key] != end[key]:
            return Check("header", _differs(f"{key} as revealed", record[key], end[key]))
    return Check("header")


def _commitment(record: Record, variant: Variant[Any]) -> Check:
    found = commitment(record["seed"])
    return Check("commitment", None if found == record["commitment"] else _differs("hash", record["commitment"], found))


def _shuffle(record: Record, variant: Variant[Any]) -> Check:
    if record["shuffle_version"] != SHUFFLE_VERSION:
        return Check("shuffle", skipped=f"version {record['shuffle_version']}; this program knows {SHUFFLE_VERSION}")
    players = record["entries"][0]["events"][0]["players"]
    meta = variant.meta
    dealt = deal(record["seed"], record["contributions"], meta.kinds, meta.dice, players)
    wall = text_tiles(record["wall"])
    assert wall is not None
    for place, (said, found) in enumerate(zip(wall, dealt.wall, strict=False)):
        if said != found:
            return Check("shuffle", _differs(f"wall tile {place}", said, found))
    if len(wall) != len(dealt.wall):
        return Check("shuffle", _differs("wall length", len(wall), len(dealt.wall)))
    if tuple(record["dice"]) != dealt.dice:
        return Check("shuffle", _differs("dice", record["dice"], list(dealt.dice)))
    return Check("shuffle")


def _fold(record: Record, variant: Variant[Any]) -> Check:
    state: Any = None
    for entry in record["entries"]:
        for event in entry["events"]:
            state = variant.evolve(state, read_event(event))
    ended = state.table.phase == "over"
    return Check("fold", None if ended else "the round is not over after its last event")


def _decide_again(record: Record, variant: Variant[Any]) -> Check:
    if record["rules_version"] != variant.meta.rules_version:
        here, there = variant.meta.rules_version, record["rules_version"]
        return Check("rules", skipped=f"played under rules version {there}; this program has {here}")
    step = variant.start(setup_of(record, variant))
    difference = _same_events(record["entries"][0], step.events)
    for entry in record["entries"][1:]:
        if difference is not None:
            break
        open_ = variant.decisions(step.state)
        found = variant.decide(step.state, open_, read_command(entry["command"]))
        if isinstance(found, Rejection):
            return Check("rules", f"entry {entry['n']}: the command {entry['command']} is refused: {found.code}")
        step = found
        difference = _same_events(entry, step.events)
    return Check("rules", difference)


def setup_of(record: Record, variant: Variant[Any]) -> Setup:
    """The outside facts of the recorded round, as its `start` took them."""
    start = read_event(record["entries"][0]["events"][0])
    rules = variant.parse_rules(record["rules"])
    return Setup(
        rules, start.players, start.dealer, start.wall, start.dice,  # type: ignore[union-attr, arg-type]
        start.dealt_at_ms, start.commitment, start.seed, start.contributions,  # type: ignore[union-attr, arg-type]
    )  # fmt: skip


def _same_events(entry: Mapping[str, Any], events: tuple[Any, ...]) -> str | None:
    found = [plain_event(event) for event in events]
    for place, (said, again) in enumerate(zip(entry["events"], found, strict=False)):
        if said != again:
            return _differs(f"entry {entry['n']}, event {place}", said, again)
    if len(entry["events"]) != len(found):
        return _differs(f"entry {entry['n']}, number of events", len(entry["events"]), len(found))
    return None


def _result(record: Record, variant: Variant[Any]) -> Check:
    end, result = record["entries"][-1]["events"][-1], record["result"]
    for key in ("outcome", "winners", "next_dealer"):
        if result.get(key) != end[key]:
            return Check("result", _differs(key, result.get(key), end[key]))
    points = points_of(record["entries"], record["entries"][0]["events"][0]["players"])
    if result.get("points") != points:
        return Check("result", _differs("points", result.get("points"), points))
    return Check("result", None if sum(points) == 0 else f"points do not add up to zero: {points}")


def _order(record: Record, variant: Variant[Any]) -> Check:
    numbers = [entry["n"] for entry in record["entries"]]
    for earlier, later in itertools.pairwise(numbers):
        if later <= earlier:
            return Check("order", f"entry {later} follows entry {earlier}")
    return Check("order")


def _differs(what: str, said: object, found: object) -> str:
    return f"{what}: the record says {said!r}, found {found!r}"


_CHECKS: Final[tuple[Callable[[Record, Variant[Any]], Check], ...]] = (
    _header, _order, _commitment, _shuffle, _decide_again, _fold, _result,
)  # fmt: skip
