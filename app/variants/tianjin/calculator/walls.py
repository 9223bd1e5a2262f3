"""List `walls`: two sums of dice → the break of the wall, the flipped tile, the live tiles."""

from __future__ import annotations

from typing import Final

from app.kernel.text.fields import CaseReader, Given, Result
from app.variants.tianjin import wall

_DIE_LOW: Final = 2
_DIE_HIGH: Final = 12


def score_wall(entry: Given) -> Result:
    """The geometry of one wall. Raises MalformedInput naming the field."""
    case = CaseReader(entry, known=("dice_dealer", "dice_hun"))
    n, m = (case.number(name, _DIE_LOW, _DIE_HIGH) for name in ("dice_dealer", "dice_hun"))
    indicator = wall.indicator_index(m)
    return {
        "indicator_index": indicator,
        "indicator_stack": list(wall.stack_at(indicator // 2, n)),
        "first_stack": list(wall.stack_at(0, n)),
        "tail_stack": list(wall.stack_at(wall.STACKS - 1, n)),
        "replacement_order_first_8": list(wall.tail_order(indicator)[:8]),
        "reserve_replacements": wall.reserve(m),
        "live_tiles": indicator,
        "front_draws_if_no_kong": indicator - wall.FIRST_FRONT,
        "undrawn_at_exhaustion_if_no_kong": wall.TILES - indicator,
    }
