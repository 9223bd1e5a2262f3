"""The fast recogniser agrees with a slow one that lists every decomposition (TJ-10.1, TJ-10.2, TJ-10.12, TJ-10.13).

`TIANJIN_ORACLE_HANDS=20000` runs the large number.
"""

import os
import random

from app.variants.tianjin.winning import best
from tests.variants.tianjin.hands import draw_of, random_hand
from tests.variants.tianjin.oracle import judge

HANDS = int(os.environ.get("TIANJIN_ORACLE_HANDS", "800"))


def test_no_hand_is_read_better_or_worse_than_by_listing_every_decomposition() -> None:
    """TJ-10.12: the maximum over all decompositions, drawn slots and claims; TJ-10.13: its patterns."""
    rng = random.Random(20240607)
    complete = with_wilds = 0
    for _ in range(HANDS):
        hand = random_hand(rng)
        found = best(draw_of(hand))
        assert ((found.fan, found.patterns) if found else (0, ())) == judge(hand), hand
        complete += found is not None
        with_wilds += sum(tile in hand.wilds for tile in hand.tiles) >= 3
    assert complete > HANDS // 3 and with_wilds > HANDS // 5
