"""A live table tells nobody what it may not see: answers, frames, prompts, times, log lines, REST (S1).

The same three forms of non-interference as in `test_secrecy.py`, here on a `Table` with its clocks and connections.
`test_live_mutants.py` shows that each channel is heard.
"""

from __future__ import annotations

import random

import pytest

from tests.laws import live_checks
from tests.laws.driving import GAMES, SCALE, TABLES

tables = pytest.mark.parametrize(("slug", "players"), TABLES)


@tables
async def test_a_request_is_answered_by_what_its_sender_may_see(slug: str, players: int) -> None:
    """Redeal: what is hidden from a viewer may be otherwise at any moment, and it hears the same at the same time."""
    rng, compared = random.Random(f"live redeal {slug} {players}"), 0
    for _ in range(3 * SCALE):
        difference, tried = await live_checks.redeal(GAMES[slug], players, rng)
        assert difference is None
        compared += tried
    assert compared >= 2 * SCALE, "hardly anything was compared"


@tables
async def test_when_somebody_answered_is_not_heard_within_the_hold(slug: str, players: int) -> None:
    """Silent answers: a pass or a claim, at once or at the last moment, is the same to seats that were not asked."""
    rng, compared = random.Random(f"live late {slug} {players}"), 0
    for _ in range(2 * SCALE):
        difference, windows = await live_checks.late_passes(GAMES[slug], players, rng)
        assert difference is None
        compared += windows
    assert compared > 2, "hardly anybody was asked"


@tables
async def test_kinds_that_were_not_seen_may_change_places(slug: str, players: int) -> None:
    """Exchange of kinds: the same frames, prompts and times until one of the two kinds surfaces."""
    rng, compared = random.Random(f"live exchange {slug} {players}"), 0
    for _ in range(3 * SCALE):
        difference, frames = await live_checks.exchange(GAMES[slug], players, rng)
        assert difference is None
        compared += frames
    assert compared > 60, "hardly anything was compared"
