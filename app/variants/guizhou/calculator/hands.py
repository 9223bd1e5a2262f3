"""List `hands`: the pattern of a hand with its winning tile, without one the waits and the best value."""

from __future__ import annotations

from typing import Final

from app.kernel.shapes.counts import ONE, hand_of
from app.kernel.text.fields import Given, Result
from app.variants.guizhou.calculator.reader import GuizhouCase, waits_text
from app.variants.guizhou.winning import PATTERN_VALUE, best_of, laid_of, pattern_of, waits_of

_MAX_PLAYERS: Final = 4


def score_hand(entry: Given) -> Result:
    """Judge one hand; one with too few or too many tiles neither wins nor waits. Raises MalformedInput."""
    case = GuizhouCase(entry)
    tiles, melds = case.hand_and_melds(_MAX_PLAYERS, None)
    tile = case.tile_or_none("tile")
    hand, laid = hand_of(tiles), laid_of(melds)
    empty: Result = {"win": False, "pattern": None, "value": 0, "ready": None, "waits": None, "best": None}
    if tile is None:
        best = best_of(hand, laid)
        waits = waits_text(waits_of(hand, laid))
        return {**empty, "ready": bool(waits), "waits": waits, "best": 0 if best is None else PATTERN_VALUE[best[1]]}
    case.count((tile,), "tile")
    pattern = pattern_of(hand + ONE[tile], tile, laid)
    if pattern is None:
        return empty
    return {**empty, "win": True, "pattern": pattern, "value": PATTERN_VALUE[pattern]}
