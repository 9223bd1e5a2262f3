"""小相公 and 铲: what discarding a wild costs, and four equal first discards."""

import pytest

from app.kernel import events as ev
from app.kernel.play.commands import TimeOut
from tests.variants.tianjin.deal import Game, deal


def _to_the_end(game: Game) -> Game:
    while game.open:
        game.send(TimeOut(game.open[0].id))
    return game


def test_discarding_a_wild_is_legal_and_bars_from_winning() -> None:
    """TJ-7.1, TJ-7.3, TJ-9.8: the mark is public, right after the discard; the next complete draw is no win."""
    game = deal(indicator="1z", R="46m123p222789s77z", draws="2z 9p 9p 9p 5m")
    game.play("D timeout / R discard 2z")
    assert game.events[-2:] == [ev.TileDiscarded(1, "2z"), ev.Marked(1, "dead_hand", True)]
    game.play("O timeout / L timeout / D timeout").quiet()
    assert game.seat("R").drawn == "5m" and "win" not in game.options("R")


def test_the_indicator_kind_is_wild_too() -> None:
    """TJ-4.6, TJ-7.1."""
    game = deal(indicator="1z", D="1z").play("D discard 1z")
    assert game.table.mark("dead_hand", 0) is True


def test_a_dead_hand_still_draws_pongs_kongs_and_earns() -> None:
    """TJ-7.2, and 杠开 is barred too (TJ-7.1)."""
    game = deal(indicator="1z", D="5p", R="1z555p46m77z123p8s", draws="9m9m9m8s", tail="5m")
    game.play("D timeout / R discard 1z / O timeout / L timeout / D discard 5p")
    assert game.options("R") == ["kong_exposed 5p", "pong 5p", "pass"]
    game.play("R kong / hold")
    assert game.seat("R").drawn == "5m" and "win" not in game.options("R")
    assert _to_the_end(game).points_from_dealer == (-1, 3, -1, -1)


def test_a_second_wild_changes_nothing_more() -> None:
    """TJ-7.1: marked once."""
    game = deal(indicator="1z", D="1z2z").play("D discard 1z / R timeout / O timeout / L timeout / D discard 2z")
    assert sum(isinstance(e, ev.Marked) and e.mark == "dead_hand" for e in game.events) == 1


def test_a_forced_wild_discard_counts_too() -> None:
    """TJ-7.4: a fourth pong that leaves two wilds; nothing but wilds can be discarded."""
    game = deal(indicator="1z", D="1m", O="234m", R="11223344m468s22z")
    game.play(
        "D discard 1m / R pong / R discard 4s / O discard 2m / R pong / R discard 6s /"
        "O discard 3m / R pong / R discard 8s / O discard 4m / R pong / hold"
    )
    assert game.options("R") == ["discard 2z"]
    game.play("R timeout")
    assert game.table.mark("dead_hand", 1) is True


@pytest.mark.parametrize("dealer", range(4))
def test_four_equal_first_discards_make_the_dealer_owe_follow(dealer: int) -> None:
    """TJ-8.1, TJ-8.2, TJ-8.3: marked at once, paid after exhaustion with sit and pull."""
    game = deal(dealer=dealer, D="9s", R="9s", O="9s", L="9s", sit=True, pull=(0, 1, 2))
    game.play("D discard 9s / R discard 9s / O discard 9s / L discard 9s")
    assert game.events[-1] == ev.Marked(None, "follow", True)
    assert _to_the_end(game).points_from_dealer == (-14, 2, 4, 8)
    assert {line.clause for line in game.table.lines} == {"TJ-8.2"}


def test_follow_is_paid_beside_a_win() -> None:
    """TJ-8.2, TJ-8.3: in addition to everything else, the dealer's own win included."""
    game = deal(indicator="5z", D="9s46m123p222678s66z", R="9s", O="9s", L="9s", draws="1z1z1z5m")
    game.play("D discard 9s / R discard 9s / O discard 9s / L discard 9s").quiet()
    game.play("D win")
    assert game.points_from_dealer == (18 - 3, -6 + 1, -6 + 1, -6 + 1)


def test_only_the_first_go_round_counts() -> None:
    """TJ-8.1: four equal discards in the second go-round are nothing."""
    game = deal(D="9s", R="9s", O="9s", L="9s", draws="1m2m3m4m5m6m7m")
    game.play(
        "D timeout / R timeout / O timeout / L timeout / D discard 9s / R discard 9s / O discard 9s / L discard 9s"
    )
    assert game.table.mark("follow") is None


def test_a_different_fourth_discard_is_no_follow() -> None:
    """TJ-8.1."""
    game = deal(D="9s", R="9s", O="9s", L="8s").play("D discard 9s / R discard 9s / O discard 9s / L discard 8s")
    assert game.table.mark("follow") is None


def test_kongs_from_the_hand_before_a_first_discard_do_not_break_a_follow() -> None:
    """TJ-8.4."""
    game = deal(indicator="9p", D="9s1111m", R="9s2222m", O="9s1111p", L="9s")
    game.play("D kong 1m / D discard 9s / R kong 2m / R discard 9s / O kong 1p / O discard 9s / L discard 9s")
    assert game.table.mark("follow") is True


def test_a_claim_of_one_of_these_discards_ends_the_follow() -> None:
    """TJ-8.4: and the claim itself needs copies that a follow would use."""
    game = deal(D="9s", R="9s", O="99s", L="1m", draws="1p")
    game.play("D discard 9s / R discard 1p")
    assert game.state.firsts == ("9s", "1p")
    game = deal(D="9s", R="1m", O="99s").play("D discard 9s / O pong / hold")
    assert game.state.firsts is None
    game.play("O timeout / L timeout / D timeout / R timeout / O timeout")
    assert game.table.mark("follow") is None


def test_a_win_before_the_fourth_discard_cancels_the_follow() -> None:
    """TJ-8.4: three equal discards, then L wins on their first draw."""
    game = deal(indicator="5z", D="9s", R="9s", O="9s", L="46m123p222678s66z", draws="1z1z5m")
    game.play("D discard 9s / R discard 9s / O discard 9s / L win")
    assert game.points_from_dealer == (-6, -6, -6, 18)


def test_the_indicator_kind_cannot_be_followed_but_its_successor_can() -> None:
    """TJ-8.5: three live copies are too few; four successors make four dead hands."""
    game = deal(indicator="1z", D="2z", R="2z", O="2z", L="2z").play(
        "D discard 2z / R discard 2z / O discard 2z / L discard 2z"
    )
    assert game.events[-2:] == [ev.Marked(3, "dead_hand", True), ev.Marked(None, "follow", True)]
    assert all(game.table.mark("dead_hand", seat) for seat in range(4))
