"""Options and META of 二人雀. Data only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.kernel.tiles import DRAGONS, NUMBERS
from app.kernel.variant import Meta, Option, check_options

PLAYERS: Final = 2


@dataclass(frozen=True, slots=True)
class Rules:
    """Options of one room, checked."""

    base: int
    dragon_pong: bool
    rounds: int


OPTIONS: Final = (
    Option(
        "base", "int", 1, "底分", "Base points", 1, 10, help_zh="所有得分乘以底分", clause="ER-3.3",
        help_en="Everything is multiplied by it",
    ),
    Option(
        "dragon_pong", "bool", True, "碰箭得分", "Dragon pongs pay", help_zh="碰白发中当场得分", clause="ER-3.4",
        help_en="A ponged dragon pays at once",
    ),
    Option(
        "rounds", "int", 4, "局数", "Rounds", 1, 16, help_zh="荒庄也算一局", clause="ER-3.6",
        help_en="Exhausted rounds count",
    ),
)  # fmt: skip

META: Final = Meta(
    slug="erren",
    name_zh="二人雀",
    name_en="Two sparrows",
    rules_version=1,
    players=(PLAYERS,),
    kinds=NUMBERS[18:] + DRAGONS,
    dice=0,
    options=OPTIONS,
    first_dealer="random",
    new_series_on_leave=False,
    auto_ready_s=None,
    clocks={},
    pattern_names={"ping_hu": "平胡", "peng_peng_hu": "碰碰胡", "jian_ke": "箭刻"},
    reason_names={"win": "胡牌", "dragon_pong": "碰箭", "check": "查叫", "void": "作废"},
    void_clause="ER-3.6",
)


def parse_rules(raw: Mapping[str, object]) -> Rules:
    """Check options and fill defaults. Raises MalformedInput naming the option."""
    values: dict[str, Any] = check_options(OPTIONS, raw)
    return Rules(**values)
