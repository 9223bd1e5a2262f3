"""Players of a soak who want one hand: they get there, on fair walls, within rounds that can be counted."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from app.kernel import events as ev
from app.kernel.variant import Variant
from app.lab.laws.goal_bots import Aim, Shape, hoarding, keeping, seeking, straight
from app.lab.laws.players import chooser
from app.lab.laws.rounds import Chooser, play, random_setup
from app.variants import VARIANTS

GUIZHOU = VARIANTS["guizhou"]
TIANJIN = VARIANTS["tianjin"]
_ENOUGH = 200
_SOME = 20


def _rounds_until(
    game: Variant[Any], players: int, company: Chooser, wanted: Callable[[ev.Event], bool], rounds: int = _ENOUGH
) -> int | None:
    """The number of rounds of such players until an event, the same in every run; None: not in these."""
    for number in range(rounds):
        rng = random.Random(f"seekers/{number}")
        trace = play(game, random_setup(game, players, rng), rng, company)
        if any(wanted(event) for entry in trace for event in entry.step.events):
            return number + 1
    return None


def _won(event: ev.Event) -> bool:
    return isinstance(event, ev.Won)


def _wins_with(pattern: str) -> Callable[[ev.Event], bool]:
    return lambda event: isinstance(event, ev.Won) and any(token == pattern for token, _ in event.reading.patterns)


@pytest.mark.parametrize(
    ("shape", "pure", "pattern"),
    [
        ("sets", True, "qing_yi_se"), ("triplets", False, "da_dui_zi"), ("triplets", True, "qing_da_dui"),
        ("single", False, "dan_diao"), ("single", True, "qing_dan_diao"), ("pairs", True, "qing_qi_dui"),
        ("fours", False, "long_qi_dui"), ("fours", True, "qing_long_bei"),
    ],
)  # fmt: skip
def test_who_seeks_a_pattern_finds_it(shape: Shape, pure: bool, pattern: str) -> None:
    company = seeking(GUIZHOU, (Aim(shape, "p" if pure else None), Aim(shape, "s" if pure else None)))
    assert _rounds_until(GUIZHOU, 2, company, _wins_with(pattern)) is not None


def test_who_seeks_the_straight_of_the_wild_suit_finds_it() -> None:
    assert _rounds_until(TIANJIN, 4, keeping(TIANJIN, 4, straight), _wins_with("ben_hun")) is not None


def test_who_hoards_wild_tiles_lays_four_of_them_and_never_wins() -> None:
    company = hoarding(TIANJIN, 4)
    assert _rounds_until(TIANJIN, 4, company, lambda event: getattr(event, "kind", None) == "kong_gold") is not None
    assert _rounds_until(TIANJIN, 4, company, _won, _SOME) is None


def test_a_seeker_lets_other_wins_go_by() -> None:
    company = seeking(GUIZHOU, (Aim("fours", "p"), Aim("fours", "s")))
    wanted = _wins_with("qing_long_bei")
    assert _rounds_until(GUIZHOU, 2, company, lambda event: _won(event) and not wanted(event), _SOME) is None
    assert _rounds_until(GUIZHOU, 2, company, _won, _SOME) is not None


def test_whatever_company_sits_down_plays_to_the_end() -> None:
    """No player of a soak is ever refused."""
    for slug, game in VARIANTS.items():
        for number in range(10):
            rng = random.Random(f"{slug}/{number}")
            players = rng.choice(game.meta.players)
            assert not play(game, random_setup(game, players, rng), rng, chooser(game, players, rng))[-1].after
