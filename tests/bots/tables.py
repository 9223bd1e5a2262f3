"""Rounds played by bots at a table, as the runtime lets them: own view, own decision, a number for chance."""

from __future__ import annotations

import random
from typing import Any

from app.bots import Effort
from app.kernel.variant import Variant
from app.lab.laws.rounds import Entry, bots, play, random_setup


def bot_round(game: Variant[Any], players: int, rng: random.Random, efforts: tuple[Effort, ...]) -> list[Entry]:
    """One round with `efforts` by seat and random room options."""
    return play(game, random_setup(game, players, rng), rng, bots(game, efforts))
