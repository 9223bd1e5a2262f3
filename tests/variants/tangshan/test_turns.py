"""Own turns on the real machine: cover, kong, chow, pong, pair claim, xi, robbing, silence."""

import pytest

from app.kernel import events as ev
from app.kernel.actions import WIN, action
from app.kernel.tiles import parse_tiles
from tests.variants.tangshan.deal import NEAREST, WAITER, deal


def test_a_turn_takes_any_number_of_actions_before_the_discard() -> None:
    """TS-4.1, TS-4.3, TS-4.4, TS-6.5: cover, kong with the fourth, light, one replacement for the kong only."""
    game = deal(hands={0: "5555m567z"}, draws="9m").play("opening\n0 cover 5m")
    assert game.table.left == 71
    game.play("0 kong_concealed 5m")
    assert game.table.left == 70 and game.table.seats[0].drawn == "9m"
    game.play("0 light dragons\n0 discard 9m")
    assert game.melds(0) == ["kong_concealed 5555m", "dragons 567z"]
    assert game.points == (60, -20, -20, -20)


def test_the_fourth_cover_tile_discarded_by_another_makes_an_exposed_kong() -> None:
    """Flow 2, TS-6.4, TS-6.6, TS-11.2: offered at the dealer's first discard, revealed, paid and replaced."""
    game = deal(hands={0: "5m", 1: "555m"}, draws="9m")
    game.play("quiet\n1 cover 5m\nopening\n0 discard 5m")
    assert "kong_exposed 5m" in game.offers(1)
    game.play("1 kong_exposed 5m\nquiet")
    assert game.melds(1) == ["kong_exposed 5555m"]
    assert game.points == (-4, 8, -2, -2)
    assert game.table.turn == 1 and game.table.seats[1].drawn == "9m"
    assert game.table.seats[0].row == ()


def test_a_declined_kong_leaves_the_cover_and_reveals_nothing() -> None:
    """TS-6.4, TS-14.5: the tile is gone, others see only that nobody took it."""
    game = deal(hands={0: "5m", 1: "555m"})
    game.play("quiet\n1 cover 5m\nopening\n0 discard 5m\n1 pass")
    assert [type(event) for event in game.entry] == [ev.Answered]
    game.play("hold")
    assert game.melds(1) == ["cover 555m"] and game.table.seats[0].row == ("5m",)


def test_an_uncovered_triplet_gives_no_kong_and_a_pong_gives_none_later() -> None:
    """TS-5.4, TS-6.7: pong only; the fourth tile drawn later is dead."""
    game = deal(hands={0: "5m", 1: "555m"})
    game.play("opening\n0 discard 5m")
    assert game.offers(1) == ["pong 5m", "pair_claim 5m", "pass"]
    game.play("1 pong 5m\nquiet")
    asked = game.decision(1)
    assert game.points == (-1, 1, 0, 0) and game.melds(1) == ["pong 555m"]
    assert asked is not None and action("discard", "5m") in asked.options, "the third own copy stays in the hand"
    assert game.offers(1) == []


def test_after_a_claim_there_is_nothing_but_a_discard() -> None:
    """TS-4.2, TS-4.6, TS-5.6: triplets, dragons and a complete hand wait for the next draw; any tile may go."""
    game = deal(hands={0: "5m", 2: "55m44s567z123888999p"})
    game.play("opening\n0 discard 5m\n2 pong 5m\nquiet")
    assert game.offers(2) == []
    assert game.discards(2) == set(parse_tiles("12389p4s567z"))
    assert game.table.turn == 2
    game.play("2 discard 8p\nquiet")
    assert game.table.turn == 3, "play continues from the claimant's seat"


