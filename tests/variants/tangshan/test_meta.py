"""The game as data for the rest of the house, the archive row, and the hints."""

import pytest

from app.kernel.views import view
from app.variants import VARIANTS
from app.variants.tangshan import VARIANT
from app.variants.tangshan.rules import META, Rules
from tests.variants.tangshan.deal import deal


def test_the_game_is_registered() -> None:
    assert VARIANTS["tangshan"] is VARIANT


def test_options_and_their_defaults() -> None:
    """TS-1.1, TS-11.5, TS-7.7, TS-13.3: table size, scoring, robbing, length of the match."""
    assert VARIANT.parse_rules({}) == Rules(players=4, scoring="high", rob_xi=False, rounds=8)
    assert [option.name for option in META.options] == ["players", "scoring", "rob_xi", "rounds"]
    assert META.players == (2, 3, 4)


def test_what_the_match_reads() -> None:
    """TS-13.1, TS-13.4, TS-15.4: first dealer at random, no countdown of its own, suggested durations."""
    assert META.first_dealer == "random" and META.auto_ready_s is None and not META.new_series_on_leave
    assert META.clocks == {"opening": 15, "turn": 15, "claim": 8}
    assert META.void_clause == "TS-12.4" and META.ladder == () and META.dice == 0


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_the_dealer_has_no_scoring_effect(dealer: int) -> None:
    """TS-13.2: the same events net the same with any dealer."""
    events = [{"do": "pong", "seat": 1, "from": 0, "tile": "9m"}, {"do": "cover", "seat": 2, "tile": "4z"}]
    entry = {"players": 3, "dealer": dealer, "rules": {}, "events": events, "end": {"kind": "exhausted"}}
    assert VARIANT.score("cases", entry)["net"] == [-18, -14, 32]


def test_the_archive_row_of_a_won_round() -> None:
    """TS-9.9: winner, origin, source and reason can be counted later."""
    game = deal(hands={0: "5m", 1: "555m", 2: "46m123789p123456s77z"})
    assert VARIANT.facts(game.state).round["outcome"] is None
    game.play("quiet\n1 cover 5m\nopening\n0 discard 5m\n2 win\nhold")
    assert VARIANT.facts(game.state).plain() == {
        "dealer": 0, "next_dealer": 2, "outcome": "won", "winner": 2, "origin": "discard", "source": 0,
        "reason": "win_closed", "melds": [[], ["cover"], [], []], "left": 71,
    }  # fmt: skip


def test_hints_name_waits_with_tiles_left_and_prices() -> None:
    """TS-9.8, TS-9.7: by draw and by claim apart; what the seat sees lying counts as gone."""
    game = deal(dealer=1, hands={0: "44456m66p123456789s", 1: "4m"}).play("opening\n1 discard 4m")
    (hint,) = VARIANT.advise(view(game.table, 0), 0)
    assert hint.discard is None
    assert [(wait.tile, wait.left, wait.by_draw, wait.by_claim) for wait in hint.waits] == [
        ("4m", 0, 40, 40), ("7m", 4, 40, 40), ("6p", 2, 40, 40),
    ]  # fmt: skip


def test_hints_show_a_locked_line_as_draw_only() -> None:
    """TS-10.3: no price by claim while the line is locked."""
    game = deal(dealer=1, hands={0: "44456m66p123456789s", 1: "4m"}).play("opening\n1 discard 4m\n0 pass")
    (hint,) = VARIANT.advise(view(game.table, 0), 0)
    assert [(wait.tile, wait.by_claim) for wait in hint.waits] == [("4m", None), ("7m", None), ("6p", 40)]


def test_hints_of_the_own_turn_come_by_discard() -> None:
    """TS-9.8, TS-9.3, TS-11.7: unlit ones are waited for by draw only, at 52."""
    game = deal(hands={0: "234m1567p1345678s55z"}, drawn="9m").play("opening")
    hints = {hint.discard: hint.waits for hint in VARIANT.advise(view(game.table, 0), 0)}
    assert [(wait.tile, wait.by_draw, wait.by_claim) for wait in hints["9m"]] == [("1m", 52, None)]


def test_a_seat_that_is_not_ready_gets_no_hint() -> None:
    assert VARIANT.advise(view(deal(hands={}).state.table, 2), 2) == ()
