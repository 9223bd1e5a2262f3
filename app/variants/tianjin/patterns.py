"""番: the scoring patterns of a hand, the formula and the 34 reachable rows (TJ-10.3, TJ-11.1, TJ-11.4).

Nothing else adds to a hand (TJ-9.9). A pattern set is written sorted. Which tiles allow which patterns is judged in
`winning`; points are booked in `scoring`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

FAN_PLAIN: Final = 1
FAN_ZHUO_WU: Final = 3
FAN_LONG: Final = 4
MIN_FAN: Final = 2
HEAVEN_FACTOR: Final = 4

Patterns = tuple[str, ...]

_ADDED: Final = {"ti_liu": FAN_PLAIN, "zhuo_wu": FAN_ZHUO_WU, "long": FAN_LONG}
"""提溜, 捉5, 龙: these are added up first (TJ-11.1)."""
_FACTORS: Final = {
    "su": 2, "hun_diao": 2, "shuang_hun_diao": 2, "ben_hun": 2, "gang_kai": 2, "tian_he": HEAVEN_FACTOR,
}  # fmt: skip
"""素, 混吊, 双混吊, 本混, 杠开, 天和: each of these multiplies, in this order (TJ-11.1, TJ-11.2, TJ-12.2).

The kong of 杠开 is no factor of its own (TJ-11.3).
"""


def breakdown(patterns: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Each pattern with the 番 it adds, in the order of the formula; the amounts add up (TJ-11.1, TJ-12.2)."""
    present = frozenset(patterns)
    parts = [(name, fan) for name, fan in _ADDED.items() if name in present]
    total = sum(fan for _, fan in parts)
    for name, factor in _FACTORS.items():
        if name in present:
            parts.append((name, total * (factor - 1)))
            total *= factor
    return tuple(parts)


def fan_of(patterns: Iterable[str]) -> int:
    """番 of a pattern set: (3·捉5 + 4·龙, or 1) × 2 for each of 素, 混吊/双混吊, 本混, 杠开 × 4 for 天和 (TJ-11.1)."""
    return sum(fan for _, fan in breakdown(patterns))


ROWS: Final[dict[Patterns, str]] = {
    ("ti_liu",): "提溜",
    ("gang_kai", "ti_liu"): "杠开提溜",
    ("su", "ti_liu"): "素提溜",
    ("gang_kai", "su", "ti_liu"): "杠开素提溜",
    ("hun_diao", "ti_liu"): "混吊",
    ("gang_kai", "hun_diao", "ti_liu"): "杠开混吊",
    ("shuang_hun_diao", "ti_liu"): "双混吊",
    ("gang_kai", "shuang_hun_diao", "ti_liu"): "杠开双混吊",
    ("zhuo_wu",): "捉5",
    ("gang_kai", "zhuo_wu"): "有混杠开捉5",
    ("su", "zhuo_wu"): "素5",
    ("gang_kai", "su", "zhuo_wu"): "杠开素5",
    ("shuang_hun_diao", "zhuo_wu"): "双混捉5",
    ("gang_kai", "shuang_hun_diao", "zhuo_wu"): "杠开双混捉5",
    ("long",): "提溜龙",
    ("gang_kai", "long"): "杠开龙",
    ("long", "su"): "素龙",
    ("gang_kai", "long", "su"): "杠开素龙",
    ("long", "zhuo_wu"): "捉5龙",
    ("gang_kai", "long", "zhuo_wu"): "杠开捉5龙",
    ("long", "su", "zhuo_wu"): "素龙捉5",
    ("gang_kai", "long", "su", "zhuo_wu"): "杠开素龙捉5",
    ("hun_diao", "long"): "混吊龙",
    ("gang_kai", "hun_diao", "long"): "杠开混吊龙",
    ("ben_hun", "long"): "本混龙",
    ("ben_hun", "gang_kai", "long"): "杠开本混龙",
    ("ben_hun", "hun_diao", "long"): "混吊本混龙",
    ("ben_hun", "gang_kai", "hun_diao", "long"): "杠开混吊本混龙",
    ("ben_hun", "long", "zhuo_wu"): "本混捉5龙",
    ("ben_hun", "gang_kai", "long", "zhuo_wu"): "杠开本混捉5龙",
    ("long", "shuang_hun_diao"): "双混吊龙",
    ("ben_hun", "long", "shuang_hun_diao"): "双混吊本混龙",
    ("long", "shuang_hun_diao", "zhuo_wu"): "双混吊捉5龙",
    ("ben_hun", "long", "shuang_hun_diao", "zhuo_wu"): "双混吊本混捉5龙",
}
"""The 34 reachable pattern sets and their Chinese names (TJ-11.4)."""


def name_of(patterns: Patterns) -> str:
    """The Chinese name of a reachable pattern set; 天和 is put before the row's own name (TJ-11.4, TJ-12.3)."""
    if "tian_he" in patterns:
        return "天和 " + ROWS[tuple([name for name in patterns if name != "tian_he"])]
    return ROWS[patterns]
