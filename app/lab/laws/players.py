"""Players of a soak: sensible bots, random ones, and bots with manias that lead into far corners of the rules.

`chooser(game, players, rng)` picks one company for a round. Bots for people to play against are in `app/bots`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from app.bots import Effort
from app.kernel.actions import Action
from app.kernel.play.commands import Act, Command, TimeOut
from app.kernel.variant import Variant
from app.lab.games.game import lab_game
from app.lab.laws.rounds import Chooser, Open, bots

Maker = Callable[[Variant[Any], int, random.Random], Chooser]

_GOOD: Final[Effort] = "normal"


def chooser(game: Variant[Any], players: int, rng: random.Random) -> Chooser:
    """A company for one round."""
    return rng.choice((*_COMPANIES, *lab_game(game.meta.slug).companies))(game, players, rng)


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


def patient(game: Variant[Any], players: int, rng: random.Random) -> Chooser:
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
    """Repeats the discard before its own, where possible: the only players who follow a discard all around (铲)."""
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


_COMPANIES: Final[tuple[Maker, ...]] = (sensible, _mixed, _greedy, _wasteful, _copying)
