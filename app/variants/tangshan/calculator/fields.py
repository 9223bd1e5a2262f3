"""A case entry with the fields it may have: every value is checked where it is read, by the readers of the kernel.

Shared by the lists of the calculator. Knows which keys are labels and answers, and the options; no rule of the game.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from app.kernel import fields
from app.kernel.errors import MalformedInput
from app.kernel.tiles import Tile
from app.variants.tangshan.rules import Rules, rules_for

TABLE_SIZES: Final = (2, 3, 4)
HEAD: Final = ("id", "clauses", "note", "rules")
ANSWERS: Final = ("expect", "offer", "ready", "pattern", "level", "name", "out")
"""Keys that hold answers: allowed anywhere, never read."""


class Fields:
    """One JSON object of an entry. `path` is where it stands (`events[2]`), `known` the keys it may have."""

    def __init__(self, raw: object, path: str, known: Iterable[str]) -> None:
        self.raw = fields.as_object(raw, path or "entry")
        self._path = f"{path}." if path else ""
        allowed = {*known, *ANSWERS}
        for key in self.raw:
            if key not in allowed:
                raise MalformedInput(self.at(str(key)), f"no such field here; known are {', '.join(sorted(allowed))}")

    def at(self, name: str) -> str:
        """The dotted path of a field."""
        return self._path + name

    def wrong(self, name: str, problem: str) -> MalformedInput:
        """The complaint about a field, to be raised."""
        return MalformedInput(self.at(name), problem)

    def value(self, name: str) -> object:
        """The raw value. Raises MalformedInput when it is missing."""
        return fields.read(self.raw, name, self._path)

    def given(self, name: str) -> bool:
        """True when the field is there and not null."""
        return self.raw.get(name) is not None

    def number(self, name: str, low: int, high: int) -> int:
        """A whole number within the bounds, both included."""
        return fields.read_number(self.raw, name, self._path, low, high)

    def seat(self, name: str, players: int, apart_from: int | None = None) -> int:
        """A seat of the table, other than `apart_from`."""
        seat = fields.read_seat(self.raw, name, self._path, players)
        if seat == apart_from:
            raise self.wrong(name, f"seat {seat} cannot be on both sides")
        return seat

    def flag(self, name: str) -> bool:
        """True or false."""
        return fields.read_flag(self.raw, name, self._path)

    def word(self, name: str, words: Iterable[str]) -> str:
        """One of the given words."""
        return fields.read_word(self.raw, name, self._path, words)

    def tile(self, name: str) -> Tile:
        """One tile."""
        return fields.read_tile(self.raw, name, self._path)

    def tiles(self, name: str) -> tuple[Tile, ...]:
        """Tiles in the order written."""
        return fields.read_tiles(self.raw, name, self._path)

    def items(self, name: str) -> list[object]:
        """A list."""
        return fields.read_list(self.raw, name, self._path)

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
        raw = fields.read_object(self.raw, "rules", self._path, {})
        with fields.within(self.at("rules")):
            return rules_for(raw, players)
