"""When a win is offered and how a round ends: wins, 天和, exhaustion, void rounds, the cap."""

from typing import Any

import pytest

from app.kernel import events as ev
from app.kernel.actions import WIN
from app.kernel.errors import Rejection
from app.kernel.play.commands import Abort, Act, TimeOut
from app.kernel.text.notation import plain_event
from app.variants.tianjin import VARIANT
from tests.variants.tianjin.deal import Game, deal

FIVE = "46m123p222789s66z"
"""Waits on the 5m: 素5, 6 番, when the wilds are elsewhere (indicator 5z makes 5z and 7z wild)."""


def _last(game: Game) -> Game:
    """Play by timeouts until one live tile is left and its drawer is about to draw."""
    while game.table.left > 1 or game.state.window is not None:
        game.send(TimeOut(game.open[0].id))
    return game


def test_a_win_needs_ones_own_draw_and_all_three_pay() -> None:
    """TJ-9.1, TJ-13.1: settlement shows the reading, all hands, the ledger and the next dealer (TJ-16.4)."""
    game = deal(indicator="5z", R=FIVE, draws="5m").play("D timeout / R win")
    kinds = [type(event) for event in game.events[-4:]]
    assert kinds == [ev.Won, ev.HandsRevealed, ev.PointsMoved, ev.RoundEnded]
    won, revealed, moved, ended = game.events[-4:]
    assert isinstance(won, ev.Won) and isinstance(revealed, ev.HandsRevealed)
    assert isinstance(moved, ev.PointsMoved) and isinstance(ended, ev.RoundEnded)
    assert (won.seat, won.tile, won.origin, won.points) == (1, "5m", "draw", 6)
    assert won.reading.groups[0] == "4m *5m 6m" and dict(won.reading.patterns) == {"zhuo_wu": 3, "su": 3}
    assert [len(hand) for hand in revealed.hands] == [13, 14, 13, 13]
    assert {(line.reason, line.clause, line.points) for line in moved.lines} == {("win", "TJ-13.1", 6)}
    assert (ended.outcome, ended.winners, ended.next_dealer) == ("won", (1,), 1)
    assert game.open == () and game.points_from_dealer == (-6, 18, -6, -6)


@pytest.mark.parametrize(("winner", "next_dealer"), [("D", 2), ("R", 3), ("O", 3), ("L", 3)])
def test_the_dealer_stays_after_his_win_and_gives_way_after_any_other(winner: str, next_dealer: int) -> None:
    """TJ-2.3, TJ-2.4: after any win the seat after the dealer follows."""
    hands: dict[str, Any] = {winner: FIVE if winner != "D" else FIVE + "5m"}
    turns = {"D": "D win", "R": "D timeout / R win", "O": "D timeout / R timeout / O win"}
    turns["L"] = "D timeout / R timeout / O timeout / L win"
    draws = {"D": "", "R": "5m", "O": "9p5m", "L": "9p9p5m"}[winner]
    game = deal(indicator="5z", dealer=2, draws=draws, **hands).play(turns[winner])
    assert game.table.ending.ended is not None and game.table.ending.ended.next_dealer == next_dealer


def test_a_plain_hand_of_one_fan_cannot_win() -> None:
    """TJ-9.6: the seed's own example: 3m 6m 3s 6s and any wild complete it, each worth 1."""
    for drawn in ("3m", "6m", "3s", "6s", "9m"):
        game = deal(indicator="8m", R="3345m9m123s123p45s", draws=drawn).play("D timeout").quiet()
        assert game.seat("R").drawn == drawn and "win" not in game.options("R")


@pytest.mark.parametrize(("on", "offered"), [(True, True), (False, False)])
def test_the_plain_kong_bloom_wins_only_with_its_option(on: bool, offered: bool) -> None:
    """TJ-9.7, TJ-10.10."""
    game = deal(indicator="1z", R="12345p22s177z666z", D="6z", tail="7z", rules={"kong_bloom_plain": on})
    game.play("D discard 6z / R kong / hold")
    assert ("win" in game.options("R")) is offered


