"""The course of a round: deal, turns, windows and their order, ends, timeouts, dissolution."""

import pytest

from app.kernel import events as ev
from app.kernel.actions import PASS, WIN, action
from app.kernel.errors import Rejection
from app.kernel.play.commands import Abort, Act, TimeOut
from app.variants.guizhou import VARIANT
from app.variants.guizhou.machine import weekday_of
from tests.variants.guizhou.deal import MONDAY_MS, Game, deal


@pytest.mark.parametrize(("players", "wall"), [(2, 45), (3, 32), (4, 19)])
def test_the_dealer_gets_fourteen_tiles_and_the_rest_is_wall(players: int, wall: int) -> None:
    """GZ-1.1, GZ-1.2, GZ-3.1, GZ-3.2."""
    game = deal([], players=players, dealer=players - 1)
    assert [seat.count for seat in game.table.seats] == [13] * (players - 1) + [14]
    assert game.table.left == wall
    assert sorted(set(game.state.wall)) == sorted(VARIANT.meta.kinds)
    assert len(VARIANT.meta.kinds) == 18


def test_the_dealers_first_turn_begins_without_a_draw() -> None:
    """GZ-4.2."""
    game = deal([], dealer=2)
    assert [type(event).__name__ for event in game.events] == [
        "RoundStarted",
        *["HandDealt"] * 4,
        "Marked",
        "PhaseBegan",
    ]
    assert [(decision.seat, decision.clock) for decision in game.open] == [(2, "turn")]


def test_tiles_come_from_the_front_and_play_goes_to_the_next_seat() -> None:
    """GZ-1.3, GZ-3.3, GZ-4.5: an unclaimed discard stays in the row and the next seat draws the next tile."""
    game = deal(["1s"], draws="2s3s", players=3).play("0 discard 1s / 1 discard 2s / quiet")
    drawn = game.of(ev.TileDrawn)
    assert [(e.seat, e.tile, e.left, e.replacement) for e in drawn] == [(1, "2s", 31, False), (2, "3s", 30, False)]
    assert [seat.row for seat in game.table.seats] == [("1s",), ("2s",), ()]


def test_any_concealed_tile_may_be_discarded() -> None:
    """GZ-4.6."""
    game = deal(["123456789p12345s"])
    assert game.discards(0) == {f"{rank}p" for rank in range(1, 10)} | {f"{rank}s" for rank in range(1, 6)}


def test_there_is_no_chow() -> None:
    """GZ-1.4: the next seat holds 7s9s when 8s is discarded."""
    assert deal(["8s", "1357s79s1358p246p"]).play("0 discard 8s").names(1) == set()


def test_a_discard_ends_its_entry_and_opens_a_window_even_when_nobody_can_claim() -> None:
    """GZ-5.2, GZ-19.4: a hold that only the clock ends, whether or not a seat could claim."""
    game = deal(["9s", "1122p", "3344p", "5566p"], fill="9s9s9s").play("0 discard 9s")
    assert game.entry == (ev.TileDiscarded(0, "9s"),)
    assert game.open[-1].clock == "hold"
    hold = game.open[-1]
    assert VARIANT.decide(game.state, game.open, Act(0, hold.id, PASS)) == Rejection("closed")


def test_nothing_resolves_before_all_who_matter_have_answered() -> None:
    """GZ-5.2, GZ-5.3: the hold alone does not end the window; the 碰 waits for the possible winner, who prevails."""
    game = deal(["9p", "22446688s33779p", "99p"]).play("0 discard 9p / 2 pong")
    game.send(TimeOut(game.open[-1].id))
    assert [decision.seat for decision in game.open] == [1]
    game.play("1 win")
    assert game.table.phase == "over"
    assert [won.seat for won in game.of(ev.Won)] == [1]


def test_a_win_makes_the_pong_question_vanish() -> None:
    """GZ-5.3: and a late answer is `closed`, which is nobody's fault."""
    game = deal(["9p", "22446688s33779p", "99p"]).play("0 discard 9p")
    pong = game.question(2)
    game.play("1 win")
    assert [decision.clock for decision in game.open] == ["hold"]
    answer = Act(2, pong.id, action("pong", "9p"))
    assert VARIANT.decide(game.state, game.open, answer) == Rejection("closed")


