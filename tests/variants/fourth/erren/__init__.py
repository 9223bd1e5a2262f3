"""二人雀 (`erren`): two players, seven tiles, pongs only. A game for the tests, written by `app/variants/README.md`."""

from __future__ import annotations

from typing import Final

from app.kernel.variant import Variant
from tests.variants.fourth.erren.advisor import advise
from tests.variants.fourth.erren.calculator import score
from tests.variants.fourth.erren.ending import facts
from tests.variants.fourth.erren.machine import decide, decisions, start
from tests.variants.fourth.erren.rules import META, parse_rules
from tests.variants.fourth.erren.state import State, evolve

VARIANT: Final[Variant[State]] = Variant(
    meta=META,
    parse_rules=parse_rules,
    start=start,
    decisions=decisions,
    decide=decide,
    evolve=evolve,
    facts=facts,
    score=score,
    advise=advise,
)
