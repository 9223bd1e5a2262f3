"""`mj bench flood` in a short form: the node stays up and nobody else loses their line (D1, D2)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from app.lab.bench.flood import Flooded, flooded
from app.lab.clients.floods import KINDS
from app.lab.clients.load_clients import many_tables
from app.settings import Settings

pytestmark = pytest.mark.timeout(300)


@pytest.mark.parametrize("kind", sorted(KINDS))
async def test_others_play_on_beside_a_flood(settings: Settings, kind: str) -> None:
    """The measurement itself with few lines; its goals for latency are for a quiet machine (`mj bench flood`)."""
    found = await flooded(many_tables(settings), kind, 5 if kind in ("pings", "fragments") else 100, 3, 1, 2.0)
    assert found.up and found.lost == 0 and found.acts > 10, found
    assert found.ends["refused"] == 0 and found.ends["held"] + found.ends["closed"] > 0, found
    if kind in ("pings", "fragments"):
        assert found.ends["closed"] >= 5, "each is cut, and comes again, and is cut again"


def test_others_may_feel_a_tenth_or_two_milliseconds_and_memory_comes_back() -> None:
    calm = Flooded("half", 1, 10, 30.0, 33.0, 100_000, 110_000, True, 0, Counter())
    assert calm.good and replace(calm, calm_p99_ms=1.0, flood_p99_ms=3.0).good
    assert not replace(calm, flood_p99_ms=33.1).good and not replace(calm, after_kb=130_000).good
    assert not replace(calm, up=False).good and not replace(calm, lost=1).good
