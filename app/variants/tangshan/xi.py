"""Facts about the tiles of 大唐撸麻雀儿: base value, xi categories (喜), lines (线). Tables only."""

from __future__ import annotations

from typing import Final, Literal

from app.kernel.shapes.counts import ONE, Hand
from app.kernel.tiles import DRAGONS, KINDS, NUMBERS, RANK, WINDS, Tile

Xi = Literal["ones", "nines", "dragons", "winds"]

XI: Final[dict[Xi, tuple[Tile, ...]]] = {
    "ones": ("1m", "1p", "1s"),
    "nines": ("9m", "9p", "9s"),
    "dragons": DRAGONS,
    "winds": WINDS,
}
"""The four xi categories (喜) and their tiles, in the fixed order of offers (TS-7.1)."""

CATEGORY: Final[dict[Tile, Xi]] = {tile: xi for xi, tiles in XI.items() for tile in tiles}
"""The xi category a tile belongs to; tiles 2–8 belong to none (TS-7.1)."""

XI_HAND: Final[dict[Xi, Hand]] = {xi: sum(ONE[tile] for tile in tiles) for xi, tiles in XI.items()}
"""One complete set of the category as a hand."""


def _value(tile: Tile) -> int:
    if tile in WINDS:
        return 8
    return {1: 4, 9: 2}.get(RANK[tile], 1) if tile in NUMBERS else 4


VALUE: Final[dict[Tile, int]] = {tile: _value(tile) for tile in KINDS}
"""Base value P of every kind (TS-1.5)."""

LINE: Final[dict[Tile, str]] = {
    tile: f"{(RANK[tile] - 1) % 3 + 1}{tile[1]}" if tile in NUMBERS else tile for tile in KINDS
}
"""The line (线) of every kind by its lowest tile: 1-4-7, 2-5-8, 3-6-9 of a suit; an honour is its own (TS-10.1)."""
