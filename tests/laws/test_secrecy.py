"""No viewer learns hidden facts: three forms of non-interference, over every variant and table size.

`MJ_LAWS_SCALE=50` plays fifty times the sample. `test_mutants.py` shows that each of these can fail.
"""

import random
from collections.abc import Iterator

import pytest

from app.kernel.variant import Setup
from tests.laws import checks
from tests.laws.driving import GAMES, SCALE, TABLES, Entry, play, random_command, random_setup, wild_command

tables = pytest.mark.parametrize(("slug", "players"), TABLES)


def _rounds(slug: str, players: int, number: int, salt: str) -> Iterator[tuple[Setup, list[Entry], random.Random]]:
    game = GAMES[slug]
    for index in range(number * SCALE):
        rng = random.Random(f"{salt}/{slug}/{players}/{index}")
        setup = random_setup(game, players, rng)
        yield setup, play(game, setup, rng, wild_command if index % 2 else random_command), rng


@tables
def test_redeal(slug: str, players: int) -> None:
    """All that is hidden from a viewer may be otherwise; their view and their decisions stay the same."""
    for _, trace, rng in _rounds(slug, players, 2, "redeal"):
        assert checks.redeal_law(GAMES[slug], trace, players, rng, times=3) is None


@tables
def test_kind_exchange(slug: str, players: int) -> None:
    """Two kinds that a viewer has not seen may change places until one of them surfaces."""
    compared = 0
    for setup, trace, rng in _rounds(slug, players, 4, "exchange"):
        difference, frames = checks.exchange_law(GAMES[slug], setup, trace, players, rng)
        compared += frames
        assert difference is None
    assert compared > 20, "hardly anything was compared"


@tables
def test_silent_answers(slug: str, players: int) -> None:
    """Another seat's answer, its order, or its silence shows in no frame, id or question before the outcome."""
    game = GAMES[slug]
    for setup, trace, rng in _rounds(slug, players, 3, "silent"):
        assert checks.steady_law(game, trace, players) is None
        assert checks.timeout_law(game, setup, trace, players) is None
        assert checks.order_law(game, setup, trace, players, rng)[0] is None
        assert checks.secret_answer_law(game, setup, trace, players)[0] is None
