"""What one seat may do, as pure functions of what this seat may see: the one place where offers are judged.

Serves the machine, `mj score` (`locks`), the advisor and the bots alike. Takes a small `Position`, never a state:
nothing that another player hides can find its way into an offer (TS-14.1). No points, no events here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast

from app.kernel.actions import PASS, WIN, Action, action
from app.kernel.melds import Meld
from app.kernel.shapes.counts import ONE, SHIFT, Hand, contains, count, kinds_of, tiles_of
from app.kernel.shapes.sets import run_of
from app.kernel.table import TableState
from app.kernel.tiles import NUMBERS, RANK, Tile
from app.variants.tangshan.winning import (
    SETS,
    draw_completes_dear_xi,
    fits,
    wins_by_claim,
    wins_by_draw,
)
from app.variants.tangshan.xi import LINE, XI, XI_HAND

LOCK: Final = "lock"
"""Name of the private mark with all locked lines (过水, TS-10.7)."""

TAKEN_KINDS: Final = frozenset(("pong", "chow", "pair_claim", "kong_exposed"))
"""Melds with a tile of another player: they break closed (门清, TS-9.6)."""


@dataclass(frozen=True, slots=True)
class Position:
    """One seat's own view: concealed tiles, `sets` fixed sets (k), `pair_claimed` (j), kinds of its un-konged covers,
    categories it has lit, lines locked for it, and whether it is closed (门清)."""

    hand: Hand
    sets: int
    pair_claimed: bool
    closed: bool
    covers: tuple[Tile, ...]
    lit: tuple[str, ...]
    locked: tuple[str, ...] = ()


def position(hand: Hand, melds: tuple[Meld, ...], locked: tuple[str, ...]) -> Position:
    """The position of a seat with these concealed tiles, own melds and locked lines."""
    sets, pair, closed = len(melds), False, True
    covers: list[Tile] = []
    lit: list[str] = []
    for meld in melds:
        kind = meld.kind
        if kind in TAKEN_KINDS:
            closed = False
            pair = pair or kind == "pair_claim"
        elif kind == "cover":
            covers.append(meld.tiles[0])
        elif kind in XI:
            lit.append(kind)
    return Position(hand, sets - pair, pair, closed, tuple(covers), tuple(lit), locked)


def with_hand(p: Position, hand: Hand) -> Position:
    """The same position with other concealed tiles."""
    return Position(hand, p.sets, p.pair_claimed, p.closed, p.covers, p.lit, p.locked)


def seat_position(table: TableState, seat: int) -> Position:
    """The position of `seat` out of the table or out of its own view; raises TypeError when its hand is hidden."""
    place = table.seats[seat]
    if place.hand is None:
        raise TypeError(f"the hand of seat {seat} is hidden in this view")
    return position(place.hand, place.melds, cast(tuple[str, ...], table.mark(LOCK, seat) or ()))


def guarded(p: Position) -> bool:
    """Four fixed sets and the pair: one more set would leave nothing to discard, so only a win may add it (TS-2.5)."""
    return p.pair_claimed and p.sets == SETS - 1


def wins_drawn(p: Position) -> bool:
    """True when the hand, the drawn tile in it, is a winning hand (TS-9.1); the pass lock never bars it (TS-10.5)."""
    return fits(p.hand, p.sets, p.pair_claimed) and wins_by_draw(p.hand, p.pair_claimed)


def wins_claimed(p: Position, tile: Tile) -> bool:
    """True when another player's `tile` completes the hand without unlit xi and its line is open (TS-9.3, TS-10.3)."""
    if LINE[tile] in p.locked:
        return False
    hand = p.hand + ONE[tile]
    return fits(hand, p.sets, p.pair_claimed) and wins_by_claim(hand, p.pair_claimed)


def drawn_dear_xi(p: Position, drawn: Tile | None) -> bool:
    """True when a self-drawn win costs 32 or 52 (TS-11.7)."""
    return draw_completes_dear_xi(p.hand, p.pair_claimed, drawn)


def light_offers(p: Position, left: int) -> list[Action]:
    """Lighting (亮喜): every complete category not lit yet; winds need a replacement (TS-7.2, TS-7.5, TS-4.5)."""
    if guarded(p):
        return []
    return [
        action("light", choice=xi)
        for xi in XI
        if xi not in p.lit and contains(p.hand, XI_HAND[xi]) and (xi != "winds" or left > 0)
    ]


