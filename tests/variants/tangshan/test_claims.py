"""Claims side by side, their order, the pass lock and the no-discard guard (TS-2.5)."""

from itertools import permutations

import pytest

from app.kernel import events as ev
from app.kernel.actions import WIN, action
from app.kernel.errors import Rejection
from app.kernel.play.commands import Act, TimeOut
from tests.variants.tangshan.deal import NEAREST, WAITER, deal


@pytest.mark.parametrize("order", list(permutations(("1 kong_exposed 5m", "2 win", "3 win", "hold"))))
def test_the_nearest_winner_takes_the_tile_in_whatever_order_they_answer(order: tuple[str, ...]) -> None:
    """Flow 7, TS-5.1, TS-5.2: win before kong, one winner, arrival order never matters."""
    game = deal(hands=NEAREST).play("quiet\n1 cover 5m\nopening\n0 discard 5m")
    for line in order:
        if not game.of(ev.RoundEnded):
            game.play(line)
    assert [win.seat for win in game.of(ev.Won)] == [2]
    assert game.table.ending.ended is not None
    assert game.points == (-40 - 2, 6, 40 - 2, -2), "the cover stays a cover and is paid"


def test_an_open_question_tells_nothing_of_another_seats_answer() -> None:
    """TS-14.1, TS-14.5: the farther winner is asked as long as the window is open, also when it is settled already."""
    game = deal(hands=NEAREST).play("opening\n0 discard 5m")
    before = game.decision(3)
    game.play("2 win")
    assert game.decision(3) == before


def test_a_seat_whose_answer_is_not_needed_any_more_is_told_so_and_locks_nothing() -> None:
    """TS-10.2: a question that closed unanswered is no refusal."""
    game = deal(hands=NEAREST).play("opening\n0 discard 5m")
    late = game.decision(3)
    assert late is not None
    game.play("1 pass\n2 win\nhold")
    assert game.refusal(Act(3, late.id, WIN)) == Rejection("round_over")
    assert not game.of(ev.Marked)


def test_a_discard_ends_its_entry_and_the_hold_ends_the_window() -> None:
    """TS-5.1, TS-14.5: the next draw never stands in the discard's entry, even when nobody can claim."""
    game = deal(hands={0: "5m1z"}).play("opening\n0 discard 1z")
    assert game.entry == (ev.TileDiscarded(0, "1z"),)
    game.play("quiet")
    assert type(game.entry[-1]) is ev.TileDrawn and game.entry[-1].seat == 1


def test_only_what_is_offered_is_accepted() -> None:
    """TS-4.7, S1: a refused command changes nothing, and another seat's question is refused like a settled one."""
    game = deal(hands={0: "5m1z"}).play("opening")
    asked = game.decision(0)
    assert asked is not None
    state = game.state
    assert game.refusal(Act(0, asked.id, action("discard", "6m"))) == Rejection("not_offered")
    assert game.refusal(Act(1, asked.id, action("discard", "5m"))) == Rejection("closed")
    assert game.refusal(TimeOut("0.0")) == Rejection("closed")
    assert game.state == state


def test_options_come_in_a_fixed_order() -> None:
    """Bots and records rely on it: win, light, cover, kong, addition, discards in tile order; in a window pass last."""
    game = deal(hands={0: "111m1p1s222m333s"})
    assert game.offers(0) == ["light ones", "cover 1m", "cover 2m", "cover 3s", "pass"]
    game.play("0 cover 2m\n0 light ones\nopening")
    asked = game.decision(0)
    assert asked is not None
    assert [option.verb for option in asked.options] == ["cover", "extend"] + ["discard"] * 8


