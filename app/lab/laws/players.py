"""Who plays in a soak: bots with sense, without, and with manias that lead into far corners of the rules.

`chooser(game, players, rng)` picks one company for a round. Bots for people to play against are in `app/bots`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from app.bots import Effort
from app.kernel.actions import Action
from app.kernel.commands import Act, Command, TimeOut
from app.kernel.tiles import SUIT, Tile
from app.kernel.variant import Variant
from app.lab.laws.goal_bots import Aim, Shape, hoarding, keeping, seeking, straight, treasuring
from app.lab.laws.rounds import Chooser, Open, bots

Maker = Callable[[Variant[Any], int, random.Random], Chooser]

_GOOD: Final[Effort] = "normal"
_TREASURES: Final[tuple[tuple[Tile, ...], ...]] = (("1m", "1p", "1s"), ("9m", "9p", "9s"), ("5z", "6z", "7z"))
"""Sets of different kinds (喜) that a miser waits for."""
_AIMS: Final[tuple[tuple[Shape, bool], ...]] = (
    ("sets", True), ("triplets", False), ("triplets", True), ("single", False), ("single", True),
    ("pairs", True), ("pairs", True), ("fours", False), ("fours", True), ("fours", True),
)  # fmt: skip
"""What a seeker may want, and whether all of it in one suit; the rarest twice."""


def chooser(game: Variant[Any], players: int, rng: random.Random) -> Chooser:
    """A company for one round."""
    return rng.choice((*_COMPANIES, *_OF_GAME.get(game.meta.slug, ())))(game, players, rng)


def sensible(game: Variant[Any], players: int, rng: random.Random) -> Chooser:
    """The players that people meet at a table."""
    return bots(game, (_GOOD,) * players)


def _mixed(game: Variant[Any], players: int, rng: random.Random) -> Chooser:
    efforts: tuple[Effort, ...] = ("normal", "easy", "random")
    return bots(game, tuple(rng.choices(efforts, k=players)))


def _greedy(game: Variant[Any], players: int, rng: random.Random) -> Chooser:
    """Takes melds and kongs wherever it can, and a win half of the time: far corners of the rules."""
    good = bots(game, (_GOOD,) * players)

    def command(chance: random.Random, state: Any, open_: Open) -> Command:
        decision = chance.choice(open_)
        rare = [option for option in decision.options if option.verb not in ("discard", "pass")]
        if decision.seat is None or not rare:
            return good(chance, state, open_)
        return Act(decision.seat, decision.id, chance.choice(rare))

    return command


def _wasteful(game: Variant[Any], players: int, rng: random.Random) -> Chooser:
    """Plays well and takes a win one time in six: locks, last tiles, exhausted rounds."""
    good = bots(game, (_GOOD,) * players)

    def command(chance: random.Random, state: Any, open_: Open) -> Command:
        found = good(chance, state, open_)
        if not isinstance(found, Act) or found.action.verb != "win" or chance.random() < 1 / 6:
            return found
        decision = next(decision for decision in open_ if decision.id == found.decision_id)
        others: list[Action] = [option for option in decision.options if option.verb != "win"]
        return Act(found.seat, found.decision_id, chance.choice(others)) if others else found

    return command


def _patient(game: Variant[Any], players: int, rng: random.Random) -> Chooser:
    """Plays well and wins on other players' tiles only: many are ready at once, and one tile has several winners."""
    good = bots(game, (_GOOD,) * players)

    def command(chance: random.Random, state: Any, open_: Open) -> Command:
        decision = chance.choice(open_)
        if decision.clock != "claim":
            others = tuple([option for option in decision.options if option.verb != "win"])
            decision = replace(decision, options=others)
        return good(chance, state, (decision,))

    return command


def _copying(game: Variant[Any], players: int, rng: random.Random) -> Chooser:
    """Throws what was thrown before it, where it can: the only players who follow a discard all around (铲)."""
    good = bots(game, (_GOOD,) * players)

    def command(chance: random.Random, state: Any, open_: Open) -> Command:
        decision = chance.choice(open_)
        last = [seat.row[0] for seat in state.table.seats if seat.row]
        for option in decision.options:
            if decision.seat is not None and option.verb == "discard" and option.tiles[0] in last:
                return Act(decision.seat, decision.id, option)
        if decision.seat is not None and decision.clock == "claim" and chance.random() < 0.5:
            return TimeOut(decision.id)
        return good(chance, state, open_)

    return command


def _miserly(game: Variant[Any], players: int, rng: random.Random) -> Chooser:
    """Keeps two thirds of a treasure (喜): wins that complete one by the draw."""
    return keeping(game, players, treasuring(_TREASURES))


def _straight(game: Variant[Any], players: int, rng: random.Random) -> Chooser:
    """Wants the long straight in the suit of the wild tiles (本混龙)."""
    return keeping(game, players, straight)


def _hoarding(game: Variant[Any], players: int, rng: random.Random) -> Chooser:
    """Nobody wins, and all wait for a kong of wild tiles (金杠)."""
    return hoarding(game, players)


def _seeking(game: Variant[Any], players: int, rng: random.Random) -> Chooser:
    """All want one shape; in a pure hand (清) neighbours want different suits, so each throws what another needs."""
    shape, pure = rng.choice(_AIMS)
    suits = sorted({SUIT[kind] for kind in game.meta.kinds})
    rng.shuffle(suits)
    return seeking(game, tuple([Aim(shape, suits[seat % len(suits)] if pure else None) for seat in range(players)]))


_COMPANIES: Final[tuple[Maker, ...]] = (sensible, _mixed, _greedy, _wasteful, _copying)
_OF_GAME: Final[dict[str, tuple[Maker, ...]]] = {
    "tianjin": (_hoarding, _straight),
    "guizhou": (_seeking, _patient),
    "tangshan": (_miserly,),
}
"""Companies that only make sense where a game pays for what they want."""
