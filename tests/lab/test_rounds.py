"""Setups of rounds: what a looked-for seed gives is a fair deal like any other."""

import random

import pytest

from app.kernel import events as ev
from app.kernel.play.shuffle import commitment, deal
from app.lab.laws.rounds import bots, lucky_setup, play
from app.variants import VARIANTS


@pytest.mark.parametrize(("slug", "pattern", "chance"), [("tianjin", "tian_he", 22), ("guizhou", "tian_hu", 4)])
def test_a_looked_for_seed_deals_a_finished_hand_by_the_ordinary_shuffle(slug: str, pattern: str, chance: int) -> None:
    """`chance`: a number that leads to such a seed soon."""
    game = VARIANTS[slug]
    players = max(game.meta.players)
    setup = lucky_setup(game, players, random.Random(chance), 20_000)
    assert setup is not None
    dealt = deal(setup.seed, setup.contributions, game.meta.kinds, game.meta.dice, players)
    assert (dealt.wall, dealt.dice, commitment(setup.seed)) == (setup.wall, setup.dice, setup.commitment)
    trace = play(game, setup, random.Random(2), bots(game, ("normal",) * players))
    wins = [event for entry in trace for event in entry.step.events if isinstance(event, ev.Won)]
    assert [won.seat for won in wins] == [setup.dealer] and pattern in dict(wins[0].reading.patterns)


def test_no_seed_is_found_where_none_is_tried() -> None:
    assert lucky_setup(VARIANTS["guizhou"], 2, random.Random(1), 0) is None
