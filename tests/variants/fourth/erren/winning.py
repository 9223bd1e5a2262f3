"""Shapes and prices of 二人雀: two sets and a pair, melds counted in (ER-3.1, ER-3.2). No seats, no events."""

from __future__ import annotations

from typing import Final

from app.kernel.ledger import Detail
from app.kernel.melds import Meld
from app.kernel.shapes.counts import ONE, Hand, count, kinds_of, size
from app.kernel.shapes.sets import complete
from app.kernel.shapes.sets import waits as shape_waits
from app.kernel.tiles import COPIES, DRAGONS, Tile
from tests.variants.fourth.erren.rules import META

HAND: Final = 7
DRAW_FACTOR: Final = 2


def reading(hand: Hand, melds: tuple[Meld, ...]) -> Detail | None:
    """Patterns with their fan of a whole hand, None when it does not win."""
    if size(hand) + 3 * len(melds) != HAND + 1 or not complete(hand):
        return None
    copies = [count(hand, kind) for kind in kinds_of(hand)]
    triplets = sorted(copies) == [2] + [3] * (len(copies) - 1)
    shape = ("peng_peng_hu", 2) if triplets else ("ping_hu", 1)
    laid = [meld.tiles[0] for meld in melds]
    dragons = sum(count(hand, kind) == 3 or kind in laid for kind in DRAGONS)
    return (shape, ("jian_ke", dragons)) if dragons else (shape,)


def fan(detail: Detail) -> int:
    """Sum of the fan of some patterns."""
    return sum(amount for _, amount in detail)


def waits(hand: Hand, melds: tuple[Meld, ...]) -> tuple[Tile, ...]:
    """Kinds that complete a waiting hand; a kind whose four copies the seat owns is none."""
    if size(hand) + 3 * len(melds) != HAND:
        return ()
    owned = hand + sum(meld.count * ONE[meld.tiles[0]] for meld in melds)
    return tuple([kind for kind in shape_waits(hand, META.kinds) if count(owned, kind) < COPIES])
