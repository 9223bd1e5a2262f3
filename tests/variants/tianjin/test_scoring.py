"""Points: multipliers, settlement, cap, ladder."""

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.kernel.ledger import net
from app.variants.tianjin.patterns import breakdown
from app.variants.tianjin.rules import (
    KONG_POINTS,
    LADDER,
    META,
    OPTIONS,
    Rules,
    ladder_level,
    parse_rules,
)  # fmt: skip
from app.variants.tianjin.scoring import Result, Stakes, cap_lines, capped, mult, next_dealer, settle

PLAIN = parse_rules({})
NONE: tuple[tuple[str, ...], ...] = ((), (), (), ())


def _net(stakes: Stakes, result: Result, rules: Rules = PLAIN) -> tuple[int, ...]:
    return net(settle(stakes, result, rules), 4)


@pytest.mark.parametrize(
    ("winner", "expected"),
    [(1, (-14, 28, -7, -7)), (2, (-28, -7, 42, -7)), (3, (-56, -7, -7, 70)), (0, (98, -14, -28, -56))],
)
def test_the_worked_win_of_seven(winner: int, expected: tuple[int, ...]) -> None:
    """TJ-13.1, TJ-13.6: sit, pulls 0 1 2. H13: what a loser pays another non-dealer is never doubled."""
    assert _net(Stakes(0, True, (0, 0, 1, 2)), Result(winner, (("zhuo_wu", 3), ("long", 4)), NONE, False)) == expected


def test_the_worked_settlements_without_a_win_and_with_everything() -> None:
    """TJ-8.2, TJ-8.3, TJ-13.2, TJ-13.5, TJ-13.6; H12: follow and kong points carry the multipliers."""
    stakes = Stakes(0, True, (0, 0, 1, 2))
    assert _net(stakes, Result(None, (), NONE, True)) == (-14, 2, 4, 8)
    kongs = (("kong_concealed",), ("kong_exposed",), (), ())
    assert _net(stakes, Result(None, (), kongs, False)) == (26, 0, -9, -17)
    gold = ((), (), ("kong_gold",), ())
    assert _net(stakes, Result(3, breakdown(("long", "su", "zhuo_wu")), gold, True)) == (-142, -16, 14, 144)


@pytest.mark.parametrize(
    ("sit", "pull", "expected"), [(0, 0, 1), (0, 1, 2), (0, 2, 4), (1, 0, 2), (1, 1, 4), (1, 2, 8)]
)
def test_sit_and_pull_double_between_the_dealer_and_that_seat_only(sit: int, pull: int, expected: int) -> None:
    """TJ-3.6: 1, 2, 4 without sit and 2, 4, 8 with it; always 1 between non-dealers (H13)."""
    stakes = Stakes(2, bool(sit), (pull, 2, 0, 1))
    assert mult(stakes, 2, 0) == mult(stakes, 0, 2) == expected
    assert mult(stakes, 0, 1) == mult(stakes, 1, 3) == 1


def test_settlement_equals_the_formula_of_the_rules() -> None:
    """TJ-13.4, TJ-3.7, TJ-13.3 (base on everything, fan never on kongs; H10: base once) on random rounds, cap off."""
    rng = random.Random(4)
    for _ in range(400):
        dealer, sit = rng.randrange(4), rng.random() < 0.5
        pull = [0 if seat == dealer else rng.randrange(3) for seat in range(4)]
        kongs = tuple(tuple(rng.choices(list(KONG_POINTS), k=rng.randrange(3))) for _ in range(4))
        winner, follow, base = rng.choice((None, 0, 1, 2, 3)), rng.random() < 0.3, rng.choice((1, 2, 7))
        fan = rng.choice((2, 3, 14, 112))
        stakes = Stakes(dealer, sit, tuple(pull))
        rules = parse_rules({"base": base, "cap": 0})
        detail = () if winner is None else (("su", fan),)
        points = [sum(KONG_POINTS[kong] for kong in own) for own in kongs]
        expected = [0] * 4
        for i, j in product(range(4), repeat=2):
            if i != j:
                times = 1 if dealer not in (i, j) else (2 if sit else 1) * 2 ** pull[j if i == dealer else i]
                follows = follow * ((j == dealer) - (i == dealer))
                expected[i] += base * times * (fan * ((i == winner) - (j == winner)) + points[i] - points[j] + follows)
        lines = settle(stakes, Result(winner, detail, kongs, follow), rules)
        assert list(net(lines, 4)) == expected
        assert all(sum(amount for _, amount in line.detail) > 0 for line in lines)


