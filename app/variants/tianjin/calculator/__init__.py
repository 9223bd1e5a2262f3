"""The calculator behind `mj score`: lists cases, hands, walls, ladder, caps.

Reads an entry strictly, asks the same functions as a live round, and gives plain values. Expected answers in an entry
are never read.

reader   fields that several lists share: indicator, kongs, hand and melds
cases    settles a round
hands    the best reading of a hand
walls    where the tiles lie
points   the ladder, and the cap of a round
"""

from __future__ import annotations

from typing import Final

from app.kernel.text.fields import Given, Result, score_by
from app.variants.tianjin.calculator.cases import score_case
from app.variants.tianjin.calculator.hands import score_hand
from app.variants.tianjin.calculator.points import score_cap, score_rank
from app.variants.tianjin.calculator.walls import score_wall

_LISTS: Final = {
    "cases": score_case, "hands": score_hand, "walls": score_wall, "ladder": score_rank, "caps": score_cap,
}  # fmt: skip


def score(name: str, entry: Given) -> Result:
    """The result of one entry of a list. Raises MalformedInput naming the list or the field."""
    return score_by(_LISTS, name, entry)
