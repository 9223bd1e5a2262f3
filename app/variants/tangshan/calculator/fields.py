"""Strict reading of a case entry: every value is checked where it is read, and every complaint names its field.

Shared by the lists of the calculator. Knows JSON types, seats and tiles; no rule of the game beyond four copies a kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, cast

from app.kernel.errors import MalformedInput
from app.kernel.tiles import COPIES, Tile, parse_tile, parse_tiles
from app.variants.tangshan.rules import Rules, rules_for

TABLE_SIZES: Final = (2, 3, 4)
HEAD: Final = ("id", "clauses", "note", "rules")
ANSWERS: Final = ("expect", "offer", "ready", "pattern", "level", "name", "out")
"""Keys that hold answers: allowed anywhere, never read."""


class Fields:
    """One JSON object of an entry. `path` is where it stands (`events[2]`), `known` the keys it may have."""

    def __init__(self, raw: object, path: str, known: Iterable[str]) -> None:
        if not isinstance(raw, Mapping):
            raise MalformedInput(path or "entry", f"expected an object, got {type(raw).__name__}")
        self.raw: Mapping[str, object] = raw
        self.path = path
        allowed = {*known, *ANSWERS}
        for key in raw:
            if key not in allowed:
                raise MalformedInput(self.at(str(key)), f"no such field here; known are {', '.join(sorted(allowed))}")

    def at(self, name: str) -> str:
        """The dotted path of a field."""
        return f"{self.path}.{name}" if self.path else name

    def wrong(self, name: str, problem: str) -> MalformedInput:
        """The complaint about a field, to be raised."""
        return MalformedInput(self.at(name), problem)

    def value(self, name: str) -> object:
        """The raw value. Raises MalformedInput when it is missing."""
        if name not in self.raw:
            raise self.wrong(name, "missing")
        return self.raw[name]

    def given(self, name: str) -> bool:
        """True when the field is there and not null."""
        return self.raw.get(name) is not None

    def number(self, name: str, low: int, high: int) -> int:
        """A whole number within the bounds, both included."""
        value = self.value(name)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise self.wrong(name, f"expected a whole number from {low} to {high}, got {value!r}")
        return value

    def seat(self, name: str, players: int, apart_from: int | None = None) -> int:
        """A seat of the table, other than `apart_from`."""
        seat = self.number(name, 0, players - 1)
        if seat == apart_from:
            raise self.wrong(name, f"seat {seat} cannot be on both sides")
        return seat

    def flag(self, name: str) -> bool:
        """True or false."""
        value = self.value(name)
        if not isinstance(value, bool):
            raise self.wrong(name, f"expected true or false, got {value!r}")
        return value

    def word(self, name: str, words: Sequence[str]) -> str:
        """One of the given words."""
        value = self.value(name)
        if not isinstance(value, str) or value not in words:
            raise self.wrong(name, f"expected one of {', '.join(words)}, got {value!r}")
        return value

    def tile(self, name: str) -> Tile:
        """One tile."""
        return parse_tile(self.value(name), self.at(name))

    def tiles(self, name: str) -> tuple[Tile, ...]:
        """Tiles in the order written."""
        return parse_tiles(self.value(name), self.at(name))

    def items(self, name: str) -> list[object]:
        """A list."""
        value = self.value(name)
        if not isinstance(value, list):
            raise self.wrong(name, f"expected a list, got {type(value).__name__}")
        return cast(list[object], value)

    def absent(self, *names: str) -> None:
        """Raises MalformedInput when one of the fields is given although it makes no sense here."""
        for name in names:
            if self.given(name):
                raise self.wrong(name, "makes no sense here")

    def players(self, default: int | None = None) -> int:
        """The table size, two to four."""
        if default is not None and "players" not in self.raw:
            return default
        return self.number("players", min(TABLE_SIZES), max(TABLE_SIZES))

    def rules(self, players: int) -> Rules:
        """The room options, defaults filled in (see `rules.OPTIONS`)."""
        raw = self.raw.get("rules", {})
        if not isinstance(raw, Mapping):
            raise self.wrong("rules", f"expected an object, got {type(raw).__name__}")
        try:
            return rules_for(raw, players)
        except MalformedInput as error:
            raise self.wrong(f"rules.{error.field}", error.problem) from error


class TileCount:
    """All tiles an entry speaks of, each counted once: a fifth copy is impossible (TS-1.2)."""

    def __init__(self) -> None:
        self._seen: Counter[Tile] = Counter()

    def add(self, tiles: Iterable[Tile], field: str) -> None:
        """Count tiles in; raises MalformedInput naming `field` at a fifth copy."""
        for tile in tiles:
            self._seen[tile] += 1
            if self._seen[tile] > COPIES:
                raise MalformedInput(field, f"a fifth copy of {tile}")
