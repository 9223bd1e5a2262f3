"""Old record formats, lifted step by step to the present one: one small function per step, never edited again.

2: `digest` binds every leaf, `dealer_drawn` lets the random dealer be checked.

A format only changes when an old program could misread a new record. No rules of a game here: events fold for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from app.kernel.errors import MalformedInput

FORMAT: Final = 2

Lift = Callable[[dict[str, Any]], dict[str, Any]]


def _with_digest(record: dict[str, Any]) -> dict[str, Any]:
    """Format 1 had no digest and did not say whether the dealer was drawn: None stands for both.

    Raises MalformedInput for a record that has them: it is a newer one that only claims to be of format 1.
    """
    for key in ("digest", "dealer_drawn"):
        if key in record:
            raise MalformedInput(key, "no part of a record of format 1")
    return {**record, "dealer_drawn": None, "digest": None}


LIFTS: Final[Mapping[int, Lift]] = {1: _with_digest}
"""From a format to the next one."""


def upcast(plain: Any, lifts: Mapping[int, Lift] = LIFTS, newest: int = FORMAT) -> dict[str, Any]:
    """A record of format 1 … `newest` as one of `newest`; the input is not changed.

    Raises MalformedInput naming `format` when it was written by a newer program or by none.
    """
    if not isinstance(plain, dict):
        raise MalformedInput("record", f"expected an object, got {type(plain).__name__}")
    number = plain.get("format")
    if type(number) is not int or not 1 <= number <= newest:
        raise MalformedInput("format", f"{number!r} is unknown to this program, which reads 1 to {newest}")
    record = dict(plain)
    for step in range(number, newest):
        record = {**lifts[step](record), "format": step + 1}
    return record
