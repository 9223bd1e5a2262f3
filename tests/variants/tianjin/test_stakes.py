"""坐庄 and 拉庄, dice and deal: the beginning of a round (TJ-1.1, TJ-1.2, TJ-1.3)."""

import pytest

from app.kernel import events as ev
from app.kernel.errors import Rejection
from app.kernel.play.commands import TimeOut
from app.kernel.seats import SPECTATOR
from app.kernel.tiles import KINDS
from app.kernel.views import project, view
from app.variants.tianjin import VARIANT
from app.variants.tianjin.rules import META
from tests.variants.script import PLACES
from tests.variants.tianjin.deal import deal


def test_four_players_and_136_tiles_without_flowers() -> None:
    """TJ-1.1, TJ-1.2, TJ-18.2: four copies of each of the 34 kinds, two throws of two dice."""
    assert (META.players, META.kinds, META.dice) == ((4,), KINDS, 4)


def test_the_match_reads_readiness_first_dealer_and_series_from_meta() -> None:
    """TJ-1.4, TJ-1.5, TJ-1.6, TJ-1.7, TJ-2.1, TJ-2.2, TJ-2.6: the start rule is the match's and tested there."""
    assert (META.auto_ready_s, META.first_dealer, META.new_series_on_leave) == (15, "random", True)
    assert META.clocks["answer"] == 10


@pytest.mark.parametrize("dealer", range(4))
def test_all_four_are_asked_at_once_before_any_tile_is_dealt(dealer: int) -> None:
    """TJ-3.1: the dealer sit no / yes, the others pull 0, 1, 2; TJ-3.4: silence is the first option."""
    game = deal(dealer=dealer, answered=False)
    assert game.asked() == "".join(PLACES[(seat - dealer) % 4] for seat in range(4))
    options = {place: [option.choice for option in game.decision(place).options] for place in PLACES}  # type: ignore[union-attr]
    assert options == {"D": [False, True], "R": [0, 1, 2], "O": [0, 1, 2], "L": [0, 1, 2]}
    assert not any(isinstance(event, ev.HandDealt | ev.DiceRolled) for event in game.events)


def test_answers_stay_hidden_until_all_are_in_and_open_ids_do_not_move() -> None:
    """TJ-3.3, TJ-16.2: nobody else sees an answer, not even that it was given, until the fourth."""
    game = deal(answered=False)
    before = {place: game.decision(place).id for place in "ROL"}  # type: ignore[union-attr]
    for viewer in (1, 2, 3, SPECTATOR):
        shown = view(game.table, viewer)
        events = game.play("D sit true").entry if viewer == 1 else ()
        assert [project(event, viewer) for event in events] == [None] * len(events)
        assert view(game.table, viewer) == shown
    assert {place: game.decision(place).id for place in "ROL"} == before  # type: ignore[union-attr]


def test_an_answer_is_final_and_the_dealer_gets_no_second_one() -> None:
    """TJ-3.3."""
    game = deal(answered=False)
    asked = game.decision("D")
    assert asked is not None
    game.play("D sit true")
    assert game.decision("D") is None
    assert VARIANT.decide(game.state, game.open, TimeOut(asked.id)) == Rejection("closed")


def test_the_fourth_answer_reveals_all_and_deals() -> None:
    """TJ-4.2, TJ-2.10: reveal, the dealer's dice, deal, the opposite's dice, indicator, the dealer's first turn."""
    game = deal(dealer=1, answered=False, indicator="9s", n=9, m=4)
    for place, choice in (("L", "pull 2"), ("D", "sit true"), ("R", "pull 0")):
        game.play(f"{place} {choice}")
    events = game.play("O pull 1").entry
    kinds = [type(event) for event in events]
    assert kinds == [
        ev.Answered, ev.AnswersRevealed, ev.DiceRolled, ev.HandDealt, ev.HandDealt, ev.HandDealt, ev.HandDealt,
        ev.DiceRolled, ev.TileFlipped, ev.Marked, ev.PhaseBegan,
    ]  # fmt: skip
    assert events[1] == ev.AnswersRevealed("sit_pull", (2, True, 0, 1))
    assert events[2] == ev.DiceRolled(1, (3, 6), "break") and events[7] == ev.DiceRolled(3, (1, 3), "indicator")
    assert [event.seat for event in events if isinstance(event, ev.HandDealt)] == [1, 2, 3, 0]
    assert [event.count for event in events if isinstance(event, ev.HandDealt)] == [14, 13, 13, 13]
    assert events[8] == ev.TileFlipped("indicator", "9s", 128 - 53)
    assert game.table.mark("wilds") == ("9s", "1s")
    assert game.asked() == "D" and game.table.turn == 1


def test_silence_means_no_and_zero() -> None:
    """TJ-3.4, TJ-17.1: a timeout opts in to nothing; autoplay neither (TJ-17.2)."""
    game = deal(answered=False)
    assert all(d.on_timeout == d.on_autoplay == d.options[0] for d in game.open)
    while game.state.window is not None:
        game.send(TimeOut(game.open[0].id))
    assert game.table.shown.answers[0].values == (False, 0, 0, 0)


def test_pull_does_not_depend_on_sit_and_is_chosen_afresh_each_round() -> None:
    """TJ-3.2, TJ-3.5: without sit the same offers; a new round asks everybody again."""
    game = deal(sit=False, pull=(2, 2, 2))
    assert game.table.shown.answers[0].values == (False, 2, 2, 2)
    assert deal(answered=False).asked() == "DROL"


def test_before_the_flip_the_number_of_live_tiles_does_not_tell_the_dice() -> None:
    """TJ-16.2: dice are thrown in the open only after the deal (TJ-4.2)."""
    lefts = {deal(answered=False, m=m, n=n).table.left for m, n in ((2, 12), (12, 2), (7, 7))}
    assert lefts == {136}
