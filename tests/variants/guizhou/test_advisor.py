"""Hints show a player the waits, the number of unseen copies, and the points of a win."""

from app.kernel.variant import Hint, Wait
from app.kernel.views import view
from app.variants.guizhou import VARIANT
from tests.variants.guizhou.deal import Game, deal


def hints(game: Game, seat: int) -> tuple[Hint, ...]:
    """The advice from the seat's own view."""
    return VARIANT.advise(view(game.table, seat), seat)


def test_waits_without_a_pass_can_only_be_drawn() -> None:
    """GZ-8.2, GZ-12.1: 平胡 pays 2 by 自摸 and nothing by a discard; copies in rows are counted off."""
    game = deal(["9p", "234567s3456789p"], draws="1s", players=3, base=5).play("0 discard 9p / 1 discard 1s / quiet")
    assert hints(game, 1) == (Hint(None, (Wait("3p", 3, 10, None), Wait("6p", 3, 10, None), Wait("9p", 2, 10, None))),)


def test_other_patterns_pay_by_a_discard_too() -> None:
    """GZ-8.2: 七对 10, doubled by 自摸."""
    game = deal(["1s", "22446688s33779p"], draws="1s", players=2).play("0 discard 1s / 1 discard 1s / quiet")
    assert hints(game, 1) == (Hint(None, (Wait("9p", 3, 20, 10),)),)


def test_in_the_own_turn_every_discard_that_leaves_the_hand_ready() -> None:
    """GZ-9.1: before the first own discard a win would be 天胡, 地胡 no longer after it."""
    game = deal(["22446688s33779p1s"], players=2, zimo_double=False)
    assert hints(game, 0) == (
        Hint("9p", (Wait("1s", 3, 10, 10),)),
        Hint("1s", (Wait("9p", 3, 10, 10),)),
    )


def test_a_seat_that_never_discarded_reckons_with_earth() -> None:
    """GZ-12.9: +10, and no pass needed."""
    game = deal(["9p", "234567s3456789p"], players=2)
    assert hints(game, 1)[0].waits[0] == Wait("3p", 3, 22, 11)


def test_a_declared_seat_has_one_hint_and_ten_more() -> None:
    """GZ-10.3, GZ-10.4."""
    game = deal(["234567s3456789p1s"], draws="1p1s", players=2).play("0 declare_ready 1s / 1 discard 1p / quiet")
    assert [(hint.discard, hint.waits[0].by_draw) for hint in hints(game, 0)] == [("1s", 22)]


def test_no_hint_for_strangers_and_unready_hands() -> None:
    """A view without the hand gives nothing; nor does a hand that waits for nothing."""
    game = deal(["1s", "13579s13579p246s"], players=2)
    assert hints(game, 1) == ()
    assert VARIANT.advise(view(game.table, 0), 1) == ()
