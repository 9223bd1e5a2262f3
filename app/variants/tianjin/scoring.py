"""Points of a round as ledger lines: multipliers, win, kong points, follow, cap (TJ-3.7).

Arithmetic on what happened. Tiles are not looked at: the fan comes from `winning`, kongs are names.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from app.kernel.immutable import immutable
from app.kernel.ledger import Detail, Line, net
from app.kernel.seats import next_seat, others_after, turn_order
from app.variants.tianjin.rules import FOLLOW_POINTS, KONG_POINTS, PLAYERS, Rules


@immutable
class Stakes:
    """The choices of the four players before the deal: 坐庄 (`sit`) and 拉庄 (`pull` by seat, 0 for the dealer)."""

    dealer: int
    sit: bool
    pull: tuple[int, ...]


@immutable
class Result:
    """The result of a round. `winner` None: exhausted. `fan` with its breakdown `detail`; `kongs` by seat, as kinds."""

    winner: int | None
    detail: Detail
    kongs: tuple[tuple[str, ...], ...]
    follow: bool

    @property
    def fan(self) -> int:
        return sum(amount for _, amount in self.detail)


def mult(stakes: Stakes, one: int, other: int) -> int:
    """`(sit ? 2 : 1) × 2^pull` between the dealer and a non-dealer, 1 between two non-dealers (TJ-3.6)."""
    if stakes.dealer not in (one, other):
        return 1
    non_dealer = other if one == stakes.dealer else one
    return (2 if stakes.sit else 1) << stakes.pull[non_dealer]


def next_dealer(dealer: int, winner: int | None) -> int:
    """The dealer stays after an own win and after exhaustion, else the next seat deals (TJ-2.3, TJ-2.4, TJ-2.5)."""
    return dealer if winner in (None, dealer) else next_seat(dealer, PLAYERS)


def settle(stakes: Stakes, result: Result, rules: Rules) -> tuple[Line, ...]:
    """All lines of a settlement, uncapped ones first; their sum is the net of TJ-13.4 after the cap (TJ-14.1)."""
    lines = [line for part in (_win_lines, _kong_lines, _follow_lines) for line in part(stakes, result, rules)]
    return (*lines, *cap_lines(net(lines, PLAYERS), rules.cap, stakes.dealer))


def _win_lines(stakes: Stakes, result: Result, rules: Rules) -> list[Line]:
    """Each of the three others pays fan × mult × base (TJ-13.1)."""
    winner = result.winner
    if winner is None:
        return []
    return [
        Line("win", "TJ-13.1", payer, winner, result.fan * mult(stakes, winner, payer) * rules.base, result.detail)
        for payer in others_after(winner, PLAYERS)
    ]


def _kong_lines(stakes: Stakes, result: Result, rules: Rules) -> list[Line]:
    """Every pair settles the difference of its kong points, the winner too (TJ-13.2, TJ-13.3)."""
    lines: list[Line] = []
    for one, other in combinations(turn_order(stakes.dealer, PLAYERS), 2):
        own, theirs = result.kongs[one], result.kongs[other]
        difference = kong_points(own) - kong_points(theirs)
        if difference < 0:
            one, other, own, theirs, difference = other, one, theirs, own, -difference
        if difference:
            detail = (*((k, KONG_POINTS[k]) for k in own), *((k, -KONG_POINTS[k]) for k in theirs))
            points = difference * mult(stakes, one, other) * rules.base
            lines.append(Line("kong_points", "TJ-13.2", other, one, points, detail))
    return lines


def kong_points(kongs: Sequence[str]) -> int:
    """Sum of the kong points of some kongs (TJ-6.1)."""
    return sum(KONG_POINTS[kind] for kind in kongs)


def _follow_lines(stakes: Stakes, result: Result, rules: Rules) -> list[Line]:
    """The dealer pays each non-dealer 1 × mult × base after a follow (铲), win or not (TJ-8.2, TJ-8.3)."""
    if not result.follow:
        return []
    dealer = stakes.dealer
    return [
        Line("follow", "TJ-8.2", dealer, seat, FOLLOW_POINTS * mult(stakes, dealer, seat) * rules.base,
             (("follow", FOLLOW_POINTS),))
        for seat in others_after(dealer, PLAYERS)
    ]  # fmt: skip


def capped(nets: Sequence[int], cap: int, dealer: int) -> tuple[int, ...]:
    """`nets` by seat, which sum to zero, limited to ±`cap` and still zero-sum; cap 0 is off (TJ-14.1, TJ-14.2)."""
    if cap == 0 or max(map(abs, nets)) <= cap:
        return tuple(nets)
    clipped = [min(abs(v), cap) for v in nets]
    sides = [[seat for seat in turn_order(dealer, len(nets)) if nets[seat] * sign > 0] for sign in (1, -1)]
    total = min(sum(clipped[seat] for seat in side) for side in sides)
    out = [0] * len(nets)
    for side, sign in zip(sides, (1, -1), strict=True):
        for seat, share in zip(side, _shares([clipped[seat] for seat in side], total), strict=True):
            out[seat] = sign * share
    return tuple(out)


def _shares(amounts: list[int], total: int) -> list[int]:
    """Scale amounts down to `total`: floors, then one unit each by largest remainder, ties in the given order."""
    whole = sum(amounts)
    shares = [amount * total // whole for amount in amounts]
    by_remainder = sorted(range(len(amounts)), key=lambda i: -(amounts[i] * total % whole))
    for place in by_remainder[: total - sum(shares)]:
        shares[place] += 1
    return shares


def cap_lines(nets: Sequence[int], cap: int, dealer: int) -> list[Line]:
    """The difference to the uncapped net: givers and receivers paired in seat order from the dealer (TJ-14.3)."""
    change = [after - before for after, before in zip(capped(nets, cap, dealer), nets, strict=True)]
    order = turn_order(dealer, len(nets))
    givers = [seat for seat in order if change[seat] < 0]
    receivers = [seat for seat in order if change[seat] > 0]
    lines: list[Line] = []
    while givers:
        giver, receiver = givers[0], receivers[0]
        points = min(-change[giver], change[receiver])
        lines.append(Line("cap", "TJ-14.3", giver, receiver, points, (("cap", points),)))
        change[giver] += points
        change[receiver] -= points
        if change[giver] == 0:
            givers.pop(0)
        if change[receiver] == 0:
            receivers.pop(0)
    return lines