def test_the_dealer_stays_or_the_seat_after_him_follows() -> None:
    """TJ-2.3, TJ-2.4, TJ-2.5."""
    assert [next_dealer(2, winner) for winner in (2, None, 0, 1, 3)] == [2, 2, 3, 3, 3]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((2688, -896, -896, -896), (1000, -334, -333, -333)),
        ((1568, -224, -448, -896), (1000, -143, -286, -571)),
        ((-2640, 3300, -330, -330), (-602, 1000, -199, -199)),
        ((900, 600, -1500, 0), (600, 400, -1000, 0)),
    ],
)
def test_the_cap_of_the_worked_vectors(before: tuple[int, ...], after: tuple[int, ...]) -> None:
    """TJ-14.4."""
    assert capped(before, 1000, 0) == after


NETS = st.lists(st.integers(-6000, 6000), min_size=3, max_size=3).map(lambda v: (*v, -sum(v)))


@given(NETS, st.integers(0, 3000), st.integers(0, 3))
def test_a_cap_keeps_zero_sum_and_signs_and_lets_nobody_gain_or_lose_more(
    before: tuple[int, ...], cap: int, dealer: int
) -> None:
    """TJ-14.1, TJ-14.2 and P9; 0 switches it off."""
    after = capped(before, cap, dealer)
    assert sum(after) == 0
    if cap == 0 or max(map(abs, before)) <= cap:
        assert after == before
    else:
        assert all(abs(a) <= min(cap, abs(b)) and a * b >= 0 for a, b in zip(after, before, strict=True))
        positive, negative = (sum(min(abs(v), cap) for v in before if v * sign > 0) for sign in (1, -1))
        assert sum(a for a in after if a > 0) == min(positive, negative)


@given(NETS, st.integers(0, 3000), st.integers(0, 3))
def test_cap_lines_book_exactly_the_difference(before: tuple[int, ...], cap: int, dealer: int) -> None:
    """TJ-14.3: reason `cap`, givers and receivers in seat order from the dealer, each filled in turn."""
    lines = cap_lines(before, cap, dealer)
    change = [a - b for a, b in zip(capped(before, cap, dealer), before, strict=True)]
    assert list(net(lines, 4)) == change
    order = [(dealer + step) % 4 for step in range(4)]
    pairs = [(order.index(line.source), order.index(line.target)) for line in lines]
    assert pairs == sorted(pairs) and len(set(pairs)) == len(pairs) <= 3
    assert all(change[line.source] < 0 < change[line.target] and line.points > 0 for line in lines)


def test_a_capped_round_books_the_cap_as_lines_of_its_own() -> None:
    """TJ-14.3: 天和 112 with everything doubled: each loser gets back the points that are not due."""
    lines = settle(Stakes(0, True, (0, 2, 2, 2)), Result(0, (("tian_he", 112),), NONE, False), PLAIN)
    assert [(line.reason, line.source, line.target, line.points) for line in lines] == [
        ("win", 1, 0, 896), ("win", 2, 0, 896), ("win", 3, 0, 896),
        ("cap", 0, 1, 562), ("cap", 0, 2, 563), ("cap", 0, 3, 563),
    ]  # fmt: skip


def test_the_largest_net_without_tian_he_stays_below_the_default_cap() -> None:
    """TJ-14.4: 864 at base 1."""
    gold = (("kong_gold",), (), (), ())
    assert _net(Stakes(0, True, (0, 2, 2, 2)), Result(0, (("x", 32),), gold, False)) == (864, -288, -288, -288)


def test_every_rung_of_the_ladder_is_reached_exactly_at_its_threshold() -> None:
    """TJ-15.1, TJ-15.2: inclusive, no floor, ranks may drop; the total starts at 0."""
    assert ladder_level(0).level == ladder_level(99).level == ladder_level(-(10**9)).level == 1
    for row in LADDER[1:]:
        assert row.threshold is not None
        assert ladder_level(row.threshold) == row
        assert ladder_level(row.threshold - 1).level == row.level - 1
    assert META.ladder == LADDER


def test_ladder_names_run_as_written_and_not_along_the_rings() -> None:
    """TJ-15.3, H14: 东 西 南 北, 中 发."""
    assert "".join(row.name[0] for row in LADDER) == "白一二三四五六七八九东西南北中发雀"
    assert [row.level for row in LADDER] == list(range(1, 18))


def test_room_options_have_the_values_of_the_rules() -> None:
    """TJ-18.1, TJ-18.2; the length of a match is `rounds` (TJ-2.9)."""
    assert parse_rules({}) == Rules(base=1, cap=1000, kong_bloom_plain=True, rounds=8)
    assert [(o.name, o.low, o.high) for o in OPTIONS if o.kind == "int"] == [
        ("base", 1, 100), ("cap", 0, 1_000_000), ("rounds", 1, 64),
    ]  # fmt: skip
    assert KONG_POINTS == {"kong_exposed": 1, "kong_added": 1, "kong_concealed": 2, "kong_gold": 4}
