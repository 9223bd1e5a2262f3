"""Kongs, called beans (豆), through the real machine: windows, names, robbing, replacements; L15–L21."""

from app.kernel import events as ev
from app.kernel.views import view
from app.variants.guizhou.state import own_discards
from tests.variants.guizhou.deal import Game, deal


def test_l15_a_pong_with_the_fourth_in_hand_makes_a_late_kong() -> None:
    """GZ-7.3: at once and in later turns alike."""
    game = deal(["5s", "555s1246799p88s"], draws="1p1p", players=2, fill="2p").play("0 discard 5s / 1 pong / quiet")
    assert game.names(1) == {"kong_late"}
    game.play("1 discard 1p / 0 discard 1p / quiet")
    assert game.names(1) == {"kong_late"}
    game.play("1 extend 5s / quiet")
    assert (game.table.seats[1].melds[0].kind, game.table.seats[1].melds[0].face_down) == ("kong_late", False)


def pong_then_fourth() -> Game:
    """Seat 1 has a 碰 of 5s and has just drawn the fourth."""
    game = deal(["5s", "55s1246799p888s"], draws="1p5s2s", players=2).play(
        "0 discard 5s / 1 pong / 1 discard 1p / 0 discard 1p / quiet"
    )
    assert game.table.seats[1].drawn == "5s"
    return game


def test_l16_discarding_first_makes_it_late() -> None:
    """GZ-7.2: draw the fourth, discard another tile, add it next turn."""
    game = pong_then_fourth().play("1 discard 2p / 0 discard 2s / quiet")
    assert "kong_late" in game.names(1)
    assert "kong_added" not in game.names(1)


def test_l17_added_at_once_it_is_in_time() -> None:
    """GZ-7.2, GZ-4.4: 爬坡豆, and a replacement from the front of the wall (GZ-3.3)."""
    game = pong_then_fourth()
    assert game.names(1) == {"kong_added"}
    left = game.table.left
    game.play("1 extend 5s / quiet")
    assert game.last(ev.MeldExtended).kind == "kong_added"
    drawn = game.last(ev.TileDrawn)
    assert (drawn.seat, drawn.replacement, drawn.end, drawn.tile) == (1, True, "head", "2s")
    assert game.table.left == left - 1


def test_l18_a_dealt_four_before_and_after_the_first_discard() -> None:
    """GZ-7.2: 闷豆 in the first turn, 憨包豆 after one own discard; other calls do not close the window."""
    game = deal(["1s", "5555s1246799p88s"], draws="2s1p", players=2).play("0 discard 1s / quiet")
    assert game.names(1) == {"kong_concealed"}
    game.play("1 discard 2s / 0 discard 1p / quiet")
    assert game.names(1) == {"kong_late"}
    game.play("1 kong 5s")
    made = game.last(ev.MeldMade)
    assert (made.kind, made.face_down) == ("kong_late", True)
    game = deal(["5s", "7777p55s124669s2p"], players=2).play("0 discard 5s / 1 pong / quiet")
    assert game.names(1) == {"kong_concealed"}


def test_l19_no_kong_with_an_empty_wall() -> None:
    """GZ-3.5: the last tile makes four, and nothing but win and discard is offered."""
    game = deal(["1s", "555s1246799p888s"], draws="5s", players=2, wall=1).play("0 discard 1s / quiet")
    assert game.table.left == 0
    assert game.names(1) == set()


def test_l20_no_pong_of_the_last_discard_but_a_win() -> None:
    """GZ-3.4, GZ-3.5."""
    game = deal(["22255577s33399p", "1s1p"], draws="1s7s", players=2, dealer=1, wall=2).play(
        "1 discard 1s / 0 discard 1s / 1 discard 7s"
    )
    assert game.table.left == 0
    assert game.names(0) == {"win"}
    game = deal(["22255577s33399p", "1s1p"], draws="1s2s", players=2, dealer=1, wall=2).play(
        "1 discard 1s / 0 discard 1s / 1 discard 2s"
    )
    assert game.names(0) == set()


def test_the_last_wall_tile_may_still_be_konged_for() -> None:
    """GZ-3.5: with one tile left 碰 and 点豆 are still offered."""
    game = deal(["222s55577s33399p", "1s"], draws="1s2s", players=2, dealer=1, wall=3).play(
        "1 discard 1s / 0 discard 1s / 1 discard 2s"
    )
    assert game.table.left == 1
    assert game.names(0) == {"pong", "kong_exposed"}


