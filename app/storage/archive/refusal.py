"""Refused: what was asked for cannot be done, and why, as a code of the wire's one list. Not for our own bugs."""

from __future__ import annotations


class Refusal(Exception):
    """`code` is stable and for programs, `message` one sentence for people, `field` the part of the input to blame."""

    def __init__(self, code: str, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field


def not_found(what: str) -> Refusal:
    """There is no such thing, or it is none of the asker's business."""
    return Refusal("not_found", f"there is no such {what}")
