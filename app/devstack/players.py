"""Who plays in a soak: bots with sense, without, and with manias that lead into far corners of the rules.

`chooser(game, players, rng)` picks one company for a round. Bots for people to play against are in `app/bots`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from app.bots import Effort
from app.bots.claims import worth
from app.bots.discards import best_throw
from app.bots.sight import Sight, sight, unseen
from app.devstack.rounds import Chooser, Open, bots
from app.kernel.actions import Action
from app.kernel.commands import Act, Command, TimeOut
from app.kernel.shapes.counts import contains, count, hand_of
from app.kernel.tiles import Tile
from app.kernel.variant import Variant
from app.kernel.views import view

Maker = Callable[[Variant[Any], int, random.Random], Chooser]

_GOOD: Final[Effort] = "normal"
TREASURES: Final[dict[str, tuple[tuple[Tile, ...], ...]]] = {
    "tangshan": (("1m", "1p", "1s"), ("9m", "9p", "9s"), ("5z", "6z", "7z"))
}
"""Sets of different kinds (喜) that a miser waits for."""


def chooser(game: Variant[Any], players: int, rng: random.Random) -> Chooser:
    """A company for one round."""
    return rng.choice(_COMPANIES)(game, players, rng)


def _sensible(game: Variant[Any], players: int, rng: random.Random) -> Chooser:
    return bots(game, (_GOOD,) * players)


def _mixed(game: Variant[Any], players: int, rng: random.Random) -> Chooser:
    efforts: tuple[Effort, ...] = ("normal", "easy", "random")
    return bots(game, tuple(rng.choices(efforts, k=players)))


def _greedy(game: Variant[Any], players: int, rng: random.Random) -> Chooser:
    """Takes melds and kongs wherever it can, and a win half of the time: far corners of the rules."""
    sensible = bots(game, (_GOOD,) * players)

    def command(chance: random.Random, state: Any, open_: Open) -> Command:
        decision = chance.choice(open_)
        rare = [option for option in decision.options if option.verb not in ("discard", "pass")]
        if decision.seat is None or not rare:
            return sensible(chance, state, open_)
        return Act(decision.seat, decision.id, chance.choice(rare))

    return command


def _wasteful(game: Variant[Any], players: int, rng: random.Random) -> Chooser:
    """Plays well and takes a win one time in six: locks, last tiles, exhausted rounds."""
    sensible = bots(game, (_GOOD,) * players)

    def command(chance: random.Random, state: Any, open_: Open) -> Command:
        found = sensible(chance, state, open_)
        if not isinstance(found, Act) or found.action.verb != "win" or chance.random() < 1 / 6:
            return found
        decision = next(decision for decision in open_ if decision.id == found.decision_id)
        others: list[Action] = [option for option in decision.options if option.verb != "win"]
        return Act(found.seat, found.decision_id, chance.choice(others)) if others else found

    return command


def _copying(game: Variant[Any], players: int, rng: random.Random) -> Chooser:
    """Throws what was thrown before it, where it can: the only players who follow a discard all around (铲)."""
    sensible = bots(game, (_GOOD,) * players)

    def command(chance: random.Random, state: Any, open_: Open) -> Command:
        decision = chance.choice(open_)
        last = [seat.row[0] for seat in state.table.seats if seat.row]
        for option in decision.options:
            if decision.seat is not None and option.verb == "discard" and option.tiles[0] in last:
                return Act(decision.seat, decision.id, option)
        if decision.seat is not None and decision.clock == "claim" and chance.random() < 0.5:
            return TimeOut(decision.id)
        return sensible(chance, state, open_)

    return command


def _miserly(game: Variant[Any], players: int, rng: random.Random) -> Chooser:
    """Keeps two thirds of a treasure and builds the rest of the hand around it: wins that complete 喜 by the draw."""
    sensible = bots(game, (_GOOD,) * players)

    def command(chance: random.Random, state: Any, open_: Open) -> Command:
        decision = chance.choice(open_)
        seat = decision.seat
        if seat is None or decision.options[0].verb == "win" or game.meta.slug not in TREASURES:
            return sensible(chance, state, (decision,))
        own = view(state.table, seat)
        kept = _treasure(game, sight(game, own, seat))
        if kept is None:
            return sensible(chance, state, (decision,))
        rest, treasure = kept
        for option in decision.options:
            wanted = option.verb not in ("discard", "pass", "light") and not set(option.tiles) & set(treasure)
            if wanted and worth(option, rest, own.seats[seat].melds, state.table.turn == seat):
                return Act(seat, decision.id, option)
        throws = tuple([o for o in decision.options if o.verb == "discard" and o.tiles[0] not in treasure])
        if throws:
            return Act(seat, decision.id, best_throw(throws, rest, unseen(own, seat), chance.getrandbits(16)))
        return TimeOut(decision.id)

    return command


def _treasure(game: Variant[Any], own: Sight) -> tuple[Sight, tuple[Tile, ...]] | None:
    """The rest of the hand beside two different tiles of a treasure, and these two; None when it holds none."""
    for kinds in TREASURES[game.meta.slug]:
        here = tuple([kind for kind in kinds if count(own.hand, kind)])
        if len(here) == 2 and own.sets > 0 and contains(own.naturals, hand_of(here)):
            return replace(own, naturals=own.naturals - hand_of(here), sets=own.sets - 1), here
    return None


_COMPANIES: Final[tuple[Maker, ...]] = (_sensible, _mixed, _greedy, _wasteful, _copying, _miserly)
