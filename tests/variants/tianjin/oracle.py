"""A second opinion on hands: slow, independent of the code under test, written from sections 9 to 12 of RULES.md.

It lists every decomposition with every wild assigned, then every drawn slot and every choice of claims, and takes the
best. Nothing is imported from the variant; tiles are plain texts.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, product

RING = {"5z": "7z", "6z": "5z", "7z": "6z", "1z": "2z", "2z": "3z", "3z": "4z", "4z": "1z"}
Place = tuple[str, bool]
"""(tile it stands for, filled by a wild)"""
Group = tuple[str, tuple[Place, ...]]
"""("run" | "triplet" | "pair", places)"""


def next_kind(kind: str) -> str:
    """TJ-4.6."""
    return RING.get(kind) or (f"{int(kind[0]) + 1}{kind[1]}" if kind[0] != "9" else f"1{kind[1]}")


@dataclass(frozen=True)
class Hand:
    tiles: tuple[str, ...]
    drawn: str
    melds: int
    gold: bool
    indicator: str
    after_kong: bool = False
    heaven: bool = False

    @property
    def wilds(self) -> tuple[str, str]:
        return self.indicator, next_kind(self.indicator)


def judge(hand: Hand) -> tuple[int, tuple[str, ...]]:
    """(fan, sorted patterns) of the best reading, (0, ()) when incomplete."""
    found: set[tuple[int, bool, bool, tuple[str, ...]]] = set()
    naturals = sorted(tile for tile in hand.tiles if tile not in hand.wilds)
    wild_count = len(hand.tiles) - len(naturals)
    drawn_options = sorted(set(hand.tiles)) if hand.heaven else [hand.drawn]
    for groups in decompositions(tuple(naturals), wild_count, 4 - hand.melds):
        for drawn in drawn_options:
            for patterns in readings(groups, drawn, drawn in hand.wilds, hand.wilds[0][1]):
                patterns |= {"su"} if wild_count == 0 and not hand.gold else set()
                patterns |= {"gang_kai"} if hand.after_kong else set()
                fan = value(patterns) * (4 if hand.heaven else 1)
                patterns |= {"tian_he"} if hand.heaven else set()
                found.add((fan, "shuang_hun_diao" in patterns, "ben_hun" in patterns, tuple(sorted(patterns))))
    if not found:
        return 0, ()
    fan, _, _, patterns_found = max(found)
    return fan, patterns_found


def value(patterns: set[str]) -> int:
    """TJ-11.1."""
    total = (3 if "zhuo_wu" in patterns else 0) + (4 if "long" in patterns else 0) or 1
    for doubling in ({"su"}, {"hun_diao", "shuang_hun_diao"}, {"ben_hun"}, {"gang_kai"}):
        if doubling & patterns:
            total *= 2
    return total


@lru_cache(maxsize=1 << 16)
def decompositions(naturals: tuple[str, ...], wilds: int, sets: int, pairs: int = 1) -> frozenset[tuple[Group, ...]]:
    """Every split into `sets` sets and a pair (TJ-10.1), as sorted tuples of groups."""
    if len(naturals) + wilds != 3 * sets + 2 * pairs:
        return frozenset()
    if not naturals:
        return frozenset(_all_wild(sets, pairs))
    first, found = naturals[0], set()
    for kind, shape in _shapes_with(first):
        if (pairs if kind == "pair" else sets) == 0:
            continue
        for filling in product((False, True), repeat=len(shape)):
            used = [tile for tile, wild in zip(shape, filling, strict=True) if not wild]
            if first not in used or sum(filling) > wilds or Counter(used) - Counter(naturals):
                continue
            left = tuple(sorted((Counter(naturals) - Counter(used)).elements()))
            group = (kind, tuple(sorted(zip(shape, filling, strict=True))))
            rest = (sets, pairs - 1) if kind == "pair" else (sets - 1, pairs)
            found |= {tuple(sorted((group, *others))) for others in decompositions(left, wilds - sum(filling), *rest)}
    return frozenset(found)


def _shapes_with(tile: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield "pair", (tile,) * 2
    yield "triplet", (tile,) * 3
    if tile[1] != "z":
        for start in range(int(tile[0]) - 2, int(tile[0]) + 1):
            if 1 <= start <= 7:
                yield "run", tuple(f"{start + step}{tile[1]}" for step in range(3))


def _all_wild(sets: int, pairs: int) -> Iterator[tuple[Group, ...]]:
    """Groups of wilds only. Shapes that no pattern tells apart are listed once: one triplet, runs of a 龙."""
    starts = [(start, suit) for suit in "mps" for start in (1, 4, 7)]
    runs = [("run", tuple((f"{start + step}{suit}", True) for step in range(3))) for start, suit in starts]
    pair: tuple[Group, ...] = (("pair", (("any", True),) * 2),) * pairs
    for chosen in combinations_with_replacement([*runs, ("triplet", (("any", True),) * 3)], sets):
        yield (*chosen, *pair)


def readings(groups: tuple[Group, ...], drawn: str, drawn_wild: bool, wild_suit: str) -> Iterator[set[str]]:
    """The pattern sets of one decomposition, over drawn slots (TJ-10.2) and claims.

    TJ-10.3, TJ-10.4, TJ-10.5, TJ-10.6, TJ-10.7, TJ-10.8, TJ-10.9, TJ-10.10, TJ-10.11.
    """
    for index, (kind, places) in enumerate(groups):
        for at, (tile, wild) in enumerate(places):
            if wild != drawn_wild or (not wild and tile != drawn):
                continue
            beside = [is_wild for other, (_, is_wild) in enumerate(places) if other != at]
            labels = [""]
            if all(beside):
                labels.append("hun_diao" if kind == "pair" else "shuang_hun_diao")
            five = kind == "run" and {t for t, _ in places} == {"4m", "5m", "6m"} and tile == "5m"
            for label in labels:
                standing = [g for other, g in enumerate(groups) if not (label and other == index)]
                for suit in ("", *dragons(standing)):
                    patterns = {label} if label else set()
                    patterns |= {"zhuo_wu"} if five else set()
                    patterns |= {"long"} if suit else set()
                    patterns |= {"ben_hun"} if suit and suit == wild_suit else set()
                    patterns |= set() if five or suit else {"ti_liu"}
                    yield patterns


def dragons(groups: list[Group]) -> list[str]:
    """Suits in which three runs form a 龙 (TJ-10.8)."""
    runs = {tuple(tile for tile, _ in places) for kind, places in groups if kind == "run"}
    return [
        suit
        for suit in "mps"
        if all(tuple(f"{start + step}{suit}" for step in range(3)) in runs for start in (1, 4, 7))
    ]
