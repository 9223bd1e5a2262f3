"""Winning shapes of 贵州捉鸡: the ten patterns (牌型), waits (叫) and the best value of a ready hand.

Recognition only: a hand and what was laid beside it. No seats, no offers, no points but the pattern's own value.
A hand is the kernel's int of concealed tiles; `Laid` is all that a hand needs to know of its own melds.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal

from app.kernel.immutable import immutable
from app.kernel.melds import Meld
from app.kernel.shapes.counts import EMPTY, ONE, SHIFT, Hand, count, kinds_of, size, suit_key
from app.kernel.shapes.sets import complete, divide, group_texts
from app.kernel.shapes.wildcards import fits
from app.kernel.tiles import NUMBERS, SUIT, Tile

PatternName = Literal[
    "ping_hu", "da_dui_zi", "qi_dui", "long_qi_dui", "qing_yi_se",
    "qing_da_dui", "qing_qi_dui", "qing_long_bei", "dan_diao", "qing_dan_diao",
]  # fmt: skip

PATTERN_VALUE: Final[dict[PatternName, int]] = {
    "ping_hu": 1,
    "da_dui_zi": 5,
    "qi_dui": 10,
    "long_qi_dui": 20,
    "qing_yi_se": 10,
    "qing_da_dui": 15,
    "qing_qi_dui": 20,
    "qing_long_bei": 30,
    "dan_diao": 10,
    "qing_dan_diao": 20,
}
"""Points before 底分 (GZ-11.1)."""

SEVEN_PAIRS: Final = frozenset({"qi_dui", "long_qi_dui", "qing_qi_dui", "qing_long_bei"})
"""Patterns that read as pairs (GZ-11.5)."""

_PURE: Final[dict[PatternName, PatternName]] = {
    "ping_hu": "qing_yi_se",
    "da_dui_zi": "qing_da_dui",
    "qi_dui": "qing_qi_dui",
    "long_qi_dui": "qing_long_bei",
    "dan_diao": "qing_dan_diao",
}
"""The name of a pattern when all of it is one suit (清, GZ-11.4)."""

TILES: Final[tuple[Tile, ...]] = NUMBERS[9:]
"""The 18 kinds of the game: 筒 then 条, rank ascending (GZ-1.1)."""

_LOW: Final[Hand] = sum(ONE[kind] for kind in TILES)
_ALL_FOUR: Final = 4
_MEMO: Final = 1 << 10


@immutable
class Laid:
    """A seat's own melds as its hand needs them: how many, which suits, and the copies of each kind in them."""

    melds: int
    suits: str
    copies: Hand


NOTHING_LAID: Final = Laid(0, "", EMPTY)


