"""A hand (手牌) as one int: three bits per kind, nine kinds a suit, so a suit is a 27-bit key.

Adding or taking a tile is one addition; equal hands are equal ints; a suit key indexes memoised tables.
A kind's count must stay within 0…7, which every legal hand does (four copies).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from app.kernel.tiles import KINDS, ORDER, Tile

Hand = int
"""Counts of the 34 kinds: kind number k sits at bit 3·k (honours fill suit 3)."""

SUIT_BITS: Final = 27
SUIT_MASK: Final = (1 << SUIT_BITS) - 1
EMPTY: Final[Hand] = 0

SHIFT: Final[dict[Tile, int]] = {kind: 3 * place for kind, place in ORDER.items()}
ONE: Final[dict[Tile, Hand]] = {kind: 1 << shift for kind, shift in SHIFT.items()}
_ONES: Final = sum(1 << (3 * place) for place in range(36))
_TWOS: Final = _ONES << 1
_FOURS: Final = _ONES << 2
_PLACED: Final = tuple((kind, SHIFT[kind]) for kind in KINDS)


def hand_of(tiles: Iterable[Tile]) -> Hand:
    """Count tiles into a hand."""
    hand = 0
    for tile in tiles:
        hand += ONE[tile]
    return hand


def count(hand: Hand, kind: Tile) -> int:
    """Copies of `kind` in `hand`."""
    return (hand >> SHIFT[kind]) & 7


def has_four(hand: Hand) -> bool:
    """Whether `hand` holds all four copies of any kind."""
    return hand & _FOURS != 0


def size(hand: Hand) -> int:
    """Number of tiles in `hand`."""
    return (hand & _ONES).bit_count() + 2 * (hand & _TWOS).bit_count() + 4 * (hand & _FOURS).bit_count()


def tiles_of(hand: Hand) -> tuple[Tile, ...]:
    """The tiles of `hand` in the order of `KINDS`."""
    tiles: list[Tile] = []
    for kind, shift in _PLACED:
        copies = (hand >> shift) & 7
        if copies == 1:
            tiles.append(kind)
        elif copies:
            tiles.extend((kind,) * copies)
    return tuple(tiles)


def kinds_of(hand: Hand) -> tuple[Tile, ...]:
    """The different kinds in `hand` in the order of `KINDS`."""
    return tuple([kind for kind, shift in _PLACED if (hand >> shift) & 7])


def contains(hand: Hand, part: Hand) -> bool:
    """True when `hand` holds every tile of `part` as often as `part` does."""
    while part:
        shift = ((part & -part).bit_length() - 1) // 3 * 3
        if (hand >> shift) & 7 < (part >> shift) & 7:
            return False
        part &= ~(7 << shift)
    return True


def suit_key(hand: Hand, suit: int) -> int:
    """The 27-bit key of suit 0 (m), 1 (p), 2 (s) or 3 (honours)."""
    return (hand >> (SUIT_BITS * suit)) & SUIT_MASK
