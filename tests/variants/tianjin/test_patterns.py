"""番: the formula, the 34 rows, and the laws of the pattern sets (P1 – P8)."""

import random
from itertools import product

import pytest

from app.kernel.shapes.counts import hand_of
from app.kernel.tiles import KINDS, parse_tiles
from app.variants.tianjin.patterns import ROWS, breakdown, fan_of, name_of
from app.variants.tianjin.winning import Best, Draw, best, groups, may_win, successor, wilds_of
from tests.variants.tianjin.hands import draw_of, random_hand
from tests.variants.tianjin.oracle import Hand

TABLE = """
1 ti_liu | 2 gang_kai ti_liu | 2 su ti_liu | 4 gang_kai su ti_liu | 2 hun_diao ti_liu | 4 gang_kai hun_diao ti_liu
2 shuang_hun_diao ti_liu | 4 gang_kai shuang_hun_diao ti_liu | 3 zhuo_wu | 6 gang_kai zhuo_wu | 6 su zhuo_wu
12 gang_kai su zhuo_wu | 6 shuang_hun_diao zhuo_wu | 12 gang_kai shuang_hun_diao zhuo_wu | 4 long | 8 gang_kai long
8 long su | 16 gang_kai long su | 7 long zhuo_wu | 14 gang_kai long zhuo_wu | 14 long su zhuo_wu
28 gang_kai long su zhuo_wu | 8 hun_diao long | 16 gang_kai hun_diao long | 8 ben_hun long | 16 ben_hun gang_kai long
16 ben_hun hun_diao long | 32 ben_hun gang_kai hun_diao long | 14 ben_hun long zhuo_wu
28 ben_hun gang_kai long zhuo_wu | 8 long shuang_hun_diao | 16 ben_hun long shuang_hun_diao
14 long shuang_hun_diao zhuo_wu | 28 ben_hun long shuang_hun_diao zhuo_wu
"""
FANS = {tuple(row.split()[1:]): int(row.split()[0]) for row in TABLE.replace("\n", "|").split("|") if row.strip()}


def test_the_formula_gives_the_fan_of_all_34_rows() -> None:
    """TJ-11.1, TJ-11.2, TJ-11.3, TJ-11.4; H9: only 捉5 and 龙 are added, all else multiplies."""
    assert set(ROWS) == set(FANS) and len(FANS) == 34
    assert {patterns: fan_of(patterns) for patterns in FANS} == FANS
    assert all(sum(fan for _, fan in breakdown(patterns)) == fan for patterns, fan in FANS.items())
    assert len({name_of(patterns) for patterns in FANS}) == 34


def test_tian_he_multiplies_by_four() -> None:
    """TJ-12.2, TJ-12.3, P6, H4, H11: 4 at least, 112 at most, shown as used."""
    heaven = sorted({fan_of((*p, "tian_he")) for p in FANS if "gang_kai" not in p})
    assert heaven == [4, 8, 12, 16, 24, 28, 32, 56, 64, 112]
    assert breakdown(("ti_liu", "tian_he")) == (("ti_liu", 1), ("tian_he", 3))
    assert name_of(("ti_liu", "tian_he")) == "天和 提溜"


@pytest.mark.parametrize(
    ("kong", "fans"), [(False, {1, 2, 3, 4, 6, 7, 8, 14, 16, 28}), (True, {2, 4, 6, 8, 12, 14, 16, 28, 32})]
)
def test_only_the_fan_values_of_the_rules_exist(kong: bool, fans: set[int]) -> None:
    """P6."""
    assert {fan for patterns, fan in FANS.items() if ("gang_kai" in patterns) == kong} == fans


def test_without_a_dragon_the_fan_stays_small() -> None:
    """P7: 6, 12 with 杠开, 24 with 天和."""
    plain = {patterns: fan for patterns, fan in FANS.items() if "long" not in patterns}
    assert max(fan for p, fan in plain.items() if "gang_kai" not in p) == 6
    assert max(plain.values()) == 12
    assert max(fan_of((*p, "tian_he")) for p in plain if "gang_kai" not in p) == 24


