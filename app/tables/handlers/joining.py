"""Admission of players and spectators. Attaching is sitting down; the newest connection of a person wins at once. The
broadcaster sends a newcomer the snapshot: all of it happens inside the table's task, so nothing can be stored between
the snapshot and the subscription.
"""

from __future__ import annotations

from app.refusal import ErrorCode
from app.tables import judge
from app.tables.log.table_log import TableLog
from app.tables.match.decide import Refused, Verdict, sit
from app.tables.match.state import MatchState
from app.tables.outcomes import Judged, Outcome
from app.tables.ports import Person


def take_seat(log: TableLog, person: Person) -> Judged:
    """A person comes to their seat, or to a free one. It is claimed unless they hold it already."""
    verdict: Verdict = sit(log.match, person)
    if verdict and log.match.frozen is not None:
        verdict = Refused(ErrorCode.FROZEN)
    draft = judge.matched(log, {"sit": person.user}, verdict)
    if isinstance(draft, Refused):
        return draft
    return Outcome(claim=person.user if verdict else None, draft=draft)


def refuses_watcher(match: MatchState, member: bool) -> ErrorCode | None:
    """The reason why a user may not watch, or None. `member`: of the room's circle."""
    allowed = match.spec.settings.spectators
    if allowed == "off" or (allowed == "members" and not member):
        return ErrorCode.NOT_ALLOWED
    return None
