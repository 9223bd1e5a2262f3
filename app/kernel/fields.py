"""Strict reading of JSON objects that people wrote: one check a field, and every complaint names the field, dotted.

Types, seats and the four copies of a kind; what a field means, and which fields there are, is the caller's business.
In all readers `path` is what stands before the name, its dot included (`events[2].`; empty on the top level), and
whatever is missing or wrong raises MalformedInput.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from app.kernel.errors import MalformedInput
from app.kernel.tiles import COPIES, Tile, parse_tile, parse_tiles

Given = Mapping[str, object]
_MISSING: Final = object()


def read(given: Given, name: str, path: str = "", default: object = _MISSING) -> object:
    """The value as it is, or its default when there is one."""
    value = given.get(name, default)
    if value is _MISSING:
        raise MalformedInput(path + name, "missing")
    return value


def as_object(value: object, field: str) -> Given:
    """A value that is an object."""
    if not isinstance(value, Mapping):
        raise MalformedInput(field, f"expected an object, got {type(value).__name__}")
    return value


def as_list(value: object, field: str) -> list[Any]:
    """A value that is a list."""
    if not isinstance(value, list):
        raise MalformedInput(field, f"expected a list, got {type(value).__name__}")
    return value


def read_object(given: Given, name: str, path: str = "", default: object = _MISSING) -> Given:
    """An object."""
    return as_object(read(given, name, path, default), path + name)


def read_list(given: Given, name: str, path: str = "", default: object = _MISSING) -> list[Any]:
    """A list of anything."""
    return as_list(read(given, name, path, default), path + name)


def read_objects(given: Given, name: str, path: str = "", default: object = _MISSING) -> tuple[Given, ...]:
    """A list of objects."""
    values = read_list(given, name, path, default)
    return tuple([as_object(value, f"{path}{name}[{place}]") for place, value in enumerate(values)])


def is_whole(value: object, low: int | None = None, high: int | None = None) -> bool:
    """True for a whole number (never true or false) between the limits, both included."""
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    return (low is None or value >= low) and (high is None or value <= high)


def read_number(given: Given, name: str, path: str = "", low: int | None = None, high: int | None = None) -> int:
    """A whole number between the limits, both included."""
    value = read(given, name, path)
    if not isinstance(value, int) or not is_whole(value, low, high):
        limits = "" if low is None else f" from {low} to {high}"
        raise MalformedInput(path + name, f"expected a whole number{limits}, got {value!r}")
    return value


def read_seat(given: Given, name: str, path: str, players: int) -> int:
    """A seat of a table of so many players."""
    return read_number(given, name, path, 0, players - 1)


def read_flag(given: Given, name: str, path: str = "", default: object = _MISSING) -> bool:
    """True or false."""
    value = read(given, name, path, default)
    if not isinstance(value, bool):
        raise MalformedInput(path + name, f"expected true or false, got {value!r}")
    return value


def read_word(given: Given, name: str, path: str, words: Iterable[str]) -> str:
    """One of `words`."""
    value = read(given, name, path)
    known = tuple(words)
    if not isinstance(value, str) or value not in known:
        raise MalformedInput(path + name, f"expected one of {', '.join(known)}, got {value!r}")
    return value


def read_tile(given: Given, name: str, path: str = "") -> Tile:
    """One tile."""
    return parse_tile(read(given, name, path), path + name)


def read_tiles(given: Given, name: str, path: str = "") -> tuple[Tile, ...]:
    """Tiles as mpsz text, in the order written."""
    return parse_tiles(read(given, name, path), path + name)


@contextmanager
def within(field: str) -> Iterator[None]:
    """Complaints raised inside are about a part of `field`, and say so."""
    try:
        yield
    except MalformedInput as error:
        raise MalformedInput(f"{field}.{error.field}", error.problem) from error


class TileCount:
    """All tiles one object speaks of, each counted once: a fifth copy is impossible."""

    def __init__(self) -> None:
        self._seen: Counter[Tile] = Counter()

    def add(self, tiles: Iterable[Tile], field: str) -> None:
        """Count tiles found at `field`. Raises MalformedInput naming it at a fifth copy."""
        for tile in tiles:
            self._seen[tile] += 1
            if self._seen[tile] > COPIES:
                raise MalformedInput(field, f"a fifth copy of {tile}")
