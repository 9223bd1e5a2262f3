"""Offers to one seat, as pure functions of what this seat may see: the one place that decides offers. The machine, the
advisor and the bots call the same functions. They take a small `Position`, never a state, so that nothing another
player hides can find its way into an offer (TS-14.1). Every offer is voluntary (TS-4.7).
"""

from __future__ import annotations

from typing import Final

from app.kernel.actions import PASS, WIN, Action, action
from app.kernel.immutable import immutable
from app.kernel.melds import Meld
from app.kernel.shapes.counts import ONE, SHIFT, Hand, contains, count, kinds_of, tiles_of
from app.kernel.shapes.sets import run_of
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


@immutable
class Position:
    """One seat in its own eyes.

    `hand`: concealed tiles. `sets`: fixed sets (k). `pair_claimed`: the pair is settled by a pair claim (j). `closed`:
    门清. `covers`: kinds of its un-konged covers. `lit`: categories it has lit. `locked`: lines locked for it.
    """

    hand: Hand
    sets: int
    pair_claimed: bool
    closed: bool
    covers: tuple[Tile, ...]
    lit: tuple[str, ...]
    locked: tuple[str, ...] = ()


def position_from(hand: Hand, melds: tuple[Meld, ...], locked: tuple[str, ...]) -> Position:
    """The position of a seat with these concealed tiles, own melds and locked lines; a lit xi is a set (TS-7.3)."""
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


def with_hand(position: Position, hand: Hand) -> Position:
    """The same position with other concealed tiles."""
    return Position(
        hand, position.sets, position.pair_claimed, position.closed, position.covers, position.lit, position.locked
    )


def guarded(position: Position) -> bool:
    """Four fixed sets and the pair: one more set would leave nothing to discard: only a win may add it (TS-2.5)."""
    return position.pair_claimed and position.sets == SETS - 1


def wins_drawn(position: Position) -> bool:
    """True when the hand, the drawn tile in it, is a winning hand (TS-9.1); the pass lock never bars it (TS-10.5)."""
    return fits(position.hand, position.sets, position.pair_claimed) and wins_by_draw(
        position.hand, position.pair_claimed
    )


def wins_claimed(position: Position, tile: Tile) -> bool:
    """True when another player's `tile` completes the hand without unlit xi and its line is open (TS-9.3, TS-10.3)."""
    if LINE[tile] in position.locked:
        return False
    hand = position.hand + ONE[tile]
    return fits(hand, position.sets, position.pair_claimed) and wins_by_claim(hand, position.pair_claimed)


def drawn_dear_xi(position: Position, drawn: Tile | None) -> bool:
    """True when a self-drawn win costs 32 or 52 (TS-11.7)."""
    return draw_completes_dear_xi(position.hand, position.pair_claimed, drawn)


def light_offers(position: Position, left: int) -> list[Action]:
    """Lighting (亮喜): every complete category not lit yet; winds need a replacement (TS-7.2, TS-7.5, TS-4.5)."""
    if guarded(position):
        return []
    return [
        action("light", choice=xi)
        for xi in XI
        if xi not in position.lit and contains(position.hand, XI_HAND[xi]) and (xi != "winds" or left > 0)
    ]


def cover_offers(position: Position) -> list[Action]:
    """Cover (扣): every kind held three times or more (TS-6.1); once laid it serves for a kong only (TS-6.2)."""
    if guarded(position):
        return []
    return [action("cover", tile) for tile in kinds_of(position.hand) if count(position.hand, tile) >= 3]


def extension_offers(position: Position, left: int) -> list[Action]:
    """Concealed kongs on own covers (暗杠, TS-6.5) and additions (补喜, TS-7.6); both need a replacement (TS-4.5)."""
    if left <= 0:
        return []
    hand = position.hand
    kongs = [action("kong", tile, choice="kong_concealed") for tile in position.covers if (hand >> SHIFT[tile]) & 7]
    adds = [
        action("extend", tile, choice="xi_add")
        for xi in XI
        if xi in position.lit
        for tile in XI[xi]
        if (hand >> SHIFT[tile]) & 7
    ]
    return kongs + adds


