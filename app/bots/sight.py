"""Facts that a bot derives from its own view: its tiles, the tiles it needs, and the unseen copies of each kind.

Works for every game by the open state of the table and by `Meta.bots`, which states whether seven pairs win and which
mark lists the wild kinds. A settled pair stands among the melds. No choice is made here.
"""

from __future__ import annotations

from typing import Any

from app.kernel.immutable import immutable
from app.kernel.shapes.counts import EMPTY, Hand, count, kinds_of, size
from app.kernel.shapes.distance import distance, pairs_distance
from app.kernel.shapes.wildcards import split_wilds
from app.kernel.table import TableState
from app.kernel.tiles import COPIES, Tile
from app.kernel.variant import Variant
from app.kernel.views import open_tiles


@immutable
class Sight:
    """The seat's own position. `sets` are still to be made from `naturals` and `wilds`, and a pair if `pair`.

    With a wild in hand the pair is left to it (混吊): four sets and a wild win on any tile, so `pair` is False then and
    `wilds` counts the others. `pairs_hand`: seven pairs is a way to win as well.
    """

    hand: Hand
    naturals: Hand
    wilds: int
    wild_kinds: tuple[Tile, ...]
    sets: int
    pair: bool
    pairs_hand: bool
    kinds: tuple[Tile, ...]

    def away(self, without: Hand, sets: int, pair: bool | None = None) -> int:
        """Distance after the tiles `without` left the hand, with `sets` sets (and the pair) still to be made."""
        wanted = self.pair if pair is None else pair
        return distance(self.naturals - without, sets, wanted, self.wilds)

    def now(self) -> int:
        """Distance as the hand stands, by its best way to win."""
        standing = distance(self.naturals, self.sets, self.pair, self.wilds)
        return min(standing, pairs_distance(self.hand)) if self.pairs_hand else standing


def sight(variant: Variant[Any], view: TableState, seat: int) -> Sight:
    """Read the seat's own view. Raises TypeError when the seat's hand is hidden, which is not its own view then."""
    own = view.seats[seat]
    if own.hand is None:
        raise TypeError(f"this is not the view of seat {seat}: its hand is hidden")
    hints = variant.meta.bots
    marked = None if hints.wilds_mark is None else view.mark(hints.wilds_mark)
    wild_kinds: tuple[Tile, ...] = tuple([str(kind) for kind in marked]) if isinstance(marked, tuple) else ()
    naturals, wilds = split_wilds(own.hand, wild_kinds)
    tiles = size(own.hand)
    settled = any(meld.kind == "pair_claim" for meld in own.melds)
    pairs_hand = hints.seven_pairs and not own.melds
    sets = (tiles + 1) // 3 if settled else tiles // 3
    return Sight(
        own.hand, naturals, max(0, wilds - 1), wild_kinds, sets, not settled and not wilds, pairs_hand,
        variant.meta.kinds,
    )  # fmt: skip


def unseen(view: TableState, seat: int) -> dict[Tile, int]:
    """For each kind, the copies that lie nowhere this seat can see. Kinds it has seen none of are left out."""
    seen = (view.seats[seat].hand or EMPTY) + open_tiles(view)
    return {kind: COPIES - count(seen, kind) for kind in kinds_of(seen)}
