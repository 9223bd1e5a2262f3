"""Distance against a search that tries every target hand: fewest tiles to exchange, usefulness, and seven pairs."""

import itertools
import random
from collections import Counter

import pytest

from app.kernel.shapes.counts import count, hand_of, tiles_of
from app.kernel.shapes.distance import distance, held_without, pairs_distance, useful
from app.kernel.shapes.sets import complete
from app.kernel.tiles import KINDS, NUMBERS, parse_tiles

_FEW = ("1m", "2m", "3m", "4m", "5m", "6m", "7m", "1p", "9p", "5z", "6z")
_SETS = [Counter({kind: 3}) for kind in _FEW] + [
    Counter([f"{rank}m", f"{rank + 1}m", f"{rank + 2}m"]) for rank in range(1, 6)
]
"""Every set that can hold tiles of `_FEW`; sets of other kinds hold none."""


def slow_held(tiles: tuple[str, ...], sets: int, pair: bool) -> int:
    """Most tiles of the hand inside `sets` sets and a pair, by trying all of them."""
    bag, best = Counter(tiles), 0
    extra = [Counter({"8p": 3}), Counter(["7p", "8p", "9p"]), Counter(["1p", "2p", "3p"]), Counter(["6m", "7m", "8m"])]
    pairs = [Counter({kind: 2}) for kind in _FEW] if pair else [Counter[str]()]
    for chosen in itertools.combinations_with_replacement(_SETS + extra, sets):
        together = Counter[str]()
        for group in chosen:
            together += group
        for two in pairs:
            best = max(best, (bag & (together + two)).total())
    return best


@pytest.mark.parametrize("pair", [True, False])
def test_distance_is_what_the_best_target_lacks(pair: bool) -> None:
    rng = random.Random(4)
    wall = [kind for kind in _FEW for _ in range(4)]
    for _ in range(60):
        sets = rng.randint(0, 2)
        tiles = tuple(rng.sample(wall, 3 * sets + 2 * pair))
        missing = 3 * sets + 2 * pair - slow_held(tiles, sets, pair)
        for wilds in range(3):
            assert distance(hand_of(tiles), sets, pair, wilds) == max(0, missing - wilds)


def test_distance_nought_is_complete_and_one_more_tile_away_is_ready() -> None:
    rng = random.Random(5)
    wall = [kind for kind in KINDS if kind[1] in "mz" for _ in range(4)]
    for _ in range(2_000):
        hand = hand_of(rng.sample(wall, 8))
        assert (distance(hand, 2, True) == 0) == complete(hand)


def test_throwing_and_drawing_move_the_distance_by_at_most_one() -> None:
    rng = random.Random(6)
    wall = [kind for kind in KINDS for _ in range(4)]
    for _ in range(200):
        hand = hand_of(rng.sample(wall, 14))
        now = distance(hand, 4, True)
        after = held_without(hand, 4, True)
        assert set(after) == set(tiles_of(hand))
        for kind in after:
            left = distance(hand - hand_of((kind,)), 4, True)
            assert left == 14 - after[kind] and now <= left <= now + 1
        nearer = useful(hand, 4, True)
        for kind in KINDS:
            if count(hand, kind) < 4:
                assert (distance(hand + hand_of((kind,)), 4, True) < now) == (kind in nearer)


def test_only_kinds_in_play_are_useful() -> None:
    hand = hand_of(parse_tiles("1112345678999p"))
    assert useful(hand, 4, True, KINDS[9:27]) == NUMBERS[9:18]
    assert useful(hand, 4, True, ("1s", "1z")) == ()


@pytest.mark.parametrize(
    ("text", "away"),
    [
        ("1122334455667p", 1),
        ("11223344556677p", 0),
        ("1111223344556p", 1),
        ("1111222233334p", 1),
        ("123456789p1234s", 7),
    ],
)
def test_seven_pairs(text: str, away: int) -> None:
    assert pairs_distance(hand_of(parse_tiles(text))) == away
