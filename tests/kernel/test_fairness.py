"""The shuffle favours no tile in no place: chi-square tests over thousands of deals from a fixed stream of seeds (S5).

Deterministic: the seeds are hashes of numbers. A statistic is given as its distance from chance in standard deviations;
shuffles with well-known mistakes show that the tests would notice one.
"""

from __future__ import annotations

import hashlib
import itertools
import random
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from math import sqrt

import pytest

from app.kernel.play.shuffle import Deal, deal
from app.kernel.tiles import COPIES, KINDS, Tile

DEALS = 3_000
PLACES = COPIES * len(KINDS)
LIMIT = 4.0
"""Standard deviations: chance goes beyond this once in 16,000 tests."""

Walls = Sequence[Sequence[Tile]]


@cache
def _deals() -> tuple[Deal, ...]:
    seeds = [hashlib.sha256(f"fairness {number}".encode()).hexdigest() for number in range(DEALS)]
    return tuple([deal(seed, ("a", "", "b", seed[:8]), KINDS, 4, 4) for seed in seeds])


def _walls() -> Walls:
    return [dealt.wall for dealt in _deals()]


def _deviation(found: float, mean: float, freedom: float) -> float:
    """The deviation of a chi-square statistic from this mean, in standard deviations."""
    return (found - mean) / (mean * sqrt(2 / freedom))


def places_by_kinds(walls: Walls) -> float:
    """Each kind is in each place as often as any other."""
    found = Counter([(place, kind) for wall in walls for place, kind in enumerate(wall)])
    expected = len(walls) / len(KINDS)
    total = sum([(found[place, kind] - expected) ** 2 / expected for place in range(PLACES) for kind in KINDS])
    kinds = len(KINDS) - 1
    return _deviation(total, PLACES * kinds, (PLACES - 1) * kinds)


def neighbours(walls: Walls) -> float:
    """Each kind follows each other kind as often as any; a kind itself less often by one copy."""
    found = Counter([pair for wall in walls for pair in itertools.pairwise(wall)])
    pairs = len(walls) * (PLACES - 1)
    total = 0.0
    for one in KINDS:
        for two in KINDS:
            expected = pairs / len(KINDS) * (COPIES - (one == two)) / (PLACES - 1)
            total += (found[one, two] - expected) ** 2 / expected
    freedom = len(KINDS) ** 2 - 1
    return _deviation(total, freedom, freedom)


def test_every_kind_is_in_every_place_as_often() -> None:
    assert abs(places_by_kinds(_walls())) < LIMIT


def test_every_kind_follows_every_other_as_often() -> None:
    assert abs(neighbours(_walls())) < LIMIT


@pytest.mark.parametrize("what", ["dice", "seat"])
def test_dice_and_random_seat_are_even(what: str) -> None:
    if what == "dice":
        found, sides = Counter([(at, face) for dealt in _deals() for at, face in enumerate(dealt.dice)]), 24
    else:
        found, sides = Counter([(dealt.random_seat, 0) for dealt in _deals()]), 4
    assert len(found) == sides
    expected = sum(found.values()) / sides
    total = sum([(count - expected) ** 2 / expected for count in found.values()])
    freedom = sides - (4 if what == "dice" else 1)
    assert abs(_deviation(total, freedom, freedom)) < LIMIT


def _naive(wall: list[Tile], rng: random.Random) -> None:
    """Every place is exchanged with any: not all orders are equally likely."""
    for place in range(len(wall)):
        other = rng.randrange(len(wall))
        wall[place], wall[other] = wall[other], wall[place]


def _one_too_few(wall: list[Tile], rng: random.Random) -> None:
    """No tile stays where it was (Sattolo)."""
    for place in range(len(wall) - 1, 0, -1):
        other = rng.randrange(place)
        wall[place], wall[other] = wall[other], wall[place]


def _stops_early(wall: list[Tile], rng: random.Random) -> None:
    """The last eight places of the shuffle are left as they are."""
    for place in range(len(wall) - 1, 8, -1):
        other = rng.randrange(place + 1)
        wall[place], wall[other] = wall[other], wall[place]


def _riffle(wall: list[Tile], rng: random.Random) -> None:
    """Five riffles, as with cards: neighbours stay near each other."""
    for _ in range(5):
        cut = sum([rng.random() < 0.5 for _ in wall])
        left, right = wall[:cut], wall[cut:]
        wall[:] = [
            (left if rng.random() * (len(left) + len(right)) < len(left) else right).pop(0) for _ in range(len(wall))
        ]


@pytest.mark.parametrize("wrong", [_naive, _one_too_few, _stops_early, _riffle])
def test_a_shuffle_with_a_mistake_is_noticed(wrong: Callable[[list[Tile], random.Random], None]) -> None:
    rng, walls = random.Random("mistake"), []
    for _ in range(DEALS):
        wall = [kind for kind in KINDS for _ in range(COPIES)]
        wrong(wall, rng)
        walls.append(wall)
    assert max(abs(places_by_kinds(walls)), abs(neighbours(walls))) > LIMIT
