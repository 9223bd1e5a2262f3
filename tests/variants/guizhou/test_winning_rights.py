"""Rights to win: the legality examples L01–L14, L25 and L26 through the real machine."""

import pytest

from app.kernel import events as ev
from tests.variants.guizhou.deal import Game, deal

PING_HU = "234567s3456789p"
"""Waits 3, 6 and 9 筒, 平胡 each."""


def asked_about(hand: str, tile: str) -> Game:
    """Seat 1 has no meld and has discarded once; the dealer discards `tile` now."""
    return deal(["1s", hand], draws=f"1s{tile}", players=2).play(f"0 discard 1s / 1 discard 1s / 0 discard {tile}")


def test_l01_a_kong_claimed_from_a_discard_is_no_pass() -> None:
    """GZ-8.1, GZ-8.6: the only meld is 点豆; 9p completes 平胡 and is not offered."""
    game = deal(["4s", "444567s3456789p"], draws="2s9p", players=2)
    game.play("0 discard 4s / 1 kong / 1 discard 2s / 0 discard 9p")
    assert "win" not in game.names(1)


def test_l02_a_late_kong_is_a_pass() -> None:
    """GZ-7.4, GZ-8.1: the only meld is 憨包豆; 9p is offered."""
    game = deal(["1s", "4444567s345678p"], draws="2p1p9p2s9p", players=2)
    game.play("0 discard 1s / 1 discard 2p / 0 discard 1p / quiet / 1 kong 4s")
    assert game.table.seats[1].melds[0].kind == "kong_late"
    assert "win" in game.play("1 discard 2s / 0 discard 9p").names(1)


@pytest.mark.parametrize(
    ("hand", "tile"),
    [("22255577s33399p", "7s"), ("22446688s33779p", "9p"), ("2223445567899s", "6s")],
    ids=["da_dui_zi", "qi_dui", "qing_yi_se"],
)
def test_l03_every_other_pattern_needs_no_pass(hand: str, tile: str) -> None:
    """GZ-8.2."""
    assert "win" in asked_about(hand, tile).names(1)


def test_l04_the_pass_is_judged_for_the_pattern_of_this_tile() -> None:
    """GZ-8.2: 6s makes 平胡 and is barred, 4s makes 大对子 and is not."""
    assert "win" not in asked_about("222777p3334555s", "6s").names(1)
    assert "win" in asked_about("222777p3334555s", "4s").names(1)


def laid(kind: str) -> Game:
    """Seat 0 lays the fourth 5s onto its 碰 as `kind`; seat 1 waits for it with 平胡, without a pass."""
    game = deal(["55s", "23467s34567899p"], draws="5s1s5s1p1s", players=2, fill="2p2p2p8s8s")
    game.play("0 discard 2p / 1 discard 5s / 0 pong / 0 discard 2p / 1 discard 1s / quiet")
    if kind == "kong_added":
        return game.play("0 extend 5s")
    return game.play("0 discard 2p / 1 discard 1p / 0 extend 5s")


@pytest.mark.parametrize("kind", ["kong_added", "kong_late"])
def test_l05_l06_robbing_a_kong_needs_no_pass(kind: str) -> None:
    """GZ-7.8, GZ-7.9, GZ-8.3, GZ-12.4: 爬坡豆 and added 憨包豆; the meld stays a 碰, the robbed player pays."""
    game = laid(kind)
    assert game.last(ev.TileLaid).kind == kind
    assert game.names(1) == {"win"}
    game.play("1 win / quiet")
    assert game.last(ev.TileRobbed) == ev.TileRobbed(0, "5s", (1,), "win")
    assert [meld.kind for meld in game.table.seats[0].melds] == ["pong"]
    won = game.last(ev.Won)
    assert (won.origin, won.source_seat, won.points) == ("rob_kong", 0, 1)
    assert game.component("hand") == [-1, 1]
    assert game.component("bean") == [0, 0]


def test_l07_hidden_and_claimed_kongs_cannot_be_robbed() -> None:
    """GZ-7.8: 闷豆 and 点豆 open no window, even when a seat waits for the tile."""
    game = deal(["5555s", "23467s34567899p"], players=2).play("0 kong 5s")
    assert game.state.window is None
    assert game.names(1) == set()
    game = deal(["555s", "23467s34567899p"], draws="5s", players=2, fill="1s").play(
        "0 discard 1s / 1 discard 5s / 0 kong / quiet"
    )
    assert game.last(ev.MeldMade).kind == "kong_exposed"
    assert game.state.window is None
    assert game.names(1) == set()


def heated(extra: str = "", draws: str = "9p") -> Game:
    """Seat 0 formed 爬坡豆 of 1s and discards next; seat 1 waits for 369p without a pass and has discarded."""
    game = deal(["11s" + extra, PING_HU], draws="1s2p1s" + draws, players=2, fill="2p2p")
    return game.play("0 discard 2p / 1 discard 1s / 0 pong / 0 discard 2p / 1 discard 2p / 0 extend 1s / quiet")


