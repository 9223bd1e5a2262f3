"""Reading what the calculator's lists have alike: tiles of this game, melds, options. Every refusal names the field.

Knows what is impossible with 72 tiles (GZ-1.1); nothing about settlement or offers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, cast

from app.kernel import fields
from app.kernel.errors import MalformedInput
from app.kernel.fields import (
    Given,
    TileCount,
    read,
    read_number,
    read_object,
    read_objects,
    read_seat,
    read_word,
    within,
)
from app.kernel.melds import LateKind, Meld, MeldKind
from app.kernel.tiles import SUIT, Tile, format_tiles
from app.variants.guizhou.rules import Rules, parse_rules
from app.variants.guizhou.winning import TILES

_SIZE: Final[dict[str, int]] = {
    "pong": 3, "kong_exposed": 4, "kong_concealed": 4, "kong_added": 4, "kong_late": 4,
}  # fmt: skip


def in_game(tiles: tuple[Tile, ...], field: str) -> tuple[Tile, ...]:
    """The tiles, if the game has them. Raises MalformedInput naming `field` for 万, winds and dragons."""
    for tile in tiles:
        if tile not in TILES:
            raise MalformedInput(field, f"{tile!r} is no tile of this game")
    return tiles


def read_tiles(entry: Given, key: str, path: str) -> tuple[Tile, ...]:
    """Tiles as mpsz text."""
    return in_game(fields.read_tiles(entry, key, path), path + key)


def read_tile(entry: Given, key: str, path: str) -> Tile:
    """Exactly one tile."""
    return in_game((fields.read_tile(entry, key, path),), path + key)[0]


def read_tile_or_none(entry: Given, key: str, path: str) -> Tile | None:
    """One tile, or null."""
    return None if read(entry, key, path) is None else read_tile(entry, key, path)


def waits_text(waits: Iterable[Tile]) -> str:
    """Waits as mpsz text in the order of the case files: 条 before 筒, rank ascending."""
    kinds = tuple(waits)
    return format_tiles([k for k in kinds if SUIT[k] == "s"]) + format_tiles([k for k in kinds if SUIT[k] != "s"])


def read_rules(entry: Given, path: str, players: int) -> Rules:
    """The options that differ from the default; the number of players stands beside them."""
    raw = read_object(entry, "rules", path)
    if raw.get("players", players) != players:
        raise MalformedInput(f"{path}rules.players", f"contradicts players {players}")
    with within(f"{path}rules"):
        return parse_rules({**raw, "players": players})


def read_players(entry: Given, path: str) -> int:
    """Number of seats, 2 to 4 (GZ-1.2)."""
    return read_number(entry, "players", path, 2, 4)


def read_melds(entry: Given, path: str, players: int, owner: int | None) -> tuple[Meld, ...]:
    """Own melds. `owner` None: whose they are is not told (list `hands`)."""
    return tuple(
        [
            _read_meld(meld, f"{path}melds[{place}].", players, owner)
            for place, meld in enumerate(read_objects(entry, "melds", path))
        ]
    )


def _read_meld(meld: Given, path: str, players: int, owner: int | None) -> Meld:
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


def _read_late_kind(meld: Given, path: str, kind: MeldKind) -> LateKind | None:
    if kind == "kong_late":
        return cast(LateKind, read_word(meld, "late_kind", path, ("concealed", "added")))
    if meld.get("late_kind") is not None:
        raise MalformedInput(f"{path}late_kind", f"a {kind} has none")
    return None


def count_seat(tally: TileCount, hand: Iterable[Tile], melds: tuple[Meld, ...], path: str) -> None:
    """Count a seat's concealed tiles and melds. Raises MalformedInput naming the field at a fifth copy."""
    tally.add(hand, f"{path}hand")
    for place, meld in enumerate(melds):
        tally.add(meld.tiles, f"{path}melds[{place}].tiles")


def check_size(hand: tuple[Tile, ...], melds: tuple[Meld, ...], size: int, field: str) -> None:
    """Raises MalformedInput unless hand and melds (three each) make `size` tiles."""
    if len(hand) + 3 * len(melds) != size:
        wanted = size - 3 * len(melds)
        raise MalformedInput(field, f"expected {wanted} tiles beside {len(melds)} melds, got {len(hand)}")
