"""Why a win, 碰 or kong that a seat's tiles suggest is not offered (`why_not`), from the seat's own position.

A win is suggested by a pattern, a claim or kong by equal tiles. The offers decide; a reason only says which clause kept
an action out of them.
"""

from __future__ import annotations

from app.kernel.actions import WIN, action
from app.kernel.shapes.counts import ONE, count
from app.kernel.tiles import Tile
from app.kernel.variant import Reason
from app.variants.guizhou.offers import Position, claim_offers, kongs_held, turn_win
from app.variants.guizhou.state import GuizhouState, declared, position_of
from app.variants.guizhou.winning import laid_of, pattern_of


def why_not(state: GuizhouState, seat: int) -> tuple[Reason, ...]:
    """Reasons for the seat in its own turn, or about another's discard; () where nothing is suggested.

    A tile laid onto a 碰 may be won by every pattern (GZ-8.3), so there is nothing to explain.
    """
    table, window = state.table, state.window
    if table.phase != "turn" or (window is not None and window.answers[seat] is not None):
        return ()
    position = position_of(table, seat, state.late[seat])
    if window is None:
        return turn_reasons(position) if table.turn == seat else ()
    if window.kind != "discard" or window.tile is None or window.seat == seat:
        return ()
    return claim_reasons(position, window.tile, state.hot or declared(table, window.seat))


def turn_reasons(position: Position) -> tuple[Reason, ...]:
    """Why the seat in turn may not win (after 碰, GZ-4.3) or make a kong (GZ-3.5, GZ-10.3)."""
    reasons: list[Reason] = []
    if turn_win(position) is None and pattern_of(position.hand, position.drawn, laid_of(position.melds)):
        reasons.append(Reason(WIN, "after_pong", "GZ-4.3"))
    barred = _barred(position)
    if barred is not None:
        reasons += [Reason(kong, *barred) for kong in kongs_held(position)]
    return tuple(reasons)


def claim_reasons(position: Position, tile: Tile, exempt: bool) -> tuple[Reason, ...]:
    """Why another's discard may not be won, ponged or made a kong; `exempt` as in `offers.claim_win`."""
    offered = {offer.verb for offer in claim_offers(position, tile, exempt)}
    reasons: list[Reason] = []
    if "win" not in offered and pattern_of(position.hand + ONE[tile], tile, laid_of(position.melds)):
        reasons.append(Reason(WIN, *_no_pass(position)))
    held, barred = count(position.hand, tile), _barred(position)
    if held >= 2 and barred is not None:
        if held == 3:
            reasons.append(Reason(action("kong", tile, choice="kong_exposed"), *barred))
        reasons.append(Reason(action("pong", tile), *barred))
    return tuple(reasons)


def _no_pass(position: Position) -> tuple[str, str]:
    """平胡 without a 通行证: after 报听 (GZ-8.5), with 点豆 only (GZ-8.1), or without any bean (GZ-8.2)."""
    if position.declared:
        return "declared_no_pass", "GZ-8.5"
    if any(meld.kind == "kong_exposed" for meld in position.melds):
        return "exposed_no_pass", "GZ-8.1"
    return "no_pass", "GZ-8.2"


def _barred(position: Position) -> tuple[str, str] | None:
    """The clause that bars every 碰 and kong now: 报听 (GZ-10.3) or an empty wall (GZ-3.5)."""
    if position.declared:
        return "declared", "GZ-10.3"
    return None if position.wall else ("no_replacement", "GZ-3.5")
