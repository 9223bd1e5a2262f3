"""Hints (听牌提示): which kinds complete the hand, how many are left, what each would pay (TS-9.7, TS-9.8).

From the seat's own view only: a tile that the seat does not see may still come.
"""

from __future__ import annotations

from app.kernel.shapes.counts import ONE, hand_of, kinds_of
from app.kernel.table import TableState
from app.kernel.variant import Hint
from app.kernel.views import open_tiles
from app.variants.tangshan.offers import with_hand
from app.variants.tangshan.scoring import waits
from app.variants.tangshan.state import position_of
from app.variants.tangshan.winning import fits


def advise(view: TableState, seat: int) -> tuple[Hint, ...]:
    """Hints for `seat` out of its own view: as the hand stands, or after each discard that leaves it ready.

    While a line is locked for the seat (TS-10.3) its kinds show no price by claim.
    """
    position = position_of(view, seat)
    laid = sum(hand_of(meld.tiles) for meld in view.seats[seat].melds)
    owned, seen = position.hand + laid, open_tiles(view) - laid
    if fits(position.hand, position.sets, position.pair_claimed):
        hints = [
            Hint(tile, waits(with_hand(position, position.hand - ONE[tile]), owned, seen))
            for tile in kinds_of(position.hand)
        ]
    else:
        hints = [Hint(None, waits(position, owned, seen))]
    return tuple([hint for hint in hints if hint.waits])
