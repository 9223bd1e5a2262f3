"""Strict reading of case files that people wrote: one check per field, and every complaint names the field, dotted.

Types, seats, tiles and the four copies of a kind are checked here. The caller defines the fields and their meaning.
Everything that is missing or wrong raises MalformedInput.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import ClassVar, Final, Self, TypeGuard, TypeVar

from app.kernel.errors import MalformedInput
from app.kernel.tiles import COPIES, KINDS, Tile, parse_tile, parse_tiles

Given = Mapping[str, object]
Result = dict[str, object]
R = TypeVar("R")

LABELS: Final = frozenset({"id", "clauses", "note"})
"""Fields that any entry may have and nobody reads."""
ANSWERS: Final = frozenset({"expect", "offer", "ready", "pattern", "level", "name", "out"})
"""Expected answers: allowed in an entry and in all its parts, never read."""
_MISSING: Final = object()


def score_by(lists: Mapping[str, Callable[[Given], Result]], name: str, entry: Given) -> Result:
    """The result of an entry of the list `name`, by the function of that list. Raises MalformedInput."""
    if name not in lists:
        raise MalformedInput("list", f"no such list {name!r}; known are {', '.join(lists)}")
    return lists[name](entry)


def is_whole(value: object, low: int | None = None, high: int | None = None) -> TypeGuard[int]:
    """True for a whole number (never true or false) between the limits, both included."""
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    return (low is None or value >= low) and (high is None or value <= high)


@contextmanager
def within(field: str) -> Iterator[None]:
    """Complaints raised inside are about a part of `field`, and say so."""
    try:
        yield
    except MalformedInput as error:
        raise MalformedInput(f"{field}.{error.field}", error.problem) from error


class TileCount:
    """All tiles one entry speaks of, each counted once: a fifth copy is impossible."""

    def __init__(self) -> None:
        self._seen: Counter[Tile] = Counter()

    def add(self, tiles: Iterable[Tile], field: str) -> None:
        """Count tiles found at `field`. Raises MalformedInput naming it at a fifth copy."""
        for tile in tiles:
            self._seen[tile] += 1
            if self._seen[tile] > COPIES:
                raise MalformedInput(field, f"a fifth copy of {tile}")


class CaseReader:
    """One object of a case file: an entry, or a part of one. A game may add readers of its own fields in a subclass.

    `path`: where the object stands, such as `end` or `events[2]`; empty for the entry itself. `known`: the fields it
    may have beside labels and answers, None for any. `kinds`: the tiles of the game. All parts of an entry share one
    count of tiles.
    """

    kinds: ClassVar[Container[Tile]] = KINDS

    def __init__(
        self, raw: object, path: str = "", known: Iterable[str] | None = None, copies: TileCount | None = None
    ) -> None:
        if not isinstance(raw, Mapping):
            raise MalformedInput(path, f"expected an object, got {type(raw).__name__}")
        self.raw: Given = raw
        self.path = path
        self._copies = TileCount() if copies is None else copies
        if known is not None:
            self.allow(known)

    def allow(self, known: Iterable[str]) -> None:
        """Refuse every field that is neither in `known` nor a label of an entry nor an answer."""
        names = tuple(known)
        for name in self.raw:
            if name not in names and name not in ANSWERS and (self.path or name not in LABELS):
                raise self.wrong(name, f"no such field; known are {', '.join(names)}")

    def at(self, name: str) -> str:
        """The dotted path of a field."""
        return f"{self.path}.{name}" if self.path else name

    def wrong(self, name: str, problem: str) -> MalformedInput:
        """The complaint about a field, to be raised."""
        return MalformedInput(self.at(name), problem)

    def given(self, name: str) -> bool:
        """True when the field is there and not null."""
        return self.raw.get(name) is not None

    def absent(self, *names: str) -> None:
        """Refuse fields that are given although they make no sense here."""
        for name in names:
            if self.given(name):
                raise self.wrong(name, "makes no sense here")

    def value(self, name: str, default: object = _MISSING) -> object:
        """The value as it is, or its default when there is one."""
        value = self.raw.get(name, default)
        if value is _MISSING:
            raise self.wrong(name, "missing")
        return value

    def number(self, name: str, low: int | None = None, high: int | None = None) -> int:
        """A whole number between the limits, both included."""
        value = self.value(name)
        if not is_whole(value, low, high):
            limits = "" if low is None else f" from {low} to {high}"
            raise self.wrong(name, f"expected a whole number{limits}, got {value!r}")
        return value

    def seat(self, name: str, players: int, apart_from: int | None = None) -> int:
        """A seat of a table with this many players, other than `apart_from`."""
        seat = self.number(name, 0, players - 1)
        if seat == apart_from:
            raise self.wrong(name, f"seat {seat} cannot be on both sides")
        return seat

    def flag(self, name: str, default: object = _MISSING) -> bool:
        """True or false."""
        value = self.value(name, default)
        if not isinstance(value, bool):
            raise self.wrong(name, f"expected true or false, got {value!r}")
        return value

    def word(self, name: str, words: Iterable[str]) -> str:
        """One of `words`."""
        value, known = self.value(name), tuple(words)
        if not isinstance(value, str) or value not in known:
            raise self.wrong(name, f"expected one of {', '.join(known)}, got {value!r}")
        return value

    def tile(self, name: str) -> Tile:
        """One tile of the game."""
        return self._of_the_game((parse_tile(self.value(name), self.at(name)),), name)[0]

    def tile_or_none(self, name: str) -> Tile | None:
        """One tile of the game, or null."""
        return None if self.value(name) is None else self.tile(name)

    def tiles(self, name: str) -> tuple[Tile, ...]:
        """Tiles of the game as mpsz text, in the order written."""
        return self._of_the_game(parse_tiles(self.value(name), self.at(name)), name)

    def tile_groups(self, name: str, default: object = _MISSING) -> list[tuple[Tile, ...]]:
        """A list of mpsz texts."""
        fields = [(f"{name}[{place}]", text) for place, text in enumerate(self.items(name, default))]
        return [self._of_the_game(parse_tiles(text, self.at(field)), field) for field, text in fields]

    def count(self, tiles: Iterable[Tile], name: str) -> None:
        """Count tiles that the field speaks of; a fifth copy of a kind in the whole entry is refused."""
        self._copies.add(tiles, self.at(name))

    def items(self, name: str, default: object = _MISSING) -> list[object]:
        """A list of anything."""
        value = self.value(name, default)
        if not isinstance(value, list):
            raise self.wrong(name, f"expected a list, got {type(value).__name__}")
        return value

    def part(self, name: str, known: Iterable[str] | None = None) -> Self:
        """An object inside."""
        return type(self)(self.value(name), self.at(name), known, self._copies)

    def parts(self, name: str, known: Iterable[str] | None = None, default: object = _MISSING) -> list[Self]:
        """A list of objects inside."""
        return [
            type(self)(value, f"{self.at(name)}[{place}]", known, self._copies)
            for place, value in enumerate(self.items(name, default))
        ]

    def options(self, parse: Callable[[Given], R], players: int | None = None, default: object = _MISSING) -> R:
        """The room options in the field `rules`. `players`: the table size that the entry states beside them."""
        raw = CaseReader(self.value("rules", default), self.at("rules")).raw
        if players is None:
            fixed = dict(raw)
        elif raw.get("players", players) == players:
            fixed = {**raw, "players": players}
        else:
            raise self.wrong("rules.players", f"the table has {players}, the option says {raw['players']!r}")
        with within(self.at("rules")):
            return parse(fixed)

    def _of_the_game(self, tiles: tuple[Tile, ...], name: str) -> tuple[Tile, ...]:
        for tile in tiles:
            if tile not in self.kinds:
                raise self.wrong(name, f"{tile!r} is no tile of this game")
        return tiles
