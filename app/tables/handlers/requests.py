"""The outcome of a person's request. `judge.py` and `match/decide.py` judge it; here the two kinds meet.

Every request gets exactly one `ack` or `error`; a repeated id gets its first answer and has no second effect.
"""

from __future__ import annotations

from app.kernel.views import view
from app.refusal import ErrorCode
from app.tables import asks, judge
from app.tables.frames import Plain, plain_frame
from app.tables.handlers.unlogged import DONE, Unlogged
from app.tables.log.table_log import TableLog
from app.tables.match.decide import Refused
from app.tables.outcomes import Judged, Outcome
from app.tables.viewers import replies

_FROZEN = Refused(ErrorCode.FROZEN)


def of_player(log: TableLog, unlogged: Unlogged, seat: int, user: str, ask: asks.Ask, now: float) -> Judged:
    """Judge a request of the person in `seat`. `now`: monotonic seconds."""
    match ask:
        case asks.Sync():
            return Outcome(sync=True)
        case asks.Hints():
            return Outcome(data={"hints": _hints(log, seat)})
        case asks.WhyNot():
            return Outcome(data={"reasons": _reasons(log, seat)})
        case asks.Phrase(code):
            refusal = unlogged.refuses_phrase(user, now)
            return Outcome(said=plain_frame("chat", seat=seat, code=code)) if refusal is None else Refused(refusal)
    if log.match.frozen is not None and not isinstance(ask, asks.Leave):
        return _FROZEN
    if isinstance(ask, asks.Play):
        draft = judge.play(log, seat, ask)
        return draft if isinstance(draft, Refused) else Outcome(draft=draft)
    return _of_match(log, seat, user, ask)


def note(outcome: Outcome, unlogged: Unlogged, user: str, ref: str, now: float) -> None:
    """Keep in mind what was carried out for a request and is not in the log; or that it is there."""
    if outcome.said is not None:
        unlogged.passed_on(user, now)
    if outcome.said is not None or (outcome.draft is not None and outcome.draft.empty):
        unlogged.remember(user, ref, DONE)
    elif outcome.draft is not None:
        unlogged.logged(user, ref)


def _of_match(log: TableLog, seat: int, user: str, ask: asks.Ask) -> Judged:
    draft = judge.ask(log, seat, ask)
    if isinstance(draft, Refused):
        return draft
    rematch = isinstance(ask, asks.Ready) and log.match.phase == "ended"  # the match's end freed everybody's one seat
    return Outcome(
        claim=user if rematch else None,
        draft=draft,
        sync=isinstance(ask, asks.ChangeSeat),
        dismissal=("kicked", "host") if isinstance(ask, asks.Kick) else ("closed", "left"),
    )


def _hints(log: TableLog, seat: int) -> list[Plain]:
    if log.round is None or log.round_over:
        return []
    return replies.plain_hints(log.variant.advise(view(log.round.table, seat), seat))


def _reasons(log: TableLog, seat: int) -> list[Plain]:
    if log.round is None or log.round_over:
        return []
    return replies.plain_reasons(log.variant.why_not(log.round, seat))
