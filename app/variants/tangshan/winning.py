"""Recognition of the winning shape: five sets and one pair (五胡一将), xi sets included. No points, no table.

A *reading* is one way to divide a complete hand. Only what the price depends on is kept: the number of unlit sets of
ones, nines and dragons. Unlit winds are never a set (TS-9.4); lit sets are not in the hand any more.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from app.kernel.shapes.counts import SHIFT, SUIT_BITS, SUIT_MASK, Hand, count, size
from app.kernel.shapes.sets import complete, divide, group_texts, only_sets
from app.kernel.tiles import Tile
from app.variants.tangshan.xi import CATEGORY, XI, XI_HAND, Xi

SETS: Final = 5
WIN_SIZE: Final = 3 * SETS + 2
UNLIT: Final[tuple[Xi, ...]] = ("ones", "nines", "dragons")
"""Categories that may stay in the hand as a set, in the order of `Reading`; winds may not (TS-9.4)."""
DEAR: Final = ("ones", "dragons")
"""Unlit categories whose completion by the draw raises the price; nines do not (TS-11.7, TS-11.8)."""


class Reading(NamedTuple):
    """Number of unlit xi sets of each category in one way to read a complete hand."""

    ones: int
    nines: int
    dragons: int


def win_size(sets: int, pair_claimed: bool) -> int:
    """Concealed tiles of a player to move with `sets` fixed sets (TS-2.4): 17 − 3k − 2j."""
    return WIN_SIZE - 3 * sets - (2 if pair_claimed else 0)


def _all_sets(hand: Hand) -> bool:
    """True when the tiles are triplets and runs with nothing left."""
    return all(only_sets((hand >> (SUIT_BITS * suit)) & SUIT_MASK, suit < 3) for suit in range(4))


def _copies(hand: Hand, xi: Xi) -> int:
    """The largest number of sets of the category in the hand."""
    return min([(hand >> SHIFT[tile]) & 7 for tile in XI[xi]])


@lru_cache(maxsize=1 << 9)
def readings(hand: Hand, pair_claimed: bool) -> tuple[Reading, ...]:
    """All readings of the concealed tiles as sets and one pair, or as sets only after a pair claim (TS-8.3, TS-9.1).

    A category may stand in the hand although the seat has lit it before (TS-9.5).

    `hand` must have the size that fits its fixed sets (see `win_size`); empty when the hand is not complete.
    """
    whole = _all_sets if pair_claimed else complete
    found: list[Reading] = []
    rest_ones = hand
    for ones in range(_copies(hand, "ones") + 1):
        rest_nines = rest_ones
        for nines in range(_copies(hand, "nines") + 1):
            rest = rest_nines
            for dragons in range(_copies(hand, "dragons") + 1):
                if whole(rest):
                    found.append(Reading(ones, nines, dragons))
                rest -= XI_HAND["dragons"]
            rest_nines -= XI_HAND["nines"]
        rest_ones -= XI_HAND["ones"]
    return tuple(found)


def fits(hand: Hand, sets: int, pair_claimed: bool) -> bool:
    """True when the concealed tiles have the size of a winning hand."""
    return size(hand) == win_size(sets, pair_claimed)


def wins_by_draw(hand: Hand, pair_claimed: bool) -> bool:
    """True when a self-drawn hand of the right size is complete, unlit xi sets included (TS-9.1, TS-9.3)."""
    return bool(readings(hand, pair_claimed))


def wins_by_claim(hand: Hand, pair_claimed: bool) -> bool:
    """True when the hand with another player's tile is complete without any unlit xi set (TS-9.3, TS-7.10)."""
    return _all_sets(hand) if pair_claimed else complete(hand)


def draw_completes_dear_xi(hand: Hand, pair_claimed: bool, drawn: Tile | None) -> bool:
    """True when the drawn tile belongs to an unlit set of ones or dragons in some reading (TS-11.7).

    `drawn` None: no tile of the drawn kind is concealed any more (TS-4.4).
    """
    xi = CATEGORY.get(drawn) if drawn is not None else None
    if xi not in DEAR or drawn is None or not count(hand, drawn):
        return False
    return any(reading.ones if xi == "ones" else reading.dragons for reading in readings(hand, pair_claimed))


def groups(hand: Hand, pair_claimed: bool, tile: Tile | None, dear: bool) -> tuple[str, ...]:
    """One reading of a won hand for people: texts such as `*1m 1p 1s` or `5z 5z`, the winning tile marked by `*`.

    `dear`: the reading that costs 32 or 52, else the one with the fewest unlit xi sets. Laid melds are left out.
    """
    best = min(
        readings(hand, pair_claimed),
        key=lambda r: (dear and not (r.ones if CATEGORY.get(tile or "") == "ones" else r.dragons), sum(r)),
    )
    sets: list[tuple[Tile, ...]] = []
    for xi, copies in zip(UNLIT, best, strict=True):
        sets.extend([XI[xi]] * copies)
        hand -= copies * XI_HAND[xi]
    sets.extend(divide(hand, not pair_claimed) or ())
    return group_texts(sets, tile)
