"""Room options: defaults are filled in, and what is wrong is named."""

from dataclasses import dataclass

import pytest

from app.kernel.errors import MalformedInput
from app.kernel.variant import Option, Setup, check_options, round_started, rule_pairs
from tests.laws.toy_rules import META, parse_rules

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


def test_a_round_begins_with_every_fact_of_its_setup() -> None:
    setup = Setup(parse_rules({"base": 3}), 2, 1, ("1s", "2s"), (3, 4), 99, "c0ffee", "5eed", ("a", ""))
    started = round_started(META, setup)
    assert (started.variant, started.rules_version, dict(started.rules)["base"]) == ("toy", 1, 3)
    assert (started.players, started.dealer, started.dealt_at_ms) == (2, 1, 99)
    assert (started.wall, started.dice, started.seed) == (("1s", "2s"), (3, 4), "5eed")
    assert (started.commitment, started.contributions) == ("c0ffee", ("a", ""))
