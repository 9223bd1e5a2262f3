"""大唐撸麻雀儿 (`tangshan`): sixteen tiles, lit xi sets (亮喜), covers (扣), pair claim (订将), pass lock (过水).

The rules are in `RULES.md`, clause by clause. Outside this folder only the registry names this game.
"""

from __future__ import annotations

from typing import Final

from app.kernel.variant import Variant
from app.variants.tangshan.advisor import advise
from app.variants.tangshan.calculator import score
from app.variants.tangshan.ending import facts
from app.variants.tangshan.machine import decide, decisions, start
from app.variants.tangshan.rules import META, parse_rules
from app.variants.tangshan.state import TangshanState, evolve
from app.variants.tangshan.teaching.reasons import why_not
from app.variants.tangshan.teaching.words import WORDS

VARIANT: Final[Variant[TangshanState]] = Variant(
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
"""The game as the registry takes it."""
