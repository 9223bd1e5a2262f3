"""Complete shapes without wildcards: sets (副: triplet or run) and one pair (将), by memoised suit keys.

A suit key is 27 bits (see `counts.py`). Runs exist in suits 0–2 only. No points, no patterns, no wildcards here.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from app.kernel.shapes.counts import ONE, SUIT_BITS, SUIT_MASK, Hand, size
from app.kernel.tiles import KINDS, Tile

_TABLE_SIZE: Final = 1 << 17


@lru_cache(maxsize=_TABLE_SIZE)
def only_sets(key: int, runs: bool) -> bool:
    """True when the suit key splits into triplets and (if `runs`) runs with nothing left. The empty key does."""
    if not key:
        return True
    shift = ((key & -key).bit_length() - 1) // 3 * 3
    copies = (key >> shift) & 7
    if copies >= 3 and only_sets(key - (3 << shift), runs):
        return True
    if not runs or shift > 18 or not (key >> (shift + 3)) & 7 or not (key >> (shift + 6)) & 7:
        return False
    return only_sets(key - (0o111 << shift), runs)


@lru_cache(maxsize=_TABLE_SIZE)
def sets_and_pair(key: int, runs: bool) -> bool:
    """True when the suit key splits into sets and exactly one pair."""
    return any((key >> shift) & 7 >= 2 and only_sets(key - (2 << shift), runs) for shift in range(0, SUIT_BITS, 3))


def complete(hand: Hand) -> bool:
    """True when the concealed tiles are n sets and one pair; size must be 3n + 2."""
    pairs = 0
    for suit in range(4):
        key = (hand >> (SUIT_BITS * suit)) & SUIT_MASK
        if not key:
            continue
        left = size(key) % 3
        if left == 1:
            return False
        if left == 0:
            if not only_sets(key, suit < 3):
                return False
        else:
            pairs += 1
            if pairs > 1 or not sets_and_pair(key, suit < 3):
                return False
    return pairs == 1


@lru_cache(maxsize=_TABLE_SIZE)
def waits(hand: Hand, kinds: tuple[Tile, ...] = KINDS) -> tuple[Tile, ...]:
    """Kinds out of `kinds` that complete the hand (size 3n + 1) to n sets and a pair, in the order given."""
    return tuple([kind for kind in kinds if complete(hand + ONE[kind])])
