"""冲锋鸡 and 责任鸡, flip and rows through the real machine."""

from app.kernel import events as ev
from tests.variants.guizhou.deal import deal


def test_an_unclaimed_first_chicken_is_a_charge() -> None:
    """GZ-14.2, GZ-14.3, GZ-18.1: public mark when the window closes; it counts double for its discarder."""
    game = deal(["1s1p", "22446688s33779p"], draws="1s", players=2).play("0 discard 1s")
    assert game.table.mark("charge") is None
    game.quiet()
    assert game.table.mark("charge") == (("1s", 0, ()),)
    game.play("1 discard 1s / quiet")
    assert game.table.mark("charge") == (("1s", 0, ()),)
    assert game.table.mark("duty") is None


def test_a_claimed_first_chicken_is_a_duty_and_never_reopens() -> None:
    """GZ-14.4, GZ-14.6: the discarder pays the ready claimant 1; their later 幺鸡 is no 冲锋."""
    game = deal(["1s1s9p", "11s567s3456789p4s"], draws="9s6p", players=2, fill="7p7p")
    game.play("0 discard 1s / 1 pong / quiet")
    assert game.table.mark("duty") == (("1s", 0, (1,)),)
    game.play("1 discard 4s / 0 discard 1s / quiet")
    assert game.table.mark("charge") is None
    game.play("1 win")
    assert game.component("duty") == [-1, 1]


def test_each_default_kind_has_its_own_first_copy() -> None:
    """GZ-14.2: 乌骨 with the option, both thrown by one player."""
    game = deal(["1s8p", "88p"], draws="9s", players=2, wugu=True).play(
        "0 discard 1s / 1 discard 9s / 0 discard 8p / 1 pong / quiet"
    )
    assert game.table.mark("charge") == (("1s", 0, ()),)
    assert game.table.mark("duty") == (("8p", 0, (1,)),)
    game = deal(["1s8p"], draws="9s", players=2, wugu=True).play("0 discard 1s / 1 discard 9s / 0 discard 8p / quiet")
    assert game.table.mark("charge") == (("1s", 0, ()), ("8p", 0, ()))
    game = deal(["8p"], players=2).play("0 discard 8p / quiet")
    assert game.table.mark("charge") is None


def test_a_first_chicken_that_is_won_makes_every_winner_a_claimant() -> None:
    """GZ-14.4, GZ-6.3: 责任 to each; the tile counts in each winning hand and no longer in the row (GZ-13.8)."""
    game = deal(["1s", "22446688s3377p1s", "335577s114466p1s"], draws="5p", players=3)
    game.play("0 discard 1s / 1 win / 2 win / quiet")
    assert game.table.mark("duty") == (("1s", 0, (1, 2)),)
    assert game.component("duty") == [-2, 1, 1]
    ready = [waits is not None for waits in game.table.ending.waits]
    assert ready[1:] == [True, True]
    assert game.component("chicken")[0] <= -4


def test_a_claimed_tile_counts_for_the_claimant_alone() -> None:
    """GZ-13.8, GZ-13.9: flip 4s makes 5s a chicken; the ready claimant's 碰 counts three, not once doubled by 自摸."""
    game = deal(["5s", "55s234678s2345p9p"], draws="1p5p4s", players=2).play("0 discard 5s / 1 pong / quiet")
    assert game.table.seats[0].row == ()
    game.play("1 discard 9p / 0 discard 1p / quiet / 1 win")
    assert game.last(ev.TileFlipped).tile == "4s"
    assert game.component("chicken")[1] >= 3
    assert {line.points for line in game.table.lines if line.reason == "chicken" and line.target == 1} == {3}


def test_a_won_chicken_no_longer_lies_in_the_discarders_row() -> None:
    """GZ-13.8, GZ-6.3, GZ-9.4: the ready discarder counts nothing; the winner counts the won 幺鸡 and their own."""
    game = deal(["234567s3456789p1s", "22446688s3377p1s"], draws="1p", players=2).play("0 discard 1s / 1 win / quiet")
    assert [waits is not None for waits in game.table.ending.waits] == [True, True]
    assert game.component("chicken") == [-2, 2]
