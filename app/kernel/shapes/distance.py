"""The distance of a hand from complete (向听): the fewest tiles that must still be exchanged, by memoised suit keys.

A target is `sets` sets and, if `pair`, one pair; wilds fill any missing place. Only shapes: the caller knows whether a
missing tile is gone, and whether a shape may win. A set may lack all three tiles: every hand has a distance.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from app.kernel.shapes.counts import SHIFT, SUIT_BITS, SUIT_MASK, Hand
from app.kernel.tiles import KINDS, ORDER, Tile

_PROFILES: Final = 1 << 14
_PAIRS_OF_PROFILES: Final = 1 << 13
_HIGHEST_RUN: Final = 18

Profile = int
"""Most naturals that fit into s = 0 … 5 sets (places 0–5), and into s sets and a pair (places 6–11), as one number.

Six bits a place, none of which needs more than five (a target has 17 places): with the highest free, all places are
added to and compared at once. A number is also a small key of a memo, and hashes at once.
"""

_BITS: Final = 6
_PLACE: Final = (1 << _BITS) - 1
_SHIFTS: Final = tuple(range(0, 12 * _BITS, _BITS))
_ONES: Final = sum([1 << shift for shift in _SHIFTS])
_FREE: Final = _ONES << (_BITS - 1)
_WITHOUT_PAIR: Final = (1 << _SHIFTS[6]) - 1
_FIRST: Final = tuple([(1 << _BITS * places) - 1 for places in range(7)])
"""The first places of a key, as many as asked for."""
_SHORT: Final = _FIRST[5] | _FIRST[5] << _SHIFTS[6]
"""The places that have room for one more set."""
_NOTHING: Final[Profile] = 0


def _higher(one: Profile, other: Profile) -> Profile:
    """The higher of the two in every place."""
    kept = ((one | _FREE) - other) & _FREE
    return other ^ ((one ^ other) & (kept - (kept >> (_BITS - 1))))


@lru_cache(maxsize=_PROFILES)
def profile(key: int, runs: bool) -> Profile:
    """The profile of one suit key. The lowest tile is left out, or goes into a triplet, the pair, or a run."""
    if not key:
        return _NOTHING
    shift = ((key & -key).bit_length() - 1) // 3 * 3
    copies = (key >> shift) & 7
    triple, twin = min(copies, 3), min(copies, 2)
    best = _higher(profile(key - (1 << shift), runs), _with_set(profile(key - (triple << shift), runs), triple))
    if runs:
        start, used, rest = min(shift, _HIGHEST_RUN), 0, key
        for place in (start, start + 3, start + 6):
            if (key >> place) & 7:
                rest -= 1 << place
                used += 1
        best = _higher(best, _with_set(profile(rest, runs), used))
    paired = profile(key - (twin << shift), runs) + twin * _ONES
    return _higher(best, (paired & _WITHOUT_PAIR) << _SHIFTS[6])


def _with_set(rest: Profile, used: int) -> Profile:
    """One more set holding `used` naturals beside what `rest` holds."""
    return ((rest + used * _ONES) & _SHORT) << _BITS


@lru_cache(maxsize=_PAIRS_OF_PROFILES)
def joined(one: Profile, other: Profile) -> Profile:
    """The profile of two disjoint parts of a hand together."""
    if not one or not other:
        return one or other
    best = _NOTHING
    for sets in range(6):  # the number of sets in `one`, with the pair or without
        more = _FIRST[6 - sets]
        alone, paired = (one >> _SHIFTS[sets]) & _PLACE, (one >> _SHIFTS[sets + 6]) & _PLACE
        plain, with_pair = other & more, (other >> _SHIFTS[6]) & more
        ones = _ONES & more
        fits = (plain + alone * ones) | _higher(plain + paired * ones, with_pair + alone * ones) << _SHIFTS[6]
        best = _higher(best, fits << _SHIFTS[sets])
    return best


def _profiles(hand: Hand) -> list[Profile]:
    return [profile((hand >> (SUIT_BITS * suit)) & SUIT_MASK, suit < 3) for suit in range(4)]


def _rests(parts: list[Profile]) -> list[Profile]:
    """For each suit the joined profile of the three others."""
    low, high = joined(parts[0], parts[1]), joined(parts[2], parts[3])
    return [joined(parts[1], high), joined(parts[0], high), joined(low, parts[3]), joined(low, parts[2])]


def held(naturals: Hand, sets: int, pair: bool) -> int:
    """Most naturals that find a place in the target. 0 ≤ sets ≤ 5."""
    parts = _profiles(naturals)
    whole = joined(joined(parts[0], parts[1]), joined(parts[2], parts[3]))
    return (whole >> _SHIFTS[sets + (6 if pair else 0)]) & _PLACE


def distance(naturals: Hand, sets: int, pair: bool, wilds: int = 0) -> int:
    """Places of the target that neither a natural nor a wild fills: 0 is complete, 1 is ready."""
    return max(0, 3 * sets + 2 * pair - held(naturals, sets, pair) - wilds)


@lru_cache(maxsize=_PAIRS_OF_PROFILES)
def _held_by(rest: Profile, part: Profile, sets: int, pair: bool) -> int:
    """One place of `joined`, without the others."""
    found = 0
    for mine in range(sets + 1):
        rests, parts = rest >> _SHIFTS[sets - mine], part >> _SHIFTS[mine]
        if pair:
            other_way = (rests >> _SHIFTS[6] & _PLACE) + (parts & _PLACE)
            split = max((rests & _PLACE) + (parts >> _SHIFTS[6] & _PLACE), other_way)
        else:
            split = (rests & _PLACE) + (parts & _PLACE)
        found = max(found, split)
    return found


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
