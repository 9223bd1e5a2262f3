"""Ends of rounds: win, exhausted wall, dissolution; payments and shown tiles."""

from app.kernel import events as ev
from app.variants.tangshan import VARIANT
from tests.variants.tangshan.deal import NEAREST, Game, deal


def idle(game: Game, left: int) -> Game:
    """Everybody lets every clock run out until `left` tiles are in the wall and a seat is to move."""
    while not (game.table.left == left and game.state.window is None):
        game.play("quiet" if game.state.window else f"{game.table.turn} timeout")
    return game


LAST = {3: "5555m9m9p9s"}


def test_the_last_wall_tile_gives_no_replacement() -> None:
    """Flow 4, TS-4.5, TS-12.2, TS-12.3, TS-13.1: neither kong nor addition on the last tile; exhausted; covers paid."""
    game = deal(hands=LAST, last="9m")
    while game.table.turn != 3 or game.table.phase != "opening":
        game.play("quiet")
    game.play("3 light nines\n3 cover 5m\nopening")
    idle(game, 4)
    assert game.table.turn == 3 and game.offers(3) == ["kong_concealed 5m"]
    idle(game, 0)
    assert game.table.turn == 3 and game.table.seats[3].drawn == "9m"
    assert game.offers(3) == []
    game.play("3 discard 9m")
    assert game.state.window is not None, "the last discard may still be claimed"
    game.play("quiet")
    kinds = [type(event) for event in game.entry]
    assert kinds == [ev.HoldEnded, ev.HandsRevealed, ev.PointsMoved, ev.RoundEnded]
    assert game.points == (-6 - 2, -6 - 2, -6 - 2, 18 + 6)
    ended = game.of(ev.RoundEnded)[0]
    assert (ended.outcome, ended.winners, ended.next_dealer) == ("exhausted", (), 0)
    assert game.open == () and game.decision(0) is None


def test_the_last_discard_may_be_ponged_and_the_taker_discards() -> None:
    """TS-12.2: play goes to the last tile, a claim on it is followed by a discard."""
    game = deal(hands={0: "99m"}, last="9m").play("opening")
    while game.table.left or game.state.window is not None:
        table = game.table
        if game.state.window is not None:
            game.play("quiet")
        else:
            game.play(f"{table.turn} timeout")
    game.play("3 discard 9m\n0 pong 9m\nquiet")
    assert game.table.turn == 0 and game.offers(0) == []
    game.play("0 timeout\nquiet")
    assert game.of(ev.RoundEnded)[0].outcome == "exhausted"


def test_a_win_ends_the_round_and_the_winner_deals_next() -> None:
    """TS-12.1, TS-12.3, TS-13.1, TS-13.2, TS-9.9, TS-14.6: win first, then the reveal, then covers; all is shown."""
    game = deal(hands=NEAREST).play("quiet\n1 cover 5m\nopening\n0 discard 5m\n2 win\nquiet")
    kinds = [type(event) for event in game.entry]
    assert kinds == [ev.HoldEnded, ev.Won, ev.PointsMoved, ev.HandsRevealed, ev.PointsMoved, ev.RoundEnded]
    win, shown, ended = game.of(ev.Won)[0], game.of(ev.HandsRevealed)[0], game.of(ev.RoundEnded)[0]
    assert (win.seat, win.tile, win.origin, win.source_seat, win.points) == (2, "5m", "discard", 0, 40)
    assert win.reading.patterns == (("win_closed", 40),)
    assert win.reading.groups == ("4m *5m 6m", "1p 2p 3p", "7p 8p 9p", "1s 2s 3s", "4s 5s 6s", "7z 7z")
    assert [len(hand) for hand in shown.hands] == [16, 13, 16, 16]
    assert shown.melds[1][0].tiles == ("5m",) * 3
    assert shown.waits[3] == ("5m",), "readiness is shown, never declared (TS-9.7)"
    assert ended.next_dealer == 2 and ended.wall == game.state.wall and ended.seed == "5eed"


def test_the_drawn_tile_laid_away_is_still_a_self_drawn_win() -> None:
    """TS-4.4, TS-6.9, TS-11.9: the covered draw wins at 40 and the message names no tile."""
    game = deal(hands={3: "99s234567m345678p11s"}, draws="1z 1z 9s")
    idle(game.play("opening"), 68)
    assert game.table.turn == 3 and game.offers(3) == ["win", "cover 9s"]
    game.play("3 cover 9s\n3 win")
    win = game.of(ev.Won)[0]
    assert (win.tile, win.origin, win.points) == (None, "draw", 40)
    assert game.points[3] == 120 + 12


def test_the_draw_that_completes_unlit_dragons_costs_more() -> None:
    """TS-9.3, TS-11.7, TS-11.8: 52 closed; the same tile discarded is not even offered."""
    game = deal(hands={0: "5z", 1: "234567m345p12399s67z"}, draws="5z").play("opening\n0 discard 5z")
    assert game.decision(1) is None
    game.play("quiet\n1 win")
    assert game.points == (-52, 156, -52, -52)
    assert game.of(ev.Won)[0].reading.groups[0] == "*5z 6z 7z"


def test_a_dissolved_round_gives_every_point_back() -> None:
    """TS-12.4: equal lines back, reason void, the dealer stays and nothing is won."""
    game = deal(hands={0: "1234z"}).play("0 light winds\nabort")
    assert game.points == (0, 0, 0, 0)
    back = game.of(ev.PointsMoved)[-1].lines
    assert {line.reason for line in back} == {"void"} and {line.clause for line in back} == {"TS-12.4"}
    assert sorted(line.points for line in back) == [32, 32, 32]
    ended = game.of(ev.RoundEnded)[0]
    assert (ended.outcome, ended.winners, ended.next_dealer) == ("void", (), 0)
    assert game.open == ()
    assert VARIANT.facts(game.state).round["outcome"] == "void"
