"""The calculator behind `mj score`: one function per list of a case file. Pure; reads entries, never answers in them.

fields       reading and checking single fields, each refusal naming the field
cases        settles a final position
situations   says what one seat may do
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from app.kernel.errors import MalformedInput
from app.kernel.fields import Given, TileCount
from app.kernel.shapes.counts import ONE, hand_of
from app.variants.guizhou.calculator.cases import score_case
from app.variants.guizhou.calculator.fields import count_seat, read_melds, read_tile_or_none, read_tiles, waits_text
from app.variants.guizhou.calculator.situations import score_offer
from app.variants.guizhou.winning import PATTERN_VALUE, best_of, laid_of, pattern_of, waits_of

_MAX_PLAYERS: Final = 4


def score(name: str, entry: Mapping[str, object]) -> dict[str, object]:
    """Answer one entry of the list `name`: `cases`, `hands` or `offers`. Raises MalformedInput naming the field."""
    if name not in _LISTS:
        raise MalformedInput("", f"no such list {name!r}; known are {', '.join(_LISTS)}")
    if not isinstance(entry, Mapping):
        raise MalformedInput("", f"expected an object, got {type(entry).__name__}")
    return _LISTS[name](entry)


def score_hand(entry: Given) -> dict[str, object]:
    """Name the pattern of hand, melds and tile, or with tile null the waits and the best value (GZ-9, GZ-11).

    A hand with too few or too many tiles is no win and not ready.
    """
    tiles, melds = read_tiles(entry, "hand", ""), read_melds(entry, "", _MAX_PLAYERS, None)
    tile = read_tile_or_none(entry, "tile", "")
    tally = TileCount()
    count_seat(tally, tiles, melds, "")
    hand, laid = hand_of(tiles), laid_of(melds)
    empty: dict[str, object] = {"win": False, "pattern": None, "value": 0, "ready": None, "waits": None, "best": None}
    if tile is None:
        best = best_of(hand, laid)
        waits = waits_text(waits_of(hand, laid))
        return {**empty, "ready": bool(waits), "waits": waits, "best": 0 if best is None else PATTERN_VALUE[best[1]]}
    tally.add((tile,), "tile")
    pattern = pattern_of(hand + ONE[tile], tile, laid)
    if pattern is None:
        return empty
    return {**empty, "win": True, "pattern": pattern, "value": PATTERN_VALUE[pattern]}


_LISTS: Final = {"cases": score_case, "hands": score_hand, "offers": score_offer}