def test_l21_a_declared_player_makes_no_kong() -> None:
    """GZ-10.3: nor a 碰; only the drawn tile may be discarded."""
    game = deal(["22255577s33399p1s"], draws="2s1p5s", players=2).play("0 declare_ready 1s / 1 discard 2s")
    assert game.names(0) == set()
    game.play("quiet / 0 discard 1p / 1 discard 5s")
    assert game.names(0) == set()
    game = deal(["22255577s33399p1s"], draws="1p2s", players=2).play("0 declare_ready 1s / 1 discard 1p / quiet")
    assert game.names(0) == set()
    assert game.discards(0) == {"2s"}


def test_a_claimed_kong_draws_a_replacement_and_leaves_the_row() -> None:
    """GZ-4.4, GZ-4.5, GZ-7.1: the tile leaves the row; the source alone pays the bean, when the owner is ready."""
    game = deal(["6p", "666p234678s3459p"], draws="9p1p", players=3).play("0 discard 6p / 1 kong")
    game.quiet()
    assert game.table.seats[0].row == ()
    assert game.last(ev.TileDrawn).replacement
    game.play("1 win")
    assert game.last(ev.Won).origin == "kong_draw"
    assert game.component("hand") == [-2, 4, -2]
    assert game.component("bean") == [-3, 3, 0]


def test_after_an_unrobbed_kong_the_turn_goes_on() -> None:
    """GZ-4.1, GZ-4.4: any number of kongs, each replaced; then one discard."""
    game = deal(["1111s2222s3333s46p"], draws="8p8p9p", players=2)
    game.play("0 kong 1s / 0 kong 2s / 0 kong 3s / 0 discard 9p / quiet")
    assert [meld.kind for meld in game.table.seats[0].melds] == ["kong_concealed"] * 3
    assert game.table.turn == 1


def test_beans_count_once_and_only_for_the_ready() -> None:
    """GZ-7.5, GZ-7.6, GZ-7.7: the ready winner's 闷豆 pays 3, not doubled by 自摸; the other's pays nothing."""
    game = deal(["1111p13579s1379s", "2222p567s345678p"], draws="9s4s8p6s7s", players=2)
    game.play("0 kong 1p / 0 discard 9s / quiet / 1 kong 2p / 1 discard 8p / 0 discard 6s / quiet / 1 win")
    assert game.component("hand") == [-2, 2]
    assert game.component("bean") == [-3, 3]


def test_a_robber_may_decline_and_the_kong_forms() -> None:
    """GZ-7.8, GZ-4.6."""
    game = deal(["55s", "23467s34567899p"], draws="5s1s5s9s", players=2, fill="2p2p")
    game.play("0 discard 2p / 1 discard 5s / 0 pong / 0 discard 2p / 1 discard 1s / 0 extend 5s / 1 pass / quiet")
    assert game.table.seats[0].melds[0].kind == "kong_added"
    assert game.table.seats[0].drawn == "9s"


def test_what_must_be_remembered_during_play() -> None:
    """GZ-18.2, GZ-18.3: closed windows by kind, own discards (claimed ones too), heat until the discard."""
    game = deal(["5s", "55s1246799p888s"], draws="1p5s2s", players=2).play("0 discard 5s / 1 pong / quiet")
    assert own_discards(game.table, 0) == 1
    assert own_discards(view(game.table, 1), 0) == 1
    game.play("1 discard 1p / 0 discard 1p / quiet")
    assert game.state.late[1] == ()
    assert own_discards(game.table, 0) == 2
    late = deal(["5s", "55s1246799p888s"], draws="1p5s2s", players=2).play(
        "0 discard 5s / 1 pong / 1 discard 1p / 0 discard 1p / 1 discard 2p"
    )
    assert late.state.late[1] == ("5s",)
    game.play("1 extend 5s / quiet")
    assert (game.state.heated, game.state.hot, game.state.replaced) == (True, False, True)
    game.play("1 discard 2p")
    assert (game.state.heated, game.state.hot) == (False, True)
    assert not game.quiet().state.hot
