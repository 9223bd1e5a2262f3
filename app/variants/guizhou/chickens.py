"""Chickens (鸡): which kinds count this round, what each is worth, and what a seat collects or owes for them.

Values and membership only. Readiness, payers and 底分 are in `scoring.py`; no other factor applies (GZ-12.7, GZ-13.10).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from app.kernel.immutable import immutable
from app.kernel.ledger import Detail
from app.kernel.melds import Meld
from app.kernel.shapes.counts import Hand, count
from app.kernel.tiles import RANK, SUIT, Tile
from app.variants.guizhou.rules import Rules

YAOJI: Final[Tile] = "1s"
WUGU: Final[Tile] = "8p"
"""幺鸡 and 乌骨 (GZ-1.5)."""

DEFAULT_VALUE: Final[dict[Tile, int]] = {YAOJI: 1, WUGU: 2}
"""Also what a 责任鸡 costs: flat, gold or not (GZ-13.5, GZ-14.4)."""
DEFAULT_NAME: Final[dict[Tile, str]] = {YAOJI: "yaoji", WUGU: "wugu"}
OTHER_VALUE: Final = 1
GOLD_FACTOR: Final = 2
CHARGE_FACTOR: Final = 2
_SUIT_RANKS: Final = 9


def default_kinds(rules: Rules) -> tuple[Tile, ...]:
    """默认鸡: 幺鸡 always, 乌骨 with `wugu` (GZ-13.1)."""
    return (YAOJI, WUGU) if rules.wugu else (YAOJI,)


def neighbour(kind: Tile, step: int) -> Tile:
    """The kind `step` ranks on, cyclic within the suit: after 9 comes 1 (GZ-13.2)."""
    return f"{(RANK[kind] - 1 + step) % _SUIT_RANKS + 1}{SUIT[kind]}"


@immutable
class Chickens:
    """The chickens of one settled round: `defaults` and whether they are gold, `others` with the name of their role."""

    defaults: tuple[Tile, ...]
    gold: frozenset[Tile]
    others: Mapping[Tile, str]
    count_rows: bool

    def unit(self, kind: Tile) -> int:
        """Value of one copy of a default kind, 金鸡 doubled (GZ-14.1)."""
        return DEFAULT_VALUE[kind] * (GOLD_FACTOR if kind in self.gold else 1)


def chickens_of(rules: Rules, flip: Tile | None, weekday: int) -> Chickens:
    """Fix the chickens from the flipped tile (None: no flip) and the weekday, Monday 1 … Sunday 7 (GZ-13.1, GZ-15.2).

    Roles do not stack: a default kind counts as default only, any other kind once (GZ-13.6).
    """
    defaults = default_kinds(rules)
    flipped = () if flip is None else (neighbour(flip, 1), *((neighbour(flip, -1),) if rules.up_down_chicken else ()))
    roles: dict[Tile, str] = dict.fromkeys(flipped, "flip_chicken")
    if rules.self_chicken and flip is not None:
        roles.setdefault(flip, "self_chicken")
    if rules.weekday_chicken:
        for suit in "ps":
            roles.setdefault(f"{weekday}{suit}", "weekday_chicken")
    others = {kind: role for kind, role in roles.items() if kind not in defaults}
    return Chickens(defaults, frozenset(flipped) & frozenset(defaults), others, rules.full_chicken)


def worth(chickens: Chickens, own: Hand, row: tuple[Tile, ...], charged: tuple[Tile, ...]) -> Detail:
    """A ready seat's income from each other player, as tokens (GZ-13.7, GZ-13.9, GZ-14.3).

    `own`: hand with the winning tile, and melds. `charged`: default kinds of which this seat threw the 冲锋鸡.
    """
    amounts: dict[str, int] = {}
    for kind in chickens.defaults:
        _add_default(amounts, chickens, kind, count(own, kind) + row.count(kind), kind in charged)
    for kind, role in chickens.others.items():
        copies = count(own, kind) + (row.count(kind) if chickens.count_rows else 0)
        _add(amounts, role, OTHER_VALUE * copies)
    return tuple(amounts.items())


def charge_debt(chickens: Chickens, charged: tuple[Tile, ...]) -> Detail:
    """A not-ready seat's debt to each ready one for its 冲锋鸡, 包鸡 on or off (GZ-14.7, GZ-14.10)."""
    amounts: dict[str, int] = {}
    for kind in charged:
        _add_default(amounts, chickens, kind, 1, True)
    return tuple(amounts.items())


def exposed_debt(
    chickens: Chickens, melds: tuple[Meld, ...], row: tuple[Tile, ...], charged: tuple[Tile, ...]
) -> Detail:
    """What 包鸡 adds for other exposed default chickens of a not-ready seat (GZ-14.8); face-down melds are not."""
    amounts: dict[str, int] = {}
    for kind in chickens.defaults:
        copies = row.count(kind) - (kind in charged)
        copies += sum(meld.count for meld in melds if not meld.face_down and meld.tiles[0] == kind)
        _add_default(amounts, chickens, kind, copies, False)
    return tuple(amounts.items())


def _add_default(amounts: dict[str, int], chickens: Chickens, kind: Tile, copies: int, charge: bool) -> None:
    """Split the value of default chickens into plain value, what gold adds and what 冲锋 adds."""
    plain, unit = DEFAULT_VALUE[kind], chickens.unit(kind)
    _add(amounts, DEFAULT_NAME[kind], plain * copies)
    _add(amounts, "gold", (unit - plain) * copies)
    if charge:
        _add(amounts, "charge", unit * (CHARGE_FACTOR - 1))


def _add(amounts: dict[str, int], token: str, points: int) -> None:
    if points:
        amounts[token] = amounts.get(token, 0) + points
