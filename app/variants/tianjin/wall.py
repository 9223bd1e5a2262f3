"""The wall of 天津麻将: the break, the flipped tile, the live tiles, the dealt tiles (TJ-4.1, TJ-4.4).

Indices 0–135 in drawing order; stack s holds 2s (top) and 2s + 1 (bottom). A `Wall` is a value; drawing gives the next
one. Two dice sums make the geometry: n breaks the dealer's wall, m counts to the indicator from the tail.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from app.kernel.immutable import immutable
from app.kernel.tiles import Tile

TILES: Final = 136
STACKS: Final = 68
STACKS_EACH: Final = 17
FIRST_FRONT: Final = 53
"""The first index that is drawn and not dealt (TJ-4.8)."""
_OWNERS: Final = ("D", "L", "O", "R")
_BLOCKS: Final = 3

Stack = tuple[str, int]
"""(owner: D, L, O or R; stack number 1–17 from the owner's right hand)."""


def stack_at(stack: int, n: int) -> Stack:
    """The place of stack 0–67 when the dealer threw n: D[n+1..17], L, O, R, D[1..n] (TJ-4.1, TJ-4.3)."""
    owner, number = divmod(stack + n, STACKS_EACH)
    return _OWNERS[owner % len(_OWNERS)], number + 1


def indicator_index(m: int) -> int:
    """Index of the flipped tile (开混), 136 − 2m: top of the m-th stack from the tail; live tiles lie below (TJ-4.5).

    It stays where it lies, so that seven wild tiles are live (TJ-4.7).
    """
    return TILES - 2 * m


def reserve(m: int) -> int:
    """Tiles above the indicator, which only replacements take; the rest of them is not used (TJ-4.8, TJ-4.13)."""
    return 2 * m - 1


@lru_cache(maxsize=16)
def tail_order(indicator: int) -> tuple[int, ...]:
    """Indices in the order of replacements: tail stack top, bottom, the next …, no indicator (TJ-4.9, TJ-4.10)."""
    order = [index for stack in reversed(range(STACKS)) for index in (2 * stack, 2 * stack + 1)]
    return tuple([index for index in order if index != indicator])


def dealt_indices(place: int) -> tuple[int, ...]:
    """Indices dealt to the seat `place` steps after the dealer; the dealer's last one is its drawn tile (TJ-4.4)."""
    blocks = [4 * (4 * block + place) + offset for block in range(_BLOCKS) for offset in range(4)]
    return (*blocks, 48 + place, *((52,) if place == 0 else ()))


@immutable
class Wall:
    """All tiles and how far they are drawn. Front draws took every live index below `head` that was left;
    replacements took, or found gone, the first `tail` places of `tail_order`.
    """

    tiles: tuple[Tile, ...]
    indicator: int
    head: int = FIRST_FRONT
    tail: int = 0


def live_left(wall: Wall) -> int:
    """Undrawn live tiles: those below the indicator (TJ-4.8)."""
    return wall.indicator - wall.head - _live_by_tail(wall)


def _live_by_tail(wall: Wall) -> int:
    """Live tiles at or above `head` that replacements have taken."""
    above = TILES - wall.indicator - 1
    return sum(index >= wall.head for index in tail_order(wall.indicator)[above : wall.tail])


def front(wall: Wall) -> tuple[Tile, Wall]:
    """Draw the lowest undrawn live tile (TJ-4.8). The caller checks that one is left."""
    index = wall.head
    while index in tail_order(wall.indicator)[: wall.tail]:
        index += 1
    return wall.tiles[index], Wall(wall.tiles, wall.indicator, index + 1, wall.tail)


def replacement(wall: Wall) -> tuple[Tile, Wall]:
    """Draw from the tail (补牌), from live tiles once the reserve is gone (TJ-4.9, TJ-4.10)."""
    order = tail_order(wall.indicator)
    place = wall.tail
    while order[place] < wall.head:
        place += 1
    return wall.tiles[order[place]], Wall(wall.tiles, wall.indicator, wall.head, place + 1)
