"""Tiles are one type, the *kind*, as mpsz text: `1m–9m` 万, `1p–9p` 筒/饼, `1s–9s` 条, `1z–7z` 东南西北白发中.

Here: the 34 kinds, their order, and mpsz notation. Nothing about hands (see `shapes/counts.py`) or games.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from app.kernel.errors import MalformedInput

Tile = str

SUITS: Final = "mpsz"
NUMBERS: Final[tuple[Tile, ...]] = tuple(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10))
WINDS: Final[tuple[Tile, ...]] = ("1z", "2z", "3z", "4z")
DRAGONS: Final[tuple[Tile, ...]] = ("5z", "6z", "7z")
KINDS: Final[tuple[Tile, ...]] = NUMBERS + WINDS + DRAGONS
"""All 34 kinds in the one order used everywhere: m, p, s, z, rank ascending."""

ORDER: Final[dict[Tile, int]] = {kind: place for place, kind in enumerate(KINDS)}
RANK: Final[dict[Tile, int]] = {kind: int(kind[0]) for kind in KINDS}
SUIT: Final[dict[Tile, str]] = {kind: kind[1] for kind in KINDS}
COPIES: Final = 4


def sort_tiles(tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    """Return the tiles in the order of `KINDS`."""
    return tuple(sorted(tiles, key=ORDER.__getitem__))


def parse_tiles(text: object, field: str = "tiles") -> tuple[Tile, ...]:
    """Read mpsz text such as `123m44z` into single tiles, in the order written.

    Raises MalformedInput naming `field` when a digit has no suit, a kind does not exist, or the value is no text.
    """
    if not isinstance(text, str):
        raise MalformedInput(field, f"expected mpsz text, got {type(text).__name__}")
    tiles: list[Tile] = []
    ranks: list[str] = []
    for sign in text:
        if sign in SUITS:
            if not ranks:
                raise MalformedInput(field, f"suit {sign!r} without a rank in {text!r}")
            tiles.extend(rank + sign for rank in ranks)
            ranks.clear()
        else:
            ranks.append(sign)
    if ranks:
        raise MalformedInput(field, f"rank {ranks[0]!r} without a suit in {text!r}")
    for tile in tiles:
        if tile not in ORDER:
            raise MalformedInput(field, f"no such tile {tile!r} in {text!r}")
    return tuple(tiles)


def parse_tile(text: object, field: str = "tile") -> Tile:
    """Read exactly one tile. Raises MalformedInput naming `field`."""
    tiles = parse_tiles(text, field)
    if len(tiles) != 1:
        raise MalformedInput(field, f"expected one tile, got {text!r}")
    return tiles[0]


def format_tiles(tiles: Iterable[Tile]) -> str:
    """Write tiles as sorted mpsz text: `format_tiles(["2m", "1m", "1z"]) == "12m1z"`."""
    text: list[str] = []
    suit = ""
    for tile in sort_tiles(tiles):
        if suit and tile[1] != suit:
            text.append(suit)
        suit = tile[1]
        text.append(tile[0])
    return "".join(text) + suit
