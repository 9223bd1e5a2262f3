"""A hint shows what a player could count: for each kind waited for, the copies that do not show in their view."""

import random

import pytest

from app.kernel.shapes.counts import count
from app.kernel.tiles import COPIES
from app.kernel.views import open_tiles, view
from app.lab.laws.players import sensible
from app.lab.laws.rounds import play, random_setup
from app.variants import VARIANTS


@pytest.mark.parametrize("slug", VARIANTS)
def test_what_is_left_of_a_wait_are_the_copies_that_its_player_does_not_see(slug: str) -> None:
    game, waited, discards = VARIANTS[slug], 0, 0
    for index in range(4):
        rng = random.Random(f"hints/{slug}/{index}")
        players = game.meta.players[-1]
        trace = play(game, random_setup(game, players, rng), rng, sensible(game, players, rng))
        for entry in trace[:: 1 + len(trace) // 40]:
            for seat in range(players):
                seen = view(entry.step.state.table, seat)
                hand = seen.seats[seat].hand
                hints = game.advise(seen, seat)
                assert hand is not None or not hints, "nothing to advise before the deal"
                for hint in hints:
                    for wait in hint.waits:
                        copies = count(hand or 0, wait.tile) + count(open_tiles(seen), wait.tile)
                        assert wait.left == max(0, COPIES - copies), (hint.discard, wait)
                        waited += 1
                    discards += hint.discard is not None
    assert waited > 40 and discards > 5, "hardly anything was compared"
