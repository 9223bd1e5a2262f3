"""Soak players who want one hand and no other: a pattern that sensible play hardly meets, or a kong of wild tiles.

Each plays by its own view and its own offers. Companies are made of them in `players.py`; no game is named here.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from app.bots import Effort
from app.bots.claims import worth
from app.bots.discards import best_throw
from app.bots.sight import Sight, sight, unseen
from app.kernel.actions import Action
from app.kernel.melds import Meld
from app.kernel.play.commands import Act, Command, TimeOut
from app.kernel.play.decisions import Decision
from app.kernel.shapes.counts import ONE, Hand, contains, count, hand_of, kinds_of
from app.kernel.table import TableState
from app.kernel.tiles import COPIES, SUIT, Tile
from app.kernel.variant import Variant
from app.kernel.views import view
from app.lab.laws.rounds import Chooser, Open, bots

_GOOD: Final[Effort] = "normal"
Shape = Literal["sets", "triplets", "single", "pairs", "fours"]
"""Anything complete; triplets; four melds and a single tile; seven pairs; seven pairs won on a fourth copy."""


@dataclass(frozen=True, slots=True)
class Aim:
    """The one hand that is wanted: its shape, and the suit that all of it must show (None: any suits)."""

    shape: Shape
    suit: str | None


def seeking(game: Variant[Any], aims: tuple[Aim, ...]) -> Chooser:
    """Players, by seat, who build a hand as a goal and pass every other win."""

    def command(chance: random.Random, state: Any, open_: Open) -> Command:
        decision = chance.choice(open_)
        if decision.seat is None:
            return TimeOut(decision.id)
        seat = decision.seat
        seen = view(state.table, seat)
        own = sight(game, seen, seat)
        wanted = _wanted(decision, aims[seat], own, seen, seat)
        if wanted is None:
            throws = tuple([o for o in decision.options if o.verb == "discard" and o.choice is None])
            if not throws:
                return TimeOut(decision.id)
            wanted = _throw(throws, aims[seat], own, unseen(seen, seat), chance.getrandbits(16))
        return Act(seat, decision.id, wanted)

    return command


def _wanted(decision: Decision, aim: Aim, own: Sight, seen: TableState, seat: int) -> Action | None:
    """The first offer besides a discard that leads to the aim."""
    melds = seen.seats[seat].melds
    mine = decision.options[-1].verb == "discard"
    for option in decision.options:
        if option.verb == "win":
            if _reached(aim, own.hand, melds, _offered(seen, seat)):
                return option
        elif option.verb not in ("discard", "pass") and _leads_on(aim, option, own, melds, mine):
            return option
    return None


def _offered(seen: TableState, seat: int) -> tuple[Tile | None, bool]:
    """The tile a win would be on, and whether it is in the hand already."""
    if seen.laid is not None and seen.laid.seat != seat:
        return seen.laid.tile, False
    if seen.last is not None and seen.last[0] != seat:
        return seen.last[1], False
    return seen.seats[seat].drawn, True


def _reached(aim: Aim, held: Hand, melds: tuple[Meld, ...], offered: tuple[Tile | None, bool]) -> bool:
    """True when a win on the offered tile is the hand aimed at. The game decides that it is a win at all."""
    tile, inside = offered
    hand = held if inside or tile is None else held + ONE[tile]
    kinds = kinds_of(hand)
    shown = {SUIT[kind] for kind in kinds} | {SUIT[meld.tiles[0]] for meld in melds}
    if aim.suit is not None and shown != {aim.suit}:
        return False
    match aim.shape:
        case "sets":
            return True
        case "triplets":
            return len(melds) < 4 and all(count(hand, kind) > 1 for kind in kinds) and not _paired(hand)
        case "single":
            return len(melds) == 4
        case "pairs":
            return _paired(hand)
        case "fours":
            return _paired(hand) and tile is not None and count(hand, tile) == COPIES


def _paired(hand: Hand) -> bool:
    return all(count(hand, kind) % 2 == 0 for kind in kinds_of(hand)) and len(kinds_of(hand)) > 1


def _leads_on(aim: Aim, option: Action, own: Sight, melds: tuple[Meld, ...], mine: bool) -> bool:
    """Pairs lay nothing down; triplets lay down all they can; other hands ask what good it does."""
    if aim.shape in ("pairs", "fours") or (aim.suit is not None and SUIT[option.tiles[0]] != aim.suit):
        return False
    return aim.shape != "sets" or worth(option, own, melds, mine)


def _throw(throws: tuple[Action, ...], aim: Aim, own: Sight, left: dict[Tile, int], word: int) -> Action:
    """Other suits go first; then what the shape can do without."""
    others = tuple([option for option in throws if SUIT[option.tiles[0]] != aim.suit])
    if aim.shape == "sets":
        return best_throw(others or throws, own, left, word)
    keep = _WORTH_OF_COPIES["pairs" if aim.shape in ("pairs", "fours") else "triplets"]
    return min(
        (others if aim.suit is not None and others else throws),
        key=lambda o: (keep[count(own.hand, o.tiles[0])], left.get(o.tiles[0], COPIES), o.tiles[0]),
    )


_WORTH_OF_COPIES: Final = {"triplets": (0, 0, 1, 2, 2), "pairs": (0, 0, 2, 1, 2)}
"""By the number of copies held: what is kept longest. The odd tile of three waits for the fourth."""


# ── part of the hand set apart ──

Apart = Callable[[Sight], tuple[Sight, tuple[Tile, ...], bool] | None]
"""From the own hand: what is left beside the tiles set apart, these, and whether a win is wanted yet; None: nothing."""


def treasuring(treasures: tuple[tuple[Tile, ...], ...]) -> Apart:
    """Two different tiles of a treasure, which wait for the third; any win will do."""

    def apart(own: Sight) -> tuple[Sight, tuple[Tile, ...], bool] | None:
        for kinds in treasures:
            here = tuple([kind for kind in kinds if count(own.hand, kind)])
            if len(here) == 2 and own.sets > 0 and contains(own.naturals, hand_of(here)):
                return replace(own, naturals=own.naturals - hand_of(here), sets=own.sets - 1), here, True
        return None

    return apart


def straight(own: Sight) -> tuple[Sight, tuple[Tile, ...], bool] | None:
    """One of each kind of the wild tiles' own suit, three runs in the end; a win is wanted when wilds fill the gaps."""
    kinds = [kind for kind in own.kinds if own.wild_kinds and SUIT[kind] == SUIT[own.wild_kinds[0]] != "z"]
    here = tuple([kind for kind in kinds if count(own.naturals, kind)])
    if own.sets < 3 or not kinds:
        return None
    rest = replace(own, naturals=own.naturals - hand_of(here), sets=own.sets - 3, pair=True, wilds=0)
    return rest, here, len(here) == len(kinds) - len(own.wild_kinds)