HANDS = [random_hand(random.Random(seed)) for seed in range(6000)]
READ: list[tuple[Hand, Best]] = [(hand, found) for hand in HANDS if (found := best(draw_of(hand)))]


def test_every_reading_keeps_the_laws_of_the_patterns() -> None:
    """P1, P2, P4, P5, TJ-10.3, TJ-10.4, TJ-10.9 on thousands of random hands."""
    assert len(READ) > 2000
    rows = set()
    for hand, found in READ:
        p, wilds = set(found.patterns), sum(tile in hand.wilds for tile in hand.tiles)
        rows.add(found.patterns)
        assert found.patterns == tuple(sorted(p)) and found.fan == fan_of(found.patterns)
        assert tuple(sorted(p - {"tian_he"})) in ROWS and not {"tian_he", "gang_kai"} <= p
        assert ("su" in p) == (wilds == 0 and not hand.gold)
        assert not ("su" in p and p & {"hun_diao", "shuang_hun_diao", "ben_hun"})
        assert "ben_hun" not in p or (wilds >= 2 and hand.indicator[1] != "z")
        assert not {"hun_diao", "zhuo_wu"} <= p
        assert not {"shuang_hun_diao", "long"} <= p or hand.melds == 0
        assert not {"hun_diao", "shuang_hun_diao"} <= p
        assert ("ti_liu" in p) == (not p & {"zhuo_wu", "long"})
    assert len(rows) >= 45, "the random hands should reach most rows, 天和 ones included"


def test_double_wild_and_single_wild_differ_in_fan_only_with_the_five() -> None:
    """P3: aa + xWW is aaW + xW, so the 双混吊 label never earns more alone; TJ-10.13 fixes it."""
    for hand, found in READ:
        if "shuang_hun_diao" in found.patterns and not hand.heaven:
            alike = {*found.patterns} - {"zhuo_wu"} if "long" not in found.patterns else {*found.patterns}
            base = set() if "long" in alike else {"ti_liu"}
            single = (alike - {"shuang_hun_diao", "zhuo_wu"}) | {"hun_diao"} | base
            assert found.fan >= fan_of(single)
            assert found.fan == fan_of(single) or "zhuo_wu" in found.patterns


def _swapped(tile: str, table: dict[str, str]) -> str:
    return table.get(tile, tile)


def _mapped(hand: Hand, table: dict[str, str]) -> Hand:
    change = [_swapped(tile, table) for tile in hand.tiles]
    random.Random(1).shuffle(change)
    return Hand(
        tuple(change), _swapped(hand.drawn, table), hand.melds, hand.gold, _swapped(hand.indicator, table),
        hand.after_kong, hand.heaven,
    )  # fmt: skip


SYMMETRIES = {
    "饼 and 条": {f"{n}{a}": f"{n}{b}" for n in range(1, 10) for a, b in ("ps", "sp")},
    "winds": {"1z": "2z", "2z": "3z", "3z": "4z", "4z": "1z"},
    "dragons": {"7z": "6z", "6z": "5z", "5z": "7z"},
    "order": {},
}


@pytest.mark.parametrize("name", SYMMETRIES)
def test_names_of_suits_and_honours_do_not_matter(name: str) -> None:
    """P8: swap 饼 and 条, rotate winds or dragons along their rings, reorder tiles: same result."""
    for hand, found in READ[:1500]:
        again = best(draw_of(_mapped(hand, SYMMETRIES[name])))
        assert again is not None and (again.fan, again.patterns) == (found.fan, found.patterns)


def test_wan_is_not_like_the_other_suits() -> None:
    """P8, TJ-10.7: 捉5 is for 万 only."""
    swap = {f"{n}{a}": f"{n}{b}" for n in range(1, 10) for a, b in ("mp", "pm")}
    changed = [best(draw_of(_mapped(hand, swap))) != found for hand, found in READ if "zhuo_wu" in found.patterns]
    assert any(changed)


