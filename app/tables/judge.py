"""Judges a message to a table: a draft of one entry, or the reason why nothing happens. Pure; the actor makes it
durable.

Joins the two deciders, round and match, where one act concerns both: timeouts in a row, autoplay, dissolving.
"""

from __future__ import annotations

from typing import Any, Literal

from app.kernel.errors import InvariantViolation, Rejection
from app.kernel.play import shuffle
from app.kernel.play.commands import Abort, Act, Command, TimeOut
from app.kernel.play.decisions import Decision
from app.kernel.text.notation import plain_command
from app.kernel.variant import Setup
from app.refusal import ErrorCode
from app.tables import asks
from app.tables.log.table_log import TableLog
from app.tables.match import events as me
from app.tables.match.decide import Refused, Verdict, decide_ask, dissolve, settle
from app.tables.match.evolve import evolve_match
from app.tables.match.pages import dealer_of, draws_dealer
from app.tables.match.state import MatchState
from app.tables.match.timers import starts
from app.tables.outcomes import Draft

Due = Literal["close", "turn", "dissolve", "deal"]
_ASKED_IN_PUBLIC = ("turn", "forced")
"""Clocks that everybody knows to run for that seat. Autoplay begins only there and counts only these: by a claim, or by
an opening that may pass by itself, it would tell that the seat had been asked, or answered (TJ-16.3, TS-3.1)."""


def play(log: TableLog, seat: int, ask: asks.Play) -> Draft | Refused:
    """A person's action. It ends the count of timeouts in a row, and in their own turn autoplay.

    An answer to a claim leaves autoplay as it is: everybody would see that the seat had been asked (S1).
    """
    if log.round is None or ask.round_no != log.match.round_no:
        return Refused(ErrorCode.CLOSED)
    state = log.match.seats[seat]
    awake: tuple[me.MatchEvent, ...] = ()
    turn = any(d.seat == seat and d.id == ask.decision and d.clock in _ASKED_IN_PUBLIC for d in log.open)
    if state.autoplay:
        awake = (me.MatchAutoplay(seat, False),) if turn else ()
    elif state.timeouts or (turn and state.missed):
        awake = (me.MatchAwake(seat, turn),)
    return _command(log, Act(seat, ask.decision, ask.action), awake)


def move(log: TableLog, act: Act) -> Draft | Refused:
    """A controller's action: bot, autoplay, automatic win."""
    return _command(log, act, ())


def time_out(log: TableLog, decision: Decision) -> Draft | Refused:
    """The clock of an open decision ran out. `forced` is no timeout (GZ-10.3), nor is a hold or a bot's."""
    events: tuple[me.MatchEvent, ...] = ()
    if decision.seat is not None and decision.clock != "forced":
        seat = log.match.seats[decision.seat]
        if seat.present and not seat.autoplay:
            events = (me.MatchTimedOut(decision.seat, decision.clock in _ASKED_IN_PUBLIC),)
    return _command(log, TimeOut(decision.id), events)


def _command(log: TableLog, command: Command, match_events: tuple[me.MatchEvent, ...]) -> Draft | Refused:
    step = log.variant.decide(log.round, log.open, command)
    if isinstance(step, Rejection):
        return Refused(ErrorCode(step.code))
    open_ = log.variant.decisions(step.state)
    events, match = settle(log.match, match_events)
    late = _autoplay_begins(log, command, open_, match)
    for event in late:
        match = evolve_match(match, event)
    return Draft(plain_command(command), match, step.events, step.state, open_, events + late)


def _autoplay_begins(
    log: TableLog, command: Command, open_: tuple[Decision, ...], match: MatchState
) -> tuple[me.MatchEvent, ...]:
    """Autoplay for the seats that are asked in public and have missed too many turns: mostly nobody's."""
    if max([seat.missed for seat in match.seats]) == 0:
        return ()
    return tuple(
        [
            me.MatchAutoplay(decision.seat, True)
            for decision in _asked_in_public(log, command, open_)
            if decision.seat is not None and _overdue(match, decision.seat)
        ]
    )


