"""Complete shapes against a slow search written differently: take any pair, then any sets, tile by tile."""

import random

import pytest

from app.kernel.shapes.counts import hand_of
from app.kernel.shapes.sets import complete, divide, group_texts, waits
from app.kernel.tiles import KINDS, NUMBERS, parse_tiles


def _splits(tiles: list[str]) -> bool:
    """True when the sorted tiles are triplets and runs."""
    if not tiles:
        return True
    first = tiles[0]
    if tiles.count(first) >= 3 and _splits(tiles[3:]):
        return True
    run = [first, f"{int(first[0]) + 1}{first[1]}", f"{int(first[0]) + 2}{first[1]}"]
    if first not in NUMBERS or any(tile not in NUMBERS or tile not in tiles for tile in run):
        return False
    left = list(tiles)
    for tile in run:
        left.remove(tile)
    return _splits(left)


def slow_complete(tiles: list[str]) -> bool:
    """Sets and one pair, by trying every pair."""
    order = sorted(tiles, key=KINDS.index)
    for kind in set(order):
        if order.count(kind) >= 2:
            left = list(order)
            left.remove(kind)
            left.remove(kind)
            if _splits(left):
                return True
    return False


def near_complete_hand(rng: random.Random, sets: int) -> list[str]:
    """Random sets and a pair from few kinds, with up to two tiles exchanged; at most four copies."""
    kinds = [kind for kind in KINDS if kind[1] in rng.sample("mpsz", 2)]
    while True:
        tiles = [rng.choice(kinds)] * 2
        for _ in range(sets):
            first = rng.choice(kinds)
            rank, suit = int(first[0]), first[1]
            run = suit != "z" and rank <= 7 and rng.random() < 0.7
            tiles += [f"{rank + step}{suit}" for step in range(3)] if run else [first] * 3
        for _ in range(rng.choice((0, 0, 1, 2))):
            tiles[rng.randrange(len(tiles))] = rng.choice(kinds)
        if all(tiles.count(tile) <= 4 for tile in tiles):
            return tiles


def test_complete_agrees_with_the_slow_search() -> None:
    rng = random.Random(2)
    found = 0
    for _ in range(4_000):
        tiles = near_complete_hand(rng, rng.randint(0, 5))
        found += slow_complete(tiles)
        assert complete(hand_of(tiles)) == slow_complete(tiles), tiles
    assert 1_000 < found < 3_500


def test_waits_are_the_kinds_that_complete() -> None:
    rng = random.Random(3)
    for _ in range(150):
        tiles = near_complete_hand(rng, 4)[:-1]
        expected = tuple([kind for kind in KINDS if slow_complete([*tiles, kind])])
        assert waits(hand_of(tiles)) == expected


@pytest.mark.parametrize(
    ("text", "is_complete"),
    [
        ("11m", True), ("111222333m44p", True), ("123456789m11122z", True), ("789m123p55z", True),
        ("891m55z", False), ("1234z11m", False), ("123z11m", False), ("112233m", False), ("111m", False), ("", False),
        ("11223344556779m", False), ("11223344556677m", True), ("12m", False),
    ],
)  # fmt: skip
def test_shapes_a_person_would_check(text: str, is_complete: bool) -> None:
    assert complete(hand_of(parse_tiles(text))) is is_complete


def test_a_hand_is_taken_apart_triplets_first_and_the_winning_tile_is_starred() -> None:
    assert divide(hand_of(parse_tiles("222333444s55p")), pair=True) == (
        ("5p", "5p"), ("2s",) * 3, ("3s",) * 3, ("4s",) * 3,
    )  # fmt: skip
    assert divide(hand_of(parse_tiles("123s77z1s")), pair=True) is None
    groups = divide(hand_of(parse_tiles("123s23467m8m99p")), pair=True)
    assert groups is not None
    assert group_texts(groups, "9p") == ("2m 3m 4m", "6m 7m 8m", "*9p 9p", "1s 2s 3s")
    assert group_texts(groups, None)[2] == "9p 9p"
