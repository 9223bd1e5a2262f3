"""The wall of 天津麻将: break, indicator, live tiles, replacements, and who is dealt what."""

import pytest

from app.kernel.tiles import KINDS
from app.variants.tianjin import wall
from app.variants.tianjin.wall import Wall
from tests.variants.tianjin.deal import undrawn

TILES = tuple(kind for kind in KINDS for _ in range(4))
SUMS = range(2, 13)


def test_everybody_is_dealt_the_tiles_of_the_table_in_the_rules() -> None:
    """TJ-4.4: three times four, then one each, then one more to the dealer; no tile twice."""
    assert wall.dealt_indices(0) == (0, 1, 2, 3, 16, 17, 18, 19, 32, 33, 34, 35, 48, 52)
    assert wall.dealt_indices(1) == (4, 5, 6, 7, 20, 21, 22, 23, 36, 37, 38, 39, 49)
    assert wall.dealt_indices(2) == (8, 9, 10, 11, 24, 25, 26, 27, 40, 41, 42, 43, 50)
    assert wall.dealt_indices(3) == (12, 13, 14, 15, 28, 29, 30, 31, 44, 45, 46, 47, 51)
    assert sorted(i for place in range(4) for i in wall.dealt_indices(place)) == list(range(53))


@pytest.mark.parametrize("n", SUMS)
def test_the_four_walls_are_walked_once_from_the_break(n: int) -> None:
    """TJ-4.1, TJ-4.3: 17 stacks each, D[n+1..17], L, O, R, D[1..n]."""
    expected = [
        *(("D", s) for s in range(n + 1, 18)), *((o, s) for o in "LOR" for s in range(1, 18)),
        *(("D", s) for s in range(1, n + 1)),
    ]  # fmt: skip
    assert [wall.stack_at(stack, n) for stack in range(68)] == expected


@pytest.mark.parametrize("n", SUMS)
@pytest.mark.parametrize("m", SUMS)
def test_the_indicator_lies_where_both_dice_put_it(n: int, m: int) -> None:
    """TJ-4.5: the m-th stack from the tail, D[n−m+1] or R[18−(m−n)]; H5: the second roll is real."""
    expected = ("D", n - m + 1) if m <= n else ("R", 18 - (m - n))
    assert wall.stack_at(wall.indicator_index(m) // 2, n) == expected
    assert wall.indicator_index(m) == 136 - 2 * m


def test_replacements_of_the_worked_example_leave_out_the_indicator_only() -> None:
    """TJ-4.9, TJ-4.10: m = 3 gives 134, 135, 132, 133, 131, 128, 129, 126; H10: never from the discards."""
    assert wall.tail_order(130)[:8] == (134, 135, 132, 133, 131, 128, 129, 126)


@pytest.mark.parametrize("m", SUMS)
@pytest.mark.parametrize("replacements", [0, 1, 2, 3, 4, 5, 8, 12, 16])
def test_front_draws_and_leftover_follow_from_the_number_of_replacements(m: int, replacements: int) -> None:
    """TJ-4.8, TJ-4.13, and the table below it."""
    now = Wall(TILES, wall.indicator_index(m))
    for _ in range(replacements):
        _, now = wall.replacement(now)
    fronts = 0
    while wall.live_left(now):
        _, now = wall.front(now)
        fronts += 1
    reserve = 2 * m - 1
    assert wall.reserve(m) == reserve
    if replacements <= reserve:
        assert fronts == 83 - 2 * m
        assert len(undrawn(now)) + 1 == 2 * m - replacements
    else:
        assert fronts + replacements == 82
        assert undrawn(now) == ()


@pytest.mark.parametrize("fronts", range(12))
@pytest.mark.parametrize("first", ["front", "tail"])
def test_front_and_tail_meet_without_taking_a_tile_twice(fronts: int, first: str) -> None:
    """TJ-4.8, TJ-4.10: near the end a front draw skips what a replacement took, and the other way round."""
    tiles = tuple(f"{index}" for index in range(136))
    now = Wall(tiles, 132, head=118)
    taken: list[str] = []
    for turn in range(14 + 3):
        front_turn = (turn < fronts) == (first == "front")
        if wall.live_left(now) == 0:
            break
        tile, now = wall.front(now) if front_turn else wall.replacement(now)
        taken.append(tile)
    assert len(set(taken)) == len(taken) and "132" not in taken
    assert {*taken, *undrawn(now)} == {f"{index}" for index in range(118, 136)} - {"132"}


def test_a_front_draw_starts_right_after_the_deal() -> None:
    """TJ-4.8: the first front draw is index 53."""
    tiles = tuple(f"{index}" for index in range(136))
    assert wall.front(Wall(tiles, 130))[0] == "53"
