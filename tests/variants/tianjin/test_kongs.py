"""Kongs: kinds, points, when they are offered, and their replacements (TJ-6)."""

import pytest

from app.kernel import events as ev
from app.kernel.commands import TimeOut
from tests.variants.tianjin.scene import Scene


def test_the_four_kinds_of_kong() -> None:
    """TJ-6.1, 6.7, 6.8: each open to all, each followed by one replacement from the tail."""
    scene = Scene(indicator="8p", D="1111m5s", R="555s", tail="1z2z3z4z")
    scene.play("D kong 1m")
    assert scene.seat("D").melds[0].kind == "kong_concealed" and not scene.seat("D").melds[0].face_down
    assert scene.seat("D").drawn == "1z"
    scene.play("D 5s / R kong")
    assert scene.seat("R").melds[0].kind == "kong_exposed" and scene.seat("R").drawn == "2z"
    assert [type(event) for event in scene.events[-2:]] == [ev.MeldMade, ev.TileDrawn]


def test_a_gold_kong_is_four_wilds_in_hand_or_three_and_the_discarded_fourth() -> None:
    """TJ-6.1, 6.3: a kong of wilds is always gold; four mixed wilds are none."""
    assert "kong_gold 9p" in Scene(indicator="8p", D="9999p").verbs("D")
    scene = Scene(indicator="8p", D="9p", L="999p").play("D 9p / L kong")
    assert scene.seat("L").melds[0].kind == "kong_gold"
    assert not any("kong" in verb for verb in Scene(indicator="8p", D="888p999p").verbs("D"))


def test_a_wild_never_stands_for_another_tile_in_a_pong_or_kong() -> None:
    """TJ-6.2."""
    scene = Scene(indicator="8p", D="5s", R="5s8p9p", O="111m9p").play("D 5s")
    assert scene.verbs("R") == []
    assert not any("kong" in verb for verb in Scene(indicator="8p", D="111m9p").verbs("D"))


def test_the_indicator_kind_is_never_konged_and_no_gold_kong_is_added() -> None:
    """TJ-6.4, P9: three live copies only; a wild is never ponged, so it is never extended."""
    scene = Scene(indicator="8p", D="8p", R="88p").play("D 8p")
    assert scene.verbs("R") == []
    assert not any("kong" in verb for verb in Scene(indicator="8p", D="888p").verbs("D"))


def test_an_added_kong_replaces_its_pong_and_may_wait() -> None:
    """TJ-6.1, 6.5: a tile kept when the pong was chosen may be added in any later turn that began with a draw."""
    scene = Scene(indicator="8p", D="5s", R="555s1m", draws="1z2z3z4z", tail="9s")
    scene.play("D 5s / R pong")
    assert "kong_added 5s" not in scene.verbs("R")
    scene.play("R 1m / O timeout / L timeout / D timeout").close()
    assert "kong_added 5s" in scene.verbs("R")
    scene.play("R extend 5s")
    assert [meld.kind for meld in scene.seat("R").melds] == ["kong_added"]
    assert scene.seat("R").drawn == "9s"


def test_a_concealed_kong_needs_not_be_of_the_tile_just_drawn() -> None:
    """TJ-6.5."""
    scene = Scene(indicator="8p", R="1111m", draws="9s")
    scene.play("D timeout").close()
    assert scene.seat("R").drawn == "9s" and "kong_concealed 1m" in scene.verbs("R")


def test_after_a_kong_one_may_win_kong_again_or_discard() -> None:
    """TJ-6.7, 10.10: chained kongs, the last replacement wins as 杠开, doubled once."""
    scene = Scene(indicator="9p", D="1111z2222z46m11p99s", tail="9s5m").play("D kong 1z")
    assert "kong_concealed 2z" in scene.verbs("D") and "discard 9s" in scene.verbs("D")
    scene.play("D kong 2z / D win")
    won = scene.table.ending.wins[0]
    assert won.origin == "kong_draw" and dict(won.reading.patterns) == {"zhuo_wu": 3, "gang_kai": 3}


def test_kongs_are_settled_between_all_pairs_and_the_discarder_has_no_special_share() -> None:
    """TJ-13.2, 6.1: an exposed kong is paid by all three alike, at the end."""
    scene = Scene(indicator="8p", D="5s", R="555s").play("D 5s / R kong")
    assert not scene.table.lines
    while scene.open:
        scene.send(TimeOut(scene.open[0].id))
    assert scene.points == (-1, 3, -1, -1)
    assert {(line.reason, line.clause) for line in scene.table.lines} == {("kong_points", "TJ-13.2")}


@pytest.mark.parametrize("m", [2, 3, 6])
def test_replacements_come_from_the_tail_past_the_indicator(m: int) -> None:
    """TJ-4.9, 4.10, 6.7: top before bottom, the indicator's stack gives its bottom tile only."""
    scene = Scene(indicator="8p", m=m, D="1111z2222z3333z1m", tail="1s2s3s")
    drawn = []
    for kind in ("1z", "2z", "3z"):
        scene.play(f"D kong {kind}")
        drawn.append(scene.seat("D").drawn)
    assert drawn == ["1s", "2s", "3s"]


def test_a_kong_needs_an_undrawn_live_tile() -> None:
    """TJ-6.6, 4.12: the drawer of the last live tile has no kong; before that, one undrawn live tile is enough."""
    scene = Scene(indicator="9p", m=12, L="46m111m99s123456p", last="1m")
    while scene.table.left > 1 or scene.state.window is not None:
        scene.send(TimeOut(scene.open[0].id))
    assert (scene.table.left, scene.asked()) == (1, "O")
    scene.play("O timeout").close()
    assert scene.table.ending.ended is not None and scene.seat("L").drawn == "1m"
    assert scene.hand("L").count("1m") == 4, "the fourth 1m was the last live tile: no kong was offered"

    scene = Scene(indicator="9p", m=12, O="46m111m99s123456p", last="1m5m")
    while scene.table.left > 1 or scene.state.window is not None:
        scene.send(TimeOut(scene.open[0].id))
    assert "kong_concealed 1m" in scene.verbs("O")
