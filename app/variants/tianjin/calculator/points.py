"""Lists `ladder` and `caps`: the rank of a total, and the net of a round after the cap."""

from __future__ import annotations

from app.kernel.text.fields import CaseReader, Given, Result, is_whole
from app.variants.tianjin.rules import OPTIONS, PLAYERS, ladder_level
from app.variants.tianjin.scoring import capped


def score_rank(entry: Given) -> Result:
    """Level and name of a total of points. Raises MalformedInput naming the field."""
    row = ladder_level(CaseReader(entry, known=("points",)).number("points"))
    return {"level": row.level, "name": row.name}


def score_cap(entry: Given) -> Result:
    """The capped net by seat. Raises MalformedInput naming the field."""
    case = CaseReader(entry, known=("in", "cap", "dealer"))
    nets = [value for value in case.items("in") if is_whole(value)]
    if len(case.items("in")) != PLAYERS or len(nets) != PLAYERS or sum(nets) != 0:
        raise case.wrong("in", f"expected {PLAYERS} whole numbers that add up to 0")
    cap_option = next(option for option in OPTIONS if option.name == "cap")
    cap = case.number("cap", cap_option.low, cap_option.high)
    return {"out": list(capped(nets, cap, case.seat("dealer", PLAYERS)))}
