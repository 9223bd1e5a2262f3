"""A hand as one int behaves as the multiset of its tiles."""

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from app.kernel.shapes import counts
from app.kernel.tiles import KINDS, SUITS, sort_tiles

_WALL = [kind for kind in KINDS for _ in range(4)]
hands = st.integers(0, 2**32).flatmap(
    lambda seed: st.integers(0, 17).map(lambda size: tuple(random.Random(seed).sample(_WALL, size)))
)


@given(hands)
def test_a_hand_is_the_multiset_of_its_tiles(tiles: tuple[str, ...]) -> None:
    hand, bag = counts.hand_of(tiles), Counter(tiles)
    assert counts.size(hand) == len(tiles)
    assert counts.tiles_of(hand) == sort_tiles(tiles)
    assert counts.kinds_of(hand) == sort_tiles(bag)
    assert all(counts.count(hand, kind) == bag[kind] for kind in KINDS)
    assert counts.has_four(hand) == (4 in bag.values())


@given(hands, hands)
def test_containment_is_that_of_multisets(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    part = other[:4]
    assert counts.contains(counts.hand_of(one), counts.hand_of(part)) == (Counter(part) <= Counter(one))


@given(hands)
def test_suit_keys_are_the_hand_cut_in_four(tiles: tuple[str, ...]) -> None:
    hand = counts.hand_of(tiles)
    for number, suit in enumerate(SUITS):
        only = counts.hand_of([tile for tile in tiles if tile[1] == suit])
        assert counts.suit_key(hand, number) << (counts.SUIT_BITS * number) == only


def test_equal_hands_are_equal_ints_in_any_order() -> None:
    assert counts.hand_of(("1m", "5z", "1m")) == counts.hand_of(("5z", "1m", "1m")) == 2 + (1 << 93)
