"""The one place that checks an answer: the sender's own question and an action it offers; anything else has a code."""

import pytest

from app.kernel.actions import PASS, WIN, action
from app.kernel.errors import Rejection
from app.kernel.play.commands import Act, TimeOut
from app.kernel.play.decisions import Decision, answer, decision_id, hold, question

THROW = action("discard", "1m")
OPEN = (Decision("7.1", 1, "claim", (WIN, PASS), PASS, WIN), Decision("7.2", 2, "claim", (PASS,), PASS, PASS), hold(7))


def test_ids_name_the_tick_and_the_seat_only() -> None:
    assert decision_id(7, 2) == "7.2"
    assert decision_id(7, None) == hold(7).id == "7.hold"


def test_autoplay_takes_a_win_that_is_offered_and_answers_as_silence_does_otherwise() -> None:
    assert question(7, 1, "claim", (WIN, PASS), PASS) == OPEN[0]
    assert question(7, 2, "claim", (PASS,), PASS) == OPEN[1]
    assert question(7, 0, "turn", (THROW,), THROW) == Decision("7.0", 0, "turn", (THROW,), THROW, THROW)


def test_an_offered_action_is_found() -> None:
    assert answer(OPEN, Act(1, "7.1", action("win"))) == (OPEN[0], WIN)


def test_a_timeout_stands_for_the_default_and_a_hold_for_nothing() -> None:
    assert answer(OPEN, TimeOut("7.1")) == (OPEN[0], PASS)
    assert answer(OPEN, TimeOut("7.hold")) == (OPEN[2], None)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (Act(1, "6.1", WIN), "closed"), (Act(1, "nonsense", WIN), "closed"), (TimeOut("6.hold"), "closed"),
        (Act(2, "7.1", WIN), "closed"), (Act(0, "7.hold", PASS), "closed"), (Act(1, "7.1", THROW), "not_offered"),
        (Act(2, "7.2", WIN), "not_offered"),
    ],
)  # fmt: skip
def test_a_refusal_says_why(command: Act | TimeOut, code: str) -> None:
    assert answer(OPEN, command) == Rejection(code)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["7.0", "7.1", "7.2", "7.3", "7.hold", "6.1", "8.2", "", "7"])
def test_an_answer_does_not_tell_who_else_is_asked(name: str) -> None:
    """S1: seat 3, which is not asked, gets one refusal, be the question another's, past or made up."""
    assert {answer(OPEN[at:], Act(3, name, PASS)) for at in range(3)} == {Rejection("closed")}
    own = (Decision("7.3", 3, "claim", (PASS,), PASS, PASS), *OPEN)
    assert name == "7.3" or answer(own, Act(3, name, PASS)) == Rejection("closed")


def test_after_the_round_everything_is_over() -> None:
    assert answer((), Act(1, "7.1", WIN)) == Rejection("round_over")


def test_choices_of_different_type_are_different_actions() -> None:
    """`pull` 0 and `sit` false, 1 and true, must not be mixed up by equality of bool and int."""
    assert action("pull", choice=1) is not action("pull", choice=True)
    assert type(action("sit", choice=False).choice) is bool and type(action("pull", choice=0).choice) is int
