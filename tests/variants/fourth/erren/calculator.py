"""The calculator of 二人雀. List `hands`: what a hand is worth, or what it waits for."""

from __future__ import annotations

from typing import Final

from app.kernel.melds import Meld
from app.kernel.shapes.counts import hand_of
from app.kernel.text.fields import CaseReader, Given, Result, score_by
from tests.variants.fourth.erren.rules import META
from tests.variants.fourth.erren.winning import HAND, fan, reading, waits


class _Case(CaseReader):
    kinds = META.kinds


def _hands(entry: Given) -> Result:
    """Seven tiles and a tile, or with `tile` null the waits (ER-3.1, ER-3.2)."""
    case = _Case(entry, known=("hand", "pongs", "tile"))
    tiles = case.tiles("hand")
    case.count(tiles, "hand")
    melds: list[Meld] = []
    for pong in case.parts("pongs", default=[]):
        melds.append(Meld("pong", (pong.tile("tile"),) * 3, 3))
        pong.count(melds[-1].tiles, "tile")
    if len(tiles) + 3 * len(melds) != HAND:
        raise case.wrong("hand", f"expected {HAND - 3 * len(melds)} tiles, got {len(tiles)}")
    tile = case.tile_or_none("tile")
    if tile is None:
        return {"waits": list(waits(hand_of(tiles), tuple(melds)))}
    case.count((tile,), "tile")
    detail = reading(hand_of((*tiles, tile)), tuple(melds))
    return {"win": detail is not None, "fan": fan(detail or ()), "patterns": [name for name, _ in detail or ()]}


_LISTS: Final = {"hands": _hands}


def score(name: str, entry: Given) -> Result:
    """The result of one entry of the list `name`. Raises MalformedInput naming the field."""
    return score_by(_LISTS, name, entry)