def test_a_wild_may_be_replaced_by_the_tile_it_plays() -> None:
    """P8, TJ-9.4: the shown groups hold every tile once, make sets and a pair, and stay complete with naturals."""
    for hand, found in READ[:1200]:
        texts = groups(draw_of(hand), found)
        places = [place for text in texts for place in text.split()]
        assert sum(place.startswith("*") for place in places) == 1
        natural = [place.lstrip("*") for place in places if "W(" not in place]
        assert sorted(natural) == sorted(tile for tile in hand.tiles if tile not in hand.wilds)
        assert len(places) == len(hand.tiles)
        played = [place.lstrip("*")[2:-1] if "W(" in place else place.lstrip("*") for place in places]
        star = next(place for place in places if place.startswith("*"))
        assert ("W(" in star) == (found.drawn in hand.wilds) and ("W(" in star or star == f"*{found.drawn}")
        if all(played.count(tile) <= 7 for tile in played):
            spare = next(kind for kind in KINDS if kind not in played and successor(kind) not in played)
            again = best(Draw(hand_of(played), played[0], hand.melds, hand.gold, wilds_of(spare)))
            assert again is not None


def test_the_shown_groups_prove_the_claims() -> None:
    """TJ-16.4, TJ-10.5, TJ-10.6, TJ-10.7, TJ-10.8: the star stands where the patterns say."""
    for hand, found in READ[:1500]:
        texts = groups(draw_of(hand), found)
        star = next(text for text in texts if "*" in text)
        others = [place for place in star.split() if "*" not in place]
        if "hun_diao" in found.patterns:
            assert len(others) == 1 and "W(" in others[0]
        if "shuang_hun_diao" in found.patterns:
            assert len(others) == 2 and all("W(" in place for place in others)
        if "zhuo_wu" in found.patterns:
            assert [place.strip("*W()") for place in star.split()] == ["4m", "5m", "6m"] and "*" in star.split()[1]
        if "long" in found.patterns:
            label = {"hun_diao", "shuang_hun_diao"} & {*found.patterns}
            runs = {"".join(p.strip("*W()") for p in text.split()) for text in texts if not (label and "*" in text)}
            assert any({f"{a}{s}{a + 1}{s}{a + 2}{s}" for a in (1, 4, 7)} <= runs for s in "mps")


@pytest.mark.parametrize("indicator", KINDS)
def test_the_successor_ring_of_every_kind(indicator: str) -> None:
    """TJ-4.6, H14: 9→1, 北→东, 中→发→白→中."""
    ring = {"9m": "1m", "9p": "1p", "9s": "1s", "4z": "1z", "7z": "6z", "6z": "5z", "5z": "7z"}
    expected = ring.get(indicator, f"{int(indicator[0]) + 1}{indicator[1]}")
    assert wilds_of(indicator) == (indicator, expected)


@pytest.mark.parametrize(("on", "wins"), [(True, True), (False, False)])
def test_the_plain_kong_bloom_follows_its_option(on: bool, wins: bool) -> None:
    """TJ-9.7, H5: the minimum of 2 counts the doubling."""
    assert may_win(Best(("gang_kai", "ti_liu"), 2, "7z"), on) is wins
    for patterns in (("gang_kai", "su", "ti_liu"), ("su", "ti_liu"), ("hun_diao", "ti_liu"), ("ti_liu", "tian_he")):
        assert may_win(Best(patterns, fan_of(patterns), "7z"), on)
    assert not may_win(Best(("ti_liu",), 1, "7z"), on) and not may_win(None, on)


def test_the_worst_hand_is_judged_in_under_two_milliseconds() -> None:
    """Seven wilds among fourteen tiles, cold tables, the best of five."""
    from time import perf_counter

    from app.kernel.shapes.wildcards import sets_needed

    hands = ["13579m24z4444555s", "147m2479p4444555s", "2468m135p4444555s", "19m19p19s1z4444555s"]
    for text, heaven in product(hands, (False, True)):
        draw = Draw(hand_of(parse_tiles(text)), "5s", 0, False, wilds_of("4s"), heaven=heaven)
        times = []
        for _ in range(5):
            sets_needed.cache_clear()
            began = perf_counter()
            best(draw)
            times.append(perf_counter() - began)
        assert min(times) < 0.002, text