def test_l08_a_hot_discard_needs_no_pass_and_counts_twice() -> None:
    """GZ-8.3, GZ-12.5, GZ-12.6: the first discard after another's 爬坡豆."""
    game = heated().play("0 discard 9p")
    assert game.names(1) == {"win"}
    game.play("1 win / quiet")
    assert game.component("hand") == [-2, 2]


def test_a_further_kong_does_not_cool_the_discard_but_the_discard_does() -> None:
    """GZ-12.6: 闷豆 in between; the second discard is an ordinary one."""
    game = heated("8888s", "7s9p1p3p").play("0 kong 8s / 0 discard 9p")
    assert game.names(1) == {"win"}
    game.play("1 pass / 1 discard 1p / 0 discard 3p")
    assert "win" not in game.names(1)


def test_an_added_late_kong_heats_too() -> None:
    """GZ-12.6."""
    game = laid("kong_late").quiet()
    assert game.last(ev.MeldExtended).kind == "kong_late"
    assert game.state.heated


def test_l09_a_discard_after_a_hidden_kong_is_not_hot() -> None:
    """GZ-12.6: 闷豆 and 点豆 do not heat."""
    game = deal(["1s", PING_HU], draws="1s1p9p", players=2, fill="8s8s8s8s")
    game.play("0 discard 1s / 1 discard 1s / quiet / 0 kong 8s / 0 discard 9p")
    assert "win" not in game.names(1)
    game = deal(["8s8s8s1s", PING_HU], draws="8s9p", players=2).play(
        "0 discard 1s / 1 discard 8s / 0 kong / 0 discard 9p"
    )
    assert "win" not in game.names(1)


def declared_nine(verb: str) -> Game:
    """Seat 0 throws 9p with its first discard, with or without 报听; seat 1, the dealer, has discarded already."""
    game = deal(["22446688s33778p", PING_HU + "1s"], draws="9p", players=2, dealer=1)
    return game.play(f"1 discard 1s / 0 {verb} 9p")


def test_l10_a_declared_players_discard_needs_no_pass() -> None:
    """GZ-8.3, GZ-8.4, GZ-10.2, GZ-10.5: the very discard of the declaration; merely being ready frees nobody. +10."""
    assert "win" not in declared_nine("discard").names(1)
    game = declared_nine("declare_ready")
    assert game.names(1) == {"win"}
    game.play("1 win / quiet")
    assert game.component("hand") == [-11, 11]


def test_l11_declaring_frees_others_not_oneself() -> None:
    """GZ-8.5: seat 0 declared; its 平胡 tile from an ordinary player is not offered, by 自摸 it is (GZ-8.2)."""
    game = deal([PING_HU + "1s"], draws="9p3p", players=2).play("0 declare_ready 1s / 1 discard 9p")
    assert game.names(0) == set()
    assert game.quiet().names(0) == {"win"}


def test_l12_earth_needs_no_pass() -> None:
    """GZ-12.9: a non-dealer who has discarded nothing wins the dealer's first discard; +10."""
    game = deal(["9p", PING_HU], players=2).play("0 discard 9p")
    assert game.names(1) == {"win"}
    game.play("1 win / quiet")
    assert game.last(ev.Won).reading.patterns == (("ping_hu", 1), ("di_hu", 10))
    assert game.component("hand") == [-11, 11]


def test_earth_by_the_first_draw() -> None:
    """GZ-12.9, GZ-12.10: 自摸 doubles pattern and bonus together."""
    game = deal(["1s", PING_HU], draws="9p", players=2).play("0 discard 1s / quiet / 1 win")
    assert game.component("hand") == [-22, 22]


def test_earth_by_robbing_after_calls_of_others() -> None:
    """GZ-12.4, GZ-12.9: seat 1 never had a turn, because 2 and 0 called; it robs the kong of seat 0, single, +10."""
    game = deal(["5s5s1p", "23467s34567899p", "1p1p", "5s"], draws="2p5s", dealer=3, fill="8p8p")
    game.play(
        "3 discard 5s / 0 pong / 0 discard 1p / 2 pong / 2 discard 8p / 3 discard 2p / 0 extend 5s / 1 win / quiet"
    )
    assert game.last(ev.Won).reading.patterns == (("ping_hu", 1), ("di_hu", 10))
    assert game.component("hand") == [-11, 11, 0, 0]


def test_l13_a_pong_ends_the_chance_of_earth() -> None:
    """GZ-12.9."""
    game = deal(["5s", "23455s3456789p1s"], draws="9p", players=2).play(
        "0 discard 5s / 1 pong / 1 discard 1s / 0 discard 9p"
    )
    assert "win" not in game.names(1)


