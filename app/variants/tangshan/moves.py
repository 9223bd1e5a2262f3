"""Moves of a round written as events: draw, lay, claim, end. Whether a move is allowed was judged before (`position`).

Every move is added to an `Entry`, which folds as it goes, so a move always sees the state it stands on.
"""

from __future__ import annotations

from app.kernel import events as ev
from app.kernel.entry import Entry
from app.kernel.ledger import reversal
from app.kernel.melds import Meld, MeldKind
from app.kernel.shapes.counts import hand_of
from app.kernel.tiles import Tile, sort_tiles
from app.kernel.views import reveal
from app.variants.tangshan.position import LOCK, seat_position, with_lock
from app.variants.tangshan.rules import VOID_CLAUSE
from app.variants.tangshan.scoring import (
    WIN_POINTS,
    WinReason,
    add_lines,
    concealed_kong_lines,
    cover_lines,
    exposed_kong_lines,
    light_lines,
    pong_lines,
    waits,
    win_lines,
)
from app.variants.tangshan.state import State
from app.variants.tangshan.winning import groups
from app.variants.tangshan.xi import CATEGORY, XI, Xi


def draw(entry: Entry[State], seat: int, replacement: bool) -> None:
    """Take the next tile from the front (TS-1.6); any own draw ends the seat's locks (TS-10.4)."""
    state = entry.state
    entry.add(ev.TileDrawn(seat, "head", replacement, state.table.left - 1, state.next_tile))
    if state.table.mark(LOCK, seat) is not None:
        entry.add(ev.Marked(seat, LOCK, None, private=True))


def light(entry: Entry[State], seat: int, xi: Xi) -> None:
    """Light a category (亮喜, 走喜): paid at once; winds are replaced (TS-7.2, TS-7.4, TS-3.2, TS-11.10)."""
    rules, tiles = entry.state.rules, XI[xi]
    entry.add(ev.MeldMade(seat, _meld_count(entry, seat), xi, len(tiles), "own", tiles=tiles))
    entry.book(light_lines(seat, rules.players, xi, rules.scoring))
    if xi == "winds":
        draw(entry, seat, replacement=True)


def cover(entry: Entry[State], seat: int, tile: Tile) -> None:
    """Lay a triplet face down (扣): no points move before its reveal (TS-6.1, TS-6.3, TS-14.3)."""
    entry.add(ev.MeldMade(seat, _meld_count(entry, seat), "cover", 3, "own", face_down=True, tiles=(tile,) * 3))


def concealed_kong(entry: Entry[State], seat: int, tile: Tile) -> None:
    """Kong on an own cover with the fourth tile from the hand (暗杠): revealed, paid at once, replaced (TS-6.5)."""
    place = cover_place(entry.state.table.seats[seat].melds, tile)
    entry.add(ev.MeldExtended(seat, place, "kong_concealed", 4, tile, "own", (tile,) * 4))
    entry.book(concealed_kong_lines(seat, entry.state.rules.players, tile))
    draw(entry, seat, replacement=True)


def exposed_kong(entry: Entry[State], seat: int, source: int, tile: Tile) -> None:
    """Kong on an own cover with another's discard (明杠): revealed, paid at once, replaced (TS-6.4)."""
    place = cover_place(entry.state.table.seats[seat].melds, tile)
    entry.add(ev.MeldExtended(seat, place, "kong_exposed", 4, tile, "row", (tile,) * 4, source))
    entry.book(exposed_kong_lines(seat, source, entry.state.rules.players, tile))
    draw(entry, seat, replacement=True)


def lay(entry: Entry[State], seat: int, tile: Tile) -> None:
    """Put an addition down for others to rob (抢喜); ends the entry (TS-7.8)."""
    place, kind = _lit_place(entry, seat, tile)
    entry.add(ev.TileLaid(seat, place, tile, kind))


def add_xi(entry: Entry[State], seat: int, tile: Tile, source: ev.Source) -> None:
    """Attach a tile to a lit set (补喜), paid and replaced; `source` laid: the window passed (TS-7.6, TS-4.3)."""
    place, kind = _lit_place(entry, seat, tile)
    tiles = sort_tiles((*entry.state.table.seats[seat].melds[place].tiles, tile))
    entry.add(ev.MeldExtended(seat, place, kind, len(tiles), tile, source, tiles))
    entry.book(add_lines(seat, entry.state.rules.players, tile))
    draw(entry, seat, replacement=True)


def pong(entry: Entry[State], seat: int, source: int, tile: Tile, robbed: bool) -> None:
    """Pong (碰) of a discard, or of a robbed addition whose adder pays like a discarder (TS-5.3, TS-7.9)."""
    if robbed:
        entry.add(ev.TileRobbed(source, tile, (seat,), "pong"))
    _take(entry, seat, "pong", (tile,) * 3, source, tile, "laid" if robbed else "row")
    entry.book(pong_lines(seat, source, tile))


