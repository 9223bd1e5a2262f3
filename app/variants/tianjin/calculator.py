"""The calculator behind `mj score`: lists cases, hands, walls, ladder, caps (TJ-22).

Reads an entry strictly, asks the same functions as a live round, and gives plain values. Whatever in an entry is an
answer (`expect`, `out`, `level` …) is never looked at. Impossible input is MalformedInput naming the field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from app.kernel.errors import MalformedInput
from app.kernel.fields import (
    Given,
    TileCount,
    as_object,
    is_whole,
    read,
    read_flag,
    read_list,
    read_number,
    read_object,
    read_objects,
    read_tile,
    read_tiles,
    read_word,
)
from app.kernel.ledger import net, plain_lines
from app.kernel.shapes.counts import hand_of
from app.kernel.tiles import COPIES, Tile
from app.variants.tianjin import scoring, wall
from app.variants.tianjin.entries import get_rules, get_seat, known
from app.variants.tianjin.patterns import breakdown
from app.variants.tianjin.rules import KONG_POINTS, MAX_PULL, OPTIONS, PLAYERS, Rules, ladder_level
from app.variants.tianjin.winning import SETS, Best, Draw, best, may_win, wilds_of

_SEATED: Final = ("setup", "events", "follow", "end", "players", "dealer", "rules")
_HAND: Final = ("hand", "drawn", "melds", "after_kong", "heaven")
_DIE_LOW, _DIE_HIGH = 2, 12


def score(list_name: str, entry: Given) -> dict[str, object]:
    """The result of one entry of a list. Raises MalformedInput naming the list or the field."""
    calculator = _LISTS.get(list_name)
    if calculator is None:
        raise MalformedInput(list_name, f"no such list; known are {', '.join(_LISTS)}")
    return calculator(as_object(entry, ""))


def _cases(entry: Given) -> dict[str, object]:
    known(entry, _SEATED, "")
    if "players" in entry:
        read_number(entry, "players", "", PLAYERS, PLAYERS)
    dealer = get_seat(entry, "dealer")
    rules = get_rules(entry)
    stakes, indicator = _setup(entry, dealer)
    follow = read_flag(entry, "follow", default=False)
    kongs, counted = _kongs(entry, indicator)
    end = read_object(entry, "end")
    winner, reading = _end(end, stakes, indicator, rules, kongs, counted)
    if reading is not None and "tian_he" in reading.patterns and (follow or any(kongs)):
        raise MalformedInput("end.heaven", "nothing can happen before 天和")
    detail = breakdown(reading.patterns) if reading else ()
    names = tuple([tuple([kind for kind, _ in own]) for own in kongs])
    lines = scoring.settle(stakes, scoring.Result(winner, detail, names, follow), rules)
    return {
        "net": list(net(lines, PLAYERS)),
        "next_dealer": scoring.next_dealer(dealer, winner),
        "fan": reading.fan if reading else None,
        "patterns": list(reading.patterns) if reading else [],
        "ledger": plain_lines(lines),
    }


def _setup(entry: Given, dealer: int) -> tuple[scoring.Stakes, Tile]:
    setup = read_object(entry, "setup")
    known(setup, ("sit", "pull", "indicator"), "setup.")
    pull = read(setup, "pull", "setup.")
    if not isinstance(pull, list) or len(pull) != PLAYERS or not all(is_whole(p, 0, MAX_PULL) for p in pull):
        raise MalformedInput("setup.pull", f"expected {PLAYERS} numbers from 0 to {MAX_PULL}")
    if pull[dealer]:
        raise MalformedInput("setup.pull", "the dealer does not pull")
    indicator = read_tile(setup, "indicator", "setup.")
    return scoring.Stakes(dealer, read_flag(setup, "sit", "setup."), tuple(pull)), indicator


Kongs = tuple[tuple[tuple[str, Tile], ...], ...]
"""By seat: (kind, tile) of each kong."""


def _kongs(entry: Given, indicator: Tile) -> tuple[Kongs, TileCount]:
    """Kongs by seat and the tiles they and the indicator use."""
    kongs: list[list[tuple[str, Tile]]] = [[] for _ in range(PLAYERS)]
    counted = TileCount()
    counted.add((indicator,), "indicator")
    for place, event in enumerate(read_objects(entry, "events", default=[])):
        path = f"events[{place}]"
        known(event, ("do", "seat", "tile", "from"), f"{path}.")
        kind, seat = read_word(event, "do", f"{path}.", KONG_POINTS), get_seat(event, "seat", f"{path}.")
        tile = read_tile(event, "tile", f"{path}.")
        _check_source(event, kind, seat, path)
        _check_wild_kong(kind, tile, indicator, f"{path}.tile")
        counted.add([tile] * COPIES, f"{path}.tile")
        kongs[seat].append((kind, tile))
        if len(kongs[seat]) > SETS:
            raise MalformedInput(f"{path}.seat", f"seat {seat} has more than {SETS} kongs")
    return tuple([tuple(own) for own in kongs]), counted


def _check_source(event: Given, kind: str, seat: int, path: str) -> None:
    source = event.get("from")
    if source is not None and (not is_whole(source, 0, PLAYERS - 1) or source == seat):
        raise MalformedInput(f"{path}.from", f"expected another seat, got {source!r}")
    if kind == "kong_exposed" and source is None:
        raise MalformedInput(f"{path}.from", "a kong on a discard has a discarder")
    if kind == "kong_concealed" and source is not None:
        raise MalformedInput(f"{path}.from", "a concealed kong takes nobody's tile")


def _check_wild_kong(kind: str, tile: Tile, indicator: Tile, field: str) -> None:
    """A kong of wilds is always gold, and only they are (TJ-6.3)."""
    if (kind == "kong_gold") != (tile in wilds_of(indicator)):
        raise MalformedInput(field, f"{tile} cannot be a {kind} when {indicator} is the indicator")


def _end(
    end: Given, stakes: scoring.Stakes, indicator: Tile, rules: Rules, kongs: Kongs, counted: TileCount
) -> tuple[int | None, Best | None]:
    """The winner and his reading; (None, None) after exhaustion."""
    if read_word(end, "kind", "end.", ("win", "exhausted")) == "exhausted":
        known(end, ("kind",), "end.")
        return None, None
    known(end, ("kind", "seat", *_HAND), "end.")
    winner = get_seat(end, "seat", "end.")
    draw, melds, missing = _draw(end, indicator, "end.")
    if missing:
        raise MalformedInput("end.hand", f"{abs(missing)} tiles too {'few' if missing > 0 else 'many'}")
    own = Counter([(kind, tiles[0]) for kind, tiles in melds if kind in KONG_POINTS])
    if own != Counter(kongs[winner]):
        raise MalformedInput("end.melds", "the winner's kongs are not those of the events")
    pongs = [tile for kind, tiles in melds if kind == "pong" for tile in tiles]
    counted.add(pongs, "end.melds")
    counted.add(_concealed(end, "end."), "end.hand")
    if draw.heaven and winner != stakes.dealer:
        raise MalformedInput("end.heaven", "only the dealer can win on the deal")
    reading = best(draw)
    if not may_win(reading, rules.kong_bloom_plain):
        raise MalformedInput("end.hand", "this hand cannot win")
    return winner, reading


def _hands(entry: Given) -> dict[str, object]:
    known(entry, ("indicator", "rules", *_HAND), "")
    rules = get_rules(entry)
    indicator = read_tile(entry, "indicator")
    draw, melds, missing = _draw(entry, indicator, "")
    counted = TileCount()
    counted.add((indicator,), "indicator")
    for place, (_, tiles) in enumerate(melds):
        counted.add(tiles, f"melds[{place}].tiles")
    counted.add(_concealed(entry, ""), "hand")
    reading = None if missing else best(draw)
    return {
        "win": may_win(reading, rules.kong_bloom_plain),
        "fan": reading.fan if reading else 0,
        "patterns": list(reading.patterns) if reading else [],
    }


Melds = list[tuple[str, tuple[Tile, ...]]]


def _draw(entry: Given, indicator: Tile, path: str) -> tuple[Draw, Melds, int]:
    """The hand to judge, its melds, and how many tiles it lacks (below zero: has too many)."""
    melds = _melds(entry, indicator, path)
    tiles = _concealed(entry, path)
    after_kong, heaven = read_flag(entry, "after_kong", path, False), read_flag(entry, "heaven", path, False)
    if after_kong and not any(kind in KONG_POINTS for kind, _ in melds):
        raise MalformedInput(f"{path}after_kong", "there is no kong among the melds")
    if heaven and (melds or after_kong):
        raise MalformedInput(f"{path}heaven", "nothing is laid down before 天和")
    missing = 3 * (SETS - len(melds)) + 2 - len(tiles)
    gold = any(kind == "kong_gold" for kind, _ in melds)
    draw = Draw(hand_of(tiles), tiles[-1], len(melds), gold, wilds_of(indicator), after_kong, heaven)
    return draw, melds, missing


def _concealed(entry: Given, path: str) -> tuple[Tile, ...]:
    """The concealed tiles, the drawn one last. Raises for a fifth copy, which the hand's counts cannot hold."""
    drawn = read_tile(entry, "drawn", path)
    tiles = (*read_tiles(entry, "hand", path), drawn)
    TileCount().add(tiles, f"{path}hand")
    return tiles


