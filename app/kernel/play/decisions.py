"""Open questions of a round and the one place that checks an answer against them.

A variant derives its decisions from the state once. Ids are `{tick}.{seat}` and `{tick}.hold`; `tick` counts the events
that everybody saw, so no id reveals another seat's question.
"""

from __future__ import annotations

from typing import Literal

from app.kernel.actions import WIN, Action
from app.kernel.errors import Rejection
from app.kernel.immutable import immutable
from app.kernel.play.commands import Act, TimeOut

Clock = Literal["answer", "opening", "turn", "forced", "claim", "hold"]


@immutable
class Decision:
    """One open question. `seat` None and clock `hold`: decided by nobody but the clock, options empty.

    `on_timeout` is what silence means, `on_autoplay` what 托管 does; both are None for a hold only.
    """

    id: str
    seat: int | None
    clock: Clock
    options: tuple[Action, ...]
    on_timeout: Action | None
    on_autoplay: Action | None


def decision_id(tick: int, seat: int | None) -> str:
    """`{tick}.{seat}`, or `{tick}.hold` for the hold of a window."""
    return f"{tick}.hold" if seat is None else f"{tick}.{seat}"


def question(tick: int, seat: int, clock: Clock, options: tuple[Action, ...], silence: Action) -> Decision:
    """A seat's own question. 托管 answers as silence does, except that it takes a win that is offered."""
    return Decision(decision_id(tick, seat), seat, clock, options, silence, WIN if WIN in options else silence)


def hold(tick: int) -> Decision:
    """The hold of the window that is open at `tick`."""
    return Decision(f"{tick}.hold", None, "hold", (), None, None)


def answer(open_: tuple[Decision, ...], command: Act | TimeOut) -> tuple[Decision, Action | None] | Rejection:
    """Match a command with the open decisions: the decision and the action it stands for, or why it is refused.

    A hold answers with action None. Codes: `round_over` (nothing is open any more), `closed` (this is not an open
    decision of the sender), `not_offered`. For an `Act` only the sender's own decision is looked at, so that the
    answer is a function of what the sender sees: it never reveals whether another seat is asked.
    """
    if not open_:
        return Rejection("round_over")
    for decision in open_:
        if decision.id == command.decision_id and (isinstance(command, TimeOut) or decision.seat == command.seat):
            break
    else:
        return Rejection("closed")
    if isinstance(command, TimeOut):
        return decision, decision.on_timeout
    for option in decision.options:
        if option == command.action:
            return decision, option
    return Rejection("not_offered")
