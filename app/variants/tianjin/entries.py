"""Reading an entry of the calculator strictly: every reader names the field that is missing or wrong.

Only plain values here; what a list means is `calculator`'s business. All readers raise MalformedInput.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from app.kernel.errors import MalformedInput
from app.kernel.tiles import COPIES, Tile
from app.variants.tianjin.rules import PLAYERS, Rules, parse_rules

Entry = Mapping[str, object]

_LABELS: Final = frozenset({"id", "clauses", "note", "expect", "ready", "pattern", "level", "name", "out", "offer"})
"""Labels and answers: allowed in any entry, never read."""
_MISSING: Final = object()


def get(entry: Entry, name: str, path: str = "", default: object = _MISSING) -> object:
    """The value of a field, or its default when there is one."""
    value = entry.get(name, default)
    if value is _MISSING:
        raise MalformedInput(path + name, "missing")
    return value


def known(entry: Entry, names: tuple[str, ...], path: str) -> None:
    """Refuse every field that is neither among `names` nor, on the top level, a label or an answer."""
    for name in entry:
        if name not in names and not (path == "" and name in _LABELS):
            raise MalformedInput(f"{path}{name}", f"no such field; known are {', '.join(names)}")


def as_object(value: object, field: str) -> Entry:
    """The value as an object."""
    if not isinstance(value, Mapping):
        raise MalformedInput(field, "expected an object")
    return value


def as_list(value: object, field: str) -> list[Any]:
    """The value as a list."""
    if not isinstance(value, list):
        raise MalformedInput(field, "expected a list")
    return value


def whole(value: object, low: int | None = None, high: int | None = None) -> bool:
    """True for a whole number (never true or false) between the limits."""
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    return (low is None or value >= low) and (high is None or value <= high)


def get_int(entry: Entry, name: str, low: int | None = None, high: int | None = None, path: str = "") -> int:
    """A field that is a whole number between the limits."""
    value = get(entry, name, path)
    if not isinstance(value, int) or not whole(value, low, high):
        limits = "" if low is None else f" from {low} to {high}"
        raise MalformedInput(path + name, f"expected a whole number{limits}, got {value!r}")
    return value


def get_seat(entry: Entry, name: str, path: str = "") -> int:
    """A field that is a seat."""
    return get_int(entry, name, 0, PLAYERS - 1, path)


def get_word(entry: Entry, name: str, words: Iterable[str], path: str = "") -> str:
    """A field that is one of some words."""
    value = get(entry, name, path)
    choices = tuple(words)
    if not isinstance(value, str) or value not in choices:
        raise MalformedInput(path + name, f"expected one of {', '.join(choices)}, got {value!r}")
    return value


def get_bool(entry: Entry, name: str, path: str = "", default: object = _MISSING) -> bool:
    """A field that is true or false."""
    value = get(entry, name, path, default)
    if not isinstance(value, bool):
        raise MalformedInput(path + name, f"expected true or false, got {value!r}")
    return value


def get_rules(entry: Entry) -> Rules:
    """The options of an entry, those not given at their defaults (TJ-18.1)."""
    options = as_object(get(entry, "rules", default={}), "rules")
    try:
        return parse_rules(options)
    except MalformedInput as error:
        raise MalformedInput(f"rules.{error.field}", error.problem) from error


def use(counted: Counter[Tile], tiles: Iterable[Tile], field: str) -> None:
    """Count tiles as used; a fifth copy is impossible."""
    counted.update(tiles)
    for tile, copies in counted.items():
        if copies > COPIES:
            raise MalformedInput(field, f"{copies} copies of {tile}")
