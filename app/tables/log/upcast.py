"""Old formats of log entries, lifted step by step to the present one: one small function per step, never edited again.

Every entry names its own format, because a table goes on in the log that it was found in. A format only changes when an
old program could misread a new entry. Records have formats of their own (`app/records/upcast.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

FORMAT: Final = 1

Lift = Callable[[dict[str, Any]], dict[str, Any]]

LIFTS: Final[Mapping[int, Lift]] = {}
"""From a format to the next one; format 1 is the first there is."""


def head(newest: int = FORMAT) -> bytes:
    """The first bytes of an entry of the present format."""
    return b'{"format":%d,' % newest


def upcast_entry(raw: bytes, lifts: Mapping[int, Lift] = LIFTS, newest: int = FORMAT) -> bytes:
    """An entry of format 1 … `newest` in the present format. Raises ValueError, naming the format found."""
    plain = msgspec.json.decode(raw)
    if not isinstance(plain, dict):
        raise ValueError(f"expected an object, found {type(plain).__name__}")
    number = plain.get("format", 1)
    if type(number) is not int or not 1 <= number <= newest:
        raise ValueError(f"format {number!r} is unknown to this node, which reads 1 to {newest}")
    for step in range(number, newest):
        if step not in lifts:
            raise ValueError(f"format {number} is no longer read by this node, only {step + 1} to {newest}")
        plain = lifts[step](plain)
    return msgspec.json.encode({"format": newest, **{key: plain[key] for key in plain if key != "format"}})
