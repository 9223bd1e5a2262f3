"""Hints of 二人雀: waits of the hand as it stands or after each discard, from the seat's own view."""

from __future__ import annotations

from app.kernel.melds import Meld
from app.kernel.shapes.counts import ONE, Hand, count, kinds_of, size
from app.kernel.table import TableState
from app.kernel.tiles import COPIES, Tile
from app.kernel.variant import Hint, Wait
from app.kernel.views import open_tiles
from tests.variants.fourth.erren.winning import DRAW_FACTOR, fan, reading, waits


def advise(view: TableState, seat: int) -> tuple[Hint, ...]:
    """One hint, or one for each discard that leaves the hand ready; none for a hidden hand."""
    own = view.seats[seat]
    hand = own.hand
    if hand is None:
        return ()
    seen, base = hand + open_tiles(view), int(str(dict(view.facts.rules)["base"]))
    throws = (None,) if size(hand) % 3 == 1 else kinds_of(hand)
    hints = [Hint(throw, _waits(hand - (ONE[throw] if throw else 0), own.melds, seen, base)) for throw in throws]
    return tuple([hint for hint in hints if hint.waits])


def _waits(hand: Hand, melds: tuple[Meld, ...], seen: Hand, base: int) -> tuple[Wait, ...]:
    return tuple([_wait(tile, hand, melds, seen, base) for tile in waits(hand, melds)])


def _wait(tile: Tile, hand: Hand, melds: tuple[Meld, ...], seen: Hand, base: int) -> Wait:
    points = fan(reading(hand + ONE[tile], melds) or ()) * base
    return Wait(tile, COPIES - count(seen, tile), points * DRAW_FACTOR, points)
