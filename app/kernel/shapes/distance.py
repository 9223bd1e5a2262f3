"""How far a hand is from complete (向听): the fewest tiles that must still be exchanged, by memoised suit keys.

A target is `sets` sets and, if `pair`, one pair; wilds fill any missing place. Only shapes: that a missing tile may be
gone, or that a shape may not win, is the caller's knowledge. A set may lack all three tiles: every hand has a distance.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from app.kernel.shapes.counts import SHIFT, SUIT_BITS, SUIT_MASK, Hand
from app.kernel.tiles import KINDS, ORDER, Tile

_TABLE_SIZE: Final = 1 << 16
_HIGHEST_RUN: Final = 18

Profile = tuple[int, ...]
"""Most naturals that fit into s = 0 … 5 sets (places 0–5), and into s sets and a pair (places 6–11)."""

_NOTHING: Final[Profile] = (0,) * 12


@lru_cache(maxsize=_TABLE_SIZE)
def profile(key: int, runs: bool) -> Profile:
    """The profile of one suit key. The lowest tile is left out, or goes into a triplet, the pair, or a run."""
    if not key:
        return _NOTHING
    shift = ((key & -key).bit_length() - 1) // 3 * 3
    copies = (key >> shift) & 7
    best = list(profile(key - (1 << shift), runs))
    triple, twin = min(copies, 3), min(copies, 2)
    _raise_with_set(best, profile(key - (triple << shift), runs), triple)
    if runs:
        start, used, rest = min(shift, _HIGHEST_RUN), 0, key
        for place in (start, start + 3, start + 6):
            if (key >> place) & 7:
                rest -= 1 << place
                used += 1
        _raise_with_set(best, profile(rest, runs), used)
    paired = profile(key - (twin << shift), runs)
    for sets in range(6):
        if paired[sets] + twin > best[sets + 6]:
            best[sets + 6] = paired[sets] + twin
    return tuple(best)


def _raise_with_set(best: list[int], rest: Profile, used: int) -> None:
    """One more set holding `used` naturals beside what `rest` holds."""
    for sets in range(5):
        if rest[sets] + used > best[sets + 1]:
            best[sets + 1] = rest[sets] + used
        if rest[sets + 6] + used > best[sets + 7]:
            best[sets + 7] = rest[sets + 6] + used


@lru_cache(maxsize=_TABLE_SIZE)
def joined(one: Profile, other: Profile) -> Profile:
    """The profile of two disjoint parts of a hand together."""
    if one is _NOTHING or other is _NOTHING:
        return other if one is _NOTHING else one
    best = [0] * 12
    for sets in range(6):
        for mine in range(sets + 1):
            a, b = one[mine], other[sets - mine]
            if a + b > best[sets]:
                best[sets] = a + b
            paired = max(one[mine + 6] + b, a + other[sets - mine + 6])
            if paired > best[sets + 6]:
                best[sets + 6] = paired
    return tuple(best)


def _profiles(hand: Hand) -> list[Profile]:
    return [profile((hand >> (SUIT_BITS * suit)) & SUIT_MASK, suit < 3) for suit in range(4)]


def _rests(parts: list[Profile]) -> list[Profile]:
    """For each suit the joined profile of the three others."""
    low, high = joined(parts[0], parts[1]), joined(parts[2], parts[3])
    return [joined(parts[1], high), joined(parts[0], high), joined(low, parts[3]), joined(low, parts[2])]


def held(naturals: Hand, sets: int, pair: bool) -> int:
    """Most naturals that find a place in the target. 0 ≤ sets ≤ 5."""
    parts = _profiles(naturals)
    return joined(joined(parts[0], parts[1]), joined(parts[2], parts[3]))[sets + (6 if pair else 0)]


def distance(naturals: Hand, sets: int, pair: bool, wilds: int = 0) -> int:
    """Places of the target that neither a natural nor a wild fills: 0 is complete, 1 is ready."""
    return max(0, 3 * sets + 2 * pair - held(naturals, sets, pair) - wilds)


@lru_cache(maxsize=_TABLE_SIZE)
def _held_by(rest: Profile, part: Profile, sets: int, pair: bool) -> int:
    """One place of `joined`, without the others."""
    split = range(sets + 1)
    if not pair:
        return max([rest[sets - mine] + part[mine] for mine in split])
    mine_paired = max([rest[sets - mine] + part[mine + 6] for mine in split])
    return max(mine_paired, max([rest[sets - mine + 6] + part[mine] for mine in split]))


def held_without(naturals: Hand, sets: int, pair: bool) -> dict[Tile, int]:
    """For each kind in the hand: `held` after one of it is thrown."""
    rests = _rests(_profiles(naturals))
    found: dict[Tile, int] = {}
    for kind, place in ORDER.items():
        if (naturals >> SHIFT[kind]) & 7:
            suit, shift = divmod(place, 9)
            key = (naturals >> (SUIT_BITS * suit)) & SUIT_MASK
            found[kind] = _held_by(rests[suit], profile(key - (1 << (3 * shift)), suit < 3), sets, pair)
    return found


def useful(naturals: Hand, sets: int, pair: bool, kinds: tuple[Tile, ...] = KINDS) -> tuple[Tile, ...]:
    """Kinds out of `kinds` that bring the hand one step nearer to the target, four copies of one's own aside."""
    parts = _profiles(naturals)
    rests, now = _rests(parts), held(naturals, sets, pair)
    found: list[Tile] = []
    for kind in kinds:
        suit, shift = divmod(ORDER[kind], 9)
        key = (naturals >> (SUIT_BITS * suit)) & SUIT_MASK
        if (key >> (3 * shift)) & 7 < 4 and _held_by(
            rests[suit], profile(key + (1 << (3 * shift)), suit < 3), sets, pair
        ) > now:
            found.append(kind)
    return tuple(found)


def pairs_distance(hand: Hand) -> int:
    """Tiles missing to seven pairs (七对), four of a kind being two pairs. `hand` has 13 or 14 tiles."""
    pairs = sum([((hand >> shift) & 7) // 2 for shift in SHIFT.values()])
    return max(0, 7 - pairs)
