"""Room options: defaults are filled in, and what is wrong is named."""

from dataclasses import dataclass

import pytest

from app.kernel.errors import MalformedInput
from app.kernel.variant import Option, check_options, rule_pairs

OPTIONS = (
    Option("base", "int", 1, "底分", "Base", 1, 100),
    Option("wugu", "bool", False, "乌骨鸡", "Black chicken"),
    Option("players", "choice", 4, "人数", "Players", choices=(2, 3, 4)),
    Option("scoring", "choice", "high", "亮喜计分", "Scoring", choices=("high", "low")),
)


def test_defaults_stand_where_nothing_is_said() -> None:
    assert check_options(OPTIONS, {}) == {"base": 1, "wugu": False, "players": 4, "scoring": "high"}


def test_given_values_replace_defaults() -> None:
    raw = {"base": 100, "wugu": True, "players": 2, "scoring": "low"}
    assert check_options(OPTIONS, raw) == raw


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ({"bass": 1}, "bass"), ({"base": 0}, "base"), ({"base": 101}, "base"), ({"base": True}, "base"),
        ({"base": 1.0}, "base"), ({"base": "1"}, "base"), ({"base": None}, "base"), ({"wugu": 1}, "wugu"),
        ({"wugu": "true"}, "wugu"), ({"players": 5}, "players"), ({"players": "4"}, "players"),
        ({"players": 2.0}, "players"), ({"scoring": "mid"}, "scoring"), ({"scoring": ["high"]}, "scoring"),
    ],
)  # fmt: skip
def test_a_wrong_option_is_named(raw: dict[str, object], field: str) -> None:
    with pytest.raises(MalformedInput) as caught:
        check_options(OPTIONS, raw)
    assert caught.value.field == field


def test_rules_become_pairs_in_field_order() -> None:
    @dataclass(frozen=True)
    class Rules:
        base: int
        scoring: str

    assert rule_pairs(Rules(3, "low")) == (("base", 3), ("scoring", "low"))
