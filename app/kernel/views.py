"""The single choke point of secrecy: the faces of an event, and a viewer's view of a table.

No variant branch may stand here; a variant only states facts (`face_down`, `private`). Law: folding the projected
events of a viewer gives exactly that viewer's view, at every entry boundary.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from app.kernel import events as ev
from app.kernel.errors import InvariantViolation
from app.kernel.seats import EVERYTHING
from app.kernel.shapes.counts import Hand, hand_of, tiles_of
from app.kernel.table import SeatTiles, Shown, TableState, evolve_table

Faces = tuple[int | None, ev.Event | None, ev.Event | None]
"""(owner, the owner's face, everybody else's face); a face None means: gets nothing."""

fold = evolve_table
"""Move a view by a projected event: the same function that moves the table."""


def faces(event: ev.Event) -> Faces:
    """The at most two faces of an event. A public event is its own face, the same object for all."""
    hide = _HIDE.get(type(event))
    return (None, event, event) if hide is None else hide(event)


def is_public_event(event: ev.Event) -> bool:
    """Whether every viewer is sent a face of an event, as in `faces`; no face is made where the type decides."""
    return type(event) not in _MAY_BE_SILENT or faces(event)[2] is not None


def project(event: ev.Event, viewer: int) -> ev.Event | None:
    """What `viewer` (a seat, SPECTATOR or EVERYTHING) is sent of an event; None: nothing."""
    if viewer == EVERYTHING:
        return event
    owner, own, public = faces(event)
    return own if owner == viewer else public


def view(table: TableState, viewer: int) -> TableState:
    """The table as `viewer` sees it."""
    if viewer == EVERYTHING:
        return table
    seats = tuple([_seat_seen(s, place == viewer, table.ending.revealed) for place, s in enumerate(table.seats)])
    t = table
    return TableState(
        t.facts, seats, t.phase, t.turn, t.left, t.tick, t.last, t.laid, t.lines, _shown_seen(t.shown, viewer), t.ending
    )  # fmt: skip


def open_tiles(seen: TableState) -> Hand:
    """Every tile that shows in a view, hands left out: rows, melds (the viewer's own covers too), flips, a laid one."""
    tiles = [tile for seat in seen.seats for tile in seat.row]
    tiles += [tile for seat in seen.seats for meld in seat.melds for tile in meld.tiles]
    tiles += [flip.tile for flip in seen.shown.flips]
    return hand_of(tiles if seen.laid is None else (*tiles, seen.laid.tile))


def reveal(table: TableState, waits: tuple[ev.Tiles | None, ...]) -> ev.HandsRevealed:
    """All hands and melds of a whole table laid open, with each seat's waits. Raises InvariantViolation on a view."""
    hands = tuple([seat.hand for seat in table.seats if seat.hand is not None])
    if len(hands) < len(table.seats):
        raise InvariantViolation("a hidden hand in a full state")
    return ev.HandsRevealed(tuple(map(tiles_of, hands)), tuple([seat.melds for seat in table.seats]), waits)


def _seat_seen(seat: SeatTiles, own: bool, revealed: bool) -> SeatTiles:
    if own:
        return seat
    if revealed:
        return SeatTiles(seat.hand, seat.count, None, seat.melds, seat.row)
    melds = tuple([meld.back() if meld.face_down else meld for meld in seat.melds])
    return SeatTiles(None, seat.count, None, melds, seat.row)


def _shown_seen(shown: Shown, viewer: int) -> Shown:
    marks = tuple([mark for mark in shown.marks if not mark.private or mark.seat == viewer])
    return Shown(shown.dice, shown.flips, shown.answers, shown.passed, marks)


def _started(e: ev.RoundStarted) -> Faces:
    public = ev.RoundStarted(
        e.variant, e.rules, e.rules_version, e.players, e.dealer, e.dealt_at_ms, e.commitment, e.contributions
    )
    return None, public, public


def _dealt(e: ev.HandDealt) -> Faces:
    return e.seat, e, ev.HandDealt(e.seat, e.count)


def _drawn(e: ev.TileDrawn) -> Faces:
    return e.seat, e, ev.TileDrawn(e.seat, e.end, e.replacement, e.left)


def _melded(e: ev.MeldMade) -> Faces:
    if not e.face_down:
        return None, e, e
    return e.seat, e, ev.MeldMade(e.seat, e.meld, "face_down", e.count, e.source, face_down=True)


def _answered(e: ev.Answered) -> Faces:
    return e.seat, e, None


def _hold(e: ev.HoldEnded) -> Faces:
    return None, None, None


def _marked(e: ev.Marked) -> Faces:
    return (e.seat, e, None) if e.private else (None, e, e)


_HIDE: Final[dict[type[Any], Callable[[Any], Faces]]] = {
    ev.RoundStarted: _started,
    ev.HandDealt: _dealt,
    ev.TileDrawn: _drawn,
    ev.MeldMade: _melded,
    ev.Answered: _answered,
    ev.HoldEnded: _hold,
    ev.Marked: _marked,
}
_MAY_BE_SILENT: Final = frozenset({ev.Answered, ev.HoldEnded, ev.Marked})
"""Types of events that have no public face, always or at times."""