def test_the_pass_lock_of_the_rules_page() -> None:
    """Conformance B, TS-10.1 to TS-10.6: pass, time-out and pong lock the line; only the own next draw ends it."""
    game = deal(dealer=1, hands=WAITER, draws="7m 7m 1z 7m 6p 7m 6p")
    game.play("opening\n1 discard 4m")
    assert game.offers(0) == ["win", "pong 4m", "pass"]
    game.play("0 pass\nquiet\n2 discard 7m")
    assert game.decision(0) is None
    game.play("quiet\n3 discard 7m")
    assert game.offers(0) == ["chow 567m", "pass"], "the win stays barred, the chow does not"
    game.play("quiet")
    assert game.table.mark("lock", 0) is None, "the own draw ends all locks"
    game.play("0 discard 1z\nquiet\n1 discard 7m")
    assert game.offers(0) == ["win", "pass"]
    game.play("0 timeout\nquiet\n2 discard 6p")
    assert game.offers(0) == ["win", "pong 6p", "pass"], "another line is open"
    game.play("0 pong 6p\nquiet")
    assert game.table.mark("lock", 0) == ("1m", "3p"), "lines add up; the pong refused the win"
    game.play("0 discard 4m\nquiet\n1 discard 7m")
    assert game.decision(0) is None, "neither pong nor own discard clears"


def test_another_line_stays_open_after_a_refusal() -> None:
    """Conformance B 2': TS-10.3."""
    game = deal(dealer=1, hands=WAITER, draws="6p").play("opening\n1 discard 4m\n0 pass\nquiet\n2 discard 6p")
    assert game.offers(0) == ["win", "pong 6p", "pass"]


def test_a_self_drawn_win_is_never_barred_and_refusing_it_locks_nothing() -> None:
    """TS-10.5, TS-4.7."""
    game = deal(dealer=3, hands={0: WAITER[0]}, draws="7m 4m").play("opening\n3 timeout\nquiet")
    assert game.table.turn == 0 and game.offers(0)[0] == "win"
    game.play("0 discard 7m\nquiet\n1 discard 4m")
    assert game.offers(0) == ["win", "pong 4m", "pass"]


def test_a_locked_line_is_seen_by_nobody_else() -> None:
    """TS-10.7: the mark is private."""
    game = deal(dealer=1, hands=WAITER).play("opening\n1 discard 4m\n0 pass")
    mark = game.of(ev.Marked)[0]
    assert mark.private and mark.seat == 0 and mark.value == ("1m",)


GUARDED = "222m333p444s666s5z67m9p"


def test_with_pair_and_four_sets_only_a_win_may_add_the_fifth() -> None:
    """Flow 6, TS-2.5, TS-10.6: the completing line locked, chow is not offered, or nothing were left to discard."""
    game = deal(hands={0: "5z", 1: GUARDED}, draws="5m 1z 8m")
    game.play("quiet\n1 cover 2m\n1 cover 3p\n1 cover 4s\n1 cover 6s\nopening\n0 discard 5z\n1 pair_claim 5z\nquiet")
    assert game.seat(1).count == 3
    game.play("1 discard 9p\nquiet\n2 discard 5m")
    assert game.offers(1) == ["win", "pass"]
    game.play("1 pass\nquiet\n3 discard 1z\nquiet\n0 discard 8m")
    assert game.decision(1) is None


def test_with_five_sets_no_pair_is_claimed_on_a_locked_single_wait() -> None:
    """Flow 6, TS-2.5: five covers, the win on the single barred, pair claim not offered."""
    game = deal(hands={1: "222m333p444s666s888s7p"}, draws="1z 1z 7p 7p")
    game.play("quiet\n1 cover 2m\n1 cover 3p\n1 cover 4s\n1 cover 6s\n1 cover 8s\nopening\n0 timeout\nquiet")
    assert game.table.turn == 1
    game.play("1 discard 1z\nquiet\n2 discard 1z\nquiet\n3 discard 7p")
    assert game.offers(1) == ["win", "pass"]
    game.play("1 pass\nquiet")
    game.play("0 discard 7p")
    assert game.decision(1) is None
