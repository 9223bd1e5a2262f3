"""Room options and META: every option of the rules page with type, default, range and Chinese label."""

import pytest

from app.kernel.errors import MalformedInput
from app.kernel.variant import rule_pairs
from app.variants import VARIANTS
from app.variants.guizhou import VARIANT, parse_rules
from tests.variants.guizhou.deal import deal

TABLE = [
    ("players", "choice", 4, "人数"),
    ("zimo_double", "bool", True, "自摸翻倍"),
    ("up_down_chicken", "bool", False, "上下鸡"),
    ("wugu", "bool", False, "乌骨鸡"),
    ("weekday_chicken", "bool", False, "星期鸡"),
    ("self_chicken", "bool", False, "本鸡"),
    ("full_chicken", "bool", False, "满堂鸡"),
    ("bao_chicken", "bool", False, "包鸡"),
    ("base", "int", 1, "底分"),
    ("rounds", "int", 8, "局数"),
    ("tian_ting_bonus", "int", 10, "天听加分"),
    ("sha_ting_bonus", "int", 10, "杀听加分"),
    ("tian_hu_bonus", "int", 10, "天胡加分"),
    ("di_hu_bonus", "int", 10, "地胡加分"),
    ("hot_factor", "int", 2, "热炮倍数"),
]


def test_the_options_are_those_of_the_rules_page() -> None:
    """GZ-1.2, GZ-2.7, GZ-12.11."""
    assert [(o.name, o.kind, o.default, o.label_zh) for o in VARIANT.meta.options] == TABLE
    ranges = {o.name: (o.low, o.high) for o in VARIANT.meta.options if o.kind == "int"}
    bonuses = dict.fromkeys(("tian_ting_bonus", "sha_ting_bonus", "tian_hu_bonus", "di_hu_bonus"), (0, 100))
    assert ranges == {"base": (1, 100), "rounds": (1, 64), "hot_factor": (1, 4), **bonuses}
    rules = parse_rules({})
    assert all(getattr(rules, name) == default for name, _, default, _ in TABLE)


@pytest.mark.parametrize(
    ("name", "value"),
    [("players", 5), ("players", "4"), ("wugu", 1), ("base", 101), ("base", 1.0), ("rounds", 65), ("ziimo", True)],
)
def test_a_wrong_option_is_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(MalformedInput) as caught:
        parse_rules({name: value})
    assert caught.value.field == name


def test_the_house_knows_the_game_by_its_meta() -> None:
    """GZ-1.1, GZ-2.1, GZ-2.2, GZ-2.8, GZ-10.3, GZ-20.4: the first dealer is the owner or who entered first."""
    meta = VARIANT.meta
    assert VARIANTS["guizhou"] is VARIANT
    assert (meta.first_dealer, meta.new_series_on_leave, meta.auto_ready_s, meta.dice) == (
        "owner_or_first", False, None, 0,
    )  # fmt: skip
    assert meta.players == (2, 3, 4)
    assert meta.kinds == tuple(f"{rank}{suit}" for suit in "ps" for rank in range(1, 10))
    assert meta.clocks == {"turn": 15, "claim": 8, "forced": 1}


def test_everything_a_ledger_line_names_has_a_chinese_name() -> None:
    game = deal(["9p", "22446688s33779p", "335577s1144669p", "113399s2255889p"]).play(
        "0 discard 9p / 1 win / 2 win / 3 win / quiet"
    )
    for line in game.table.lines:
        assert line.reason in VARIANT.meta.reason_names
        assert all(token in VARIANT.meta.pattern_names for token, _ in line.detail)


def test_rounds_recorded_before_an_option_was_added_are_repeated_to_the_letter() -> None:
    """M15: at its default an option added later stands in no event; a value of its own does, and is read back."""
    plain, own = rule_pairs(parse_rules({})), rule_pairs(parse_rules({"hot_factor": 3, "di_hu_bonus": 0}))
    assert [name for name, _ in plain] == [name for name, *_ in TABLE[:10]]
    assert dict(own) == {**dict(plain), "di_hu_bonus": 0, "hot_factor": 3}
    assert parse_rules(dict(plain)) == parse_rules({}) and parse_rules(dict(own)).hot_factor == 3


def test_a_bonus_of_nothing_is_not_named() -> None:
    """GZ-10.4, GZ-10.5, GZ-12.5, GZ-12.9: a table may choose what they are worth."""
    hands = ["9p", "22446688s33779p", "335577s1144669p", "113399s2255889p"]
    script = "0 discard 9p / 1 win / 2 pass / 3 pass / quiet"
    usual = deal(hands).play(script).table.lines
    bare = deal(hands, di_hu_bonus=0).play(script).table.lines
    assert [token for token, _ in usual[0].detail] == [bare[0].detail[0][0], "di_hu"]
    assert usual[0].points - bare[0].points == 10
