"""Why an action that a seat's tiles suggest is not offered (`why_not`), from the seat's own position.

A win is suggested by five sets and a pair, with a settled pair or a false xi set too; the others by equal tiles, runs
and xi categories. The offers decide; a reason only says which clause kept an action out of them.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import Final

from app.kernel.actions import WIN, Action, action
from app.kernel.melds import Meld
from app.kernel.play.claims import Window
from app.kernel.seats import next_seat
from app.kernel.shapes.counts import ONE, Hand, contains, count, hand_of, kinds_of
from app.kernel.shapes.sets import complete
from app.kernel.tiles import WINDS, Tile
from app.kernel.variant import Reason
from app.variants.tangshan.offers import Position, guarded, runs_with, wins_claimed
from app.variants.tangshan.rules import FOUR
from app.variants.tangshan.state import TangshanState, position_of
from app.variants.tangshan.winning import SETS, UNLIT, fits, wins_by_claim, wins_by_draw
from app.variants.tangshan.xi import XI, XI_HAND

_Why = tuple[str, str]
_AFTER_CLAIM: Final[_Why] = ("after_claim", "TS-4.2")
_OPENING: Final[_Why] = ("opening", "TS-3.3")
_NO_REPLACEMENT: Final[_Why] = ("no_replacement", "TS-4.5")
_NO_DISCARD_LEFT: Final[_Why] = ("no_discard_left", "TS-2.5")
_ENDS: Final = tuple(product(("1m", "9m"), ("1p", "9p"), ("1s", "9s")))
_FALSE_XI: Final[tuple[Hand, ...]] = tuple(
    [hand_of(tiles) for tiles in (*combinations(WINDS, 3), *_ENDS) if tiles not in XI.values()]
)
"""Three winds, and ones mixed with nines: no xi set (TS-7.1)."""


def why_not(state: TangshanState, seat: int) -> tuple[Reason, ...]:
    """Reasons for the seat in its own step or turn, or about another's tile; () where nothing is suggested."""
    table, window = state.table, state.window
    if table.phase not in ("opening", "turn") or (window is not None and window.answers[seat] is not None):
        return ()
    position, melds = position_of(table, seat), table.seats[seat].melds
    if window is None:
        if table.turn != seat:
            return ()
        return turn_reasons(position, melds, table.left, _AFTER_CLAIM if state.claimed else None)
    if window.kind == "opening":
        return turn_reasons(position, melds, table.left, _OPENING) if window.seat == seat else ()
    if window.tile is None or window.seat == seat:
        return ()
    may_chow = state.rules.players == FOUR and next_seat(window.seat, FOUR) == seat
    return claim_reasons(position, melds, window, may_chow, table.left)


def turn_reasons(
    position: Position, melds: tuple[Meld, ...], left: int, barred: _Why | None
) -> tuple[Reason, ...]:  # fmt: skip
    """Reasons in an own step. `barred`: nothing that rests on a draw: the opening (TS-3.3), or a claim (TS-4.2)."""
    lay_barred = None if barred is _OPENING else barred
    found = [(WIN, _drawn_win(position, melds, barred))]
    found += [(act, lay_barred or why) for act, why in _lay_bars(position, left)]
    found += [(act, barred or why) for act, why in _extension_bars(position, melds, left)]
    return tuple([Reason(act, *why) for act, why in found if why is not None])


def _drawn_win(position: Position, melds: tuple[Meld, ...], barred: _Why | None) -> _Why | None:
    """The own hand looks complete and is not offered as a win."""
    if not fits(position.hand, position.sets, position.pair_claimed):
        return None
    if wins_by_draw(position.hand, position.pair_claimed):
        return barred
    return _no_reading(position.hand, position, melds)


def _no_reading(hand: Hand, position: Position, melds: tuple[Meld, ...]) -> _Why | None:
    """Tiles that look complete and have no reading: another pair beside a claimed one (TS-8.3), a false xi (TS-7.1)."""
    if position.pair_claimed:
        pair = sum(hand_of(meld.tiles) for meld in melds if meld.kind == "pair_claim")
        if complete(hand + pair):
            return "settled_pair", "TS-8.3"
    for tiles in _FALSE_XI:
        if contains(hand, tiles) and wins_by_claim(hand - tiles, position.pair_claimed):
            return "false_xi", "TS-7.1"
    return None


