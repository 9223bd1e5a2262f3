"""The play of the laws: every game at every table size, random and default players, the same rounds at every run.

Nothing here knows a game. Setups, entries and the loop are those of `app/lab/laws/rounds.py`.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from typing import Any

from app.kernel.actions import Action
from app.kernel.play.commands import Act, Command, TimeOut
from app.kernel.play.decisions import Decision
from app.kernel.variant import Setup, Variant
from app.lab.laws.rounds import STEP_LIMIT, Entry, random_setup, started, taken
from app.lab.laws.rounds import play as play_round
from app.variants import VARIANTS
from tests.laws.toy import TOY
from tests.variants.fourth.erren import VARIANT as ERREN

SCALE = int(os.environ.get("MJ_LAWS_SCALE", "1"))
"""Multiple of the everyday sample of rounds that the laws play (MJ_LAWS_SCALE=50 for a long run)."""

GAMES: dict[str, Variant[Any]] = {"toy": TOY, "erren": ERREN, **VARIANTS}
TABLES: list[tuple[str, int]] = [(slug, players) for slug, game in GAMES.items() for players in game.meta.players]
"""Every variant at every table size."""

Chooser = Callable[[random.Random, tuple[Decision, ...]], Command]


def random_command(rng: random.Random, open_: tuple[Decision, ...]) -> Command:
    """Anything that is offered to anybody, wins and melds somewhat oftener, or that a clock runs out."""
    decision = rng.choice(open_)
    if decision.seat is None or rng.random() < 0.04:
        return TimeOut(decision.id)
    return Act(decision.seat, decision.id, random_choice(rng, decision.options))


def random_choice(rng: random.Random, options: tuple[Action, ...]) -> Action:
    """One of the options; a kong, meld or win takes half of the choices where there is one besides discards."""
    rare = [option for option in options if option.verb not in ("discard", "pass")]
    return rng.choice(rare) if rare and rng.random() < 0.5 else rng.choice(options)


def wild_command(rng: random.Random, open_: tuple[Decision, ...]) -> Command:
    """As `random_command`, but nobody ever takes a win: such rounds go on to the last tile."""
    decision = rng.choice(open_)
    options = tuple([option for option in decision.options if option.verb != "win"])
    if decision.seat is None or not options:
        return TimeOut(decision.id)
    return Act(decision.seat, decision.id, random_choice(rng, options))


def timeouts_only(rng: random.Random, open_: tuple[Decision, ...]) -> Command:
    """Nobody is there: every clock runs out, in any order."""
    return TimeOut(rng.choice(open_).id)


def autoplay_only(rng: random.Random, open_: tuple[Decision, ...]) -> Command:
    """托管 at every seat."""
    decision = rng.choice(open_)
    if decision.seat is None:
        return TimeOut(decision.id)
    assert decision.on_autoplay is not None
    return Act(decision.seat, decision.id, decision.on_autoplay)


def play(game: Variant[Any], setup: Setup, rng: random.Random, choose: Chooser) -> list[Entry]:
    """Play one round to its end. Raises InvariantViolation when it does not end or an offered action is refused."""
    return play_round(game, setup, rng, lambda chance, _, open_: choose(chance, open_))


def rounds(slug: str, players: int, number: int, salt: str, choose: Chooser = random_command) -> Iterator[list[Entry]]:
    """`number` times SCALE different rounds, the same at every run."""
    for index in range(number * SCALE):
        rng = random.Random(f"{salt}/{slug}/{players}/{index}")
        yield play(GAMES[slug], random_setup(GAMES[slug], players, rng), rng, choose)


__all__ = ["GAMES", "SCALE", "STEP_LIMIT", "TABLES", "Entry", "play", "random_setup", "rounds", "started", "taken"]
