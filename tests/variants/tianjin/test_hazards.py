"""The regression hazards H1 – H14: each once went wrong somewhere, each has its test here or is named where it lies."""

import pytest

from app.variants.tianjin import wall
from app.variants.tianjin.calculator import score
from app.variants.tianjin.patterns import breakdown
from app.variants.tianjin.scoring import Result, Stakes, settle
from app.variants.tianjin.winning import wilds_of
from tests.variants.tianjin.deal import deal

KONG = ("kong_exposed 6666z",)


def _fan(indicator: str, hand: str, drawn: str, melds: tuple[str, ...] = (), heaven: bool = False) -> tuple[int, str]:
    laid = [dict(zip(("kind", "tiles"), meld.split(), strict=True)) for meld in melds]
    after_kong = any(meld["kind"].startswith("kong") for meld in laid)
    result = score(
        "hands",
        {
            "indicator": indicator, "hand": hand, "drawn": drawn, "melds": laid,
            "after_kong": after_kong, "heaven": heaven,
        },
    )  # fmt: skip
    patterns = result["patterns"]
    assert isinstance(result["fan"], int) and isinstance(patterns, list)
    return result["fan"], " ".join(patterns)


@pytest.mark.parametrize(
    ("hazard", "indicator", "hand", "drawn", "melds", "fan"),
    [
        ("H1: a pruned search must bound 杠开 too", "6p", "99m6677p2479s", "6p", KONG, 12),
        ("H2: a pair of two wilds", "4s", "123456789m4455s", "5s", (), 14),
        ("H2: five wilds, 龙 with wilds where a natural is at hand", "7m", "1245678889m", "8m", KONG, 32),
        ("H3: a lone 9 completed by two wilds", "6z", "69m9s5555z", "6z", ("pong 333p", "pong 111s"), 3),
        ("H4: two wilds inside the 龙 beside the drawn tile are not 双混吊", "4m", "123445789m2233s", "6m", (), 8),
        ("H4: an all-wild 4m5m6m with a drawn wild is 双混捉5", "1z", "123p222789s1277z", "1z", (), 6),
        ("H5: 杠开提溜 counts its doubling", "1z", "12345p22s177z", "7z", KONG, 2),
        ("H7: a natural stays out of a run", "7z", "4567m123p123s11z7z", "7z", (), 3),
        ("H8: one drawn tile lies in one group", "1z", "456m123p222789s1z", "5m", (), 3),
        ("H9: 混吊龙", "1z", "123456789p222s1z", "4z", (), 8),
        ("H9: 混吊本混龙", "8s", "1234567899s777z", "4z", (), 16),
        ("H9: 双混吊捉5龙", "1z", "123456789p1277z", "5m", (), 14),
        ("H9: 双混吊本混捉5龙", "8s", "12345678899s77z", "5m", (), 28),
        ("H9: no exclusive-wait test", "1z", "4446m123p222789s", "5m", (), 6),
        ("H10: 素 is ×2", "1z", "123456p12789s77z", "3s", (), 2),
        ("H11: 捉5 with 本混龙", "8m", "12346789m22p777z", "5m", (), 14),
        ("H11: the same with 杠开", "8m", "12346789m22p", "5m", KONG, 28),
        ("H13: 捉5 completed by a drawn wild", "1z", "46m123p222789s77z", "1z", (), 3),
    ],
)
def test_a_hand_that_once_was_read_wrong(
    hazard: str, indicator: str, hand: str, drawn: str, melds: tuple[str, ...], fan: int
) -> None:
    assert _fan(indicator, hand, drawn, melds)[0] == fan, hazard


def test_the_label_of_equal_readings_does_not_depend_on_search_order() -> None:
    """H5, TJ-10.13: 双混吊 before 混吊, 本混 before none."""
    assert _fan("1z", "123p222789s1277z", "4z") == (2, "shuang_hun_diao ti_liu")
    assert _fan("9s", "3567m111123499s", "3m") == (8, "ben_hun long")


def test_heaven_multiplies_the_best_reading() -> None:
    """H4, H11: no flat value, and the factor shown is the one used."""
    assert _fan("1z", "2278p123456s177z", "7z", heaven=True) == (4, "ti_liu tian_he")
    assert _fan("8s", "12345678899s77z", "5m", heaven=True)[0] == 112
    assert sum(amount for _, amount in breakdown(("ben_hun", "long", "shuang_hun_diao", "tian_he", "zhuo_wu"))) == 112


def test_the_indicator_itself_is_never_drawn() -> None:
    """H5, TJ-4.7: seven wilds are live, three of the indicator's kind."""
    for m in range(2, 13):
        index = wall.indicator_index(m)
        assert index not in wall.tail_order(index)
        assert index not in [i for place in range(4) for i in wall.dealt_indices(place)]


def test_seven_wilds_no_chow_no_win_on_a_discard() -> None:
    """H6, TJ-5.4, TJ-5.9: a ready hand beside the discarder is offered nothing; seven wilds count as seven."""
    game = deal(indicator="9p", D="6m", R="46m123p222789s77z").play("D discard 6m")
    assert game.options("R") == []
    game = deal(indicator="9p", D="5m", R="46m123p222789s77z").play("D discard 5m")
    assert game.options("R") == [] and game.asked() == "H"
    assert _fan("4s", "13579m24z444555s", "5s") == (4, "long")
    assert _fan("4s", "147m14p1s2z444555s", "5s")[0] == 0


def test_a_follow_is_recognised_at_the_fourth_discard() -> None:
    """H10, TJ-8.1."""
    game = deal(D="9s", R="9s", O="9s", L="9s").play("D discard 9s / R timeout")
    assert game.table.mark("follow") is None
    game = deal(D="9s", R="9s", O="9s", L="9s").play("D discard 9s / R discard 9s / O discard 9s")
    assert game.table.mark("follow") is None
    assert game.play("L discard 9s").table.mark("follow") is True


def test_labels_and_multipliers_are_not_crossed() -> None:
    """H12: a follow line says follow, a kong line kong_points, each with the pair's own multiplier; base once (H10)."""
    game = deal(sit=True, pull=(0, 1, 2), rules={"base": 3})
    kongs = (("kong_exposed",), (), (), ())
    lines = settle(Stakes(0, True, (0, 0, 1, 2)), Result(None, (), kongs, True), game.state.rules)
    assert [(line.reason, line.source, line.target, line.points) for line in lines] == [
        ("kong_points", 1, 0, 6), ("kong_points", 2, 0, 12), ("kong_points", 3, 0, 24),
        ("follow", 0, 1, 6), ("follow", 0, 2, 12), ("follow", 0, 3, 24),
    ]  # fmt: skip


def test_rings_of_dragons_and_winds() -> None:
    """H14: 5z 6z 7z are 白发中, the ring is 中→发→白→中; 东→南→西→北→东."""
    assert [wilds_of(kind)[1] for kind in ("7z", "6z", "5z")] == ["6z", "5z", "7z"]
    assert [wilds_of(kind)[1] for kind in ("1z", "2z", "3z", "4z")] == ["2z", "3z", "4z", "1z"]
