"""Moves within a round, written as events: draw, lay, claim, lock. `offers` judged before whether each is allowed.

Every move is added to an `EntryBuilder`, which folds each event at once, so that a move sees the state before it.
"""

from __future__ import annotations

from app.kernel import events as ev
from app.kernel.melds import Meld, MeldKind
from app.kernel.play.entry import EntryBuilder
from app.kernel.tiles import Tile, sort_tiles
from app.variants.tangshan.offers import LOCK, with_lock
from app.variants.tangshan.scoring import (
    add_lines,
    concealed_kong_lines,
    exposed_kong_lines,
    light_lines,
    pong_lines,
)
from app.variants.tangshan.state import TangshanState, position_of
from app.variants.tangshan.xi import CATEGORY, XI, Xi


def draw(entry: EntryBuilder[TangshanState], seat: int, replacement: bool) -> None:
    """Take the next tile from the front (TS-1.6); any own draw ends the seat's locks (TS-10.4)."""
    state = entry.state
    entry.add(ev.TileDrawn(seat, "head", replacement, state.table.left - 1, state.next_tile))
    if state.table.mark(LOCK, seat) is not None:
        entry.add(ev.Marked(seat, LOCK, None, private=True))


def light(entry: EntryBuilder[TangshanState], seat: int, xi: Xi) -> None:
    """Light a category (亮喜, 走喜): paid at once; winds are replaced (TS-7.2, TS-7.4, TS-3.2, TS-11.10)."""
    rules, tiles = entry.state.rules, XI[xi]
    entry.add(ev.MeldMade(seat, _meld_count(entry, seat), xi, len(tiles), "own", tiles=tiles))
    entry.book(light_lines(seat, rules.players, xi, rules.scoring))
    if xi == "winds":
        draw(entry, seat, replacement=True)


def cover(entry: EntryBuilder[TangshanState], seat: int, tile: Tile) -> None:
    """Lay a triplet face down (扣): no points move before its reveal (TS-6.1, TS-6.3, TS-14.3)."""
    entry.add(ev.MeldMade(seat, _meld_count(entry, seat), "cover", 3, "own", face_down=True, tiles=(tile,) * 3))


def concealed_kong(entry: EntryBuilder[TangshanState], seat: int, tile: Tile) -> None:
    """Kong on an own cover with the fourth tile from the hand (暗杠): revealed, paid at once, replaced (TS-6.5).

    Nobody may rob it, and a win with the replacement is an ordinary one (TS-6.8, TS-14.2).
    """
    place = cover_place(entry.state.table.seats[seat].melds, tile)
    entry.add(ev.MeldExtended(seat, place, "kong_concealed", 4, tile, "own", (tile,) * 4))
    entry.book(concealed_kong_lines(seat, entry.state.rules.players, tile))
    draw(entry, seat, replacement=True)


def exposed_kong(entry: EntryBuilder[TangshanState], seat: int, source: int, tile: Tile) -> None:
    """Kong on an own cover with another's discard (明杠): revealed, paid at once, replaced (TS-6.4)."""
    place = cover_place(entry.state.table.seats[seat].melds, tile)
    entry.add(ev.MeldExtended(seat, place, "kong_exposed", 4, tile, "row", (tile,) * 4, source))
    entry.book(exposed_kong_lines(seat, source, entry.state.rules.players, tile))
    draw(entry, seat, replacement=True)


def lay(entry: EntryBuilder[TangshanState], seat: int, tile: Tile) -> None:
    """Put an addition down for others to rob (抢喜), which is no discard; ends the entry (TS-7.8, TS-14.7)."""
    place, kind = _lit_place(entry, seat, tile)
    entry.add(ev.TileLaid(seat, place, tile, kind))


def add_xi(entry: EntryBuilder[TangshanState], seat: int, tile: Tile, source: ev.Source) -> None:
    """Attach a tile to a lit set (补喜), paid and replaced; `source` laid: the window passed (TS-7.6, TS-4.3)."""
    place, kind = _lit_place(entry, seat, tile)
    tiles = sort_tiles((*entry.state.table.seats[seat].melds[place].tiles, tile))
    entry.add(ev.MeldExtended(seat, place, kind, len(tiles), tile, source, tiles))
    entry.book(add_lines(seat, entry.state.rules.players, tile))
    draw(entry, seat, replacement=True)


def pong(entry: EntryBuilder[TangshanState], seat: int, source: int, tile: Tile, robbed: bool) -> None:
    """Pong (碰) of a discard, or of a robbed addition whose adder pays like a discarder (TS-5.3, TS-7.9)."""
    if robbed:
        entry.add(ev.TileRobbed(source, tile, (seat,), "pong"))
    _take(entry, seat, "pong", (tile,) * 3, source, tile, "laid" if robbed else "row")
    entry.book(pong_lines(seat, source, tile))


def chow(entry: EntryBuilder[TangshanState], seat: int, source: int, tile: Tile, tiles: tuple[Tile, ...]) -> None:
    """Chow (吃): worth nothing (TS-5.5)."""
    _take(entry, seat, "chow", tiles, source, tile, "row")


def pair_claim(entry: EntryBuilder[TangshanState], seat: int, source: int, tile: Tile) -> None:
    """Pair claim (订将): worth nothing, settles the pair (TS-8.1)."""
    _take(entry, seat, "pair_claim", (tile,) * 2, source, tile, "row")


def lock(entry: EntryBuilder[TangshanState], seat: int, tile: Tile) -> None:
    """Lock the line of a tile whose win was offered and not taken, for this seat's eyes only (TS-10.2, TS-10.7)."""
    locked = position_of(entry.state.table, seat).locked
    entry.add(ev.Marked(seat, LOCK, with_lock(locked, tile), private=True))


def cover_place(melds: tuple[Meld, ...], tile: Tile) -> int:
    """Which meld is the un-konged cover of `tile`. Raises ValueError when there is none."""
    return [meld.tiles[0] if meld.kind == "cover" else None for meld in melds].index(tile)


def _meld_count(entry: EntryBuilder[TangshanState], seat: int) -> int:
    return len(entry.state.table.seats[seat].melds)


def _lit_place(entry: EntryBuilder[TangshanState], seat: int, tile: Tile) -> tuple[int, MeldKind]:
    for place, meld in enumerate(entry.state.table.seats[seat].melds):
        if meld.kind == CATEGORY[tile]:
            return place, meld.kind
    raise ValueError(f"seat {seat} has not lit the category of {tile}")


def _take(
    entry: EntryBuilder[TangshanState],
    seat: int,
    kind: MeldKind,
    tiles: tuple[Tile, ...],
    source: int,
    taken: Tile,
    where: ev.Source,
) -> None:
    """The tile leaves the row of its source, and the turn is the claimant's (TS-5.6)."""
    entry.add(ev.MeldMade(seat, _meld_count(entry, seat), kind, len(tiles), where, source, taken, tiles=tiles))
