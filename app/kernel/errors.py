"""The three families of error. Nothing here is caught around rules to hide a bug.

Rejection            a value: the command was refused, nothing changed
MalformedInput       an exception: the caller's text or options make no sense; names the entry and the field
InvariantViolation   an exception: our own bug; the table freezes and operators are notified
"""

from __future__ import annotations

from typing import Literal

from app.kernel.immutable import immutable

RejectionCode = Literal["closed", "not_offered", "round_over"]


@immutable
class Rejection:
    """A command that was refused and changed nothing.

    `closed`: not an open decision of the sender, whether it is settled, another seat's, or never existed.
    `not_offered`: the sender's decision, but not one of its options. `round_over`: nothing is open any more.
    """

    code: RejectionCode


class MalformedInput(ValueError):
    """Input that cannot be understood. `field` is a dotted path to what was wrong, `problem` one sentence about it."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}" if field else problem)
        self.field = field
        self.problem = problem


class InvariantViolation(AssertionError):
    """A law of the kernel does not hold: our bug, never the player's. The table freezes, the record is dumped."""
