"""天津麻将 (`tianjin`): the rules are in `RULES.md`, the course of a round is in `machine.py`."""

from __future__ import annotations

from typing import Final

from app.kernel.variant import Variant
from app.variants.tianjin.advisor import advise
from app.variants.tianjin.calculator import score
from app.variants.tianjin.ending import facts
from app.variants.tianjin.machine import decide, decisions, start
from app.variants.tianjin.rules import META, parse_rules
from app.variants.tianjin.state import TianjinState, evolve
from app.variants.tianjin.teaching.reasons import why_not
from app.variants.tianjin.teaching.words import WORDS

VARIANT: Final[Variant[TianjinState]] = Variant(
    meta=META,
    parse_rules=parse_rules,
    start=start,
    decisions=decisions,
    decide=decide,
    evolve=evolve,
    facts=facts,
    score=score,
    advise=advise,
    why_not=why_not,
    words=WORDS,
)
