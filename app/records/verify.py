"""Check a record against itself: the shuffle against the seed, every entry against the rules, sums against lines.

Leaves that can be computed anew are compared; all other leaves (people, match, round, times, request ids) are bound by
the record's digest. A change of any leaf is found, unless the digest was made anew too: compare it with a copy.

Pure; `mj verify` prints the outcome. Each check states the compared values, and the first difference in plain words.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.kernel.errors import MalformedInput, Rejection
from app.kernel.play.commands import Abort, Act, Command
from app.kernel.play.decisions import Decision, answer
from app.kernel.play.shuffle import SHUFFLE_VERSION, commitment, deal
from app.kernel.text.notation import plain_command, plain_event, read_command, read_event, text_tiles
from app.kernel.variant import Setup, Variant
from app.records.codec import Record, digest, points_of

_Checker = Callable[[Record, Variant[Any]], "Check"]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was compared.

    `difference` is None when it holds, `skipped` is the reason why it was not compared.
    """

    name: str
    difference: str | None = None
    skipped: str | None = None


def verify(record: Record, variants: Mapping[str, Variant[Any]]) -> tuple[Check, ...]:
    """The checks of a decoded record, in order, up to the first that fails; `digest` stands there only when it differs.

    Raises MalformedInput when the variant is unknown or a command or event cannot be read.
    """
    slug = record["variant"]
    variant = variants.get(slug) if isinstance(slug, str) else None
    if variant is None:
        raise MalformedInput("variant", f"no such variant {slug!r}")
    done: list[Check] = []
    for name, check in _CHECKS.items():
        done.append(_checked(name, check, record, variant))
        if done[-1].difference is not None:
            return tuple(done)
    found = digest(record)
    if record["digest"] not in (None, found):  # None: format 1 had none
        done.append(Check("digest", _differs("digest", record["digest"], found)))
    return tuple(done)


def anchored(record: Record, commitment: str | None, entropy: Mapping[int, str]) -> Check:
    """Compare with the facts seen before the deal: the commitment, and contributions by seat number from 0.

    A record made up afterwards agrees with itself; only this shows whether it is the round that was promised.
    """
    if commitment is None and not entropy:
        return Check("seen", skipped="compared with nothing that was seen before the deal (--commitment, --entropy)")
    if commitment is not None and commitment.lower() != record["commitment"]:
        return Check("seen", _differs("commitment", record["commitment"], commitment))
    for seat, text in entropy.items():
        if not 0 <= seat < len(record["contributions"]):
            return Check("seen", f"seat {seat}: the record has seats 0 to {len(record['contributions']) - 1}")
        if record["contributions"][seat] != text:
            return Check("seen", _differs(f"contribution of seat {seat}", record["contributions"][seat], text))
    return Check("seen")


def _checked(name: str, check: _Checker, record: Record, variant: Variant[Any]) -> Check:
    """A record may hold anything: one that raises here was not written by this program."""
    try:
        return check(record, variant)
    except MalformedInput:
        raise
    except Exception as error:
        return Check(name, f"cannot be worked with: {error!r}")


def _header(record: Record, variant: Variant[Any]) -> Check:
    start, end = record["entries"][0]["events"][0], record["entries"][-1]["events"][-1]
    for key in ("variant", "rules_version", "rules", "dealer", "dice", "wall", "commitment", "contributions", "seed"):
        if not _same(record[key], start.get(key)):
            return Check("header", _differs(key, record[key], start.get(key)))
    for key in ("seed", "wall"):
        if not _same(record[key], end[key]):
            return Check("header", _differs(f"{key} as revealed", record[key], end[key]))
    if len(record["seats"]) != start["players"]:
        return Check("header", _differs("number of seats", len(record["seats"]), start["players"]))
    return Check("header")


def _same(one: object, two: object) -> bool:
    """Equal as JSON: 1, 1.0 and true are three things."""
    return json.dumps(one, sort_keys=True) == json.dumps(two, sort_keys=True)


def _commitment(record: Record, variant: Variant[Any]) -> Check:
    found = commitment(record["seed"])
    return Check("commitment", None if found == record["commitment"] else _differs("hash", record["commitment"], found))


