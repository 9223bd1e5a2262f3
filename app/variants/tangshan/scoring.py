"""Prices of 大唐撸麻雀儿 as ledger lines: tiles, xi sets, wins, covers. Offers are decided in `offers`.

Every amount is per payer; a line has one payer and one receiver (TS-11.1, TS-11.3). Chow and pair claim book nothing
(TS-11.12). Points stand for every player, without cap or floor (TS-11.11); to deal changes nothing (TS-13.2).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from app.kernel.ledger import Line
from app.kernel.seats import others_after
from app.kernel.shapes.counts import ONE, Hand, count
from app.kernel.tiles import COPIES, KINDS, Tile
from app.kernel.variant import Wait
from app.variants.tangshan.offers import Position, drawn_dear_xi, wins_claimed, wins_drawn, with_hand
from app.variants.tangshan.rules import Scoring
from app.variants.tangshan.winning import fits
from app.variants.tangshan.xi import VALUE, XI, Xi

WinReason = Literal["win_open", "win_closed", "win_xi_open", "win_xi_closed"]

WIN_POINTS: Final[dict[WinReason, int]] = {
    "win_open": 20,
    "win_closed": 40,
    "win_xi_open": 32,
    "win_xi_closed": 52,
}
"""Points per payer of every kind of win, the same in `high` and `low` (TS-11.6, TS-11.5)."""


def win_reason(closed: bool, dear_xi: bool) -> WinReason:
    """The reason of a win: closed (门清) or open; `dear_xi`: see `winning.draw_completes_dear_xi` (TS-9.6, TS-11.6).

    No other shape and no other pattern counts (TS-9.2).
    """
    if dear_xi:
        return "win_xi_closed" if closed else "win_xi_open"
    return "win_closed" if closed else "win_open"


def drawn_win(position: Position, drawn: Tile | None) -> WinReason | None:
    """The reason of a self-drawn win of this hand, the drawn tile in it; None when it is no win (TS-11.6).

    `drawn` None: no tile of the drawn kind is concealed any more (TS-4.4).
    """
    return win_reason(position.closed, drawn_dear_xi(position, drawn)) if wins_drawn(position) else None


def claimed_win(position: Position, tile: Tile) -> WinReason | None:
    """The reason of a win on another player's tile, discarded or laid; None when it is no win or barred (TS-11.6)."""
    return win_reason(position.closed, False) if wins_claimed(position, tile) else None


def waits(position: Position, owned: Hand, seen: Hand = 0) -> tuple[Wait, ...]:
    """Kinds that complete a waiting hand, by draw and by claim apart, in tile order (TS-9.8).

    `owned`: all tiles the seat owns, hand and own sets; a kind owned four times is no wait. `seen`: tiles of others it
    sees, so that `left` counts the tiles that may still come. Empty when the hand has not the size of a waiting hand.
    """
    if not fits(position.hand + ONE[KINDS[0]], position.sets, position.pair_claimed):
        return ()
    found: list[Wait] = []
    for tile in KINDS:
        if count(owned, tile) >= COPIES:
            continue
        drawn = drawn_win(with_hand(position, position.hand + ONE[tile]), tile)
        if drawn is not None:
            claimed = claimed_win(position, tile)
            left = max(0, COPIES - count(owned, tile) - count(seen, tile))
            by_claim = None if claimed is None else WIN_POINTS[claimed]
            found.append(Wait(tile, left, WIN_POINTS[drawn], by_claim))
    return tuple(found)


def _from_each(
    reason: str, clause: str, seat: int, players: int, points: int, detail: tuple[tuple[str, int], ...]
) -> tuple[Line, ...]:
    return tuple([Line(reason, clause, payer, seat, points, detail) for payer in others_after(seat, players)])


def pong_lines(seat: int, source: int, tile: Tile) -> tuple[Line, ...]:
    """Pong (碰): P from the discarder or the robbed adder alone, at every table size (TS-5.3, TS-7.9, TS-11.2)."""
    points = VALUE[tile]
    return (Line("pong", "TS-11.2", source, seat, points, ((tile, points),)),)


def exposed_kong_lines(seat: int, source: int, players: int, tile: Tile) -> tuple[Line, ...]:
    """Exposed kong (明杠): 4P from the discarder, 2P from each other; replaces the cover's pay (TS-6.6, TS-11.2)."""
    lines: list[Line] = []
    for payer in others_after(seat, players):
        points = VALUE[tile] * (4 if payer == source else 2)
        lines.append(Line("kong_exposed", "TS-11.2", payer, seat, points, ((tile, points),)))
    return tuple(lines)


def concealed_kong_lines(seat: int, players: int, tile: Tile) -> tuple[Line, ...]:
    """Concealed kong (暗杠): 8P from each; replaces the cover's pay (TS-6.6, TS-11.2)."""
    points = 8 * VALUE[tile]
    return _from_each("kong_concealed", "TS-11.2", seat, players, points, ((tile, points),))


def cover_lines(covers: Iterable[tuple[int, Tile]], players: int) -> tuple[Line, ...]:
    """Un-konged covers (扣) as (seat, kind): 2P from each, booked at the end of the round only (TS-6.3, TS-12.3)."""
    lines: list[Line] = []
    for seat, tile in covers:
        points = 2 * VALUE[tile]
        lines.extend(_from_each("cover", "TS-11.2", seat, players, points, ((tile, points),)))
    return tuple(lines)


def light_points(xi: Xi, scoring: Scoring) -> int:
    """Price per payer of a category's first exposure: the sum of P, or P of one tile in `low` (TS-11.4, TS-11.5)."""
    return sum(VALUE[tile] for tile in XI[xi]) if scoring == "high" else VALUE[XI[xi][0]]


def light_lines(seat: int, players: int, xi: Xi, scoring: Scoring) -> tuple[Line, ...]:
    """Lighting (亮喜, 走喜): from each, opening or late alike, also just before a win (TS-7.2, TS-11.4, TS-11.9)."""
    points = light_points(xi, scoring)
    return _from_each("xi_light", "TS-11.4", seat, players, points, ((xi, points),))


def add_lines(seat: int, players: int, tile: Tile) -> tuple[Line, ...]:
    """Addition (补喜): P from each, in `high` and `low` alike (TS-7.6, TS-11.4, TS-11.5)."""
    points = VALUE[tile]
    return _from_each("xi_add", "TS-11.4", seat, players, points, ((tile, points),))


def win_lines(seat: int, source: int | None, players: int, reason: WinReason) -> tuple[Line, ...]:
    """Win (胡): from the discarder or adder alone, or from each on a self-draw (`source` None) (TS-11.6)."""
    points = WIN_POINTS[reason]
    payers = others_after(seat, players) if source is None else (source,)
    return tuple([Line(reason, "TS-11.6", payer, seat, points, ((reason, points),)) for payer in payers])
