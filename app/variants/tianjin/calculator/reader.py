"""Fields that several lists share: kongs of wild tiles, and the hand to judge with its melds."""

from __future__ import annotations

from typing import Final

from app.kernel.shapes.counts import hand_of
from app.kernel.text.fields import CaseReader
from app.kernel.tiles import Tile
from app.variants.tianjin.rules import KONG_POINTS
from app.variants.tianjin.winning import SETS, Draw, wilds_of

HAND_FIELDS: Final = ("hand", "drawn", "melds", "after_kong", "heaven")

Melds = list[tuple[str, tuple[Tile, ...]]]
"""(kind, tiles) of each meld."""


def check_wild_kong(reader: CaseReader, name: str, kind: str, tile: Tile, indicator: Tile) -> None:
    """Refuse a kong of wilds that is not gold, and a gold one of other tiles (TJ-6.3)."""
    if (kind == "kong_gold") != (tile in wilds_of(indicator)):
        raise reader.wrong(name, f"{tile} cannot be a {kind} when {indicator} is the indicator")


def read_draw(reader: CaseReader, indicator: Tile, kongs_counted: bool = False) -> tuple[Draw, Melds, int]:
    """The hand to judge, its melds, and how many tiles it lacks (below zero: has too many).

    `kongs_counted`: the tiles of the kongs among the melds were counted before.
    """
    melds = _read_melds(reader, indicator, kongs_counted)
    drawn = reader.tile("drawn")
    tiles = (*reader.tiles("hand"), drawn)
    reader.count(tiles, "hand")
    after_kong, heaven = reader.flag("after_kong", False), reader.flag("heaven", False)
    if after_kong and not any(kind in KONG_POINTS for kind, _ in melds):
        raise reader.wrong("after_kong", "there is no kong among the melds")
    if heaven and (melds or after_kong):
        raise reader.wrong("heaven", "nothing is laid down before 天和")
    missing = 3 * (SETS - len(melds)) + 2 - len(tiles)
    gold = any(kind == "kong_gold" for kind, _ in melds)
    return Draw(hand_of(tiles), drawn, len(melds), gold, wilds_of(indicator), after_kong, heaven), melds, missing


def _read_melds(reader: CaseReader, indicator: Tile, kongs_counted: bool) -> Melds:
    melds: Melds = []
    for meld in reader.parts("melds", ("kind", "tiles"), default=[]):
        kind, tiles = meld.word("kind", ("pong", *KONG_POINTS)), meld.tiles("tiles")
        if len(tiles) != (3 if kind == "pong" else 4) or len(set(tiles)) != 1:
            raise meld.wrong("tiles", f"not a {kind}")
        check_wild_kong(meld, "tiles", kind, tiles[0], indicator)
        if kind == "pong" or not kongs_counted:
            meld.count(tiles, "tiles")
        melds.append((kind, tiles))
    if len(melds) > SETS:
        raise reader.wrong("melds", f"more than {SETS} melds")
    return melds
