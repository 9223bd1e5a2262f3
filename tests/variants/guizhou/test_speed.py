"""Fast enough: readiness and patterns in well under half a millisecond, a round by four careless bots under 20 ms.

CPU time of this process, best of several, so that a busy machine does not fail the test; the limits are the promise.
"""

from random import Random
from time import process_time

from app.kernel.errors import Rejection
from app.kernel.play.commands import Act, TimeOut
from app.kernel.shapes.counts import hand_of
from app.variants.guizhou import VARIANT
from app.variants.guizhou.winning import NOTHING_LAID, TILES, best_of, waits_of
from tests.variants.guizhou.test_random_rounds import start


def test_a_ready_check_and_best_pattern_take_less_than_half_a_millisecond() -> None:
    """Hands never seen before, in one suit, where there is most to look at."""
    deck = [kind for kind in TILES if kind[1] == "s" for _ in range(4)]
    best = 1.0
    for attempt in range(5):
        rng = Random(attempt)
        hands = [hand_of(rng.sample(deck, 13)) for _ in range(100)]
        begun = process_time()
        for hand in hands:
            waits_of(hand, NOTHING_LAID)
            best_of(hand, NOTHING_LAID)
        best = min(best, (process_time() - begun) / len(hands))
    assert best < 0.000_5


def test_a_round_by_four_takes_less_than_twenty_milliseconds() -> None:
    """Fold, decisions and settlement; every decision answered by a random option."""
    best = 1.0
    for attempt in range(5):
        rng = Random(attempt)
        begun = process_time()
        for _ in range(5):
            state = start(rng, 4).state
            while open_ := VARIANT.decisions(state):
                decision = rng.choice(open_)
                if decision.seat is None:
                    step = VARIANT.decide(state, open_, TimeOut(decision.id))
                else:
                    step = VARIANT.decide(state, open_, Act(decision.seat, decision.id, rng.choice(decision.options)))
                assert not isinstance(step, Rejection)
                state = step.state
        best = min(best, (process_time() - begun) / 5)
    assert best < 0.020
