"""How long something took, as counts by length: cheap enough for the way of every action."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import Final

BOUNDS_S: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)
"""Upper bounds of the lengths, in seconds; what is longer than the last is counted apart."""


class Timing:
    """Lengths of time by bound, and their sum."""

    def __init__(self) -> None:
        self.sum_s = 0.0
        self._counts = [0] * (len(BOUNDS_S) + 1)

    def add(self, length_s: float) -> None:
        """One more."""
        self.sum_s += length_s
        self._counts[bisect_left(BOUNDS_S, length_s)] += 1

    def cumulative(self) -> list[tuple[str, float]]:
        """Each bound as text, `+Inf` last, with the number of lengths that are not above it."""
        names = [*map(str, BOUNDS_S), "+Inf"]
        return list(zip(names, accumulate(self._counts, initial=None), strict=True))
