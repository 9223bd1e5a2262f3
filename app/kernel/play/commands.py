"""The three commands a round understands. The kernel knows neither their sender nor their time."""

from __future__ import annotations

from app.kernel.actions import Action
from app.kernel.immutable import immutable


@immutable
class Act:
    """A seat chooses one of the offered actions of a decision."""

    seat: int
    decision_id: str
    action: Action


@immutable
class TimeOut:
    """The clock of a decision (or of a window's hold) ran out. Stale ones are ignored in silence."""

    decision_id: str


@immutable
class Abort:
    """The round is void; the runtime knows the reason."""

    reason: str


Command = Act | TimeOut | Abort