def test_a_kong_bloom_is_doubled_and_origin_says_so() -> None:
    """TJ-10.10, TJ-11.3: on an exposed kong too; kong points are settled apart (TJ-13.3)."""
    game = deal(indicator="1z", R="46m123p789s7z7z666z", D="6z", tail="5m").play("D discard 6z / R kong / hold / R win")
    won = game.table.ending.wins[0]
    assert (won.origin, won.reading.value) == ("kong_draw", 12)
    assert game.points_from_dealer == (-13, 39, -13, -13)


def test_a_complete_deal_wins_as_tian_he_times_four() -> None:
    """TJ-12.1, TJ-12.2, TJ-12.3: any of the 14 tiles may count as the drawn one; a plain deal wins 4."""
    game = deal(indicator="1z", D="456m123p222789s7z7z").play("D win")
    assert game.table.ending.wins[0].reading.value == 24 and game.points_from_dealer[0] == 72
    game = deal(indicator="1z", D="2278p123456s177z7z").play("D win")
    assert game.table.ending.wins[0].reading.value == 4


def test_tian_he_is_lost_with_the_first_discard_or_kong() -> None:
    """TJ-12.4: after a kong a win on the replacement is 杠开; after a discard an ordinary win."""
    game = deal(indicator="9p", D="1111z456m22333s66z", tail="6z").play("D kong 1z")
    assert game.options("D")[0] == "win"
    game.play("D win")
    assert dict(game.table.ending.wins[0].reading.patterns).keys() == {"ti_liu", "su", "gang_kai"}
    game = deal(indicator="5z", D=FIVE + "5m", draws="1z1z1z5m")
    game.play("D discard 5m / R timeout / O timeout / L timeout").quiet()
    game.play("D win")
    assert game.table.ending.wins[0].reading.value == 6


def test_a_non_dealer_has_no_tian_he() -> None:
    """TJ-9.9, TJ-12.1: no 地和."""
    game = deal(indicator="5z", R=FIVE, draws="5m").play("D timeout / R win")
    assert "tian_he" not in dict(game.table.ending.wins[0].reading.patterns)


@pytest.mark.parametrize("m", [2, 7, 12])
def test_the_round_is_exhausted_when_the_last_live_tile_wins_nothing(m: int) -> None:
    """TJ-4.11, TJ-4.12, TJ-4.13, TJ-2.5: no discard follows it, reserve tiles stay dead, the dealer stays."""
    game = deal(m=m, dealer=3)
    while game.open:
        game.send(TimeOut(game.open[0].id))
    ended = game.table.ending.ended
    assert ended is not None and (ended.outcome, ended.winners, ended.next_dealer) == ("exhausted", (), 3)
    draws = [event for event in game.events if isinstance(event, ev.TileDrawn)]
    assert len(draws) == 83 - 2 * m and draws[-1].left == 0
    assert game.points_from_dealer == (0, 0, 0, 0)
    discards = [event for event in game.events if isinstance(event, ev.TileDiscarded)]
    assert len(discards) == len(draws)


def test_the_drawer_of_the_last_live_tile_may_win_or_pass() -> None:
    """TJ-4.12, TJ-17.1: win or pass, nothing else; silence passes, and then the round is exhausted."""
    game = _last(deal(indicator="5z", m=12, L=FIVE, last="5m"))
    game.play("O timeout").quiet()
    assert game.options("L") == ["win", "pass"]
    asked = game.decision("L")
    assert asked is not None and asked.on_timeout is not None and asked.on_timeout.verb == "pass"
    game.play("L pass")
    assert game.table.ending.ended is not None and game.table.ending.ended.outcome == "exhausted"


def test_the_last_live_tile_may_be_won_with() -> None:
    """TJ-4.12, TJ-9.9: an ordinary win, 海底 is not scored."""
    game = _last(deal(indicator="5z", m=12, L=FIVE, last="5m")).play("O timeout / L win")
    assert game.table.ending.wins[0].reading.value == 6


