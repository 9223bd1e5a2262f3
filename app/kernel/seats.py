"""Seats are 0 … n−1 in turn order, without gaps; the room maps chairs to them. Viewers are seats and two others."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

SPECTATOR: Final = -1
"""Sees public faces only."""
EVERYTHING: Final = -2
"""Sees every face: records after the end, audited inspection. Never a live client."""


def next_seat(seat: int, players: int) -> int:
    """The seat whose turn comes after `seat` (下家)."""
    return (seat + 1) % players


@lru_cache(64)
def turn_order(first: int, players: int) -> tuple[int, ...]:
    """All seats in turn order, beginning with `first`."""
    return tuple([(first + step) % players for step in range(players)])


@lru_cache(64)
def others_after(seat: int, players: int) -> tuple[int, ...]:
    """All seats but `seat` in turn order after it: the order in which claims are ranked."""
    return tuple([(seat + step) % players for step in range(1, players)])
