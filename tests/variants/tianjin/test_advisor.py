"""Hints from the seat's own view: waits, tiles left, and what each would pay."""

import random

from app.kernel.shapes.counts import ONE, hand_of
from app.kernel.tiles import COPIES, KINDS, parse_tiles
from app.kernel.views import view
from app.variants.tianjin.advisor import advise, winning_tiles
from app.variants.tianjin.winning import Draw, best, may_win, wilds_of
from tests.variants.tianjin.deal import deal


def test_a_standing_hand_is_told_its_waits_what_is_left_and_what_each_pays() -> None:
    """TJ-9.6, TJ-10.12: 5m pays 6 番, a wild as 5m 3 番; copies in hand, rows and the indicator are not left."""
    game = deal(indicator="5z", R="46m123p222789s66z", D="5m", rules={"base": 2}).play("D discard 5m").quiet()
    game.play("R timeout").quiet()
    waits = {wait.tile: wait for hint in advise(view(game.table, 1), 1) for wait in hint.waits}
    assert (waits["5m"].left, waits["5m"].by_draw, waits["5m"].by_claim) == (3, 12, None)
    assert (waits["5z"].left, waits["5z"].by_draw) == (3, 6) and set(waits) == {"5m", "5z", "7z"}


def test_before_a_discard_every_discard_that_leaves_waits_is_told() -> None:
    """A wild is never advised: it would make a dead hand (TJ-7.1)."""
    game = deal(indicator="5z", D="46m123p222789s66z1z")
    hints = {hint.discard: [wait.tile for wait in hint.waits] for hint in advise(view(game.table, 0), 0)}
    assert hints["1z"] == ["5m", "5z", "7z"]
    assert "5z" not in hints and None not in hints


def test_with_a_lone_wild_any_tile_wins() -> None:
    """TJ-10.5: 混吊 waits on all 34 kinds, less those of which four are held."""
    game = deal(indicator="1z", R="123456p222789s2z").play("D timeout")
    tiles = winning_tiles(game.table, 1)
    assert set(tiles) == set(KINDS)
    assert {wait.by_draw for wait in advise(game.table, 1)[0].waits} == {2}


def test_a_kind_is_a_wait_unless_four_of_it_are_in_the_hand() -> None:
    """TJ-9.10 (A8): copies that lie in sight, own kongs and own discards too, leave fewer of a wait, maybe none."""
    held = deal(indicator="1z", R="123456p111123s2z").play("D timeout")
    assert set(winning_tiles(held.table, 1)) == {*KINDS} - {"1s"}
    game = deal(indicator="1z", D="123456p222s2z9999m", tail="6z").play("D kong 9m / D discard 6z")
    waits = {wait.tile: wait.left for hint in advise(view(game.table, 0), 0) for wait in hint.waits}
    assert (waits["9m"], waits["6z"], waits["8m"]) == (0, 3, 4) and set(waits) == set(KINDS)


def test_a_dead_hand_and_a_hidden_one_get_no_hints() -> None:
    """TJ-7.1."""
    game = deal(indicator="5z", D="5z", R="46m123p222789s66z").play("D discard 5z")
    assert advise(view(game.table, 0), 0) == () and advise(view(game.table, 2), 1) == ()
    assert winning_tiles(game.table, 0) == ()
    assert advise(deal(answered=False).table, 0) == ()


def test_waits_are_exactly_the_tiles_with_which_a_win_would_be_offered() -> None:
    rng = random.Random(9)
    waiting = 0
    for _ in range(120):
        shape = rng.choice(["46m123p222789s66z", "123456p22278s15z", "12345678p22s166z", "4556m12388p78s55z"])
        tiles = [tile if rng.random() < 0.95 else rng.choice(KINDS) for tile in parse_tiles(shape)]
        if max(map(tiles.count, tiles)) > COPIES or tiles.count("5z") > 3:
            continue
        game = deal(indicator="5z", R="".join(tiles)).play("D timeout")
        hand = hand_of(tiles)
        expected = [
            kind
            for kind in KINDS
            if tiles.count(kind) < COPIES
            and may_win(best(Draw(hand + ONE[kind], kind, 0, False, wilds_of("5z"))), kong_bloom_plain=True)
        ]
        assert list(winning_tiles(game.table, 1)) == expected
        waiting += bool(expected)
    assert waiting > 40


def test_the_table_of_everything_gives_a_seat_no_other_hint_than_its_own_view() -> None:
    game = deal(indicator="5z", D="46m123p222789s66z1z")
    assert advise(game.table, 0) == advise(view(game.table, 0), 0) != ()