def _asked_in_public(log: TableLog, command: Command, open_: tuple[Decision, ...]) -> list[Decision]:
    """Questions everybody knows of: those open after the command, and the one it answers."""
    answered = [] if isinstance(command, Abort) else [d for d in log.open if d.id == command.decision_id]
    seats: set[int | None] = set()
    found: list[Decision] = []
    for decision in (*answered, *open_):
        if decision.clock in _ASKED_IN_PUBLIC and decision.seat not in seats:
            seats.add(decision.seat)
            found.append(decision)
    return found


def _overdue(match: MatchState, place: int) -> bool:
    seat = match.seats[place]
    return seat.present and not seat.autoplay and seat.missed >= match.spec.settings.autoplay_after


def ask(log: TableLog, seat: int, asked: asks.Ask) -> Draft | Refused:
    """A person's ask that concerns the match."""
    verdict = decide_ask(log.match, log.variant.meta, seat, asked)
    return matched(log, {"ask": type(asked).__name__.lower()}, verdict)


def matched(log: TableLog, command: dict[str, Any], verdict: Verdict) -> Draft | Refused:
    """A match's verdict as a draft; a room that closes makes its running round void in the same entry."""
    if isinstance(verdict, Refused):
        return verdict
    events, match = settle(log.match, verdict)
    if match.closed is None or log.round is None or log.round_over:
        return Draft(command, match, round=log.round, open=log.open, match_events=events)
    abort = log.variant.decide(log.round, log.open, Abort(match.closed))
    if isinstance(abort, Rejection):
        raise AssertionError(f"an open round refused to be aborted: {abort.code}")
    return Draft({**command, "abort": match.closed}, match, abort.events, abort.state, (), events)


def next_step(log: TableLog, deserted: bool) -> Due | None:
    """The table's own next step, before it reads another message. `deserted`: nobody has been here for long."""
    match = log.match
    if match.closed is not None:
        return "close"
    if match.frozen is not None:
        return None
    if log.round_over or (match.over is not None and not match.over.told):
        return "turn"
    if deserted and match.phase in ("between", "ended"):
        return "dissolve"
    return "deal" if log.round is None and starts(match) else None


def dissolve_deserted(log: TableLog) -> Draft:
    """The end of a room in which nobody is left, between two rounds."""
    draft = matched(log, {"deserted": True}, dissolve(log.match, "deserted"))
    if isinstance(draft, Refused):
        raise InvariantViolation(f"a deserted room refused to be dissolved: {draft.code}")
    return draft


def release(log: TableLog) -> Draft:
    """A frozen table goes on."""
    events, match = settle(log.match, (me.MatchFrozen(None),))
    return Draft({"release": True}, match, round=log.round, open=log.open, match_events=events)


def deal(log: TableLog, now_ms: int) -> Draft:
    """Begin the round: wall, dice and a random dealer out of the seed and everybody's contributions."""
    match, meta = log.match, log.variant.meta
    contributions = tuple([seat.entropy for seat in match.seats])
    chance = shuffle.deal(match.seed, contributions, meta.kinds, meta.dice, match.spec.players)
    dealer = dealer_of(match, meta, chance.random_seat)
    setup = Setup(
        log.rules, match.spec.players, dealer, chance.wall, chance.dice, now_ms, match.commitment, match.seed,
        contributions,
    )  # fmt: skip
    step = log.variant.start(setup)
    rematch = match.phase == "ended"
    series = 1 if rematch else match.series + match.reset
    dealt = me.MatchDealt(match.match_no + rematch, series, dealer)
    command = {"deal": match.round_no, "drawn": draws_dealer(match, meta)}
    decisions = log.variant.decisions(step.state)
    return Draft(command, evolve_match(match, dealt), step.events, step.state, decisions, (dealt,))
