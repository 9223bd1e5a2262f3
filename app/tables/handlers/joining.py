"""Admission of players and spectators. Attaching is sitting down; the newest connection of a person wins at once. The
broadcaster sends a newcomer the snapshot: all of it happens inside the table's task, so nothing can be stored between
the snapshot and the subscription.
"""

from __future__ import annotations

from collections.abc import Iterable

from app.refusal import ErrorCode
from app.tables import judge
from app.tables.log.table_log import TableLog
from app.tables.match.decide import Refused, Verdict, sit
from app.tables.match.events import MatchUnready
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


def lost(log: TableLog, places: Iterable[int]) -> Outcome | None:
    """The people in these seats have no connection. After the match nothing is to wait for: they no longer ask for a
    rematch and may sit elsewhere at once (A6). None: a match runs or is to come, so they keep their seats.
    """
    match = log.match
    if match.phase != "ended":
        return None
    gone = [place for place in places if match.seats[place].arrived]
    if not gone:
        return None
    users = tuple([seat.person.user for place in gone if (seat := match.seats[place]).person is not None])
    withdrawn = tuple([MatchUnready(place) for place in gone if match.seats[place].ready])
    draft = judge.matched(log, {"lost": list(users)}, withdrawn)
    assert not isinstance(draft, Refused), "events are taken as they are"
    return Outcome(draft=draft, free=users)


def refuses_watcher(match: MatchState, user: str, member: bool) -> ErrorCode | None:
    """The reason why a user may not watch, or None. `member`: of the room's circle."""
    allowed = match.spec.settings.spectators
    if allowed == "off" or (allowed == "members" and not member) or user in match.kicked:
        return ErrorCode.NOT_ALLOWED
    return None
