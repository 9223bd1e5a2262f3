"""Kongs: kinds, points, when they are offered, and their replacements."""

import pytest

from app.kernel import events as ev
from app.kernel.play.commands import TimeOut
from app.kernel.tiles import parse_tiles
from tests.variants.tianjin.deal import deal


def test_the_four_kinds_of_kong() -> None:
    """TJ-6.1, TJ-6.7, TJ-6.8: each open to all, each followed by one replacement from the tail."""
    game = deal(indicator="8p", D="1111m5s", R="555s", tail="1z2z3z4z")
    game.play("D kong 1m")
    assert game.seat("D").melds[0].kind == "kong_concealed" and not game.seat("D").melds[0].face_down
    assert game.seat("D").drawn == "1z"
    game.play("D discard 5s / R kong / hold")
    assert game.seat("R").melds[0].kind == "kong_exposed" and game.seat("R").drawn == "2z"
    assert [type(event) for event in game.events[-2:]] == [ev.MeldMade, ev.TileDrawn]


def test_a_gold_kong_is_four_wilds_in_hand_or_three_and_the_discarded_fourth() -> None:
    """TJ-6.1, TJ-6.3: a kong of wilds is always gold; four mixed wilds are none."""
    assert "kong_gold 9p" in deal(indicator="8p", D="9999p").options("D")
    game = deal(indicator="8p", D="9p", L="999p").play("D discard 9p / L kong / hold")
    assert game.seat("L").melds[0].kind == "kong_gold"
    assert not any("kong" in verb for verb in deal(indicator="8p", D="888p999p").options("D"))


def test_a_wild_never_stands_for_another_tile_in_a_pong_or_kong() -> None:
    """TJ-6.2."""
    game = deal(indicator="8p", D="5s", R="5s8p9p", O="111m9p").play("D discard 5s")
    assert game.options("R") == []
    assert not any("kong" in verb for verb in deal(indicator="8p", D="111m9p").options("D"))


def test_the_indicator_kind_is_never_konged_and_no_gold_kong_is_added() -> None:
    """TJ-6.4, P9: three live copies only; a wild is never ponged, so it is never extended."""
    game = deal(indicator="8p", D="8p", R="88p").play("D discard 8p")
    assert game.options("R") == []
    assert not any("kong" in verb for verb in deal(indicator="8p", D="888p").options("D"))


def test_an_added_kong_replaces_its_pong_and_may_wait() -> None:
    """TJ-6.1, TJ-6.5: a tile kept when the pong was chosen may be added in any later turn that began with a draw."""
    game = deal(indicator="8p", D="5s", R="555s1m", draws="1z2z3z4z", tail="9s")
    game.play("D discard 5s / R pong / hold")
    assert "kong_added 5s" not in game.options("R")
    game.play("R discard 1m / O timeout / L timeout / D timeout").quiet()
    assert "kong_added 5s" in game.options("R")
    game.play("R extend 5s")
    assert [meld.kind for meld in game.seat("R").melds] == ["kong_added"]
    assert game.seat("R").drawn == "9s"


def test_a_concealed_kong_needs_not_be_of_the_tile_just_drawn() -> None:
    """TJ-6.5."""
    game = deal(indicator="8p", R="1111m", draws="9s")
    game.play("D timeout").quiet()
    assert game.seat("R").drawn == "9s" and "kong_concealed 1m" in game.options("R")


def test_after_a_kong_one_may_win_kong_again_or_discard() -> None:
    """TJ-6.7, TJ-10.10: chained kongs, the last replacement wins as 杠开, doubled once."""
    game = deal(indicator="9p", D="1111z2222z46m11p99s", tail="9s5m").play("D kong 1z")
    assert "kong_concealed 2z" in game.options("D") and "discard 9s" in game.options("D")
    game.play("D kong 2z / D win")
    won = game.table.ending.wins[0]
    assert won.origin == "kong_draw" and dict(won.reading.patterns) == {"zhuo_wu": 3, "gang_kai": 3}


def test_kongs_are_settled_between_all_pairs_and_the_discarder_has_no_special_share() -> None:
    """TJ-13.2, TJ-6.1: an exposed kong is paid by all three alike, at the end."""
    game = deal(indicator="8p", D="5s", R="555s").play("D discard 5s / R kong / hold")
    assert not game.table.lines
    while game.open:
        game.send(TimeOut(game.open[0].id))
    assert game.points_from_dealer == (-1, 3, -1, -1)
    assert {(line.reason, line.clause) for line in game.table.lines} == {("kong_points", "TJ-13.2")}


@pytest.mark.parametrize("m", [2, 3, 6])
def test_replacements_come_from_the_tail_past_the_indicator(m: int) -> None:
    """TJ-4.9, TJ-4.10, TJ-6.7: top before bottom, the indicator's stack gives its bottom tile only."""
    game = deal(indicator="8p", m=m, D="1111z2222z3333z1m", tail="1s2s3s")
    drawn = []
    for kind in ("1z", "2z", "3z"):
        game.play(f"D kong {kind}")
        drawn.append(game.seat("D").drawn)
    assert drawn == ["1s", "2s", "3s"]


def test_a_kong_needs_an_undrawn_live_tile() -> None:
    """TJ-6.6, TJ-4.12: the drawer of the last live tile has no kong; before that, one undrawn live tile is enough."""
    game = deal(indicator="9p", m=12, L="46m111m99s123456p", last="1m")
    while game.table.left > 1 or game.state.window is not None:
        game.send(TimeOut(game.open[0].id))
    assert (game.table.left, game.asked()) == (1, "O")
    game.play("O timeout").quiet()
    assert game.table.ending.ended is not None and game.seat("L").drawn == "1m"
    assert parse_tiles(game.hand("L")).count("1m") == 4, "the fourth 1m was the last live tile: no kong was offered"

    game = deal(indicator="9p", m=12, O="46m111m99s123456p", last="1m5m")
    while game.table.left > 1 or game.state.window is not None:
        game.send(TimeOut(game.open[0].id))
    assert "kong_concealed 1m" in game.options("O")


def test_with_the_option_any_four_wilds_make_a_gold_kong() -> None:
    """TJ-6.3, M15: at such a table four wilds need not be alike; elsewhere the same hand has no kong."""
    hand = "69778888p123s11z4z"
    for any_gold, offered in ((False, False), (True, True)):
        game = deal(indicator="7p", D=hand, rules={"any_gold": any_gold})
        golds = [text for text in game.offers("D") if text.startswith("kong_gold")]
        assert ("kong_gold 7788p" in golds) is offered, golds
    game.play("D kong_gold 7788p")
    assert game.melds("D") == ["kong_gold 7788p"] and len(game.hand("D")) > 0


def test_two_players_may_claim_one_wild_and_the_nearer_has_it() -> None:
    """TJ-6.3: three wilds of any kind and a discarded one; the nearest after the discarder takes it."""
    game = deal(
        indicator="7p", D="8p123s456s123m45m1z", R="778p147m258s1234z", L="788p147m369s1234z", rules={"any_gold": True}
    )
    game.play("D discard 8p")
    assert [seat for seat in "ROL" if game.offers(seat)] == ["R", "L"]
    game.play("L kong_gold / R kong_gold / hold")
    assert game.melds("R") == ["kong_gold 7788p"] and game.melds("L") == []
