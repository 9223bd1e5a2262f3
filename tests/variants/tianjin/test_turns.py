"""Turns and claims: what is offered to whom, and who moves next."""

from app.kernel import events as ev
from app.kernel.tiles import parse_tiles
from tests.variants.tianjin.deal import deal


def test_after_a_draw_any_tile_may_be_discarded_and_the_next_seat_draws() -> None:
    """TJ-5.1, TJ-5.2, TJ-5.12, TJ-1.3: counter-clockwise, the dealer's first turn begins with 14 tiles."""
    game = deal(D="13579m13579p1357s", draws="9s")
    assert [verb for verb in game.options("D") if verb.startswith("discard")] == [
        f"discard {tile}" for tile in parse_tiles(game.hand("D"))
    ]
    game.play("D discard 1m").quiet()
    assert game.table.turn == game.number("R") and game.seat("R").drawn == "9s"


def test_a_pong_needs_two_of_the_same_and_gives_the_turn_to_the_claimer() -> None:
    """TJ-5.5, TJ-5.12: from any seat; the seats between are passed over."""
    game = deal(D="5p", L="55p1234m").play("D discard 5p")
    assert game.options("L") == ["pong 5p", "pass"] and game.options("R") == game.options("O") == []
    game.play("L pong / hold")
    meld = game.seat("L").melds[0]
    assert (meld.kind, meld.tiles, meld.source_seat) == ("pong", ("5p",) * 3, 0)
    assert game.asked() == "L" and game.seat("D").row == ()


def test_after_a_pong_only_a_discard_is_legal() -> None:
    """TJ-5.3, TJ-5.6: no win check, no kong, the ponged kind included; with three in hand a kong was possible."""
    game = deal(D="5p", R="555p1111m234567s").play("D discard 5p")
    assert game.options("R") == ["kong_exposed 5p", "pong 5p", "pass"]
    game.play("R pong / hold")
    assert game.options("R") == [f"discard {tile}" for tile in ("1m", "5p", "2s", "3s", "4s", "5s", "6s", "7s")]


def test_a_complete_hand_after_a_pong_is_not_a_win() -> None:
    """TJ-5.3: “只能自摸或杠开胡”."""
    game = deal(D="7z", R="77z46m5m123p789s22s").play("D discard 7z / R pong / hold")
    assert all(verb.startswith("discard") for verb in game.options("R"))


def test_nobody_chows_and_nobody_wins_on_a_discard() -> None:
    """TJ-5.4, TJ-5.9, TJ-9.1: the next seat holds 4m6m and waits on the 5m, and is offered nothing."""
    game = deal(indicator="9p", D="5m", R="46m123p222789s77z").play("D discard 5m")
    assert game.asked() == "H"


def test_an_added_kong_cannot_be_robbed() -> None:
    """TJ-5.9: the replacement comes in the same entry, nobody is asked in between."""
    game = deal(indicator="9p", D="5m", R="55m1s", L="46m123p222789s77z", draws="2z3z4z5m", tail="9s")
    game.play("D discard 5m / R pong / R discard 1s / O timeout / L timeout / D timeout / R extend 5m")
    assert [type(event) for event in game.events[-2:]] == [ev.MeldExtended, ev.TileDrawn]
    assert game.asked() == "R"


def test_a_discarded_wild_is_never_ponged_but_three_may_kong_it() -> None:
    """TJ-5.7, TJ-6.3: two identical wilds are offered nothing, three a gold kong."""
    game = deal(indicator="8p", D="9p", R="99p").play("D discard 9p")
    assert game.options("R") == [] and game.asked() == "H"
    game = deal(indicator="8p", D="9p", R="999p").play("D discard 9p")
    assert game.options("R") == ["kong_gold 9p", "pass"]


def test_at_most_one_seat_can_claim_a_discard() -> None:
    """TJ-5.8, P9: a claim needs two of the other three copies."""
    game = deal(D="5p", O="55p", L="5p").play("D discard 5p")
    assert game.asked() == "OH"


def test_declining_a_claim_has_no_later_effect() -> None:
    """TJ-5.11: the next copy is offered again."""
    game = deal(D="5p", O="55p", R="5p", draws="9s").play("D discard 5p / O pass / R discard 5p")
    assert game.options("O") == ["pong 5p", "pass"]


def test_declining_a_win_has_no_later_effect() -> None:
    """TJ-5.11: discard instead of winning, win on a later draw all the same."""
    game = deal(indicator="9p", R="46m123p222789s77z", draws="5m 1z 2z 3z 5m")
    game.play("D timeout / R discard 5m / O timeout / L timeout / D timeout").quiet()
    assert game.options("R")[0] == "win"


def test_a_ready_declaration_does_not_exist() -> None:
    """TJ-5.10: no discard carries a choice."""
    game = deal(D="123456789m1122p3p")
    asked = game.decision("D")
    assert asked is not None
    assert {option.choice for option in asked.options if option.verb == "discard"} == {None}


def test_options_stand_in_one_order() -> None:
    """Win, kongs in tile order, added kongs, discards in tile order, pass last: bots and records rely on it."""
    game = deal(indicator="8p", D="1111m9999p24s136z2s")
    assert game.options("D")[:2] == ["kong_concealed 1m", "kong_gold 9p"]
    assert game.options("D")[2:6] == ["discard 1m", "discard 9p", "discard 2s", "discard 4s"]