@lru_cache(maxsize=_MEMO // 4)
def laid_of(melds: tuple[Meld, ...]) -> Laid:
    """Sum up own melds (碰 and kongs of every kind, 闷豆 included)."""
    if not melds:
        return NOTHING_LAID
    copies = sum(meld.count * ONE[meld.tiles[0]] for meld in melds)
    return Laid(len(melds), "".join(sorted({SUIT[meld.tiles[0]] for meld in melds})), copies)


def all_pairs(hand: Hand) -> bool:
    """True when every kind is held two or four times; seven pairs when the hand has 14 tiles (GZ-11.5)."""
    return not hand & _LOW


def _all_triplets(hand: Hand) -> bool:
    """True when the hand is triplets and exactly one pair."""
    pairs = 0
    while hand:
        shift = ((hand & -hand).bit_length() - 1) // 3 * 3
        copies = (hand >> shift) & 7
        if copies == 2:
            pairs += 1
        elif copies != 3:
            return False
        hand &= ~(7 << shift)
    return pairs == 1


def _one_suit(hand: Hand, laid: Laid) -> bool:
    """清: concealed tiles, winning tile and melds together show one suit (GZ-11.4)."""
    suits = set(laid.suits)
    suits.update(suit for place, suit in enumerate("mps") if suit_key(hand, place))
    return len(suits) == 1


@lru_cache(maxsize=_MEMO)
def pattern_of(hand: Hand, tile: Tile | None, laid: Laid) -> PatternName | None:
    """The one pattern that counts (GZ-11.2), or None when the tiles do not win.

    Runs lie in the hand only (GZ-11.3). 龙七对 needs four of the winning kind (GZ-11.6). Four melds of any kind and a
    pair are 单吊 (GZ-11.8), with three or fewer they are not (GZ-11.9).

    `hand` holds the winning `tile`; `tile` is None for 天胡, which has no winning tile (GZ-11.7). A hand with too many
    or too few tiles is no win. Within one suit or across suits the readings rank 七对 > 大对子 > 平胡, so the first
    that fits is the highest.
    """
    name: PatternName
    if size(hand) + 3 * laid.melds != 14:
        return None
    if laid.melds == _ALL_FOUR:
        if not all_pairs(hand):
            return None
        name = "dan_diao"
    elif not laid.melds and all_pairs(hand):
        name = "long_qi_dui" if tile is not None and count(hand, tile) == 4 else "qi_dui"
    elif _all_triplets(hand):
        name = "da_dui_zi"
    elif complete(hand):
        name = "ping_hu"
    else:
        return None
    return _PURE[name] if _one_suit(hand, laid) else name


@lru_cache(maxsize=_MEMO)
def waits_of(hand: Hand, laid: Laid) -> tuple[Tile, ...]:
    """The kinds that complete a hand of 13 (melds count three each), in tile order; empty: not ready (GZ-9.1).

    A kind of which the player owns all four copies is no wait; copies seen elsewhere do not matter (GZ-9.2).
    """
    shape = _shape_waits(hand, laid.melds)
    if not shape:
        return ()
    owned = hand + laid.copies
    return tuple([kind for kind in shape if (owned >> SHIFT[kind]) & 7 < 4])


def _shape_waits(hand: Hand, melds: int) -> tuple[Tile, ...]:
    if size(hand) + 3 * melds != 13:
        return ()
    odd = hand & _LOW
    pair_wait = not melds and odd and not odd & (odd - 1)
    if not pair_wait and not fits(hand, _ALL_FOUR - melds, True):  # most hands are not ready, and this sees it quickly
        return ()
    return tuple([kind for kind in _near(hand) if (pair_wait and odd == ONE[kind]) or complete(hand + ONE[kind])])


def _near(hand: Hand) -> Iterable[Tile]:
    """The kinds that can complete anything: held, or at most two ranks from a held one of the suit."""
    held = hand & _LOW | (hand >> 1) & _LOW | (hand >> 2) & _LOW
    return [kind for kind in TILES if held & _REACH[kind]]


_REACH: Final[dict[Tile, Hand]] = {
    kind: sum(ONE[other] for other in TILES if other[1] == kind[1] and abs(int(other[0]) - int(kind[0])) <= 2)
    for kind in TILES
}


@lru_cache(maxsize=_MEMO)
def best_of(hand: Hand, laid: Laid) -> tuple[Tile, PatternName] | None:
    """The wait worth most and its pattern: what 查叫 asks for (GZ-16.3, GZ-16.4); None when not ready."""
    best: tuple[Tile, PatternName] | None = None
    for kind in waits_of(hand, laid):
        name = pattern_of(hand + ONE[kind], kind, laid)
        if name is not None and (best is None or PATTERN_VALUE[name] > PATTERN_VALUE[best[1]]):
            best = (kind, name)
    return best


def groups(hand: Hand, tile: Tile | None, pairs: bool) -> tuple[str, ...]:
    """One reading of a won hand for people: texts such as `1s 2s *3s`, the winning tile marked; melds are left out.

    `pairs`: seven pairs, four equal tiles being two of them. Triplets are tried before runs, so 大对子 reads as such.
    """
    if pairs:
        return group_texts([(kind,) * 2 for kind in kinds_of(hand) for _ in range(count(hand, kind) // 2)], tile)
    return group_texts(divide(hand, pair=True) or (), tile)
