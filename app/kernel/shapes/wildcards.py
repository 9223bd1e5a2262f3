"""Complete shapes when some tiles are wild (混): a wild plays any one tile, and nothing limits what it plays.

One number says it all: how many sets (and at most one pair) the *natural* tiles need when wilds fill every other
place. Sets of wilds only can always be added, so a hand of 3n + 2 tiles is complete when that number is at most n;
wilds need no counting. Naturals go first wherever both would do: exchanging a wild in one place with a natural of the
same kind in another keeps every group. Shapes only: no points, no patterns, no rule about which kinds are wild.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal

from app.kernel.immutable import immutable
from app.kernel.shapes.counts import ONE, SHIFT, SUIT_BITS, SUIT_MASK, Hand, count
from app.kernel.shapes.sets import run_of
from app.kernel.tiles import KINDS, RANK, SUIT, Tile

_TABLE_SIZE: Final = 1 << 12
_HIGHEST_RUN: Final = 18
"""Shift of rank 7, where the last run of a suit begins."""


def split_wilds(hand: Hand, wilds: tuple[Tile, ...]) -> tuple[Hand, int]:
    """Take every tile of the wild kinds out of `hand`: the naturals, and how many wilds there were."""
    taken = 0
    for kind in wilds:
        copies = (hand >> SHIFT[kind]) & 7
        taken += copies
        hand -= copies << SHIFT[kind]
    return hand, taken


def take(hand: Hand, kinds: tuple[Tile, ...]) -> Hand:
    """Fill one place of each of the kinds: by a natural where `hand` has one, else by a wild (which is not counted)."""
    for kind in kinds:
        if (hand >> SHIFT[kind]) & 7:
            hand -= ONE[kind]
    return hand


def _take_run(key: int, start: int) -> int:
    """The suit key without one natural of each of the three ranks from shift `start`, where there is one."""
    for shift in (start, start + 3, start + 6):
        if (key >> shift) & 7:
            key -= 1 << shift
    return key


@lru_cache(maxsize=_TABLE_SIZE)
def sets_needed(key: int, runs: bool) -> tuple[int, int]:
    """Fewest sets that hold all naturals of a suit key: (with sets alone, with one pair beside them).

    The lowest natural lies in a triplet, in the pair, or in a run; each takes as many naturals as it can, and the run
    that begins with the lowest natural (or at rank 7) takes at least what any other run with it would.
    """
    if not key:
        return 0, 0
    shift = ((key & -key).bit_length() - 1) // 3 * 3
    copies = (key >> shift) & 7
    alone, paired = sets_needed(key - (min(copies, 3) << shift), runs)
    if runs:
        run_alone, run_paired = sets_needed(_take_run(key, min(shift, _HIGHEST_RUN)), runs)
        alone, paired = min(alone, run_alone), min(paired, run_paired)
    as_pair, _ = sets_needed(key - (min(copies, 2) << shift), runs)
    return alone + 1, min(paired + 1, as_pair)


def fits(naturals: Hand, sets: int, pair: bool) -> bool:
    """True when `sets` sets and, if `pair`, one pair hold all naturals, with wilds in every other place.

    The caller sees to it that naturals and wilds together are 3·sets + 2·pair tiles.
    """
    total = saved = 0
    for suit in range(4):
        key = (naturals >> (SUIT_BITS * suit)) & SUIT_MASK
        if key:
            alone, paired = sets_needed(key, suit < 3)
            total += alone
            saved = max(saved, alone - paired)
    return total - saved <= sets if pair else total <= sets


@immutable
class Group:
    """One set or pair of a decomposition: the tiles it stands for, and for each place whether a wild fills it."""

    kind: Literal["run", "triplet", "pair"]
    tiles: tuple[Tile, ...]
    wild: tuple[bool, ...]


def filled(naturals: Hand, kind: Literal["run", "triplet", "pair"], tiles: tuple[Tile, ...]) -> tuple[Group, Hand]:
    """Build one group, naturals first: the group and the naturals left."""
    wild: list[bool] = []
    for tile in tiles:
        wild.append(not count(naturals, tile))
        if not wild[-1]:
            naturals -= ONE[tile]
    return Group(kind, tiles, tuple(wild)), naturals


def arrange(naturals: Hand, sets: int, pair: bool, filler: Tile) -> tuple[Group, ...]:
    """One decomposition for which `fits` holds. Groups of wilds only are triplets or a pair of `filler`.

    Raises ValueError when there is none.
    """
    if not fits(naturals, sets, pair):
        raise ValueError("the tiles make no such shape")
    groups: list[Group] = []
    while naturals:
        group, naturals = _first_group(naturals, sets, pair)
        groups.append(group)
        if group.kind == "pair":
            pair = False
        else:
            sets -= 1
    groups.extend([Group("triplet", (filler,) * 3, (True,) * 3)] * sets)
    if pair:
        groups.append(Group("pair", (filler,) * 2, (True,) * 2))
    return tuple(groups)


def _first_group(naturals: Hand, sets: int, pair: bool) -> tuple[Group, Hand]:
    """The group of the lowest natural in a decomposition that works, and the naturals left."""
    kind = KINDS[((naturals & -naturals).bit_length() - 1) // 3]
    if pair:
        group, left = filled(naturals, "pair", (kind,) * 2)
        if fits(left, sets, False):
            return group, left
    if SUIT[kind] != "z":
        group, left = filled(naturals, "run", run_of(f"{min(RANK[kind], 7)}{SUIT[kind]}"))
        if fits(left, sets - 1, pair):
            return group, left
    return filled(naturals, "triplet", (kind,) * 3)
