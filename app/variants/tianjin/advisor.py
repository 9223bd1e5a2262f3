"""Hints: which tiles win, how many of them are left, and what each would pay (TJ-9.10).

From the seat's own view only; a whole table serves as well, because no other seat's hand is read.
"""

from __future__ import annotations

from functools import lru_cache

from app.kernel.shapes.counts import ONE, Hand, count, kinds_of
from app.kernel.shapes.wildcards import fits, split_wilds
from app.kernel.table import SeatTiles, TableState
from app.kernel.tiles import COPIES, KINDS, Tile
from app.kernel.variant import Hint, Wait
from app.kernel.views import open_tiles
from app.variants.tianjin.offers import has_gold, is_dead, wilds_seen
from app.variants.tianjin.rules import rules_of
from app.variants.tianjin.winning import SETS, Draw, Wilds, best, may_win


def advise(view: TableState, seat: int) -> tuple[Hint, ...]:
    """Waits of the hand as it is, or after each discard that leaves some; points before 坐庄, 拉庄 (TJ-10.12)."""
    own, wilds = view.seats[seat], wilds_seen(view)
    if own.hand is None or wilds is None or is_dead(view, seat):
        return ()
    if own.count % 3 == 1:
        waits = _waits(view, own, own.hand, wilds)
        return (Hint(None, waits),) if waits else ()
    return tuple(
        [
            Hint(kind, waits)
            for kind in kinds_of(own.hand)
            if kind not in wilds and (waits := _waits(view, own, own.hand - ONE[kind], wilds))
        ]
    )


def winning_tiles(table: TableState, seat: int) -> tuple[Tile, ...]:
    """Kinds that win the seat's standing hand by a front draw; none for a dead hand or with a drawn tile (TJ-7.1)."""
    own, wilds = table.seats[seat], wilds_seen(table)
    if own.hand is None or wilds is None or own.count % 3 != 1 or is_dead(table, seat):
        return ()
    bloom = rules_of(table).kong_bloom_plain
    return tuple([kind for kind, _ in _winning(own.hand, len(own.melds), has_gold(own.melds), wilds, bloom)])


@lru_cache(maxsize=1 << 10)
def _winning(hand: Hand, melds: int, gold: bool, wilds: Wilds, bloom: bool) -> tuple[tuple[Tile, int], ...]:
    """Every kind that wins on top of `hand`, with its 番."""
    if not fits(split_wilds(hand, wilds)[0], SETS - melds, True):
        return ()
    found = [
        (kind, best(Draw(hand + ONE[kind], kind, melds, gold, wilds))) for kind in KINDS if count(hand, kind) < COPIES
    ]
    return tuple([(kind, reading.fan) for kind, reading in found if reading is not None and may_win(reading, bloom)])


def _waits(view: TableState, own: SeatTiles, hand: Hand, wilds: Wilds) -> tuple[Wait, ...]:
    """Waits of `hand`: the own hand, or what a discard would leave of it; the discarded tile counts as seen."""
    assert own.hand is not None
    rules = rules_of(view)
    seen = own.hand + open_tiles(view)
    return tuple(
        [
            Wait(kind, max(0, COPIES - count(seen, kind)), fan * rules.base, None)
            for kind, fan in _winning(hand, len(own.melds), has_gold(own.melds), wilds, rules.kong_bloom_plain)
        ]
    )