def test_l14_drawing_the_tile_needs_no_pass() -> None:
    """GZ-8.2, GZ-12.1."""
    game = deal(["1s", PING_HU], draws="1s1p9p", players=2).play(
        "0 discard 1s / 1 discard 1s / 0 discard 1p / quiet / 1 win"
    )
    won = game.last(ev.Won)
    assert won.origin == "draw"
    assert won.reading.groups == ("3p 4p 5p", "6p 7p 8p", "*9p 9p", "2s 3s 4s", "5s 6s 7s")
    assert game.component("hand") == [-2, 2]


THREE_FOR_9P = ["9p", "22446688s33779p", "335577s1144669p", "113399s2255889p"]


def test_l25_all_who_choose_the_win_win_together() -> None:
    """GZ-2.4, GZ-6.1, GZ-6.2, GZ-6.4: three may win, one declines; the discarder pays both and deals next."""
    game = deal(THREE_FOR_9P).play("0 discard 9p / 3 win / 2 pass / 1 win / quiet")
    assert [won.seat for won in game.of(ev.Won)] == [1, 3]
    ended = game.last(ev.RoundEnded)
    assert (ended.winners, ended.next_dealer) == ((1, 3), 0)
    assert game.component("hand") == [-40, 20, 0, 20]
    assert game.last(ev.HandsRevealed).waits[2] == ("9p",)


def test_a_single_winner_deals_next() -> None:
    """GZ-2.3."""
    game = deal(THREE_FOR_9P).play("0 discard 9p / 3 win / quiet")
    assert game.last(ev.RoundEnded).next_dealer == 3


def test_several_may_rob_one_kong() -> None:
    """GZ-6.1, GZ-2.4: two robbers win together; the robbed player counts as discarder and deals next."""
    hands = ["23467s34567899p", "46678s22256799p", "55s", "5s"]
    game = deal(hands, draws="1s1p3s5s", dealer=3, fill="1s1p8p8p8p")
    game.play(
        "3 discard 5s / 2 pong / 2 discard 8p / 3 discard 1s / 0 discard 1p / 1 discard 3s / 2 extend 5s /"
        "0 win / 1 win / quiet"
    )
    assert game.last(ev.TileRobbed).takers == (0, 1)
    assert game.component("hand") == [1, 1, -2, 0]
    assert game.last(ev.RoundEnded).next_dealer == 2


def test_l26_heaven_is_gone_once_a_kong_was_declared() -> None:
    """GZ-12.3, GZ-12.8: the dealt 14 tiles win as 天胡; after 闷豆 the replacement wins as 杠开."""
    game = deal(["111123s45678955p"], draws="4s", players=2)
    assert "win" in game.names(0)
    game.play("0 kong 1s / 0 win")
    won = game.last(ev.Won)
    assert won.origin == "kong_draw"
    assert won.reading.patterns == (("ping_hu", 1),)
    assert game.component("hand") == [2, -2]


def test_heaven_has_no_winning_tile() -> None:
    """GZ-11.7, GZ-12.8: a dealt four makes 七对, not 龙七对; +10, paid as 自摸 (GZ-12.1)."""
    game = deal(["2222446688s3377p"], players=3).play("0 win")
    won = game.last(ev.Won)
    assert won.tile is None
    assert won.reading.groups[-4:] == ("2s 2s", "4s 4s", "6s 6s", "8s 8s")
    assert won.reading.patterns == (("qi_dui", 10), ("tian_hu", 10))
    assert game.component("hand") == [80, -40, -40]
    assert game.last(ev.HandsRevealed).waits[0]


def test_no_win_right_after_a_pong() -> None:
    """GZ-4.3: the hand is complete but nothing was drawn; a replacement may win later."""
    game = deal(["5p", "234567s34555p99p"], players=2).play("0 discard 5p / 1 pong / quiet")
    assert "win" not in game.names(1)
    assert game.names(1) == {"kong_late"}


def test_a_declined_win_bars_nothing_later() -> None:
    """GZ-5.5: 9p declined, the next 9p is offered again; and a win by draw may be left (GZ-4.6)."""
    game = deal(["1s", "22446688s33779p"], draws="1s9p1p9p", players=2).play(
        "0 discard 1s / 1 discard 1s / 0 discard 9p"
    )
    assert "win" in game.names(1)
    game.play("1 pass / 1 discard 1p / 0 discard 9p / 1 win / quiet")
    assert game.last(ev.Won).seat == 1
    game = deal(["1s", PING_HU], draws="9p", players=2).play("0 discard 1s / 1 discard 9p")
    assert game.table.seats[1].row == ("9p",)


def test_a_declined_win_may_be_taken_from_the_next_seat_before_the_own_draw() -> None:
    """GZ-5.5."""
    game = deal(["1s", "22446688s33779p"], draws="1s9p9p", players=3).play(
        "0 discard 1s / 1 discard 1s / 2 discard 9p / 1 pass / 0 discard 9p"
    )
    assert "win" in game.names(1)