def cover_offers(p: Position) -> list[Action]:
    """Cover (扣): every kind held three times or more (TS-6.1)."""
    if guarded(p):
        return []
    return [action("cover", tile) for tile in kinds_of(p.hand) if count(p.hand, tile) >= 3]


def extension_offers(p: Position, left: int) -> list[Action]:
    """Concealed kongs on own covers (暗杠, TS-6.5) and additions (补喜, TS-7.6); both need a replacement (TS-4.5)."""
    if left <= 0:
        return []
    hand = p.hand
    kongs = [action("kong", tile, choice="kong_concealed") for tile in p.covers if (hand >> SHIFT[tile]) & 7]
    adds = [
        action("extend", tile, choice="xi_add")
        for xi in XI
        if xi in p.lit
        for tile in XI[xi]
        if (hand >> SHIFT[tile]) & 7
    ]
    return kongs + adds


def discard_offers(p: Position) -> list[Action]:
    """Any concealed tile, without exception (TS-4.6)."""
    return [action("discard", tile) for tile in kinds_of(p.hand)]


def opening_offers(p: Position, left: int) -> tuple[Action, ...]:
    """A step of the opening (开牌): light, cover, pass; empty when the seat passes automatically (TS-3.1, TS-3.3)."""
    offers = [*light_offers(p, left), *cover_offers(p)]
    return (*offers, PASS) if offers else ()


def turn_offers(p: Position, left: int) -> tuple[Action, ...]:
    """The own turn after a draw: win, light, cover, concealed kong, addition, discard (TS-4.1)."""
    win = [WIN] if wins_drawn(p) else []
    return (*win, *light_offers(p, left), *cover_offers(p), *extension_offers(p, left), *discard_offers(p))


def discard_only(p: Position) -> tuple[Action, ...]:
    """The turn after chow, pong or pair claim: nothing but a discard (TS-4.2)."""
    return tuple(discard_offers(p))


def chow_offers(p: Position, tile: Tile) -> list[Action]:
    """Runs with the previous seat's discard, lowest first (吃, TS-5.5)."""
    if tile not in NUMBERS or guarded(p):
        return []
    rank, suit = RANK[tile], tile[1]
    found: list[Action] = []
    for low in range(max(1, rank - 2), min(7, rank) + 1):
        run = run_of(f"{low}{suit}")
        if all(kind == tile or (p.hand >> SHIFT[kind]) & 7 for kind in run):
            found.append(action("chow", *run))
    return found


def claim_offers(p: Position, tile: Tile, may_chow: bool, left: int) -> tuple[Action, ...]:
    """Claims on another player's discard, pass last; empty when there is nothing to claim (TS-5).

    `may_chow`: four-player table and the discard of the previous seat (TS-1.4, TS-5.5, TS-8.1). `left`: wall tiles.
    """
    own = (p.hand >> SHIFT[tile]) & 7
    offers: list[Action] = [WIN] if wins_claimed(p, tile) else []
    if left > 0 and tile in p.covers:
        offers.append(action("kong", tile, choice="kong_exposed"))
    if own >= 2 and not guarded(p):
        offers.append(action("pong", tile))
    if may_chow:
        offers.extend(chow_offers(p, tile))
        if own and not p.pair_claimed and p.sets < SETS:
            offers.append(action("pair_claim", tile))
    return (*offers, PASS) if offers else ()


def rob_offers(p: Position, tile: Tile) -> tuple[Action, ...]:
    """Claims on another player's addition with `rob_xi` on (抢喜): win or pong, pass last (TS-7.8, TS-7.10)."""
    offers: list[Action] = [WIN] if wins_claimed(p, tile) else []
    if (p.hand >> SHIFT[tile]) & 7 >= 2 and not guarded(p):
        offers.append(action("pong", tile))
    return (*offers, PASS) if offers else ()


def default_discard(p: Position, drawn: Tile | None) -> Action:
    """What silence discards: the drawn tile while one of its kind is concealed, else the last in order (TS-15.2)."""
    if drawn is not None and count(p.hand, drawn):
        return action("discard", drawn)
    return action("discard", tiles_of(p.hand)[-1])


def claim_rank(choice: Action) -> int:
    """Strength of a claim: win, then kong and pong, then chow and pair claim (TS-5.1, TS-7.8)."""
    return {"win": 0, "kong": 1, "pong": 1}.get(choice.verb, 2)


def with_lock(locked: tuple[str, ...], tile: Tile) -> tuple[str, ...]:
    """The locked lines after a win on `tile` was offered and not taken (TS-10.2)."""
    return tuple(sorted({*locked, LINE[tile]}))