def test_chow_comes_from_the_previous_seat_only_and_pays_nothing() -> None:
    """TS-5.5, TS-1.4, TS-11.12."""
    game = deal(hands={0: "5m", 1: "3467m", 2: "46m"})
    game.play("opening\n0 discard 5m")
    assert game.offers(1) == ["chow 345m", "chow 456m", "chow 567m", "pass"]
    assert game.decision(2) is None
    game.play("1 chow 456m\nquiet")
    assert game.melds(1) == ["chow 456m"] and game.points == (0, 0, 0, 0)
    assert game.of(ev.MeldMade)[0].taken == "5m"


@pytest.mark.parametrize("players", [2, 3])
def test_no_chow_and_no_pair_claim_at_small_tables(players: int) -> None:
    """TS-1.4: the next seat holds the run and the pair tile and is offered the pong alone, or nothing."""
    game = deal(players=players, hands={0: "5m", 1: "3456m"})
    game.play("opening\n0 discard 5m")
    assert game.decision(1) is None


def test_pair_claim_settles_the_pair_once() -> None:
    """TS-8.1, TS-8.2: one own tile and the discard become the pair, public, worth nothing, once a round."""
    game = deal(hands={0: "5m", 1: "5m9p2z"}, draws="1m 1z 9p")
    game.play("opening\n0 discard 5m")
    assert game.offers(1) == ["pair_claim 5m", "pass"]
    game.play("1 pair_claim 5m\nquiet\n1 discard 2z\nquiet\n2 discard 1m\nquiet\n3 discard 1z\nquiet\n0 discard 9p")
    assert game.melds(1) == ["pair_claim 55m"] and game.points == (0, 0, 0, 0)
    assert "pair_claim 9p" not in game.offers(1)
    assert game.seat(1).count == 14


def test_late_lighting_and_additions_are_paid_at_once() -> None:
    """TS-7.2, TS-7.5, TS-7.6, TS-11.4, TS-11.10: late costs the same, an addition P from each and one replacement."""
    game = deal(hands={0: "99m9p9s"}, draws="9p 5m").play("opening\n0 light nines")
    assert game.points == (18, -6, -6, -6)
    assert game.offers(0) == ["xi_add 9m"], "the other nine can only be added, not lit with it again"
    game.play("0 xi_add 9m")
    assert game.points == (24, -8, -8, -8) and game.melds(0) == ["nines 99m9p9s"]
    assert game.offers(0) == ["xi_add 9p"], "any tile of the category, repeatedly"


def test_low_scoring_changes_the_first_exposure_only() -> None:
    """TS-11.5."""
    game = deal(hands={0: "99m9p9s"}, draws="5m", rules={"scoring": "low"})
    game.play("opening\n0 light nines\n0 xi_add 9m")
    assert game.points == (12, -4, -4, -4)


ADDER = {0: "99m9p9s"}


def test_nobody_may_react_to_an_addition_without_the_option() -> None:
    """TS-7.7: no window, points and replacement in the same entry."""
    game = deal(hands={**ADDER, 2: "99m"}, draws="5m").play("opening\n0 light nines\n0 xi_add 9m")
    assert [type(event) for event in game.entry] == [ev.MeldExtended, ev.PointsMoved, ev.TileDrawn]


def test_an_addition_nobody_takes_goes_through_after_its_window() -> None:
    """TS-7.8, TS-7.9: the window exists whether or not anyone can take the tile."""
    game = deal(hands=ADDER, draws="5m", rules={"rob_xi": True}).play("opening\n0 light nines\n0 xi_add 9m")
    assert [type(event) for event in game.entry] == [ev.TileLaid]
    assert game.points == (18, -6, -6, -6) and game.seat(0).count == 13
    game.play("quiet")
    assert game.points == (24, -8, -8, -8) and game.seat(0).count == 14 and game.table.turn == 0