def _lay_bars(position: Position, left: int) -> list[tuple[Action, _Why | None]]:
    """Every lighting and cover that the tiles suggest, and the clause that bars it now (TS-2.5, TS-4.5, TS-7.5)."""
    full = _NO_DISCARD_LEFT if guarded(position) else None
    found: list[tuple[Action, _Why | None]] = []
    for xi, tiles in XI_HAND.items():
        if contains(position.hand, tiles):
            why: _Why | None = ("lit_once", "TS-7.5") if xi in position.lit else full
            if xi == "winds" and left <= 0:
                why = why or _NO_REPLACEMENT
            found.append((action("light", choice=xi), why))
    found += [(action("cover", tile), full) for tile in kinds_of(position.hand) if count(position.hand, tile) >= 3]
    return found


def _extension_bars(position: Position, melds: tuple[Meld, ...], left: int) -> list[tuple[Action, _Why | None]]:
    """Every kong and addition that the tiles suggest, and the clause that bars it (TS-4.5, TS-6.5, TS-6.7)."""
    hand, empty = position.hand, None if left > 0 else _NO_REPLACEMENT
    kinds = kinds_of(hand)
    found: list[tuple[Action, _Why | None]] = [
        (action("kong", tile, choice="kong_concealed"), empty) for tile in kinds if tile in position.covers
    ]
    found += [
        (action("kong", tile, choice="kong_concealed"), ("cover_first", "TS-6.5"))
        for tile in kinds
        if count(hand, tile) == 4
    ]
    ponged = _ponged(melds)
    found += [
        (action("extend", tile, choice="kong_added"), ("no_added_kong", "TS-6.7")) for tile in kinds if tile in ponged
    ]
    lit = [tile for xi in XI if xi in position.lit for tile in XI[xi]]
    found += [(action("extend", tile, choice="xi_add"), empty) for tile in kinds if tile in lit]
    return found


def claim_reasons(
    position: Position, melds: tuple[Meld, ...], window: Window, may_chow: bool, left: int
) -> tuple[Reason, ...]:
    """Reasons about another's discard, or addition that may be robbed; `may_chow` as in `offers.claim_offers`."""
    tile = window.tile
    assert tile is not None
    robbing = window.kind == "rob"
    win, own = _claimed_win(position, melds, tile), count(position.hand, tile)
    found: list[tuple[Action, _Why | None]] = [(WIN, win)]
    if own >= 2 and guarded(position):
        found.append((action("pong", tile), _NO_DISCARD_LEFT))
    if own == 3 or tile in position.covers or tile in _ponged(melds):
        found.append((action("kong", tile, choice="kong_exposed"), _exposed_kong(position, tile, own, left, robbing)))
    if may_chow and not robbing:
        if guarded(position):
            found += [(chow, _NO_DISCARD_LEFT) for chow in runs_with(position.hand, tile)]
        if own and position.pair_claimed:
            found.append((action("pair_claim", tile), ("pair_once", "TS-8.2")))
        elif own and position.sets >= SETS:
            found.append((action("pair_claim", tile), _NO_DISCARD_LEFT))
    return tuple([Reason(act, *why) for act, why in found if why is not None])


def _claimed_win(position: Position, melds: tuple[Meld, ...], tile: Tile) -> _Why | None:
    """过水 (TS-10.3), or unlit xi sets, which win by self-draw only (TS-9.3)."""
    hand, pair = position.hand + ONE[tile], position.pair_claimed
    if not fits(hand, position.sets, pair) or wins_claimed(position, tile):
        return None
    if wins_by_claim(hand, pair):
        return "locked", "TS-10.3"
    if any(contains(hand, XI_HAND[xi]) for xi in UNLIT) and wins_by_draw(hand, pair):
        return "xi_self_draw", "TS-9.3"
    return _no_reading(hand, position, melds)


def _exposed_kong(position: Position, tile: Tile, own: int, left: int, robbing: bool) -> _Why | None:
    """The clause that bars a kong on another's tile; None: it is offered (TS-4.5, TS-5.4, TS-6.7, TS-7.8)."""
    if robbing:
        return "no_robbed_kong", "TS-7.8"
    if tile in position.covers:
        return None if left > 0 else _NO_REPLACEMENT
    return ("uncovered", "TS-5.4") if own == 3 else ("no_added_kong", "TS-6.7")


def _ponged(melds: tuple[Meld, ...]) -> tuple[Tile, ...]:
    return tuple([meld.tiles[0] for meld in melds if meld.kind == "pong"])
