"""Hints for one seat (提示): its waits, the unseen copies of each, and the pay of each win.

From the seat's own view only: a hint contains nothing that the player could not count.
"""

from __future__ import annotations

from collections.abc import Iterator

from app.kernel.shapes.counts import EMPTY, ONE, count, kinds_of, size
from app.kernel.table import TableState
from app.kernel.tiles import COPIES, Tile
from app.kernel.variant import Hint, Wait
from app.kernel.views import open_tiles
from app.variants.guizhou.offers import Position, claim_win, earth
from app.variants.guizhou.rules import rules_of
from app.variants.guizhou.scoring import SELF_DRAW_FACTOR
from app.variants.guizhou.state import declared, position_of
from app.variants.guizhou.winning import PATTERN_VALUE, laid_of, pattern_of, waits_of


def advise(view: TableState, seat: int) -> tuple[Hint, ...]:
    """One hint for the hand as it is, or in the own turn one for each discard that leaves the hand ready."""
    hand = view.seats[seat].hand
    if hand is None or view.phase != "turn":
        return ()
    position = position_of(view, seat, ())
    if size(hand) + 3 * len(position.melds) == 14:
        discards = (position.drawn,) if position.declared and position.drawn is not None else kinds_of(hand)
        hints = [Hint(tile, tuple(_waits(view, seat, _after(position, tile), tile))) for tile in discards]
    else:
        hints = [Hint(None, tuple(_waits(view, seat, position, None)))]
    return tuple([hint for hint in hints if hint.waits])


def _after(position: Position, discard: Tile) -> Position:
    """The position once `discard` is thrown."""
    return Position(
        position.hand - ONE[discard],
        position.melds,
        None,
        position.dealer,
        position.declared,
        position.discards + 1,
        position.wall,
        (),
    )


def _waits(view: TableState, seat: int, position: Position, discard: Tile | None) -> Iterator[Wait]:
    seen = position.hand + (EMPTY if discard is None else ONE[discard]) + open_tiles(view)
    rules = rules_of(view)
    bonus = rules.tian_ting_bonus * declared(view, seat) + rules.di_hu_bonus * earth(position)
    factor = SELF_DRAW_FACTOR if rules.zimo_double else 1
    laid = laid_of(position.melds)
    for tile in waits_of(position.hand, laid):
        name = pattern_of(position.hand + ONE[tile], tile, laid)
        claimed = claim_win(position, tile, exempt=False)
        if name is not None:
            by_draw = (PATTERN_VALUE[name] + bonus) * factor * rules.base
            by_claim = None if claimed is None else (PATTERN_VALUE[claimed] + bonus) * rules.base
            yield Wait(tile, max(COPIES - count(seen, tile), 0), by_draw, by_claim)