def chow(entry: Entry[State], seat: int, source: int, tile: Tile, tiles: tuple[Tile, ...]) -> None:
    """Chow (吃): worth nothing (TS-5.5)."""
    _take(entry, seat, "chow", tiles, source, tile, "row")


def pair_claim(entry: Entry[State], seat: int, source: int, tile: Tile) -> None:
    """Pair claim (订将): worth nothing, settles the pair (TS-8.1)."""
    _take(entry, seat, "pair_claim", (tile,) * 2, source, tile, "row")


def lock(entry: Entry[State], seat: int, tile: Tile) -> None:
    """Lock the line of a tile whose win was offered and not taken, for this seat's eyes only (TS-10.2, TS-10.7)."""
    locked = seat_position(entry.state.table, seat).locked
    entry.add(ev.Marked(seat, LOCK, with_lock(locked, tile), private=True))


def won(
    entry: Entry[State], seat: int, tile: Tile | None, origin: ev.Origin, source: int | None, reason: WinReason
) -> None:
    """End by a win: the win is paid, all is revealed, then un-konged covers are paid (TS-12.1, TS-12.3, TS-9.9)."""
    state = entry.state
    if origin == "rob_xi" and source is not None and tile is not None:
        entry.add(ev.TileRobbed(source, tile, (seat,), "win"))
    points = WIN_POINTS[reason]
    p = seat_position(state.table, seat)
    hand = p.hand if source is None or tile is None else p.hand + hand_of((tile,))
    shown = groups(hand, p.pair_claimed, tile, dear=reason.startswith("win_xi"))
    entry.add(ev.Won(seat, tile, origin, source, points, ev.Reading(((reason, points),), points, shown)))
    entry.book(win_lines(seat, source, state.rules.players, reason))
    _settle(entry, "won", (seat,), seat)


def exhausted(entry: Entry[State]) -> None:
    """End without a winner (流局): points booked before stand, covers are paid, the dealer stays (TS-12.2, TS-13.1)."""
    _settle(entry, "exhausted", (), entry.state.table.facts.dealer)


def void(entry: Entry[State]) -> None:
    """Undo the round: every line back, nothing counts, the dealer stays (TS-12.4)."""
    entry.book(reversal(entry.state.table.lines, VOID_CLAUSE))
    _reveal(entry)
    _end(entry, "void", (), entry.state.table.facts.dealer)


def cover_place(melds: tuple[Meld, ...], tile: Tile) -> int:
    """Which meld is the un-konged cover of `tile`. Raises ValueError when there is none."""
    return [meld.tiles[0] if meld.kind == "cover" else None for meld in melds].index(tile)


def _settle(entry: Entry[State], outcome: ev.Outcome, winners: tuple[int, ...], next_dealer: int) -> None:
    """Reveal first, then pay the covers: no line of a hidden cover before everybody sees it (TS-14.3)."""
    _reveal(entry)
    seats = entry.state.table.seats
    covers = [(seat, meld.tiles[0]) for seat, s in enumerate(seats) for meld in s.melds if meld.kind == "cover"]
    entry.book(cover_lines(covers, entry.state.rules.players))
    _end(entry, outcome, winners, next_dealer)


def _reveal(entry: Entry[State]) -> None:
    state = entry.state
    entry.add(reveal(state.table, tuple([_waits(state, seat) for seat in range(state.rules.players)])))


def _waits(state: State, seat: int) -> ev.Tiles | None:
    """The kinds a waiting hand was ready for by draw, None when it was not (TS-9.8)."""
    p = seat_position(state.table, seat)
    owned = p.hand + sum(hand_of(meld.tiles) for meld in state.table.seats[seat].melds)
    return tuple([wait.tile for wait in waits(p, owned)]) or None


def _end(entry: Entry[State], outcome: ev.Outcome, winners: tuple[int, ...], next_dealer: int) -> None:
    entry.add(ev.RoundEnded(outcome, winners, next_dealer, entry.state.seed, entry.state.wall))


def _meld_count(entry: Entry[State], seat: int) -> int:
    return len(entry.state.table.seats[seat].melds)


def _lit_place(entry: Entry[State], seat: int, tile: Tile) -> tuple[int, MeldKind]:
    for place, meld in enumerate(entry.state.table.seats[seat].melds):
        if meld.kind == CATEGORY[tile]:
            return place, meld.kind
    raise ValueError(f"seat {seat} has not lit the category of {tile}")


def _take(
    entry: Entry[State], seat: int, kind: MeldKind, tiles: tuple[Tile, ...], source: int, taken: Tile, where: ev.Source
) -> None:
    entry.add(ev.MeldMade(seat, _meld_count(entry, seat), kind, len(tiles), where, source, taken, tiles=tiles))