def _melds(entry: Given, indicator: Tile, path: str) -> Melds:
    melds: Melds = []
    for place, meld in enumerate(read_objects(entry, "melds", path, [])):
        field = f"{path}melds[{place}]"
        known(meld, ("kind", "tiles"), f"{field}.")
        kind = read_word(meld, "kind", f"{field}.", ("pong", *KONG_POINTS))
        tiles = read_tiles(meld, "tiles", f"{field}.")
        if len(tiles) != (3 if kind == "pong" else 4) or len(set(tiles)) != 1:
            raise MalformedInput(f"{field}.tiles", f"not a {kind}")
        _check_wild_kong(kind, tiles[0], indicator, f"{field}.tiles")
        melds.append((kind, tiles))
    if len(melds) > SETS:
        raise MalformedInput(f"{path}melds", f"more than {SETS} melds")
    return melds


def _walls(entry: Given) -> dict[str, object]:
    known(entry, ("dice_dealer", "dice_hun"), "")
    n, m = (read_number(entry, name, "", _DIE_LOW, _DIE_HIGH) for name in ("dice_dealer", "dice_hun"))
    indicator = wall.indicator_index(m)
    return {
        "indicator_index": indicator,
        "indicator_stack": list(wall.stack_at(indicator // 2, n)),
        "first_stack": list(wall.stack_at(0, n)),
        "tail_stack": list(wall.stack_at(wall.STACKS - 1, n)),
        "replacement_order_first_8": list(wall.tail_order(indicator)[:8]),
        "reserve_replacements": wall.reserve(m),
        "live_tiles": indicator,
        "front_draws_if_no_kong": indicator - wall.FIRST_FRONT,
        "undrawn_at_exhaustion_if_no_kong": wall.TILES - indicator,
    }


def _ladder(entry: Given) -> dict[str, object]:
    known(entry, ("points",), "")
    row = ladder_level(read_number(entry, "points"))
    return {"level": row.level, "name": row.name}


def _caps(entry: Given) -> dict[str, object]:
    known(entry, ("in", "cap", "dealer"), "")
    nets = read_list(entry, "in")
    if len(nets) != PLAYERS or not all(is_whole(v) for v in nets) or sum(nets):
        raise MalformedInput("in", f"expected {PLAYERS} whole numbers that add up to 0")
    cap_option = next(option for option in OPTIONS if option.name == "cap")
    cap = read_number(entry, "cap", "", cap_option.low, cap_option.high)
    return {"out": list(scoring.capped(nets, cap, get_seat(entry, "dealer")))}


_LISTS: Final[Mapping[str, Callable[[Given], dict[str, object]]]] = {
    "cases": _cases, "hands": _hands, "walls": _walls, "ladder": _ladder, "caps": _caps,
}  # fmt: skip
