"""贵州捉鸡: two suits, 72 tiles, 2–4 players; chickens fixed by a flip, scored kongs, a pass for small hands.

RULES.md       the game, clause by clause
rules          options and META
winning        patterns, waits
chickens       which tiles count, and how much
scoring        the settlement
offers         what one seat may do
state          the state and its fold
machine        the flow of a round
ending         its last entry, facts for the archive
advisor        hints
teaching       why something is not offered, texts
calculator     `mj score`
"""

from typing import Final

from app.kernel.variant import Variant
from app.variants.guizhou.advisor import advise
from app.variants.guizhou.calculator import score
from app.variants.guizhou.ending import facts
from app.variants.guizhou.machine import decide, decisions, start
from app.variants.guizhou.rules import META, parse_rules
from app.variants.guizhou.state import GuizhouState, evolve
from app.variants.guizhou.teaching.reasons import why_not
from app.variants.guizhou.teaching.words import WORDS

VARIANT: Final[Variant[GuizhouState]] = Variant(
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
