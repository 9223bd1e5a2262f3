"""The three commands a round understands. Who sent them, over what, and when, is no concern of the kernel."""

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
    """The round is void, whoever dissolved it and why."""

    reason: str


Command = Act | TimeOut | Abort
