"""Room options (房规) and META of 贵州捉鸡, as data. Hands, state and points are elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.kernel.immutable import immutable
from app.kernel.table import TableState
from app.kernel.tiles import NUMBERS
from app.kernel.variant import BotHints, Meta, Option, check_options, later

SLUG: Final = "guizhou"
RULES_VERSION: Final = 1
MIN_BASE: Final = 1
MAX_BASE: Final = 100
MAX_ROUNDS: Final = 64
DEFAULT_BONUS: Final = 10
MAX_BONUS: Final = 100


@immutable
class Rules:
    """The options of one room, checked. Names and defaults are those of the rules page."""

    players: int = 4
    zimo_double: bool = True
    up_down_chicken: bool = False
    wugu: bool = False
    weekday_chicken: bool = False
    self_chicken: bool = False
    full_chicken: bool = False
    bao_chicken: bool = False
    base: int = 1
    rounds: int = 8
    tian_ting_bonus: int = later(DEFAULT_BONUS)
    sha_ting_bonus: int = later(DEFAULT_BONUS)
    tian_hu_bonus: int = later(DEFAULT_BONUS)
    di_hu_bonus: int = later(DEFAULT_BONUS)
    hot_factor: int = later(2)


def _switch(name: str, default: bool, labels: tuple[str, str], helps: tuple[str, str], clause: str) -> Option:
    """A yes or no; labels and helps in Chinese and English."""
    return Option(name, "bool", default, *labels, help_zh=helps[0], clause=clause, help_en=helps[1])


def _bonus(name: str, labels: tuple[str, str], helps: tuple[str, str], clause: str) -> Option:
    """Points added to a hand; labels and helps in Chinese and English."""
    return Option(
        name, "int", DEFAULT_BONUS, *labels, low=0, high=MAX_BONUS, help_zh=helps[0], clause=clause, help_en=helps[1]
    )


OPTIONS: Final[tuple[Option, ...]] = (
    Option(
        "players", "choice", 4, "人数", "Players",
        choices=(2, 3, 4), choice_labels=("2 人", "3 人", "4 人"), help_zh="几人一桌，都用 72 张牌。", clause="GZ-1.2",
        help_en="Always with all 72 tiles.",
    ),
    _switch(
        "zimo_double", True, ("自摸翻倍", "Self-draw doubles"),
        ("自摸时牌型分翻倍。", "A self-drawn win doubles the points of the hand."), "GZ-12.1",
    ),
    _switch(
        "up_down_chicken", False, ("上下鸡", "Chickens up and down"),
        ("翻牌的上一张也是鸡，金鸡也算。", "The kind below the flipped tile is one too; gold applies."), "GZ-13.2",
    ),
    _switch(
        "wugu", False, ("乌骨鸡", "8 dots is a chicken"),
        ("八筒也是默认鸡，每只 2 分，有冲锋鸡。", "A default chicken as well: 2 points each, with charge."), "GZ-13.1",
    ),
    _switch(
        "weekday_chicken", False, ("星期鸡", "Weekday chicken"),
        ("发牌当天星期几，那个点数也是鸡。", "The number of the weekday of the deal is a chicken too."), "GZ-13.4",
    ),
    _switch(
        "self_chicken", False, ("本鸡", "Flipped tile counts"),
        ("翻开的那张牌本身也是鸡。", "The flipped tile itself is a chicken too."), "GZ-13.3",
    ),
    _switch(
        "full_chicken", False, ("满堂鸡", "Discards count"),
        ("打出去的非默认鸡也算分。", "Chickens among one's discards count, not only default ones."), "GZ-13.7",
    ),
    _switch(
        "bao_chicken", False, ("包鸡", "Not-ready pays"),
        ("没听牌的玩家为亮出来的默认鸡包分。", "Not ready: one pays for default chickens laid open."), "GZ-14.8",
    ),
    Option(
        "base", "int", 1, "底分", "Base points", low=MIN_BASE, high=MAX_BASE,
        help_zh="所有得分乘以底分。", clause="GZ-12.11", help_en="Everything is multiplied by it.",
    ),
    Option(
        "rounds", "int", 8, "局数", "Rounds", low=1, high=MAX_ROUNDS, help_zh="打几局；荒庄也算一局。", clause="GZ-2.7",
        help_en="Length of the match; exhausted rounds count.",
    ),
    _bonus(
        "tian_ting_bonus", ("天听加分", "Declared ready bonus"),
        ("报过听的人胡牌，牌型分加几分。", "Added to the hand of a winner who had declared ready."), "GZ-10.4",
    ),
    _bonus(
        "sha_ting_bonus", ("杀听加分", "Beaten declarer pays"),
        ("付牌型分的人报过听，多付几分。", "A payer of the hand who had declared ready pays so much more."), "GZ-10.5",
    ),
    _bonus(
        "tian_hu_bonus", ("天胡加分", "Heavenly bonus"),
        ("庄家起手就胡，牌型分加几分。", "Added to the hand when the dealer wins as dealt."), "GZ-12.8",
    ),
    _bonus(
        "di_hu_bonus", ("地胡加分", "Earthly bonus"),
        ("闲家第一轮没打牌就胡，牌型分加几分。", "Added when a non-dealer wins before a first discard."), "GZ-12.9",
    ),
    Option(
        "hot_factor", "int", 2, "热炮倍数", "Hot discard factor", low=1, high=4,
        help_zh="胡热炮，牌型分乘几；1 为不翻。", clause="GZ-12.5",
        help_en="A win on a hot discard multiplies the hand by it; 1 is none.",
    ),
)  # fmt: skip
"""Every room option in the order people see it."""

_TOKEN_NAMES: Final[dict[str, str]] = {
    "ping_hu": "平胡",
    "da_dui_zi": "大对子",
    "qi_dui": "七对",
    "long_qi_dui": "龙七对",
    "qing_yi_se": "清一色",
    "qing_da_dui": "清大对",
    "qing_qi_dui": "清七对",
    "qing_long_bei": "清龙背",
    "dan_diao": "单吊",
    "qing_dan_diao": "清单吊",
    "tian_ting": "天听",
    "sha_ting": "杀听",
    "tian_hu": "天胡",
    "di_hu": "地胡",
    "kong_concealed": "闷豆",
    "kong_added": "爬坡豆",
    "kong_exposed": "点豆",
    "kong_late": "憨包豆",
    "yaoji": "幺鸡",
    "wugu": "乌骨鸡",
    "gold": "金鸡",
    "charge": "冲锋鸡",
    "duty": "责任鸡",
    "flip_chicken": "翻鸡",
    "self_chicken": "本鸡",
    "weekday_chicken": "星期鸡",
}
"""Patterns, bonuses and the tokens of ledger details in Chinese."""

_NAMES_EN: Final[dict[str, str]] = {
    "平胡": "Plain", "大对子": "All triplets", "七对": "Seven pairs", "龙七对": "Dragon pairs", "清一色": "Flush",
    "清大对": "Flush triplets", "清七对": "Flush pairs", "清龙背": "Flush dragon pairs", "单吊": "Last tile",
    "清单吊": "Flush last tile", "天听": "Declared ready", "杀听": "Beat a ready hand", "天胡": "Heavenly",
    "地胡": "Earthly", "闷豆": "Closed bean", "爬坡豆": "Added bean", "点豆": "Bean", "憨包豆": "Late bean",
    "幺鸡": "Chicken", "乌骨鸡": "Black chicken", "金鸡": "Golden chicken", "冲锋鸡": "Charging chicken",
    "责任鸡": "Duty chicken", "翻鸡": "Flip", "本鸡": "Flipped tile", "星期鸡": "Weekday chicken", "牌型": "Hand",
    "豆": "Beans", "鸡": "Chick", "包鸡": "Chicken debt", "查叫": "Ready check", "作废": "Void", "2 人": "2",
    "3 人": "3", "4 人": "4",
}  # fmt: skip
"""English of the Chinese names in META."""

META: Final = Meta(
    slug=SLUG,
    name_zh="贵州捉鸡",
    name_en="Guizhou chicken mahjong",
    rules_version=RULES_VERSION,
    players=(2, 3, 4),
    kinds=NUMBERS[9:],
    dice=0,
    options=OPTIONS,
    first_dealer="owner_or_first",
    new_series_on_leave=False,
    auto_ready_s=None,
    clocks={"turn": 15, "claim": 8, "forced": 1},
    pattern_names=_TOKEN_NAMES,
    reason_names={
        "hand": "牌型",
        "bean": "豆",
        "chicken": "鸡",
        "bao": "包鸡",
        "duty": "责任鸡",
        "check": "查叫",
        "void": "作废",
    },
    void_clause="GZ-17.2",
    names_en=_NAMES_EN,
    bots=BotHints(seven_pairs=True),
)
"""Seats in playing order, counter-clockwise (GZ-1.3); `clocks` are the suggested times (GZ-20.4)."""


def parse_rules(raw: Mapping[str, object]) -> Rules:
    """Check room options and fill in the defaults. Raises MalformedInput naming the option."""
    values: dict[str, Any] = check_options(OPTIONS, raw)
    return Rules(**values)


def rules_of(table: TableState) -> Rules:
    """The options of a round, from its table or any view of it."""
    return Rules(**dict(table.facts.rules))  # type: ignore[arg-type]
