"""What all lists of the calculator read alike: which fields an entry may have, its seats and its options.

Only plain values here; what a list means is `calculator`'s business. All readers raise MalformedInput.
"""

from __future__ import annotations

from typing import Final

from app.kernel.errors import MalformedInput
from app.kernel.fields import Given, read_object, read_seat, within
from app.variants.tianjin.rules import PLAYERS, Rules, parse_rules

_LABELS: Final = frozenset({"id", "clauses", "note", "expect", "ready", "pattern", "level", "name", "out", "offer"})
"""Labels and answers: allowed in any entry, never read."""


def known(entry: Given, names: tuple[str, ...], path: str) -> None:
    """Refuse every field that is neither among `names` nor, on the top level, a label or an answer."""
    for name in entry:
        if name not in names and not (path == "" and name in _LABELS):
            raise MalformedInput(f"{path}{name}", f"no such field; known are {', '.join(names)}")


def get_seat(entry: Given, name: str, path: str = "") -> int:
    """A field that is a seat."""
    return read_seat(entry, name, path, PLAYERS)


def get_rules(entry: Given) -> Rules:
    """The options of an entry, those not given at their defaults (TJ-18.1)."""
    options = read_object(entry, "rules", default={})
    with within("rules"):
        return parse_rules(options)
