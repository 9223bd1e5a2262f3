"""Reading the fields of a calculator entry: types, tiles, melds. Every refusal names the field as a dotted path.

Knows notation and what is impossible with 72 tiles (GZ-1.1); nothing about settlement or offers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, cast

from app.kernel.errors import MalformedInput
from app.kernel.melds import LateKind, Meld, MeldKind
from app.kernel.tiles import COPIES, SUIT, Tile, format_tiles, parse_tile, parse_tiles
from app.variants.guizhou.rules import Rules, parse_rules
from app.variants.guizhou.winning import TILES

Entry = Mapping[str, object]

_SIZE: Final[dict[str, int]] = {
    "pong": 3, "kong_exposed": 4, "kong_concealed": 4, "kong_added": 4, "kong_late": 4,
}  # fmt: skip
_NOT_GIVEN: Final = object()


def read(entry: Entry, key: str, path: str, default: object = _NOT_GIVEN) -> object:
    """The value of `key`. Raises MalformedInput when it is missing and has no default."""
    value = entry.get(key, default)
    if value is _NOT_GIVEN:
        raise MalformedInput(path + key, "missing")
    return value


def read_entry(entry: Entry, key: str, path: str) -> Entry:
    """An object."""
    value = read(entry, key, path)
    if not isinstance(value, Mapping):
        raise MalformedInput(path + key, f"expected an object, got {type(value).__name__}")
    return cast(Entry, value)


def read_entries(entry: Entry, key: str, path: str) -> tuple[Entry, ...]:
    """A list of objects."""
    items: list[Entry] = []
    for place, value in enumerate(read_list(entry, key, path)):
        if not isinstance(value, Mapping):
            raise MalformedInput(f"{path}{key}[{place}]", f"expected an object, got {type(value).__name__}")
        items.append(cast(Entry, value))
    return tuple(items)


def read_list(entry: Entry, key: str, path: str) -> Sequence[object]:
    """A list of anything."""
    value = read(entry, key, path)
    if not isinstance(value, list | tuple):
        raise MalformedInput(path + key, f"expected a list, got {type(value).__name__}")
    return value


def read_number(entry: Entry, key: str, path: str, low: int, high: int) -> int:
    """A whole number from `low` to `high`."""
    value = read(entry, key, path)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise MalformedInput(path + key, f"expected a whole number from {low} to {high}, got {value!r}")
    return value


def read_seat(entry: Entry, key: str, path: str, players: int) -> int:
    """A seat of this table."""
    return read_number(entry, key, path, 0, players - 1)


def read_flag(entry: Entry, key: str, path: str, default: object = _NOT_GIVEN) -> bool:
    """True or false."""
    value = read(entry, key, path, default)
    if not isinstance(value, bool):
        raise MalformedInput(path + key, f"expected true or false, got {value!r}")
    return value


def read_word(entry: Entry, key: str, path: str, words: Iterable[str]) -> str:
    """One of `words`."""
    value = read(entry, key, path)
    known = tuple(words)
    if not isinstance(value, str) or value not in known:
        raise MalformedInput(path + key, f"expected one of {', '.join(known)}, got {value!r}")
    return value


def in_game(tiles: tuple[Tile, ...], field: str) -> tuple[Tile, ...]:
    """The tiles, if the game has them. Raises MalformedInput naming `field` for 万, winds and dragons."""
    for tile in tiles:
        if tile not in TILES:
            raise MalformedInput(field, f"{tile!r} is no tile of this game")
    return tiles


def read_tiles(entry: Entry, key: str, path: str) -> tuple[Tile, ...]:
    """Tiles as mpsz text."""
    return in_game(parse_tiles(read(entry, key, path), path + key), path + key)


def read_tile(entry: Entry, key: str, path: str) -> Tile:
    """Exactly one tile."""
    return in_game((parse_tile(read(entry, key, path), path + key),), path + key)[0]


def read_tile_or_none(entry: Entry, key: str, path: str) -> Tile | None:
    """One tile, or null."""
    return None if read(entry, key, path) is None else read_tile(entry, key, path)


def waits_text(waits: Iterable[Tile]) -> str:
    """Waits as mpsz text in the order of the case files: 条 before 筒, rank ascending."""
    kinds = tuple(waits)
    return format_tiles([k for k in kinds if SUIT[k] == "s"]) + format_tiles([k for k in kinds if SUIT[k] != "s"])


def read_rules(entry: Entry, path: str, players: int) -> Rules:
    """The options that differ from the default; the number of players stands beside them."""
    raw = read_entry(entry, "rules", path)
    if raw.get("players", players) != players:
        raise MalformedInput(f"{path}rules.players", f"contradicts players {players}")
    try:
        return parse_rules({**raw, "players": players})
    except MalformedInput as error:
        raise MalformedInput(f"{path}rules.{error.field}", error.problem) from error


def read_players(entry: Entry, path: str) -> int:
    """Number of seats, 2 to 4 (GZ-1.2)."""
    return read_number(entry, "players", path, 2, 4)


def read_melds(entry: Entry, path: str, players: int, owner: int | None) -> tuple[Meld, ...]:
    """Own melds. `owner` None: whose they are is not told (list `hands`)."""
    return tuple(
        [
            _read_meld(meld, f"{path}melds[{place}].", players, owner)
            for place, meld in enumerate(read_entries(entry, "melds", path))
        ]
    )


def _read_meld(meld: Entry, path: str, players: int, owner: int | None) -> Meld:
    kind = cast(MeldKind, read_word(meld, "kind", path, _SIZE))
    tiles = read_tiles(meld, "tiles", path)
    if len(tiles) != _SIZE[kind] or len(set(tiles)) != 1:
        raise MalformedInput(f"{path}tiles", f"a {kind} is {_SIZE[kind]} equal tiles")
    late_kind = _read_late_kind(meld, path, kind)
    hidden = kind == "kong_concealed" or late_kind == "concealed"
    if hidden:
        if read(meld, "from", path) is not None:
            raise MalformedInput(f"{path}from", "a concealed kong comes from nobody")
        return Meld(kind, tiles, len(tiles), face_down=True, late_kind=late_kind)
    source = read_seat(meld, "from", path, players)
    if source == owner:
        raise MalformedInput(f"{path}from", "nobody claims his own discard")
    return Meld(kind, tiles, len(tiles), source, tiles[0], late_kind=late_kind)


def _read_late_kind(meld: Entry, path: str, kind: MeldKind) -> LateKind | None:
    if kind == "kong_late":
        return cast(LateKind, read_word(meld, "late_kind", path, ("concealed", "added")))
    if meld.get("late_kind") is not None:
        raise MalformedInput(f"{path}late_kind", f"a {kind} has none")
    return None


class Tally:
    """Counts every copy seen in one entry and refuses the fifth."""

    def __init__(self) -> None:
        self._copies: dict[Tile, int] = {}

    def add(self, tiles: Iterable[Tile], field: str) -> None:
        """Count tiles found at `field`. Raises MalformedInput naming it when a kind has more than four copies."""
        for tile in tiles:
            copies = self._copies[tile] = self._copies.get(tile, 0) + 1
            if copies > COPIES:
                raise MalformedInput(field, f"a fifth copy of {tile}")

    def add_seat(self, hand: Iterable[Tile], melds: tuple[Meld, ...], path: str) -> None:
        """Count a seat's concealed tiles and melds."""
        self.add(hand, f"{path}hand")
        for place, meld in enumerate(melds):
            self.add(meld.tiles, f"{path}melds[{place}].tiles")


def check_size(hand: tuple[Tile, ...], melds: tuple[Meld, ...], size: int, field: str) -> None:
    """Raises MalformedInput unless hand and melds (three each) make `size` tiles."""
    if len(hand) + 3 * len(melds) != size:
        wanted = size - 3 * len(melds)
        raise MalformedInput(field, f"expected {wanted} tiles beside {len(melds)} melds, got {len(hand)}")
