"""Windows: the order in which answers arrive never matters, several may win, and nobody is waited for in vain."""

import itertools

import pytest

from app.kernel.actions import PASS, WIN, Action, action
from app.kernel.events import Answered, HoldEnded
from app.kernel.play.claims import Window, evolve_window, open_window, still_asked, takers

PONG, CHOW = action("pong", "5m"), action("chow", "4m", "5m", "6m")


def rank(act: Action) -> int:
    """Win before pong before chow."""
    return {"win": 0, "pong": 1}.get(act.verb, 2)


OFFERS = {1: (CHOW, PASS), 2: (WIN, PONG, PASS), 3: (WIN, PASS)}
"""Seat 0 threw 5m; seats 1–3 are asked."""


def _answered(window: Window, seat: int, act: Action) -> Window:
    return evolve_window(window, Answered(seat, act))


@pytest.mark.parametrize("several", [True, False])
@pytest.mark.parametrize("answers", list(itertools.product(OFFERS[1], OFFERS[2], OFFERS[3])))
def test_the_result_is_the_same_for_every_arrival_order(answers: tuple[Action, ...], several: bool) -> None:
    results = set()
    for order in itertools.permutations((1, 2, 3)):
        window = open_window("discard", 0, "5m", 4)
        for seat in order:
            if seat in still_asked(window, OFFERS, rank, several):
                window = _answered(window, seat, answers[seat - 1])
        assert still_asked(window, OFFERS, rank, several) == ()
        results.add(takers(window, rank, several))
    assert len(results) == 1


@pytest.mark.parametrize(
    ("answers", "several", "expected"),
    [
        ((PASS, WIN, WIN), True, ((2, WIN), (3, WIN))),
        ((PASS, WIN, WIN), False, ((2, WIN),)),
        ((CHOW, PONG, PASS), False, ((2, PONG),)),
        ((CHOW, PONG, WIN), True, ((3, WIN),)),
        ((CHOW, PASS, PASS), True, ((1, CHOW),)),
        ((PASS, PASS, PASS), True, ()),
    ],
)
def test_the_strongest_claim_wins_then_the_turn_order(
    answers: tuple[Action, ...], several: bool, expected: tuple[tuple[int, Action], ...]
) -> None:
    window = open_window("discard", 0, "5m", 4)
    for seat, act in enumerate(answers, 1):
        window = _answered(window, seat, act)
    assert takers(window, rank, several) == expected


def test_the_turn_order_begins_after_the_source_and_goes_round() -> None:
    window = open_window("discard", 2, "5m", 4)
    for seat in (0, 1, 3):
        window = _answered(window, seat, WIN)
    assert [seat for seat, _ in takers(window, rank, True)] == [3, 0, 1]


def test_a_seat_is_asked_while_its_answer_could_still_matter() -> None:
    window = open_window("discard", 0, "5m", 4)
    assert still_asked(window, OFFERS, rank, False) == (1, 2, 3)
    window = _answered(window, 3, WIN)
    assert still_asked(window, OFFERS, rank, False) == (2,), "seat 2 comes earlier in turn order and may win too"
    assert still_asked(window, OFFERS, rank, True) == (2,)
    window = _answered(window, 2, PASS)
    assert still_asked(window, OFFERS, rank, False) == (), "a chow cannot beat the win"


def test_several_winners_all_stay_asked() -> None:
    window = _answered(open_window("discard", 0, "5m", 4), 2, WIN)
    assert still_asked(window, OFFERS, rank, True) == (3,)
    assert still_asked(window, OFFERS, rank, False) == (), "with one winner the nearest has it"


def test_a_hold_is_open_at_first_and_secret_answers_have_none() -> None:
    window = open_window("discard", 0, "5m", 3)
    assert not window.held and evolve_window(window, HoldEnded()).held
    assert open_window("answers", 0, None, 3).held