def test_a_robbed_pong_ends_the_adders_turn() -> None:
    """Flow 3, TS-7.9, TS-14.7, TS-9.6: the adder pays P alone and is not replaced; play goes on from the taker."""
    game = deal(hands={**ADDER, 2: "99m"}, draws="5m", rules={"rob_xi": True})
    game.play("opening\n0 light nines\n0 xi_add 9m")
    assert game.offers(2) == ["pong 9m", "pass"]
    assert game.decision(1) is None
    game.play("2 pong 9m\nquiet")
    assert [type(event) for event in game.entry] == [ev.HoldEnded, ev.TileRobbed, ev.MeldMade, ev.PointsMoved]
    assert game.points == (18 - 2, -6, -6 + 2, -6)
    assert game.melds(0) == ["nines 9m9p9s"] and game.seat(0).count == 13 and game.table.left == 71
    assert game.table.laid is None
    assert game.table.turn == 2 and game.offers(2) == []
    game.play("2 timeout\nquiet")
    assert game.table.turn == 3


def test_a_robbed_win_ends_the_round_at_the_adders_cost() -> None:
    """TS-7.8, TS-7.9, TS-7.10, TS-11.6: win before pong, the adder alone pays, no addition points."""
    game = deal(hands={**ADDER, 1: "78m123456p456789s11z", 2: "99m"}, rules={"rob_xi": True}).play(
        "opening\n0 light nines\n0 xi_add 9m\n2 pong 9m\n1 win\nhold"
    )
    win = game.of(ev.Won)[0]
    assert (win.seat, win.tile, win.origin, win.source_seat, win.points) == (1, "9m", "rob_xi", 0, 40)
    assert game.points == (18 - 40, -6 + 40, -6, -6)
    assert game.table.ending.ended is not None and game.table.laid is not None


def test_lightings_and_kongs_open_no_window() -> None:
    """TS-7.8, TS-6.8: nothing but an addition can be robbed."""
    game = deal(hands={0: "5555m567z"}, rules={"rob_xi": True}).play("opening\n0 light dragons")
    game.play("0 cover 5m\n0 kong_concealed 5m")
    assert not game.of(ev.TileLaid) and game.state.window is None


def test_a_time_out_discards_the_drawn_tile() -> None:
    """TS-15.2, TS-15.3: nothing is lit, covered, konged or won by silence; autoplay takes the win."""
    game = deal(dealer=3, hands={0: WAITER[0]}, draws="4m").play("opening\n3 timeout\nquiet")
    asked = game.decision(0)
    assert asked is not None and asked.options[0] == WIN
    assert asked.on_timeout == action("discard", "4m") and asked.on_autoplay == WIN


def test_a_time_out_after_a_claim_discards_the_last_tile_in_order() -> None:
    """TS-15.2: m, p, s, z, rank ascending; there is no drawn tile after a claim, not even an older replacement."""
    game = deal(hands={0: "5m", 2: "1234z55m7z"}, draws="1m")
    game.play("quiet\nquiet\n2 light winds\nopening\n0 discard 5m\n2 pong 5m\nquiet")
    asked = game.decision(2)
    assert asked is not None
    assert asked.on_timeout == action("discard", "7z") and asked.on_autoplay == asked.on_timeout


def test_a_time_out_when_the_drawn_tile_was_laid_discards_the_last_tile_in_order() -> None:
    """TS-15.2, TS-4.4: while one of its kind is left it still counts as drawn."""
    game = deal(hands={0: "555m2z7z"}, drawn="5m").play("opening\n0 cover 5m")
    asked = game.decision(0)
    assert asked is not None and asked.on_timeout == action("discard", "5m")
    gone = deal(hands={0: "55m2z7z"}, drawn="5m").play("opening\n0 cover 5m").decision(0)
    assert gone is not None and gone.on_timeout == action("discard", "7z")


def test_a_claim_that_times_out_is_a_pass() -> None:
    """TS-15.1."""
    game = deal(hands=NEAREST).play("opening\n0 discard 5m\n1 timeout\n2 timeout\n3 timeout\nhold")
    assert {event.action.verb for event in game.of(ev.Answered)[-3:]} == {"pass"}
    assert game.table.turn == 1 and not game.of(ev.Won)