def test_the_last_live_tile_may_be_a_replacement() -> None:
    """TJ-4.11, TJ-6.6: once the reserve is gone replacements are live tiles; the last of them ends the round."""
    game = deal(indicator="9p", m=2, D="1111m2222m3333m44z", O="5555p6666p7777p")
    game.play("D kong 1m / D kong 2m / D kong 3m")
    lefts = [event.left for event in game.events if isinstance(event, ev.TileDrawn)]
    assert lefts == [79, 79, 79], "2m − 1 = 3 replacements come from the reserve"
    game.play("D timeout / R timeout / O kong 5p")
    assert game.table.left == 79 - 2 - 1


def test_an_exhausted_round_settles_kongs_and_follow() -> None:
    """TJ-13.5."""
    game = deal(indicator="8p", D="1111m", sit=True).play("D kong 1m")
    while game.open:
        game.send(TimeOut(game.open[0].id))
    assert game.points_from_dealer == (12, -4, -4, -4)


def test_a_dissolved_round_is_void_and_moves_nothing() -> None:
    """TJ-2.8: a dissolved round is over and states it, for any cause."""
    game = deal(indicator="8p", D="1111m").play("D kong 1m")
    game.send(Abort("operator"))
    ended = game.table.ending.ended
    assert ended is not None and ended.outcome == "void" and game.points_from_dealer == (0, 0, 0, 0)
    assert game.open == () and VARIANT.decide(game.state, (), Abort("again")) == Rejection("round_over")


def test_a_net_over_the_cap_is_booked_back() -> None:
    """TJ-14.1, TJ-14.3: 天和 with a low cap."""
    game = deal(indicator="1z", D="456m123p222789s7z7z", rules={"cap": 50}).play("D win")
    assert game.points_from_dealer == (50, -17, -17, -16)
    assert {line.reason for line in game.table.lines} == {"win", "cap"}


def test_only_the_five_listed_shapes_are_hands() -> None:
    """TJ-9.2, TJ-9.3: no seven pairs, no thirteen orphans; honours make no run, 8-9-1 neither."""
    for hand in ("1133m5577p2266s44z", "19m19p19s12345677z", "123m456p789s56777z", "189m123456p222s77z"):
        assert "win" not in deal(indicator="3s", D=hand).options("D")
    assert "win" in deal(indicator="3s", D="789m123456p222s77z").options("D")


def test_every_event_of_a_won_round_can_be_written_down() -> None:
    """The record keeps a round as plain values; the archive gets its facts, the drawn dealer too (TJ-2.2)."""
    game = deal(indicator="5z", R=FIVE, draws="5m", dealer=2, sit=True, pull=(1, 0, 2)).play("D timeout / R win")
    assert all(plain_event(event)["type"] for event in game.events)
    facts = VARIANT.facts(game.state).plain()
    assert (facts["dealer"], facts["sit"], facts["pull"]) == (2, True, [0, 2, 0, 1])
    assert (facts["fan"], facts["pattern_name"], facts["wilds"]) == (6, "素5", ["5z", "7z"])
    assert (facts["winning_tile"], facts["follow"], facts["dead_hand"]) == ("5m", False, [False] * 4)
    per_seat = {name for name, value in facts.items() if isinstance(value, list) and len(value) == 4}
    assert per_seat == {"pull", "kong_points", "dead_hand", "hands"}, "the archive files these under the seats"


def test_a_command_that_was_not_offered_changes_nothing() -> None:
    """S1: only one's own open decision differs from a closed one; an action that it does not offer is `not_offered`."""
    game = deal(D="1m2m", R="3m")
    asked = game.decision("D")
    assert asked is not None
    chosen = asked.options[0]
    refused = [
        VARIANT.decide(game.state, game.open, command)
        for command in (Act(1, asked.id, chosen), Act(0, "0.0", chosen), Act(0, asked.id, WIN), TimeOut("0.hold"))
    ]
    assert refused == [Rejection("closed"), Rejection("closed"), Rejection("not_offered"), Rejection("closed")]
