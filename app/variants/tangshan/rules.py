"""Room options (房规) and META of 大唐撸麻雀儿, as data. The behaviour of a round is elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, cast

from app.kernel.immutable import immutable
from app.kernel.table import TableState
from app.kernel.tiles import KINDS
from app.kernel.variant import Meta, Option, check_options

SLUG: Final = "tangshan"
Scoring = Literal["high", "low"]
"""The payment for the first lighting of a category (TS-11.5)."""
VOID_CLAUSE: Final = "TS-12.4"
FOUR: Final = 4
"""Table size at which chow and pair claim exist (TS-1.4)."""


@immutable
class Rules:
    """One table's options, checked: see `OPTIONS` for their meaning."""

    players: int
    scoring: Scoring
    rob_xi: bool
    rounds: int


OPTIONS: Final = (
    Option(
        "players", "choice", 4, "人数", "Players", choices=(2, 3, 4), choice_labels=("2人PK", "3人拐", "4人"),
        help_zh="二、三人桌不能吃牌、订将", clause="TS-1.1",
        help_en="With two or three, no chows and no pair claims",
    ),
    Option(
        "scoring", "choice", "high", "亮喜计分", "Lighting points", choices=("high", "low"),
        choice_labels=("高计分", "低计分"), help_zh="低计分时首次亮喜只按单张计分，补喜不变", clause="TS-11.5",
        help_en="Low: the first lighting pays as single tiles; additions are unchanged",
    ),
    Option(
        "rob_xi", "bool", False, "抢喜", "Rob additions", help_zh="他人补喜时可碰、可胡该张牌", clause="TS-7.8",
        help_en="A tile another player adds to their xi may be ponged or won on",
    ),
    Option(
        "rounds", "int", 8, "局数", "Rounds", low=1, high=64, help_zh="流局也算一局", clause="TS-13.3",
        help_en="Length of the match; exhausted rounds count",
    ),
)  # fmt: skip

_NAMES_EN: Final[dict[str, str]] = {
    "门未清": "Open hand", "门清": "Closed hand", "喜胡自摸（门未清）": "Xi by draw, open",
    "喜胡自摸（门清）": "Xi by draw, closed", "幺喜（1万1筒1条）": "Ones", "九喜（9万9筒9条）": "Nines",
    "箭喜（中发白）": "Dragons", "风喜（东南西北）": "Winds", "碰": "Pong", "扣": "Cover", "明杠": "Open kong",
    "暗杠": "Closed kong", "亮喜": "Light", "补喜": "Add", "胡（门未清）": "Win, open", "胡（门清）": "Win, closed",
    "作废": "Void", "2人PK": "2", "3人拐": "3", "4人": "4", "高计分": "High", "低计分": "Low",
}  # fmt: skip
"""English of the Chinese names in META."""

META: Final = Meta(
    slug=SLUG,
    name_zh="大唐撸麻雀儿",
    name_en="Tangshan Luma Que'er",
    rules_version=1,
    players=(2, 3, 4),
    kinds=KINDS,
    dice=0,
    options=OPTIONS,
    first_dealer="random",
    new_series_on_leave=False,
    auto_ready_s=None,
    clocks={"opening": 15, "turn": 15, "claim": 8},
    pattern_names={
        "win_open": "门未清",
        "win_closed": "门清",
        "win_xi_open": "喜胡自摸（门未清）",
        "win_xi_closed": "喜胡自摸（门清）",
        "ones": "幺喜（1万1筒1条）",
        "nines": "九喜（9万9筒9条）",
        "dragons": "箭喜（中发白）",
        "winds": "风喜（东南西北）",
    },
    reason_names={
        "pong": "碰",
        "cover": "扣",
        "kong_exposed": "明杠",
        "kong_concealed": "暗杠",
        "xi_light": "亮喜",
        "xi_add": "补喜",
        "win_open": "胡（门未清）",
        "win_closed": "胡（门清）",
        "win_xi_open": "喜胡自摸（门未清）",
        "win_xi_closed": "喜胡自摸（门清）",
        "void": "作废",
    },
    void_clause=VOID_CLAUSE,
    names_en=_NAMES_EN,
)
"""136 tiles at every table size (TS-1.2), seats in playing order (TS-1.3); one wall in drawing order, no dice (TS-1.6).

First dealer at random (TS-13.1); clocks as TS-15.4 suggests.
"""


def parse_rules(raw: Mapping[str, object]) -> Rules:
    """Options as given by people, defaults filled in. Raises MalformedInput naming the option."""
    checked = check_options(OPTIONS, raw)
    scoring = cast(Scoring, checked["scoring"])
    return Rules(int(checked["players"]), scoring, bool(checked["rob_xi"]), int(checked["rounds"]))


def rules_of(table: TableState) -> Rules:
    """The options of a round, from its table or any view of it."""
    return Rules(**dict(table.facts.rules))  # type: ignore[arg-type]
