"""The secrecy laws can fail: each planted leak is found by the law that is meant to find it, on the toy and beyond."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from app.kernel.variant import Setup, Variant
from app.lab.laws.invariants import shape_law
from app.variants import VARIANTS
from tests.laws import checks, mutants
from tests.laws.driving import Entry, play, random_command, random_setup, wild_command
from tests.laws.seeing import HONEST, Eyes
from tests.laws.toy import TOY

Game = Variant[Any]
Law = Callable[[Game, Setup, list[Entry], int, random.Random, Eyes], str | None]


def view(game: Game, setup: Setup, trace: list[Entry], players: int, rng: random.Random, eyes: Eyes) -> str | None:
    """The view law."""
    return checks.view_law(trace, players, eyes)


def shape(game: Game, setup: Setup, trace: list[Entry], players: int, rng: random.Random, eyes: Eyes) -> str | None:
    """The law of entry shape."""
    return shape_law(trace)


def redeal(game: Game, setup: Setup, trace: list[Entry], players: int, rng: random.Random, eyes: Eyes) -> str | None:
    """The redeal law."""
    return checks.redeal_law(game, trace, players, rng, 3, eyes)


def exchange(game: Game, setup: Setup, trace: list[Entry], players: int, rng: random.Random, eyes: Eyes) -> str | None:
    """The law of kind exchange."""
    return checks.exchange_law(game, setup, trace, players, rng, eyes)[0]


def steady(game: Game, setup: Setup, trace: list[Entry], players: int, rng: random.Random, eyes: Eyes) -> str | None:
    """Private entries change nobody's question."""
    return checks.steady_law(game, trace, players, eyes)


def timeout(game: Game, setup: Setup, trace: list[Entry], players: int, rng: random.Random, eyes: Eyes) -> str | None:
    """A pass by the clock looks like a chosen one."""
    return checks.timeout_law(game, setup, trace, players, eyes)


def order(game: Game, setup: Setup, trace: list[Entry], players: int, rng: random.Random, eyes: Eyes) -> str | None:
    """The order of private answers shows in nothing."""
    return checks.order_law(game, setup, trace, players, rng, eyes)[0]


def secret(game: Game, setup: Setup, trace: list[Entry], players: int, rng: random.Random, eyes: Eyes) -> str | None:
    """A secret answer shows in nothing before the reveal."""
    return checks.secret_answer_law(game, setup, trace, players, eyes)[0]


def _same(game: Game) -> Game:
    return game


LEAKS: list[tuple[Callable[[Game], Game], Eyes, tuple[Law, ...]]] = [
    (_same, mutants.COVER_SEEN, (view, exchange)),
    (_same, mutants.DRAW_SEEN, (view, exchange)),
    (_same, mutants.ANSWER_SEEN, (order, secret)),
    (_same, mutants.WALL_SEEN, (exchange,)),
    (_same, mutants.MARKS_SEEN, (view, redeal)),
    (mutants.numbered_over_all_prompts, HONEST, (redeal, steady)),
    (mutants.hold_only_if_claimable, HONEST, (redeal,)),
    (mutants.pong_only_if_nobody_wins, HONEST, (redeal,)),
    (mutants.tick_counts_answers, HONEST, (view, steady)),
    (mutants.other_seats_are_told_apart, HONEST, (redeal, exchange, steady)),
    (mutants.cover_paid_at_once, HONEST, (exchange,)),
    (mutants.walks_through_windows, HONEST, (shape,)),
    (mutants.sit_shows, HONEST, (secret,)),
    (mutants.slowness_shows, HONEST, (timeout,)),
    (mutants.answering_shows, HONEST, (order,)),
]
CASES = [
    pytest.param(mutate, eyes, law, id=f"{mutate.__name__.strip('_')}-{law.__name__}-{place}")
    for place, (mutate, eyes, laws) in enumerate(LEAKS)
    for law in laws
]


def _found(game: Game, eyes: Eyes, law: Law, players: int, rounds: int) -> str | None:
    """The first violation in some rounds, None when the law holds in all of them."""
    for number in range(rounds):
        rng = random.Random(f"mutant {number}")
        setup = random_setup(game, players, rng)
        trace = play(game, setup, rng, wild_command if number % 2 else random_command)
        found = law(game, setup, trace, players, rng, eyes)
        if found is not None:
            return found
    return None


@pytest.mark.parametrize(("mutate", "eyes", "law"), CASES)
def test_a_planted_leak_is_found(mutate: Callable[[Game], Game], eyes: Eyes, law: Law) -> None:
    assert _found(mutate(TOY), eyes, law, 3, 200) is not None


@pytest.mark.parametrize("law", sorted({law for _, _, laws in LEAKS for law in laws}, key=lambda law: law.__name__))
def test_without_a_leak_nothing_is_found(law: Law) -> None:
    assert _found(TOY, HONEST, law, 3, 8) is None


@pytest.mark.parametrize(
    ("slug", "players", "mutate", "eyes", "law"),
    [
        ("tangshan", 3, _same, mutants.COVER_SEEN, exchange),
        ("tangshan", 3, _same, mutants.MARKS_SEEN, view),
        ("guizhou", 3, _same, mutants.COVER_SEEN, exchange),
        ("guizhou", 3, _same, mutants.LATE_SEEN, redeal),
        ("guizhou", 3, mutants.numbered_over_all_prompts, HONEST, redeal),
        ("tianjin", 4, mutants.sit_shows, HONEST, secret),
        ("tianjin", 4, _same, mutants.DRAW_SEEN, exchange),
        ("tianjin", 4, mutants.hold_only_if_claimable, HONEST, redeal),
        ("tianjin", 4, mutants.other_seats_are_told_apart, HONEST, redeal),
        ("guizhou", 4, mutants.other_seats_are_told_apart, HONEST, redeal),
        ("tangshan", 4, mutants.other_seats_are_told_apart, HONEST, redeal),
    ],
)
def test_a_leak_planted_in_a_real_game_is_found(
    slug: str, players: int, mutate: Callable[[Game], Game], eyes: Eyes, law: Law
) -> None:
    """A cover's or a concealed kong's tile, a late kong's mark, a lock, a draw, a doubling, a telling pause."""
    assert _found(mutate(VARIANTS[slug]), eyes, law, players, 200) is not None
