"""The calculator of 二人雀. List `hands`: what a hand is worth, or what it waits for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from app.kernel.errors import MalformedInput
from app.kernel.fields import Given, TileCount, read, read_objects, read_tile, read_tiles
from app.kernel.melds import Meld
from app.kernel.shapes.counts import hand_of
from app.kernel.tiles import Tile
from tests.variants.fourth.erren.rules import META
from tests.variants.fourth.erren.winning import HAND, fan, reading, waits

_KNOWN: Final = frozenset({"id", "clauses", "note", "expect", "hand", "pongs", "tile"})


def score(name: str, entry: Mapping[str, object]) -> dict[str, object]:
    """Answer one entry of the list `name`. Raises MalformedInput naming the field."""
    if name not in _LISTS:
        raise MalformedInput("list", f"no such list {name!r}; known are {', '.join(_LISTS)}")
    for field in entry:
        if field not in _KNOWN:
            raise MalformedInput(field, f"no such field; known are {', '.join(sorted(_KNOWN))}")
    return _LISTS[name](entry)


def _hands(entry: Given) -> dict[str, object]:
    """Seven tiles and a tile, or with `tile` null the waits (ER-3.1, 3.2)."""
    count, tiles = TileCount(), _of_this_game(read_tiles(entry, "hand"), "hand")
    melds = [Meld("pong", (tile,) * 3, 3) for tile in _pongs(entry)]
    count.add(tiles, "hand")
    for place, meld in enumerate(melds):
        count.add(meld.tiles, f"pongs[{place}].tile")
    if len(tiles) + 3 * len(melds) != HAND:
        raise MalformedInput("hand", f"expected {HAND - 3 * len(melds)} tiles, got {len(tiles)}")
    if read(entry, "tile") is None:
        return {"waits": list(waits(hand_of(tiles), tuple(melds)))}
    tile = _of_this_game((read_tile(entry, "tile"),), "tile")
    count.add(tile, "tile")
    detail = reading(hand_of((*tiles, *tile)), tuple(melds))
    return {"win": detail is not None, "fan": fan(detail or ()), "patterns": [name for name, _ in detail or ()]}


def _pongs(entry: Given) -> list[Tile]:
    found = [read_tile(pong, "tile", f"pongs[{at}].") for at, pong in enumerate(read_objects(entry, "pongs", "", []))]
    return list(_of_this_game(tuple(found), "pongs"))


def _of_this_game(tiles: tuple[Tile, ...], field: str) -> tuple[Tile, ...]:
    for tile in tiles:
        if tile not in META.kinds:
            raise MalformedInput(field, f"{tile} is no tile of this game")
    return tiles


_LISTS: Final[dict[str, Callable[[Given], dict[str, object]]]] = {"hands": _hands}
