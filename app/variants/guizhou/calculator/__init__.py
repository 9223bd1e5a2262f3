"""The calculator behind `mj score`: lists cases, hands, offers. Expected answers in an entry are never read.

reader   fields that several lists share
cases    settles a final position
hands    names the pattern of a hand, or its waits
offers   says what one seat may do
"""

from __future__ import annotations

from typing import Final

from app.kernel.text.fields import Given, Result, score_by
from app.variants.guizhou.calculator.cases import score_case
from app.variants.guizhou.calculator.hands import score_hand
from app.variants.guizhou.calculator.offers import score_offer

_LISTS: Final = {"cases": score_case, "hands": score_hand, "offers": score_offer}


def score(name: str, entry: Given) -> Result:
    """The result of one entry of a list. Raises MalformedInput naming the list or the field."""
    return score_by(_LISTS, name, entry)
