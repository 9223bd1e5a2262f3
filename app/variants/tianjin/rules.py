"""Options, constants (TJ-18.2), ladder and META of 天津麻将. Data only; nothing here judges a round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.kernel.immutable import immutable
from app.kernel.table import TableState
from app.kernel.tiles import KINDS
from app.kernel.variant import BotHints, LadderRow, Meta, Option, check_options, later

SLUG: Final = "tianjin"
RULES_VERSION: Final = 1
PLAYERS: Final = 4
READY_SECONDS: Final = 15
SIT_PULL_SECONDS: Final = 10
MAX_PULL: Final = 2
FOLLOW_POINTS: Final = 1
KONG_POINTS: Final[Mapping[str, int]] = {"kong_exposed": 1, "kong_added": 1, "kong_concealed": 2, "kong_gold": 4}
"""杠分 by kind of kong (TJ-6.1)."""


@immutable
class Rules:
    """Room options (TJ-18.1). `base` points per 番; `cap` limit of a round's net, 0 = off; `rounds` of a match.

    `any_gold`: any four wilds make a 金杠 (TJ-6.3).
    """

    base: int
    cap: int
    kong_bloom_plain: bool
    rounds: int
    any_gold: bool = later(False)


OPTIONS: Final = (
    Option(
        "base", "int", 1, "房间基本分", "Base points", 1, 100, help_zh="每番几分，杠分和铲也乘它", clause="TJ-13.1",
        help_en="Points per fan; kong points and Follow are multiplied too",
    ),
    Option(
        "cap", "int", 1000, "封顶", "Cap", 0, 1_000_000, help_zh="每盘得失分上限，0 为不封顶", clause="TJ-14.1",
        help_en="Most a round can bring or cost; 0 is no cap",
    ),
    Option(
        "kong_bloom_plain", "bool", True, "杠开提溜可胡", "Plain kong bloom wins",
        help_zh="关：最大牌型只是杠开提溜时不能胡", clause="TJ-9.7",
        help_en="Off: no win when a plain hand after a kong is all it has",
    ),
    Option(
        "rounds", "int", 8, "盘数", "Rounds", 1, 64, help_zh="打满几盘结束，荒庄算，作废不算", clause="TJ-2.9",
        help_en="Length of the match; exhausted rounds count, void ones do not",
    ),
    Option(
        "any_gold", "bool", False, "四混金杠", "Any four wilds are gold",
        help_zh="开：任意四张混都能开金杠，不必同一种", clause="TJ-6.3",
        help_en="On: any four wilds make a gold kong, not only four alike",
    ),
)  # fmt: skip


def parse_rules(raw: Mapping[str, object]) -> Rules:
    """Check options and fill defaults. Raises MalformedInput naming the option (TJ-18.1)."""
    values: dict[str, Any] = check_options(OPTIONS, raw)
    return Rules(**values)


def rules_of(table: TableState) -> Rules:
    """The options of a round, from its table or any view of it."""
    return Rules(**dict(table.facts.rules))  # type: ignore[arg-type]


LADDER: Final = tuple(
    [
        LadderRow(level, name, threshold)
        for level, (name, threshold) in enumerate(
            (
                ("白板", None), ("一万", 100), ("二万", 200), ("三万", 500), ("四万", 1_000), ("五万", 2_000),
                ("六万", 5_000), ("七万", 10_000), ("八万", 20_000), ("九万", 50_000), ("东风", 100_000),
                ("西风", 200_000), ("南风", 500_000), ("北风", 800_000), ("中", 1_200_000), ("发", 2_000_000),
                ("雀神", 3_000_000),
            ),
            start=1,
        )
    ]
)  # fmt: skip
"""等级 (TJ-15.1). The names run 东西南北 and 中发 as written, not by the rings of TJ-4.6 (TJ-15.3)."""


def ladder_level(points: int) -> LadderRow:
    """The rank of a total of capped nets: the highest threshold not above it; level 1 below 100 (TJ-15.1)."""
    reached = [row for row in LADDER if row.threshold is not None and row.threshold <= points]
    return reached[-1] if reached else LADDER[0]


_NAMES_EN: Final[dict[str, str]] = {
    "提溜": "Plain", "素": "No wild", "混吊": "Wild wait", "双混吊": "Double wild wait", "捉5": "Catch 5",
    "龙": "Dragon straight", "本混": "Own wilds", "杠开": "Kong bloom", "天和": "Heavenly", "明杠": "Open kong",
    "补杠": "Added kong", "暗杠": "Closed kong", "金杠": "Gold kong", "铲": "Follow", "胡牌": "Win",
    "杠分": "Kong points", "封顶": "Cap", "作废": "Void", "白板": "White", "一万": "1 Wan", "二万": "2 Wan",
    "三万": "3 Wan", "四万": "4 Wan", "五万": "5 Wan", "六万": "6 Wan", "七万": "7 Wan", "八万": "8 Wan",
    "九万": "9 Wan", "东风": "East", "西风": "West", "南风": "South", "北风": "North", "中": "Red", "发": "Green",
    "雀神": "Sage",
}  # fmt: skip
"""English of the Chinese names in META."""

META: Final = Meta(
    slug=SLUG,
    name_zh="天津麻将",
    name_en="Tianjin mahjong",
    rules_version=RULES_VERSION,
    players=(PLAYERS,),
    kinds=KINDS,
    dice=4,
    options=OPTIONS,
    first_dealer="random",
    new_series_on_leave=True,
    auto_ready_s=READY_SECONDS,
    clocks={"answer": SIT_PULL_SECONDS},
    pattern_names={
        "ti_liu": "提溜", "su": "素", "hun_diao": "混吊", "shuang_hun_diao": "双混吊", "zhuo_wu": "捉5", "long": "龙",
        "ben_hun": "本混", "gang_kai": "杠开", "tian_he": "天和", "kong_exposed": "明杠", "kong_added": "补杠",
        "kong_concealed": "暗杠", "kong_gold": "金杠", "follow": "铲",
    },
    reason_names={"win": "胡牌", "kong_points": "杠分", "follow": "铲", "cap": "封顶", "void": "作废"},
    void_clause="TJ-2.8",
    ladder=LADDER,
    names_en=_NAMES_EN,
    bots=BotHints(wilds_mark="wilds"),
)  # fmt: skip
"""Four seats in playing order (TJ-1.1, TJ-1.3); 136 tiles without flowers (TJ-1.2). The match begins a new series when
a player leaves (TJ-2.1, TJ-2.6) and starts totals at 0 (TJ-15.2).
"""
