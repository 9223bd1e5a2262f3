"""The dealer has four (or three) of a kind to lay face down."""

from dataclasses import replace
from typing import Any

from app.kernel.variant import Setup
from tests.variants.concealed import Case
from tests.variants.tianjin.deal import deal


def _wall(setup: Setup) -> Setup:
    start: Any = deal(D="1111m", dealer=setup.dealer, answered=False).events[0]
    return replace(setup, wall=start.wall, dice=start.dice)


CASE = Case("1m", "kong", {"kind": "kong_concealed", "count": 4, "tiles": "1m1m1m1m"}, _wall)