def keeping(game: Variant[Any], players: int, apart: Apart) -> Chooser:
    """Players who keep the tiles set apart and build the rest of the hand around them."""
    sensible = bots(game, (_GOOD,) * players)

    def command(chance: random.Random, state: Any, open_: Open) -> Command:
        decision = chance.choice(open_)
        seat = decision.seat
        if seat is None or decision.clock == "answer":
            return sensible(chance, state, (decision,))
        seen = view(state.table, seat)
        found = apart(sight(game, seen, seat))
        if found is None or (decision.options[0].verb == "win" and found[2]):
            return sensible(chance, state, (decision,))
        rest, kept, _ = found
        for option in decision.options if rest.sets else ():
            free = option.verb not in ("win", "discard", "pass", "light") and not set(option.tiles) & set(kept)
            if free and worth(option, rest, seen.seats[seat].melds, state.table.turn == seat):
                return Act(seat, decision.id, option)
        throws = tuple([o for o in decision.options if o.verb == "discard" and count(rest.naturals, o.tiles[0])])
        if throws:
            return Act(seat, decision.id, best_throw(throws, rest, unseen(seen, seat), chance.getrandbits(16)))
        return TimeOut(decision.id)

    return command


def hoarding(game: Variant[Any], players: int) -> Chooser:
    """Nobody wins; all keep their wild tiles and lay four equal ones as a kong. Late, who holds few throws them."""
    sensible = bots(game, (_GOOD,) * players)

    def command(chance: random.Random, state: Any, open_: Open) -> Command:
        decision = chance.choice(open_)
        seat = decision.seat
        if seat is None or decision.clock == "answer":
            return sensible(chance, state, (decision,))
        own = sight(game, view(state.table, seat), seat)
        for option in decision.options:
            if option.verb not in ("kong", "discard") or option.tiles[0] not in own.wild_kinds:
                continue
            few = count(own.hand, option.tiles[0]) < COPIES - 1
            if option.verb == "kong" or (few and state.table.left <= _LATE):
                return Act(seat, decision.id, option)
        others = tuple([option for option in decision.options if option.verb != "win"])
        return sensible(chance, state, (replace(decision, options=others),))

    return command


_LATE: Final = 20
"""Tiles left in the wall when a fourth copy is no more to be hoped for by those who hold one or two."""
