"""The calculator behind `mj score`: golden cases in, points and offers out, by the very rules the machine plays by.

One module per list. Expected answers (`expect`, `offer`, …) are accepted and never read. No rule is written here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from app.kernel.errors import MalformedInput
from app.variants.tangshan.calculator.cases import score_case
from app.variants.tangshan.calculator.hands import score_hand
from app.variants.tangshan.calculator.locks import score_lock

_LISTS: Final[dict[str, Callable[[Mapping[str, object]], dict[str, object]]]] = {
    "cases": score_case,
    "hands": score_hand,
    "locks": score_lock,
}


def score(list_name: str, entry: Mapping[str, object]) -> dict[str, object]:
    """The result of one entry of `cases`, `hands` or `locks`. Raises MalformedInput naming the field that is wrong."""
    calculate = _LISTS.get(list_name)
    if calculate is None:
        raise MalformedInput("list", f"no such list {list_name!r}; known are {', '.join(_LISTS)}")
    return calculate(entry)
