"""List `hands`: whether a hand wins, with how many 番, by which patterns."""

from __future__ import annotations

from app.kernel.text.fields import CaseReader, Given, Result
from app.variants.tianjin.calculator.reader import HAND_FIELDS, read_draw
from app.variants.tianjin.rules import parse_rules
from app.variants.tianjin.winning import best, may_win


def score_hand(entry: Given) -> Result:
    """Judge one hand; one with too few or too many tiles is no win. Raises MalformedInput naming the field."""
    case = CaseReader(entry, known=("indicator", "rules", *HAND_FIELDS))
    rules = case.options(parse_rules, default={})
    indicator = case.tile("indicator")
    case.count((indicator,), "indicator")
    draw, _, missing = read_draw(case, indicator)
    reading = None if missing else best(draw)
    return {
        "win": may_win(reading, rules.kong_bloom_plain),
        "fan": reading.fan if reading else 0,
        "patterns": list(reading.patterns) if reading else [],
    }
