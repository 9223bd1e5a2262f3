"""Complete shapes without wildcards: sets (副: triplet or run) and one pair (将), by memoised suit keys.

A suit key is 27 bits (see `counts.py`). Runs exist in suits 0–2 only. No points, no patterns, no wildcards here.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from app.kernel.shapes.counts import ONE, SUIT_BITS, SUIT_MASK, Hand, contains, hand_of, kinds_of, size
from app.kernel.tiles import KINDS, RANK, SUIT, Tile

_TABLE_SIZE: Final = 1 << 12


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


def waits(hand: Hand, kinds: tuple[Tile, ...] = KINDS) -> tuple[Tile, ...]:
    """Kinds out of `kinds` that complete the hand (size 3n + 1) to n sets and a pair, in the order given."""
    return tuple([kind for kind in kinds if complete(hand + ONE[kind])])


def run_of(kind: Tile) -> tuple[Tile, Tile, Tile]:
    """The three tiles of the run that begins with `kind` (rank 1–7 of a suit)."""
    rank, suit = RANK[kind], SUIT[kind]
    return kind, f"{rank + 1}{suit}", f"{rank + 2}{suit}"


def divide(hand: Hand, pair: bool) -> tuple[tuple[Tile, ...], ...] | None:
    """One way to take the hand apart into sets, and one pair if `pair`; None when there is none.

    From the lowest tile up, a triplet before a run before the pair, so that a hand of triplets reads as triplets.
    """
    if not hand:
        return None if pair else ()
    low = kinds_of(hand)[0]
    run = run_of(low) if SUIT[low] != "z" and RANK[low] <= 7 else ()
    for group in ((low,) * 3, run, (low,) * 2 if pair else ()):
        part = hand_of(group)
        if part and contains(hand, part):
            rest = divide(hand - part, pair and len(group) == 3)
            if rest is not None:
                return (group, *rest)
    return None


def group_texts(groups: Iterable[tuple[Tile, ...]], tile: Tile | None) -> tuple[str, ...]:
    """Groups as texts for people, `1p 2p *3p`: the first place that fits the winning `tile` carries the star."""
    texts: list[str] = []
    for group in groups:
        text = " ".join(group)
        if tile in group:
            text, tile = text.replace(str(tile), f"*{tile}", 1), None
        texts.append(text)
    return tuple(texts)
