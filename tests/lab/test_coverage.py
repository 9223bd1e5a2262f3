"""The tables of rare events: every pattern of a game's own table is in them, under its name, and counted."""

import random
from collections.abc import Iterator

import pytest

from app.kernel import events as ev
from app.kernel.ledger import Line
from app.kernel.variant import Step
from app.lab.games.game import lab_game
from app.lab.laws.rounds import Entry, random_setup, started
from app.variants import VARIANTS
from app.variants.guizhou.winning import PATTERN_VALUE
from app.variants.tangshan.scoring import WIN_POINTS
from app.variants.tianjin import patterns


def _patterns() -> Iterator[tuple[str, str, str]]:
    """Game, identifier in its pattern table, and the name it is printed under."""
    for slug, known in (
        ("guizhou", [*PATTERN_VALUE]),
        ("tianjin", [name for name in VARIANTS["tianjin"].meta.pattern_names if patterns.breakdown([name])]),
    ):
        for token in known:
            yield slug, token, VARIANTS[slug].meta.pattern_names[token]
    for reason, points in WIN_POINTS.items():
        yield "tangshan", reason, str(points)


def _counted(slug: str, token: str) -> set[str]:
    """Names of the counters of a win with this pattern and a payment under this reason."""
    game = VARIANTS[slug]
    state = started(game, random_setup(game, max(game.meta.players), random.Random(1))).step.state
    won = ev.Won(0, None, "draw", None, 1, ev.Reading(((token, 1),), 1))
    events = (won, ev.PointsMoved((Line(token, "X-1", 1, 0, 1),)))
    entry = Entry(None, (), None, Step(events, state), ())
    return {rare.name for rare in lab_game(slug).rare if rare.times(entry)}


@pytest.mark.parametrize(("slug", "token", "name"), _patterns())
def test_every_pattern_of_a_game_is_listed_and_counted_under_its_name(slug: str, token: str, name: str) -> None:
    assert _counted(slug, token) - _counted(slug, "no such pattern") == {name}


def test_all_ten_patterns_of_guizhou_are_looked_for() -> None:
    assert sum(slug == "guizhou" for slug, _, _ in _patterns()) == 10


@pytest.mark.parametrize("slug", list(VARIANTS))
def test_no_name_stands_twice(slug: str) -> None:
    names = [rare.name for rare in lab_game(slug).rare]
    assert len(names) == len(set(names))
