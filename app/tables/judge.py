"""What a message means for a table: a draft of one entry, or why nothing happens. Pure; the actor makes it durable.

Joins the two deciders, round and match, where one act concerns both: timeouts in a row, autoplay, dissolving.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from app.kernel import shuffle
from app.kernel.commands import Abort, Act, Command, TimeOut
from app.kernel.decisions import Decision
from app.kernel.errors import Rejection
from app.kernel.events import Event
from app.kernel.notation import plain_command
from app.kernel.variant import Setup
from app.refusal import ErrorCode
from app.tables import asks
from app.tables.log.table_log import TableLog
from app.tables.match import events as me
from app.tables.match.decide import Refused, Verdict, decide_ask, settle
from app.tables.match.pages import dealer_of, draws_dealer
from app.tables.match.state import MatchState
from app.tables.match.timers import starts

Due = Literal["close", "turn", "deal"]
_ASKED_IN_PUBLIC = ("turn", "forced")
"""Clocks that everybody knows to run for that seat. Autoplay begins only there: in a claim, or in an opening that may
pass by itself, its beginning would tell that the seat had been asked (TJ-16.3, TS-3.1)."""


@dataclass(frozen=True, slots=True)
class Draft:
    """One entry to be written: the command, its events, and the states they lead to."""

    command: dict[str, Any]
    events: tuple[Event, ...] = ()
    round: Any = None
    open: tuple[Decision, ...] = ()
    match_events: tuple[me.MatchEvent, ...] = ()

    @property
    def empty(self) -> bool:
        """Nothing to write: the ask was for what is so already."""
        return not self.events and not self.match_events


def play(course: TableLog, seat: int, ask: asks.Play) -> Draft | Refused:
    """A person's action. He is awake: no timeouts in a row any more, no autoplay."""
    if course.round is None or ask.round_no != course.match.round_no:
        return Refused(ErrorCode.CLOSED)
    state = course.match.seats[seat]
    awake: tuple[me.MatchEvent, ...] = ()
    if state.autoplay:
        awake = (me.MatchAutoplay(seat, False),)
    elif state.timeouts:
        awake = (me.MatchAwake(seat),)
    return _command(course, Act(seat, ask.decision, ask.action), awake)


def move(course: TableLog, act: Act) -> Draft | Refused:
    """A controller's action: bot, autoplay, automatic win."""
    return _command(course, act, ())


def time_out(course: TableLog, decision: Decision) -> Draft | Refused:
    """The clock of an open decision ran out. `forced` is no timeout (GZ-10.3), nor is a hold or a bot's."""
    events: tuple[me.MatchEvent, ...] = ()
    if decision.seat is not None and decision.clock != "forced":
        seat = course.match.seats[decision.seat]
        if seat.present and not seat.autoplay:
            events = (me.MatchTimedOut(decision.seat),)
    return _command(course, TimeOut(decision.id), events)


def _command(course: TableLog, command: Command, match_events: tuple[me.MatchEvent, ...]) -> Draft | Refused:
    step = course.variant.decide(course.round, course.open, command)
    if isinstance(step, Rejection):
        return Refused(ErrorCode(step.code))
    open_ = course.variant.decisions(step.state)
    events, match = settle(course.match, match_events)
    late = tuple(
        [
            me.MatchAutoplay(decision.seat, True)
            for decision in _asked_in_public(course, command, open_)
            if decision.seat is not None and _overdue(match, decision.seat)
        ]
    )
    return Draft(plain_command(command), step.events, step.state, open_, events + late)


def _asked_in_public(course: TableLog, command: Command, open_: tuple[Decision, ...]) -> list[Decision]:
    """Questions everybody knows of: those open after the command, and the one it answers."""
    answered = [] if isinstance(command, Abort) else [d for d in course.open if d.id == command.decision_id]
    seats: set[int | None] = set()
    found: list[Decision] = []
    for decision in (*answered, *open_):
        if decision.clock in _ASKED_IN_PUBLIC and decision.seat not in seats:
            seats.add(decision.seat)
            found.append(decision)
    return found


def _overdue(match: MatchState, place: int) -> bool:
    seat = match.seats[place]
    return seat.present and not seat.autoplay and seat.timeouts >= match.spec.settings.autoplay_after


def ask(course: TableLog, seat: int, asked: asks.Ask) -> Draft | Refused:
    """A person's ask that concerns the match."""
    verdict = decide_ask(course.match, course.variant.meta, seat, asked)
    return matched(course, {"ask": type(asked).__name__.lower()}, verdict)


def matched(course: TableLog, command: dict[str, Any], verdict: Verdict) -> Draft | Refused:
    """A match's verdict as a draft; a room that closes makes its running round void in the same entry."""
    if isinstance(verdict, Refused):
        return verdict
    events, match = settle(course.match, verdict)
    if match.closed is None or course.round is None or course.round_over:
        return Draft(command, round=course.round, open=course.open, match_events=events)
    abort = course.variant.decide(course.round, course.open, Abort(match.closed))
    if isinstance(abort, Rejection):
        raise AssertionError(f"an open round refused to be aborted: {abort.code}")
    return Draft({**command, "abort": match.closed}, abort.events, abort.state, (), events)


def next_step(course: TableLog) -> Due | None:
    """What a table must do by itself now, before it listens again."""
    match = course.match
    if match.closed is not None:
        return "close"
    if match.frozen is not None:
        return None
    if course.round_over or (match.over is not None and not match.over.told):
        return "turn"
    return "deal" if course.round is None and starts(match) else None


def deal(course: TableLog, now_ms: int) -> Draft:
    """Begin the round: wall, dice and a random dealer out of the seed and everybody's contributions."""
    match, meta = course.match, course.variant.meta
    contributions = tuple([seat.entropy for seat in match.seats])
    chance = shuffle.deal(match.seed, contributions, meta.kinds, meta.dice, match.spec.players)
    dealer = dealer_of(match, meta, chance.random_seat)
    setup = Setup(
        course.rules, match.spec.players, dealer, chance.wall, chance.dice, now_ms, match.commitment, match.seed,
        contributions,
    )  # fmt: skip
    step = course.variant.start(setup)
    rematch = match.phase == "ended"
    series = 1 if rematch else match.series + match.reset
    dealt = me.MatchDealt(match.match_no + rematch, series, dealer)
    command = {"deal": match.round_no, "drawn": draws_dealer(match, meta)}
    return Draft(command, step.events, step.state, course.variant.decisions(step.state), (dealt,))