def discard_offers(position: Position) -> list[Action]:
    """Any concealed tile, without exception (TS-4.6)."""
    return [action("discard", tile) for tile in kinds_of(position.hand)]


def opening_offers(position: Position, left: int) -> tuple[Action, ...]:
    """A step of the opening (开牌): light, cover, pass; empty when the seat passes automatically (TS-3.1, TS-3.3)."""
    offers = [*light_offers(position, left), *cover_offers(position)]
    return (*offers, PASS) if offers else ()


def turn_offers(position: Position, left: int) -> tuple[Action, ...]:
    """The own turn after a draw: win, light, cover, concealed kong, addition, discard (TS-4.1, TS-6.9)."""
    win = [WIN] if wins_drawn(position) else []
    return (
        *win,
        *light_offers(position, left),
        *cover_offers(position),
        *extension_offers(position, left),
        *discard_offers(position),
    )


def discard_only(position: Position) -> tuple[Action, ...]:
    """The turn after chow, pong or pair claim: nothing but a discard (TS-4.2)."""
    return tuple(discard_offers(position))


def chow_offers(position: Position, tile: Tile) -> list[Action]:
    """Runs with the previous seat's discard, lowest first (吃, TS-5.5)."""
    return [] if guarded(position) else runs_with(position.hand, tile)


def runs_with(hand: Hand, tile: Tile) -> list[Action]:
    """The chows that the tiles allow with `tile`, whether or not this is the moment."""
    if tile not in NUMBERS:
        return []
    rank, suit = RANK[tile], tile[1]
    found: list[Action] = []
    for low in range(max(1, rank - 2), min(7, rank) + 1):
        run = run_of(f"{low}{suit}")
        if all(kind == tile or (hand >> SHIFT[kind]) & 7 for kind in run):
            found.append(action("chow", *run))
    return found


def claim_offers(position: Position, tile: Tile, may_chow: bool, left: int) -> tuple[Action, ...]:
    """Claims on another player's discard, pass last; empty when there is nothing to claim (TS-5.1).

    A kong needs the own cover of the kind (TS-5.4). A locked line bars the win alone (TS-10.6).

    `may_chow`: four-player table and the discard of the previous seat (TS-1.4, TS-5.5, TS-8.1). `left`: wall tiles.
    """
    own = (position.hand >> SHIFT[tile]) & 7
    offers: list[Action] = [WIN] if wins_claimed(position, tile) else []
    if left > 0 and tile in position.covers:
        offers.append(action("kong", tile, choice="kong_exposed"))
    if own >= 2 and not guarded(position):
        offers.append(action("pong", tile))
    if may_chow:
        offers.extend(chow_offers(position, tile))
        if own and not position.pair_claimed and position.sets < SETS:
            offers.append(action("pair_claim", tile))
    return (*offers, PASS) if offers else ()


def rob_offers(position: Position, tile: Tile) -> tuple[Action, ...]:
    """Claims on another player's addition with `rob_xi` on (抢喜): win or pong, pass last (TS-7.8, TS-7.10)."""
    offers: list[Action] = [WIN] if wins_claimed(position, tile) else []
    if (position.hand >> SHIFT[tile]) & 7 >= 2 and not guarded(position):
        offers.append(action("pong", tile))
    return (*offers, PASS) if offers else ()


def silent_choice(position: Position, drawn: Tile | None) -> Action:
    """The discard of silence: the drawn tile while one of its kind is concealed, else the last in order (TS-15.2)."""
    if drawn is not None and count(position.hand, drawn):
        return action("discard", drawn)
    return action("discard", tiles_of(position.hand)[-1])


def claim_rank(choice: Action) -> int:
    """Strength of a claim: win, then kong and pong, then chow and pair claim (TS-5.1, TS-7.8)."""
    return {"win": 0, "kong": 1, "pong": 1}.get(choice.verb, 2)


def with_lock(locked: tuple[str, ...], tile: Tile) -> tuple[str, ...]:
    """The locked lines after a win on `tile` was offered and not taken (TS-10.2)."""
    return tuple(sorted({*locked, LINE[tile]}))
