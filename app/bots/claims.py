"""A bot's choice among offers besides a win: melds, kongs, covers, lit sets.

A table by verb states the number of tiles that the hand gives up and the required gain; it serves every game that uses
the verb.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from app.bots.sight import Sight
from app.kernel.actions import Action
from app.kernel.melds import Meld
from app.kernel.shapes.counts import ONE, Hand, count, hand_of

_Judge = Callable[[Action, Sight, tuple[Meld, ...], bool], bool]


def worth(option: Action, sight: Sight, melds: tuple[Meld, ...], own_turn: bool) -> bool:
    """True when the bot would rather do this than pass or discard. `melds` are its own."""
    judge = _JUDGES.get(option.verb)
    return judge is not None and judge(option, sight, melds, own_turn)


def _light(option: Action, sight: Sight, melds: tuple[Meld, ...], own_turn: bool) -> bool:
    """A lit set is a set and is paid at once."""
    return True


def _cover(option: Action, sight: Sight, melds: tuple[Meld, ...], own_turn: bool) -> bool:
    return sight.away(3 * ONE[option.tiles[0]], sight.sets - 1) <= sight.now()


def _kong(option: Action, sight: Sight, melds: tuple[Meld, ...], own_turn: bool) -> bool:
    tile = option.tiles[0]
    if tile in sight.wild_kinds:
        return False
    if any(meld.kind == "cover" and meld.tiles[0] == tile for meld in melds):
        return not own_turn or sight.away(ONE[tile], sight.sets) <= sight.now()
    given = 4 if own_turn else 3
    return count(sight.hand, tile) >= given and sight.away(given * ONE[tile], sight.sets - 1) <= sight.now()


def _extend(option: Action, sight: Sight, melds: tuple[Meld, ...], own_turn: bool) -> bool:
    return sight.away(ONE[option.tiles[0]], sight.sets) <= sight.now()


def _pong(option: Action, sight: Sight, melds: tuple[Meld, ...], own_turn: bool) -> bool:
    return sight.away(2 * ONE[option.tiles[0]], sight.sets - 1) < sight.now()


def _chow(option: Action, sight: Sight, melds: tuple[Meld, ...], own_turn: bool) -> bool:
    """Any of the three may be the claimed one; the hand gives the two it can spare best."""
    run = hand_of(option.tiles)
    given: list[Hand] = [run - ONE[tile] for tile in option.tiles]
    fitting = [part for part in given if all(count(sight.hand, t) >= count(part, t) for t in option.tiles)]
    return min([sight.away(part, sight.sets - 1) for part in fitting], default=99) < sight.now()


def _pair(option: Action, sight: Sight, melds: tuple[Meld, ...], own_turn: bool) -> bool:
    return sight.away(ONE[option.tiles[0]], sight.sets, pair=False) < sight.now()


_JUDGES: Final[dict[str, _Judge]] = {
    "light": _light, "cover": _cover, "kong": _kong, "extend": _extend,
    "pong": _pong, "chow": _chow, "pair_claim": _pair,
}  # fmt: skip
