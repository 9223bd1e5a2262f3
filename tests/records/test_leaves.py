"""Every leaf of a record counts: a change of any is refused (A3)."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from app.bots import EFFORTS
from app.kernel.errors import MalformedInput
from app.lab.laws.rounds import bots, play, random_setup
from app.records.codec import build, decode, sealed
from app.records.verify import verify
from tests.laws.driving import GAMES
from tests.records.rounds import log_of, match_of

Path = tuple[str | int, ...]
Mutation = tuple[str, Path]
WITHOUT_MEANING: frozenset[Path] = frozenset()
"""Leaves whose change may pass. There is none."""


def _leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """Paths of all leaves; an empty list or object is one too."""
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    inner = [leaf for key, item in items for leaf in _leaves(item, (*path, key))]
    yield from inner or (path,)


def _other(value: Any) -> Any:
    """Another value of the same type."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return value[:-1] + ("0" if value[-1:] != "0" else "1")
        case list():
            return [0]
        case dict():
            return {"x": 0}
    return False


def _other_type(value: Any) -> Any:
    """The same thing written with another type, the harder to see the better."""
    match value:
        case bool():
            return int(value)
        case int():
            return float(value)
        case str():
            return [value]
        case None:
            return ""
    return None


def _mutants(record: dict[str, Any], path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The record with the leaf deleted, changed, of another type, and exchanged with its right neighbour."""
    for how in ("delete", "value", "type", "swap"):
        other = _copied_along(record, path)
        holder = other
        for key in path[:-1]:
            holder = holder[key]
        key = path[-1]
        value = holder[key]
        if how == "delete":
            del holder[key]
        elif how == "value":
            holder[key] = _other(value)
        elif how == "type":
            holder[key] = _other_type(value)
        else:
            keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            right = keys[(keys.index(key) + 1) % len(keys)]
            if json.dumps(holder[right]) == json.dumps(value):
                continue
            holder[key], holder[right] = holder[right], value
        yield how, other


def _copied_along(value: Any, path: Path) -> Any:
    """A copy in which everything on the way to the leaf is new and all else is shared."""
    if not path:
        return copy.copy(value)
    other = copy.copy(value)
    other[path[0]] = _copied_along(value[path[0]], path[1:])
    return other


def _passes(record: dict[str, Any]) -> bool:
    try:
        checks = verify(decode(json.dumps(record)), GAMES)
    except MalformedInput:
        return False
    return all(check.difference is None and check.skipped is None for check in checks)


@pytest.mark.parametrize("slug", list(GAMES))
def test_every_changed_leaf_is_refused(slug: str) -> None:
    """Deleted, changed, of another type, exchanged with its neighbour: each is found, and nothing else is raised."""
    record = _short_record(slug)
    assert _passes(record)
    passed, tried = [], 0
    for path in _leaves(record):
        for how, other in _mutants(record, path):
            tried += 1
            if path not in WITHOUT_MEANING and _passes(other):
                passed.append((how, path))
    assert passed == []
    assert tried > 300


@pytest.mark.parametrize("slug", list(GAMES))
def test_what_can_be_computed_anew_is_refused_though_the_digest_was_made_anew_too(slug: str) -> None:
    """Only people, match, round, times, entry numbers and request ids hang on the digest alone."""
    record = _short_record(slug)
    by_digest_alone = {"match", "round_no", "seats", "dealer_drawn", "at_ms", "n", "ref", "dealt_at_ms"}
    passed = [
        (how, path)
        for path in _leaves(record)
        if by_digest_alone.isdisjoint(path)
        for how, other in _mutants(record, path)
        if how in ("value", "type") and path[0] != "digest" and _passes(sealed(other))
    ]
    assert passed == []


def test_swapped_seats_and_times_that_run_backwards_are_refused() -> None:
    """A3: as it was tried."""
    record = _short_record("tianjin")
    seats = [*record["seats"][1:], record["seats"][0]]
    late = [{**entry, "at_ms": 10_000_000 - entry["n"]} for entry in record["entries"]]
    for other in ({**record, "seats": seats}, {**record, "shuffle_version": 7}, sealed({**record, "entries": late})):
        assert not _passes(other)


@cache
def _short_record(slug: str) -> dict[str, Any]:
    """The shortest of some rounds between bots with more than a deal and a win."""
    game = GAMES[slug]
    players = game.meta.players[-1]
    records = []
    for seed in range(40):
        rng = random.Random(seed)
        trace = play(game, random_setup(game, players, rng), rng, bots(game, (EFFORTS[-1],) * players))
        if len(trace) >= 8:
            records.append(build(match_of(players), log_of(trace)))
    return min(records, key=lambda record: len(record["entries"]))


def test_a_copy_shares_nothing_on_the_way_to_a_leaf() -> None:
    """The test's own tool: a mutant leaves the record as it was."""
    record = _short_record("toy")
    before, rng = json.dumps(record), random.Random(1)
    for path in rng.sample(list(_leaves(record)), 20):
        list(_mutants(record, path))
    assert json.dumps(record) == before