def _shuffle(record: Record, variant: Variant[Any]) -> Check:
    version = record["shuffle_version"]
    if type(version) is not int or version != SHUFFLE_VERSION:
        return Check("shuffle", f"version {version!r} is not known; this program knows {SHUFFLE_VERSION}")
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
    return Check("shuffle", _other_dealer(record, variant, dealt.random_seat))


def _other_dealer(record: Record, variant: Variant[Any], random_seat: int) -> str | None:
    """A dealer that the shuffle drew is the one that follows from the seed; the first of a match is drawn."""
    draws = variant.meta.first_dealer == "random"
    if record["dealer_drawn"] and not draws:
        return f"dealer: no dealer is drawn in {variant.meta.slug}"
    if record["dealer_drawn"] is False and draws and record["round_no"] == 1:
        return "dealer: the first dealer was not drawn"
    if record["dealer_drawn"] and record["dealer"] != random_seat:
        return _differs("drawn dealer", record["dealer"], random_seat)
    return None


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
    if record["entries"][0]["command"] is not None:
        return Check("rules", "the first entry has a command")
    difference = _same_events(record["entries"][0], step.events)
    for entry in record["entries"][1:]:
        if difference is not None:
            break
        open_, command = variant.decisions(step.state), read_command(entry["command"])
        found = variant.decide(step.state, open_, command)
        if isinstance(found, Rejection):
            return Check("rules", f"entry {entry['n']}: the command {entry['command']} is refused: {found.code}")
        step = found
        said = plain_command(_as_offered(open_, command))
        if not isinstance(command, Abort) and not _same(entry["command"], said):  # what ended the room stands by it
            return Check("rules", _differs(f"entry {entry['n']}, command", entry["command"], said))
        difference = _same_events(entry, step.events)
    return Check("rules", difference)


def _as_offered(open_: tuple[Decision, ...], command: Command) -> Command:
    """The accepted command with seat and action as the decision has them: 1 and true are equal to each other."""
    if isinstance(command, Act) and not isinstance(found := answer(open_, command), Rejection):
        decision, action = found
        assert decision.seat is not None and action is not None
        return Act(decision.seat, decision.id, action)
    return command


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
        if not _same(said, again):
            return _differs(f"entry {entry['n']}, event {place}", said, again)
    if len(entry["events"]) != len(found):
        return _differs(f"entry {entry['n']}, number of events", len(entry["events"]), len(found))
    return None


def _result(record: Record, variant: Variant[Any]) -> Check:
    end, result = record["entries"][-1]["events"][-1], record["result"]
    for key in ("outcome", "winners", "next_dealer"):
        if not _same(result.get(key), end[key]):
            return Check("result", _differs(key, result.get(key), end[key]))
    points = points_of(record["entries"], record["entries"][0]["events"][0]["players"])
    if not _same(result.get("points"), points):
        return Check("result", _differs("points", result.get("points"), points))
    return Check("result", None if sum(points) == 0 else f"points do not add up to zero: {points}")


def _order(record: Record, variant: Variant[Any]) -> Check:
    entries = record["entries"]
    for entry in entries:
        if type(entry["n"]) is not int or type(entry["at_ms"]) is not int or entry["n"] < 0 or entry["at_ms"] < 0:
            return Check("order", f"entry {entry['n']!r} at {entry['at_ms']!r}: expected whole numbers")
    for earlier, later in itertools.pairwise(entries):
        if later["n"] <= earlier["n"]:
            return Check("order", f"entry {later['n']} follows entry {earlier['n']}")
        if later["at_ms"] < earlier["at_ms"]:
            return Check("order", f"entry {later['n']} is earlier than the one before it")
    return Check("order")


def _differs(what: str, said: object, found: object) -> str:
    return f"{what}: the record says {said!r}, found {found!r}"


_CHECKS: Final[dict[str, _Checker]] = {
    "header": _header,
    "order": _order,
    "commitment": _commitment,
    "shuffle": _shuffle,
    "rules": _decide_again,
    "fold": _fold,
    "result": _result,
}
