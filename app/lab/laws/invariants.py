"""Invariants of every entry of a round, in any game. Each returns None, or the first violation in words.

The same functions serve `mj soak` and the law tests. Laws that need a second world (non-interference) are in the tests.
"""

from __future__ import annotations

from typing import Any

from app.kernel import events as ev
from app.kernel.seats import SPECTATOR
from app.kernel.shapes.counts import ONE, Hand, contains, hand_of, size, tiles_of
from app.kernel.table import TableState
from app.kernel.text.notation import plain_event, read_event
from app.kernel.tiles import COPIES, Tile
from app.kernel.variant import Variant
from app.kernel.views import fold, project, view
from app.lab.laws.learning import why_law
from app.lab.laws.rounds import Entry


def first_violation(game: Variant[Any], trace: list[Entry], players: int) -> str | None:
    """All laws below over one round."""
    for name, found in (
        ("fold", fold_law(game, trace)),
        ("view", view_law(trace, players)),
        ("conservation", conservation_law(game, trace)),
        ("hand size", hand_size_law(trace)),
        ("zero sum", zero_law(trace)),
        ("entry shape", shape_law(trace)),
        ("round trip", round_trip_law(trace)),
        ("why not", why_law(game, trace, players)),
    ):
        if found is not None:
            return f"{name}: {found}"
    return None


def fold_law(game: Variant[Any], trace: list[Entry]) -> str | None:
    """Folding the events of every entry gives the state that was played."""
    state = None
    for number, entry in enumerate(trace):
        for event in entry.step.events:
            state = game.evolve(state, event)
        if state != entry.step.state:
            return f"entry {number}: the fold is not the state after {entry.command}"
    return None


def again_law(game: Variant[Any], trace: list[Entry]) -> str | None:
    """Every command, decided again, gives the same step; decisions are a function of the state."""
    for number, entry in enumerate(trace[1:], 1):
        if entry.command is None or game.decisions(entry.before) != entry.open:
            return f"entry {number}: other decisions"
        if game.decide(entry.before, entry.open, entry.command) != entry.step:
            return f"entry {number}: another step after {entry.command}"
    return None


def view_law(trace: list[Entry], players: int) -> str | None:
    """Folding a viewer's events gives the viewer's projection, at every entry boundary; spectators included."""
    for viewer in (*range(players), SPECTATOR):
        seen: TableState | None = None
        for number, entry in enumerate(trace):
            for event in entry.step.events:
                face = project(event, viewer)
                if face is not None:
                    seen = fold(seen, face)
            if seen != view(entry.step.state.table, viewer):
                return f"entry {number}, viewer {viewer}: the folded view differs from the projection"
    return None


def conservation_law(game: Variant[Any], trace: list[Entry]) -> str | None:
    """Each tile that left the wall is in exactly one place; a laid tile is a place; the wall is never overdrawn."""
    whole = COPIES * sum([ONE[kind] for kind in game.meta.kinds])
    gone = 0
    for number, entry in enumerate(trace):
        for event in entry.step.events:
            if isinstance(event, ev.RoundStarted) and hand_of(event.wall or ()) != whole:
                return f"entry {number}: the wall is not whole"
            gone += hand_of(_leaving(event))
        table = entry.step.state.table
        lying = _places(table)
        if lying != gone:
            return f"entry {number}: on the table lie {tiles_of(lying)}, out of the wall came {tiles_of(gone)}"
        if not contains(whole, gone) or table.left > size(whole) - size(gone):
            return f"entry {number}: {table.left} tiles left of {size(whole)} after {size(gone)} are gone"
    return None


def hand_size_law(trace: list[Entry]) -> str | None:
    """A seat's tiles, melds counted three each (a settled pair two), are the dealt number: one more for the seat that
    moves.

    Checked between a seat's first and last tile; the seat that laid a tile down misses it.
    """
    sizes: tuple[int, ...] = ()
    for number, entry in enumerate(trace):
        table: TableState = entry.step.state.table
        if any(seat.count != size(seat.hand or 0) for seat in table.seats):
            return f"entry {number}: a hand and its count differ"
        if table.phase in ("deal", "answers", "over") or table.ending.revealed or table.ending.wins:
            continue
        found = tuple([_full_size(table, place) for place in range(len(table.seats))])
        sizes = sizes or (min(found),)
        mover = table.turn if table.phase == "turn" and table.last is None and table.laid is None else None
        for place, tiles in enumerate(found):
            extra = tiles - sizes[0]
            if extra != (place == mover) and not (table.phase == "opening" and 0 <= extra <= 1):
                return f"entry {number}: seat {place} holds {tiles} tiles, expected {sizes[0] + (place == mover)}"
    return None


def zero_law(trace: list[Entry]) -> str | None:
    """Points go from one seat to another: at every moment they add up to nought."""
    for number, entry in enumerate(trace):
        if sum(entry.step.state.table.points) != 0:
            return f"entry {number}: {entry.step.state.table.points}"
    return None


def shape_law(trace: list[Entry]) -> str | None:
    """A discard or a laid tile ends its entry (a `Marked` may follow), and a window with a hold stands after it."""
    for number, entry in enumerate(trace):
        for place, event in enumerate(entry.step.events):
            if isinstance(event, ev.TileDiscarded | ev.TileLaid):
                if not all(isinstance(later, ev.Marked) for later in entry.step.events[place + 1 :]):
                    return f"entry {number} goes on after {event}"
                if not entry.after or entry.after[-1].seat is not None:
                    return f"entry {number} opens no hold"
    return None


def round_trip_law(trace: list[Entry]) -> str | None:
    """Every event survives its plain form."""
    for number, entry in enumerate(trace):
        for event in entry.step.events:
            if read_event(plain_event(event)) != event:
                return f"entry {number}: {event} is read back as another event"
    return None


def _full_size(table: TableState, place: int) -> int:
    seat = table.seats[place]
    return seat.count + sum([2 if meld.kind == "pair_claim" else 3 for meld in seat.melds])


def _places(table: TableState) -> Hand:
    """Every tile on the table: hands, melds, rows, flips, and one that is laid down to be robbed."""
    found = 0 if table.laid is None else ONE[table.laid.tile]
    for flip in table.shown.flips:
        found += ONE[flip.tile]
    for seat in table.seats:
        found += (seat.hand or 0) + hand_of(seat.row)
        for meld in seat.melds:
            found += hand_of(meld.tiles)
    return found


def _leaving(event: ev.Event) -> tuple[Tile, ...]:
    """Tiles that leave the wall by this event."""
    match event:
        case ev.HandDealt():
            return event.tiles
        case ev.TileDrawn() | ev.TileFlipped():
            return () if event.tile is None else (event.tile,)
        case _:
            return ()
