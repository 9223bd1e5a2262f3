"""Offers to one seat as pure functions of a small position, all of it seen by the seat itself.

The same functions serve the machine, the calculator's `offers`, the advisor and, through decisions, the bots. The state
of the table, other seats' tiles and events must not be read here.
"""

from __future__ import annotations

from typing import Final

from app.kernel.actions import PASS, WIN, Action, action
from app.kernel.immutable import immutable
from app.kernel.melds import Meld
from app.kernel.shapes.counts import ONE, SHIFT, Hand, count, has_four, kinds_of
from app.kernel.tiles import Tile
from app.variants.guizhou.winning import TILES, PatternName, laid_of, pattern_of, waits_of

PASS_KINDS: Final = frozenset({"kong_concealed", "kong_added", "kong_late"})
"""Melds that are a 通行证; 点豆 is none (GZ-8.1)."""


@immutable
class Position:
    """One seat in its own eyes.

    `hand`: concealed tiles, 13 when asked about another's tile and 14 in the own turn (melds count three each).
    `drawn`: the tile drawn last, while it is the own turn. `discards`: own discards so far in the round. `wall`: tiles
    that can still be drawn. `late`: kinds held four times (碰 counted in) whose kong would be 憨包豆 (GZ-7.2, GZ-7.3).
    """

    hand: Hand
    melds: tuple[Meld, ...]
    drawn: Tile | None
    dealer: bool
    declared: bool
    discards: int
    wall: int
    late: tuple[Tile, ...]


def untouched(position: Position) -> bool:
    """Nothing discarded and no meld of any kind: the first chance to win or declare (GZ-10.1, GZ-12.8, GZ-12.9)."""
    return not position.discards and not position.melds


def earth(position: Position) -> bool:
    """A win of this seat would be 地胡 (GZ-12.9)."""
    return not position.dealer and untouched(position)


def heaven(position: Position) -> bool:
    """A win of this seat in its own turn would be 天胡: the 14 dealt tiles, before any kong or discard (GZ-12.8)."""
    return position.dealer and position.drawn is None and untouched(position)


def has_pass(melds: tuple[Meld, ...]) -> bool:
    """The seat owns a 通行证 (GZ-8.1); whether the bean will score is irrelevant (GZ-8.6)."""
    return any(meld.kind in PASS_KINDS for meld in melds)


def claim_win(position: Position, tile: Tile, exempt: bool) -> PatternName | None:
    """The pattern by which the seat may win another's tile, None when it may not (GZ-8.2, GZ-8.6).

    `exempt`: 热炮, 抢杠胡 or a discard of a player who declared 报听, not one who is merely ready (GZ-8.3, GZ-8.4).
    The own 报听 frees nobody (GZ-8.5); 地胡 is seen from the position.
    """
    name = pattern_of(position.hand + ONE[tile], tile, laid_of(position.melds))
    if name == "ping_hu" and not (exempt or earth(position) or has_pass(position.melds)):
        return None
    return name


def claim_offers(position: Position, tile: Tile, exempt: bool) -> tuple[Action, ...]:
    """Options on another's discard, pass last; empty when the seat is not asked (GZ-5.1, GZ-3.5, GZ-10.3).

    With an empty wall only a win is left (GZ-3.4).
    """
    options = [WIN] if claim_win(position, tile, exempt) else []
    held = count(position.hand, tile)
    if held >= 2 and position.wall and not position.declared:
        if held == 3:
            options.append(action("kong", tile, choice="kong_exposed"))
        options.append(action("pong", tile))
    return (*options, PASS) if options else ()


def rob_offers(position: Position, tile: Tile) -> tuple[Action, ...]:
    """Options on a tile laid onto a 碰: 抢杠胡 or pass (GZ-7.8, GZ-8.3); empty when the seat is not asked."""
    return (WIN, PASS) if claim_win(position, tile, exempt=True) else ()


def claim_rank(claim: Action) -> int:
    """Strength of a claim, 0 the strongest: a win before 碰 and 点豆 (GZ-5.3)."""
    return 0 if claim.verb == "win" else 1


def turn_win(position: Position) -> PatternName | None:
    """The pattern of a win in the own turn: on the drawn tile or the dealt 14, not after 碰 (GZ-4.3, GZ-12.8)."""
    if position.drawn is None and not heaven(position):
        return None
    return pattern_of(position.hand, position.drawn, laid_of(position.melds))


def kong_offers(position: Position) -> tuple[Action, ...]:
    """Kongs of the own turn: none with an empty wall or after 报听 (GZ-3.5, GZ-10.3)."""
    return () if not position.wall or position.declared else kongs_held(position)


def kongs_held(position: Position) -> tuple[Action, ...]:
    """The kongs that the tiles allow, whether or not this is the moment: four in hand, then fourths to a 碰.

    GZ-7.2, GZ-7.3, GZ-7.4.
    """
    ponged = [meld.tiles[0] for meld in position.melds if meld.kind == "pong"]
    if not ponged and not has_four(position.hand):
        return ()
    late = position.late
    options = [
        action("kong", kind, choice="kong_late" if kind in late else "kong_concealed")
        for kind in TILES
        if (position.hand >> SHIFT[kind]) & 7 == 4
    ]
    options += [
        action("extend", kind, choice="kong_late" if kind in late else "kong_added")
        for kind in TILES
        if kind in ponged and count(position.hand, kind)
    ]
    return tuple(options)


def may_declare(position: Position, discard: Tile) -> bool:
    """报听 may go with this discard: the first own one, no meld, and what remains is ready (GZ-10.1)."""
    return (
        untouched(position)
        and not position.declared
        and bool(waits_of(position.hand - ONE[discard], laid_of(position.melds)))
    )


def discard_offers(position: Position) -> tuple[Action, ...]:
    """Every concealed kind, each followed by its discard with 报听 where open; after 报听 the drawn tile only."""
    if position.declared and position.drawn is not None:
        return (action("discard", position.drawn),)
    options: list[Action] = []
    first = untouched(position)
    for kind in kinds_of(position.hand):
        options.append(action("discard", kind))
        if first and may_declare(position, kind):
            options.append(action("discard", kind, choice="declare_ready"))
    return tuple(options)


def turn_offers(position: Position) -> tuple[Action, ...]:
    """Everything the seat may do in its own turn: win, kongs, discards (GZ-4.1, GZ-4.3, GZ-4.6)."""
    win = (WIN,) if turn_win(position) else ()
    return (*win, *kong_offers(position), *discard_offers(position))


def silent_choice(position: Position) -> Action:
    """The action of silence in the own turn: discard the tile drawn last, else the last concealed tile, p before s
    (GZ-20.2).

    In a window silence passes (GZ-20.1); it never wins, claims or declares (GZ-20.3).
    """
    tile = position.drawn if position.drawn is not None else kinds_of(position.hand)[-1]
    return action("discard", tile)


def closed_windows(hand: Hand, melds: tuple[Meld, ...]) -> tuple[Tile, ...]:
    """Kinds of which hand and 碰 hold all four right after an own discard: their kong is now 憨包豆 (GZ-7.2)."""
    ponged = [meld.tiles[0] for meld in melds if meld.kind == "pong"]
    if not ponged and not has_four(hand):
        return ()
    return tuple([kind for kind in kinds_of(hand) if (hand >> SHIFT[kind]) & 7 == 4 or kind in ponged])
