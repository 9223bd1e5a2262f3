"""Facts about a game for the lab. All of it is optional: a game without a file here is soaked and timed too."""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

from app.kernel.tiles import Tile
from app.kernel.variant import Variant
from app.lab.laws.coverage import Rare
from app.lab.laws.rounds import Chooser

Company = Callable[[Variant[Any], int, random.Random], Chooser]
"""From the game, the number of players and chance: who plays a round."""
Hand = Callable[[Variant[Any], random.Random], dict[str, object]]
"""An entry of the game's list `hands` (see `mj score`) whose win check is as dear as can be."""


class LabGame(NamedTuple):
    """`rare`: each must occur in a full soak. `companies`: players who only make sense in this game.

    `lucky_seeds`: how many seeds to try for a hand that is won as dealt, too rare for a full soak; 0: none.
    """

    rare: tuple[Rare, ...] = ()
    companies: tuple[Company, ...] = ()
    lucky_seeds: int = 0
    dearest_hand: Hand | None = None


_NOTHING: Final = LabGame()


def lab_game(slug: str) -> LabGame:
    """The content of `app/lab/games/<slug>.py`; nothing, where there is no such file."""
    name = f"app.lab.games.{slug}"
    return _NOTHING if find_spec(name) is None else import_module(name).GAME


def near(tiles: list[Tile], rng: random.Random, number: int) -> list[Tile]:
    """Tiles that lie close together, so that many decompositions are possible."""
    first = rng.randrange(len(tiles) - 40)
    return rng.sample(tiles[first : first + 40], number)
