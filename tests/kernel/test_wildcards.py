"""Wilds in shapes: a wild plays any tile, all-wild groups included; no points, no patterns."""

import random
from itertools import combinations_with_replacement

import pytest

from app.kernel.shapes.counts import ONE, hand_of
from app.kernel.shapes.sets import complete, run_of
from app.kernel.shapes.wildcards import arrange, filled, fits, sets_needed, split_wilds, take
from app.kernel.tiles import KINDS, parse_tiles


def _hand(text: str) -> int:
    return hand_of(parse_tiles(text))


def test_wild_kinds_are_taken_out_and_counted() -> None:
    assert split_wilds(_hand("123m44455z"), ("4z", "5z")) == (_hand("123m"), 5)
    assert split_wilds(_hand("123m"), ("4z", "5z")) == (_hand("123m"), 0)


@pytest.mark.parametrize(
    ("naturals", "sets", "pair", "expected"),
    [
        ("123m", 1, False, True), ("12m", 1, False, True), ("13m", 1, False, True), ("1m", 1, False, True),
        ("9m", 1, False, True), ("89m", 1, False, True), ("79m", 1, False, True), ("14m", 1, False, False),
        ("1z2z", 1, False, False), ("11z", 1, False, True), ("11z", 0, True, True), ("1z", 0, True, True),
        ("1m9m", 0, True, False), ("1m1z", 1, True, True), ("1m5m9m", 2, True, True), ("1m5m9m", 2, False, False),
        ("", 0, True, True), ("", 4, True, True), ("111m", 1, True, True), ("1111m", 1, True, True),
        ("258m258p", 4, False, False), ("369m", 2, True, True), ("12m", 0, True, False),
    ],
)  # fmt: skip
def test_naturals_fit_when_wilds_fill_every_other_place(naturals: str, sets: int, pair: bool, expected: bool) -> None:
    assert fits(_hand(naturals), sets, pair) is expected


def test_without_wilds_to_spare_it_is_the_plain_complete_shape() -> None:
    rng = random.Random(3)
    seen = {True: 0, False: 0}
    for _ in range(4000):
        tiles = rng.choices(KINDS[: rng.choice((5, 7, 9, 14))], k=rng.choice((5, 8)))
        if max(map(tiles.count, tiles)) <= 4:
            hand = hand_of(tiles)
            assert fits(hand, len(tiles) // 3, True) is complete(hand)
            seen[complete(hand)] += 1
    assert min(seen.values()) > 50


def test_one_wild_is_enough_exactly_when_some_tile_would_be() -> None:
    rng = random.Random(4)
    for _ in range(1500):
        tiles = rng.choices(KINDS[: rng.choice((6, 9, 18, 34))], k=7)
        hand = hand_of(tiles)
        assert fits(hand, 2, True) is any(complete(hand + ONE[kind]) for kind in KINDS)


def test_two_wilds_are_enough_exactly_when_some_two_tiles_would_be() -> None:
    rng = random.Random(5)
    for _ in range(120):
        hand = hand_of(rng.choices(KINDS[:12], k=6))
        pairs = combinations_with_replacement(KINDS, 2)
        assert fits(hand, 2, True) is any(complete(hand + ONE[one] + ONE[two]) for one, two in pairs)


def test_fewest_sets_are_told_with_and_without_the_pair() -> None:
    assert sets_needed(0, True) == (0, 0)
    assert sets_needed(_hand("11m"), True) == (1, 0)
    assert sets_needed(_hand("1223m"), True) == (2, 1)
    assert sets_needed(_hand("123m"), False) == (3, 2)


def test_an_arrangement_uses_every_natural_once_and_has_the_shape_asked_for() -> None:
    rng = random.Random(6)
    for _ in range(800):
        sets, pair = rng.randint(0, 4), rng.random() < 0.7
        tiles = rng.sample([kind for kind in KINDS[:18] for _ in range(4)], k=rng.randint(0, 3 * sets + 2 * pair))
        hand = hand_of(tiles)
        if not fits(hand, sets, pair):
            with pytest.raises(ValueError, match="no such shape"):
                arrange(hand, sets, pair, "7z")
            continue
        groups = arrange(hand, sets, pair, "7z")
        assert sorted(group.kind for group in groups).count("pair") == pair
        assert len(groups) == sets + pair
        placed = [t for g in groups for t, wild in zip(g.tiles, g.wild, strict=True) if not wild]
        assert sorted(placed) == sorted(tiles)
        for group in groups:
            if group.kind == "run":
                assert group.tiles == run_of(group.tiles[0])
            else:
                assert len(set(group.tiles)) == 1 and len(group.tiles) == (2 if group.kind == "pair" else 3)


def test_places_are_filled_by_naturals_first() -> None:
    assert take(_hand("1123m"), ("1m", "2m", "9p")) == _hand("13m")
    group, left = filled(_hand("1133m"), "run", ("1m", "2m", "3m"))
    assert (group.wild, left) == ((False, True, False), _hand("13m"))
