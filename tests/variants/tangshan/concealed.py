"""The dealer has four (or three) of a kind to lay face down."""

from dataclasses import replace

from app.kernel.variant import Setup
from tests.variants.concealed import Case
from tests.variants.tangshan.deal import wall_for


def _wall(setup: Setup) -> Setup:
    return replace(setup, wall=wall_for(4, setup.dealer, {setup.dealer: "555m"}, "", last="5m"))


CASE = Case("5m", "cover", {"kind": "face_down", "count": 3, "face_down": True}, _wall)
