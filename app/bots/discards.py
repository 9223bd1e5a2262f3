"""Which tile a bot throws: the one it needs least, then the one that leaves most tiles to hope for.

Wild tiles are kept while anything else may be thrown. No claims, no kongs here.
"""

from __future__ import annotations

from typing import Final

from app.bots.sight import Sight
from app.kernel.actions import Action
from app.kernel.shapes.counts import ONE
from app.kernel.shapes.distance import distance, held_without, pairs_distance, useful
from app.kernel.tiles import COPIES, RANK, SUIT, Tile

_COMPARED: Final = 5
"""Equally good discards of which the hopes are counted; the rest lose to these by their place on the table."""


def best_throw(options: tuple[Action, ...], sight: Sight, unseen: dict[Tile, int] | None, word: int) -> Action:
    """One of the discards in `options`. `unseen` None: an easy player, who does not count what lies on the table."""
    throws = {option.tiles[0]: option for option in options if option.choice is None}
    kinds = [kind for kind in throws if kind not in sight.wild_kinds] or list(throws)
    if len(kinds) == 1 or kinds[0] in sight.wild_kinds:
        tile = kinds[word % len(kinds)]
    elif sight.pairs_hand and pairs_distance(sight.hand) < distance(
        sight.naturals, sight.sets, sight.pair, sight.wilds
    ):
        tile = _of_pairs(kinds, sight, unseen, word)
    else:
        tile = _of_sets(kinds, sight, unseen, word)
    declared = [option for option in options if option.tiles == (tile,) and option.choice is not None]
    return declared[0] if declared and (unseen is not None or word & 1) else throws[tile]


def _of_sets(kinds: list[Tile], sight: Sight, unseen: dict[Tile, int] | None, word: int) -> Tile:
    held = held_without(sight.naturals, sight.sets, sight.pair)
    most = max([held[kind] for kind in kinds])
    equal = sorted([kind for kind in kinds if held[kind] == most], key=_loneliness)
    if len(equal) == 1 or unseen is None:
        return equal[word % len(equal)]
    return max(equal[:_COMPARED], key=lambda kind: _hopes(kind, sight, unseen))


def _hopes(thrown: Tile, sight: Sight, unseen: dict[Tile, int]) -> int:
    """Unseen copies of the kinds that would bring the hand nearer once `thrown` is gone."""
    found = useful(sight.naturals - ONE[thrown], sight.sets, sight.pair, sight.kinds)
    return sum([unseen.get(kind, COPIES) for kind in found])


def _of_pairs(kinds: list[Tile], sight: Sight, unseen: dict[Tile, int] | None, word: int) -> Tile:
    """Towards seven pairs: the odd tile whose partner is least likely to come."""
    near = pairs_distance(sight.hand)
    odd = [kind for kind in kinds if pairs_distance(sight.hand - ONE[kind]) == near] or kinds
    if unseen is None:
        return odd[word % len(odd)]
    return min(odd, key=lambda kind: unseen.get(kind, COPIES))


def _loneliness(kind: Tile) -> int:
    """Honours first, then ends, then the middle: how few runs a kind can lie in."""
    return 0 if SUIT[kind] == "z" else min(RANK[kind], 10 - RANK[kind])
