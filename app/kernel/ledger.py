"""The ledger: every point that moves is a line with a reason and a clause. Totals are sums of lines.

A line has one payer and one receiver, so any list of lines is zero-sum by shape.
"""

from __future__ import annotations

from collections.abc import Iterable

from app.kernel.immutable import immutable

Detail = tuple[tuple[str, int], ...]


@immutable
class Line:
    """`source` pays `points` (> 0, after base) to `target`, because of `reason`, by rule `clause`.

    `detail` holds tokens (patterns, kinds, melds) with amounts that add up to the line before multipliers.
    """

    reason: str
    clause: str
    source: int
    target: int
    points: int
    detail: Detail = ()


def net(lines: Iterable[Line], players: int) -> tuple[int, ...]:
    """Per-seat sum of the lines, in points."""
    totals = [0] * players
    for line in lines:
        totals[line.source] -= line.points
        totals[line.target] += line.points
    return tuple(totals)


def reversal(lines: Iterable[Line], clause: str) -> tuple[Line, ...]:
    """Equal lines back, reason `void`: what an aborted round books so that nothing of it counts."""
    return tuple([Line("void", clause, line.target, line.source, line.points, line.detail) for line in lines])


def plain_lines(lines: Iterable[Line]) -> list[dict[str, object]]:
    """The five plain keys of `mj score`: reason, clause, source, target, points."""
    return [
        {
            "reason": line.reason,
            "clause": line.clause,
            "source": line.source,
            "target": line.target,
            "points": line.points,
        }
        for line in lines
    ]
