"""The calculator behind `mj score`: golden cases in, points and offers out, by the very rules the machine plays by.

Expected answers in an entry are never read.

reader   fields that several lists share
laid     the sets of a seat, with every impossible one refused
cases    settles a round from its scoring events
hands    says whether a hand wins, or what it waits for
locks    lets the machine play one seat and says what it was offered
"""

from __future__ import annotations

from typing import Final

from app.kernel.text.fields import Given, Result, score_by
from app.variants.tangshan.calculator.cases import score_case
from app.variants.tangshan.calculator.hands import score_hand
from app.variants.tangshan.calculator.locks import score_lock

_LISTS: Final = {"cases": score_case, "hands": score_hand, "locks": score_lock}


def score(name: str, entry: Given) -> Result:
    """The result of one entry of a list. Raises MalformedInput naming the list or the field."""
    return score_by(_LISTS, name, entry)
