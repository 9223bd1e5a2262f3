"""Hints (听牌提示): which kinds complete the hand, how many are left, what each would pay (TS-9.8).

Sees a seat's own view only: what it does not see, it counts as possibly still to come. No offers, no choices.
"""

from __future__ import annotations

from app.kernel.shapes.counts import ONE, Hand, hand_of, kinds_of
from app.kernel.table import SeatTiles, TableState
from app.kernel.variant import Hint
from app.variants.tangshan.position import seat_position, with_hand
from app.variants.tangshan.scoring import waits
from app.variants.tangshan.winning import fits


def advise(view: TableState, seat: int) -> tuple[Hint, ...]:
    """Hints for `seat` out of its own view: as the hand stands, or after each discard that leaves it ready.

    While a line is locked for the seat (TS-10.3) its kinds show no price by claim.
    """
    place = view.seats[seat]
    p = seat_position(view, seat)
    owned = p.hand + sum(hand_of(meld.tiles) for meld in place.melds)
    seen = sum(_seen_of(other, mine=other is place) for other in view.seats)
    if view.laid is not None and view.laid.seat != seat:
        seen += ONE[view.laid.tile]
    if fits(p.hand, p.sets, p.pair_claimed):
        hints = [Hint(tile, waits(with_hand(p, p.hand - ONE[tile]), owned, seen)) for tile in kinds_of(p.hand)]
    else:
        hints = [Hint(None, waits(p, owned, seen))]
    return tuple([hint for hint in hints if hint.waits])


def _seen_of(place: SeatTiles, mine: bool) -> Hand:
    """Tiles a viewer sees at one place: its row, and its melds as far as they are open (own ones count as owned)."""
    return hand_of(place.row) + (0 if mine else sum(hand_of(meld.tiles) for meld in place.melds))