def test_the_order_of_answers_never_matters() -> None:
    """GZ-5.2."""
    ends = set()
    for script in (
        "1 win / 2 pass / 3 win / quiet",
        "3 win / 1 win / 2 pass / quiet",
        "2 pass / 3 win / 1 win / quiet",
    ):
        hands = ["9p", "22446688s33779p", "335577s1144669p", "113399s2255889p"]
        game = deal(hands).play("0 discard 9p").play(script)
        ends.add((game.table.lines, game.table.ending.wins))
    assert len(ends) == 1


def test_declining_a_win_may_take_the_pong_in_the_same_answer() -> None:
    """GZ-5.4: it takes effect only if nobody wins."""
    game = deal(["7s", "22255577s33399p"], players=2).play("0 discard 7s")
    assert game.names(1) == {"win", "pong"}
    game.play("1 pong")
    assert game.last(ev.Answered).declined_win
    game.quiet()
    assert game.last(ev.MeldMade).kind == "pong"
    assert game.table.turn == 1


def test_claims_come_from_anyones_discard() -> None:
    """GZ-5.1, GZ-4.3: 碰 from the opposite seat; play goes on from the claimant without a draw."""
    game = deal(["5s", "", "55s1p"]).play("0 discard 5s / 2 pong / quiet")
    assert game.table.turn == 2
    assert game.table.seats[2].drawn is None
    game.play("2 discard 1p / quiet")
    assert game.table.turn == 3


def test_exhausted_after_the_last_discard() -> None:
    """GZ-16.1, GZ-16.2, GZ-2.5, GZ-7.10: no flip, beans and chickens void, the same dealer again; 查叫 (GZ-16.3)."""
    game = deal(["22255577s33399p", "1s1p"], draws="1s", players=2, dealer=1, wall=1, fill="1s")
    game.play("1 discard 1s / 0 discard 1s / quiet")
    ended = game.last(ev.RoundEnded)
    assert (ended.outcome, ended.winners, ended.next_dealer) == ("exhausted", (), 1)
    assert game.of(ev.TileFlipped) == []
    assert {line.reason for line in game.table.lines} <= {"check"}
    assert game.table.ending.waits[0] == ("9p", "7s")


def test_a_win_flips_the_next_wall_tile_once() -> None:
    """GZ-15.1, GZ-15.3: also with several winners."""
    hands = ["9p", "22446688s33779p", "335577s1144669p", "113399s2255889p"]
    game = deal(hands, draws="8p").play("0 discard 9p / 1 win / 2 win / 3 win / quiet")
    assert game.of(ev.TileFlipped) == [ev.TileFlipped("flip", "8p", 18)]
    names = [type(event).__name__ for event in game.entry]
    assert names == ["HoldEnded", "Won", "Won", "Won", "TileFlipped", "HandsRevealed", "PointsMoved", "RoundEnded"]


def test_a_win_on_the_last_tile_flips_nothing() -> None:
    """GZ-15.2, GZ-3.4: drawn and won."""
    game = deal(["1s", "22446688s33779p"], draws="9p", players=2, wall=1).play("0 discard 1s / quiet / 1 win")
    assert game.of(ev.TileFlipped) == []
    assert game.last(ev.RoundEnded).outcome == "won"


def test_a_timeout_never_wins_but_autoplay_does() -> None:
    """GZ-20.1, GZ-20.2, GZ-20.3."""
    game = deal(["1s", "22446688s33779p"], draws="1s9p", players=2).play("0 discard 1s / 1 discard 1s / 0 discard 9p")
    claim = game.question(1)
    assert (claim.clock, claim.on_timeout, claim.on_autoplay) == ("claim", PASS, WIN)
    game = deal(["1s", "22446688s33779p"], draws="9p", players=2).play("0 discard 1s / quiet")
    turn = game.question(1)
    assert (turn.on_timeout, turn.on_autoplay) == (action("discard", "9p"), WIN)
    game.time_out(1)
    assert game.table.seats[1].row == ("9p",)


def test_the_default_where_nothing_was_drawn_is_the_last_tile() -> None:
    """GZ-20.2: dealer's first turn, and after 碰."""
    game = deal(["1223445677899p1s"])
    assert game.question(0).on_timeout == action("discard", "1s")
    game = deal(["2s", "1246799p5888s22s"], players=2).play("0 discard 2s / 1 pong / quiet")
    assert game.question(1).on_timeout == action("discard", "8s")


