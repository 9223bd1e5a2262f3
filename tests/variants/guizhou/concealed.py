"""The dealer has four (or three) of a kind to lay face down."""

from dataclasses import replace
from typing import Any

from app.kernel.variant import Setup
from tests.variants.concealed import Case
from tests.variants.guizhou.deal import deal


def _wall(setup: Setup) -> Setup:
    hands = ["5555s" if seat == setup.dealer else "" for seat in range(4)]
    start: Any = deal(hands, dealer=setup.dealer).events[0]
    return replace(setup, wall=start.wall)


CASE = Case("5s", "kong", {"kind": "face_down", "count": 4, "face_down": True}, _wall)
