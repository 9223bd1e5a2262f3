"""Outcomes of messages as values: handlers return an `Outcome`, the table carries it out.

Nothing here touches a table, a store or a connection.
"""

from __future__ import annotations

from typing import Any

import msgspec

from app.kernel.events import Event
from app.kernel.play.decisions import Decision
from app.refusal import ErrorCode
from app.tables.frames import Frame, Plain, Reason
from app.tables.match.decide import Refused
from app.tables.match.events import MatchEvent
from app.tables.match.state import MatchState


class Draft(msgspec.Struct, frozen=True):
    """One entry to be written: the command, its events, and the match, round and open decisions that they lead to."""

    command: Plain
    match: MatchState
    events: tuple[Event, ...] = ()
    round: Any = None
    open: tuple[Decision, ...] = ()
    match_events: tuple[MatchEvent, ...] = ()

    @property
    def empty(self) -> bool:
        """Nothing to write: the requested state holds already."""
        return not self.events and not self.match_events


class Done(msgspec.Struct, frozen=True):
    """The request is done; `data` goes into the answer."""

    data: Plain = {}


class Mute(msgspec.Struct, frozen=True):
    """Phrases of `user` are held back until `until` (monotonic seconds; `inf`: as long as the table runs here).

    None: they are passed on again.
    """

    user: str
    until: float | None


class Outcome(msgspec.Struct, frozen=True):
    """The steps of a table after one message, in the order of the fields; each may be left out. The claim comes before
    the draft, since a player whose one seat is elsewhere cannot sit here; the draft comes before every frame, since
    nothing is sent before it is stored.
    """

    claim: str | None = None
    """This user's one seat must be for this table; the message is refused with `conflict` if it is for another."""
    expect: str | None = None
    """This user has announced a return: their claim is kept for a while."""
    draft: Draft | None = None
    """The entry to store and tell."""
    free: tuple[str, ...] = ()
    """These users may sit elsewhere from now on."""
    mute: Mute | None = None
    said: Frame | None = None
    """Goes to everybody at the table."""
    data: Plain = {}
    """Goes into the answer."""
    sync: bool = False
    """The asker is sent everything again after the answer."""
    dismissal: tuple[Reason, str] = ("closed", "left")
    """Reason and detail for people who lose their seat by the draft."""


Judged = Outcome | Refused
"""The result of a handler: an outcome, or the reason for a refusal."""
OrderOutcome = Done | Refused
"""The answer to an order."""


def plain_outcome(outcome: OrderOutcome) -> Plain:
    """The answer to an order as nodes tell it each other and REST shows it: `{"ok": true, …}`, or `ok` and `code`."""
    return {"ok": True, **outcome.data} if isinstance(outcome, Done) else {"ok": False, "code": outcome.code}


def read_outcome(plain: Plain) -> OrderOutcome:
    """Inverse of `plain_outcome`."""
    if not plain["ok"]:
        return Refused(ErrorCode(plain["code"]))
    return Done({name: value for name, value in plain.items() if name != "ok"})