def test_a_dissolved_round_books_nothing() -> None:
    """GZ-17.2."""
    game = deal(["5s", "555s"], dealer=0).play("0 discard 5s / 1 kong / quiet")
    game.send(Abort("the host closed the room"))
    ended = game.last(ev.RoundEnded)
    assert (ended.outcome, ended.next_dealer, game.table.lines) == ("void", 0, ())
    assert game.open == ()
    assert VARIANT.decide(game.state, (), Abort("again")) == Rejection("round_over")


@pytest.mark.parametrize(
    ("at_ms", "weekday"),
    [
        (MONDAY_MS, 1),
        (MONDAY_MS + 16 * 3_600_000 - 1, 1),
        (MONDAY_MS + 16 * 3_600_000, 2),
        (MONDAY_MS - 8 * 3_600_000 - 1, 7),
        (1_767_225_600_000, 4),
    ],
    ids=["Monday", "one millisecond to midnight", "midnight in Shanghai", "Sunday", "2026-01-01"],
)
def test_the_weekday_is_shanghais_at_the_deal(at_ms: int, weekday: int) -> None:
    """GZ-13.4, GZ-18.4."""
    assert weekday_of(at_ms) == weekday
    assert deal([], at_ms=at_ms).table.mark("weekday") == weekday


def declared() -> Game:
    """Seat 0, the dealer, declared 报听 with its first discard."""
    return deal(["234567s3456789p1s"], draws="1p9p", players=2).play("0 declare_ready 1s")


def test_declaring_and_discarding_are_one_action() -> None:
    """GZ-10.1, GZ-10.2: the public mark stands before the discard in the same entry."""
    game = declared()
    assert game.entry == (ev.Marked(0, "declared_ready", True), ev.TileDiscarded(0, "1s"))


def test_a_declared_player_is_played_by_the_forced_clock() -> None:
    """GZ-10.3: only the drawn tile goes, after the forced clock, also when the win was not taken."""
    game = declared().play("quiet / 1 discard 1p / quiet")
    turn = game.question(0)
    assert turn.clock == "forced"
    assert turn.options == (WIN, action("discard", "9p"))
    assert VARIANT.meta.clocks["forced"] == 1
    game.time_out(0)
    assert game.table.seats[0].row == ("1s", "9p")


def test_a_winner_who_declared_gets_ten_more() -> None:
    """GZ-10.4, GZ-12.10: 天听 is added to the pattern and doubled with it."""
    game = declared().play("quiet / 1 discard 1p / quiet / 0 win")
    assert game.component("hand") == [22, -22]


def test_only_the_first_own_discard_may_declare() -> None:
    """GZ-10.1: non-dealers alike, calls of others change nothing; not after a discard of one's own, not with a meld."""
    game = deal(["1s", "", "55s", "22446688s33778p"], draws="9p9p9p9p", fill="5s").play("0 discard 1s / quiet")
    game.play("1 discard 9p / 2 discard 9p / quiet")
    assert "declare_ready" in game.names(3)
    declares = [o.tiles[0] for o in game.question(3).options if o.choice == "declare_ready"]
    assert declares == ["8p", "9p"]
    game = deal(["1s", "22446688s33778p"], draws="9p1p9p", players=2).play(
        "0 discard 1s / 1 discard 9p / 0 discard 1p / quiet"
    )
    assert "declare_ready" not in game.names(1)
    game = deal(["1111s567s345678p9p"], draws="9p", players=2).play("0 kong 1s")
    assert "declare_ready" not in game.names(0)


def test_the_options_of_a_decision_stand_in_a_fixed_order() -> None:
    """Win, kongs, fourths to a 碰, discards in tile order, pass last: bots and records rely on it."""
    game = deal(["22446688s33779p", "1s"], draws="9p", players=2, dealer=1).play("1 discard 1s / quiet")
    verbs = [(o.verb, o.tiles, o.choice) for o in game.question(0).options]
    assert verbs[:3] == [("win", (), None), ("discard", ("3p",), None), ("discard", ("3p",), "declare_ready")]
    game = deal(["1s", "1111p5s77s234678s"], draws="9p", players=2).play("0 discard 1s / quiet")
    assert [o.verb for o in game.question(1).options][:2] == ["kong", "discard"]
    game = deal(["7s", "22255577s33399p"], players=2).play("0 discard 7s")
    assert [o.verb for o in game.question(1).options] == ["win", "pong", "pass"]
    game = deal(["7s", "222555777s3339p"], players=2).play("0 discard 7s")
    assert [o.verb for o in game.question(1).options] == ["kong", "pong", "pass"]
