"""Why a win, pong or kong that a seat's tiles suggest is not offered (`why_not`), from the seat's own position.

A win is suggested by a complete shape, wilds playing anything, and by seven pairs; a pong or kong by equal tiles. The
offers decide; a reason only says which clause kept an action out of them.
"""

from __future__ import annotations

from typing import Final

from app.kernel.actions import WIN, Action, action
from app.kernel.shapes.counts import ONE, SHIFT, Hand, count, kinds_of, size
from app.kernel.shapes.wildcards import fits, split_wilds
from app.kernel.tiles import Tile
from app.kernel.variant import Reason
from app.variants.tianjin.offers import Position, claim_offers, draw_of, own_kongs, turn_win, wilds_seen
from app.variants.tianjin.state import TianjinState, position_of
from app.variants.tianjin.winning import SETS, Wilds, best

_FULL: Final = 3 * SETS + 2


def why_not(state: TianjinState, seat: int) -> tuple[Reason, ...]:
    """Reasons for the seat in its own turn, or about another's discard; () where nothing is suggested."""
    table, window = state.table, state.window
    if table.phase != "turn" or wilds_seen(table) is None:
        return ()
    if window is None:
        return turn_reasons(position_of(state, seat)) if table.turn == seat else ()
    if window.tile is None or window.seat == seat or window.answers[seat] is not None:
        return ()
    return claim_reasons(position_of(state, seat), window.tile)


def turn_reasons(position: Position) -> tuple[Reason, ...]:
    """Why the seat in turn may not win or make a kong.

    After a pong a seat only discards (TJ-5.3); on the last live tile there is no kong (TJ-4.12).
    """
    win = _turn_win(position)
    reasons = [] if win is None else [win]
    kongs = own_kongs(position)
    if position.began == "pong":
        reasons += [Reason(kong, "after_pong", "TJ-5.3") for kong in kongs]
    elif position.left == 0:
        reasons += [Reason(kong, "last_tile", "TJ-4.12") for kong in kongs]
    return tuple(reasons)


def _turn_win(position: Position) -> Reason | None:
    """小相公 (TJ-7.1), a pong before (TJ-5.3), pairs (TJ-9.3), too few 番 (TJ-9.6, TJ-9.7)."""
    whole = _complete(position.hand, len(position.melds), position.wilds)
    if not whole and not _seven_pairs(position.hand, position.wilds):
        return None
    if position.dead:
        return Reason(WIN, "dead_hand", "TJ-7.1")
    if position.began == "pong":
        return Reason(WIN, "after_pong", "TJ-5.3")
    if not whole:
        return Reason(WIN, "no_pairs_hand", "TJ-9.3")
    if turn_win(position) is not None:
        return None
    reading = best(draw_of(position))
    if reading is not None and "gang_kai" in reading.patterns:
        return Reason(WIN, "plain_bloom", "TJ-9.7")
    return Reason(WIN, "too_small", "TJ-9.6")


def claim_reasons(position: Position, tile: Tile) -> tuple[Reason, ...]:
    """Why another's discard may not be won (TJ-5.9), ponged (TJ-5.7) or made a kong (TJ-6.6)."""
    hand, wilds = position.hand, position.wilds
    reasons: list[Reason] = []
    if _complete(hand + ONE[tile], len(position.melds), wilds):
        reasons.append(Reason(WIN, "no_discard_win", "TJ-5.9"))
    copies = count(hand, tile)
    if copies < 2:
        return tuple(reasons)
    offered = {offer.verb for offer in claim_offers(hand, tile, wilds, position.left)}
    if "pong" not in offered:
        reasons.append(Reason(action("pong", tile), "wild_pong", "TJ-5.7"))
    if copies == 3 and "kong" not in offered:
        reasons.append(Reason(_claimed_kong(tile, wilds), "no_replacement", "TJ-6.6"))
    return tuple(reasons)


def _claimed_kong(tile: Tile, wilds: Wilds) -> Action:
    return action("kong", tile, choice="kong_gold" if tile in wilds else "kong_exposed")


def _complete(hand: Hand, melds: int, wilds: Wilds) -> bool:
    """Four sets and a pair, whatever they are worth (TJ-9.2, TJ-9.4)."""
    return size(hand) + 3 * melds == _FULL and fits(split_wilds(hand, wilds)[0], SETS - melds, True)


def _seven_pairs(hand: Hand, wilds: Wilds) -> bool:
    """Fourteen concealed tiles that pair up, wilds playing anything."""
    if size(hand) != _FULL:
        return False
    naturals, spare = split_wilds(hand, wilds)
    return sum([(naturals >> SHIFT[kind]) & 1 for kind in kinds_of(naturals)]) <= spare
