"""The open state of the table, and the one fold that moves it: tiles, melds, rows, points, marks, phases.

The same type and the same `evolve_table` serve the full state and every viewer's view (a hidden hand is None with a
count), so client and server cannot drift apart. No judgement, no wall, no rules of a game: a variant keeps those.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from app.kernel import events as ev
from app.kernel.errors import InvariantViolation
from app.kernel.immutable import immutable
from app.kernel.ledger import Line, net
from app.kernel.melds import Meld
from app.kernel.shapes.counts import EMPTY, ONE, SHIFT, Hand, hand_of
from app.kernel.tiles import Tile


@immutable
class SeatTiles:
    """One seat. `hand` None: hidden, `count` tiles. `drawn`: the tile drawn last, while it is still in hand."""

    hand: Hand | None
    count: int
    drawn: Tile | None
    melds: tuple[Meld, ...]
    row: tuple[Tile, ...]


@immutable
class RoundFacts:
    """Facts settled before the first tile: the same for every viewer, all round long."""

    variant: str
    rules: tuple[tuple[str, ev.Value], ...]
    rules_version: int
    players: int
    dealer: int
    dealt_at_ms: int
    commitment: str
    contributions: tuple[str, ...]


@immutable
class Mark:
    """A fact of one game; `seat` None concerns all. Private ones are seen by their seat only."""

    seat: int | None
    name: str
    value: ev.Value
    private: bool


@immutable
class Shown:
    """Open facts that change rarely: dice, flipped tiles, revealed answers, marks."""

    dice: tuple[ev.DiceRolled, ...] = ()
    flips: tuple[ev.TileFlipped, ...] = ()
    answers: tuple[ev.AnswersRevealed, ...] = ()
    passed: tuple[int, ...] = ()
    marks: tuple[Mark, ...] = ()


@immutable
class Ending:
    """The end of the round, as far as events have stated it."""

    wins: tuple[ev.Won, ...] = ()
    revealed: bool = False
    waits: tuple[ev.Tiles | None, ...] = ()
    ended: ev.RoundEnded | None = None


@immutable
class TableState:
    """The table, whole or as a viewer sees it. `tick` counts events that everybody saw (decision ids rest on it).

    `last` is the discard that nobody has claimed yet (seat, tile), `laid` a tile that may be robbed.
    """

    facts: RoundFacts
    seats: tuple[SeatTiles, ...]
    phase: ev.Phase
    turn: int | None
    left: int
    tick: int
    last: tuple[int, Tile] | None
    laid: ev.TileLaid | None
    lines: tuple[Line, ...]
    shown: Shown
    ending: Ending

    @property
    def points(self) -> tuple[int, ...]:
        """Per-seat sum of the lines booked so far in this round."""
        return net(self.lines, self.facts.players)

    def mark(self, name: str, seat: int | None = None) -> ev.Value:
        """The value of a mark, None when it is not set (or not seen)."""
        for mark in self.shown.marks:
            if mark.name == name and mark.seat == seat:
                return mark.value
        return None


NO_SHOWN: Final = Shown()
NO_ENDING: Final = Ending()
_EMPTY_SEAT: Final = SeatTiles(None, 0, None, (), ())


def evolve_table(table: TableState | None, event: ev.Event) -> TableState:
    """Apply one event, or one event's face, to the table or to a view of it. Total for every reachable pair.

    Raises InvariantViolation when the first event is not `RoundStarted`.
    """
    if table is None:
        if type(event) is not ev.RoundStarted:
            raise InvariantViolation(f"a round starts with RoundStarted, not {type(event).__name__}")
        return _round_started(event)
    return _EVOLVE[type(event)](table, event)


def _round_started(e: ev.RoundStarted) -> TableState:
    facts = RoundFacts(
        e.variant, e.rules, e.rules_version, e.players, e.dealer, e.dealt_at_ms, e.commitment, e.contributions
    )
    return TableState(facts, (_EMPTY_SEAT,) * e.players, "deal", None, 0, 1, None, None, (), NO_SHOWN, NO_ENDING)


def _with(
    t: TableState, seats: tuple[SeatTiles, ...], turn: int | None, left: int, last: tuple[int, Tile] | None,
    laid: ev.TileLaid | None,
) -> TableState:  # fmt: skip
    """Next table after a tile moved: everything that tiles do not touch stays."""
    return TableState(
        t.facts, seats, t.phase, turn, left, t.tick + 1, last, laid, t.lines, t.shown, t.ending
    )  # fmt: skip


def _seat_put(seats: tuple[SeatTiles, ...], place: int, seat: SeatTiles) -> tuple[SeatTiles, ...]:
    changed = list(seats)  # a third of the time of putting slices together
    changed[place] = seat
    return tuple(changed)


def _still(hand: Hand | None, drawn: Tile | None) -> Tile | None:
    """The drawn tile counts as in hand while any tile of its kind is (TS-4.4)."""
    if hand is None or drawn is None or not (hand >> SHIFT[drawn]) & 7:
        return None
    return drawn


def _phase(t: TableState, e: ev.PhaseBegan) -> TableState:
    return TableState(t.facts, t.seats, e.phase, e.seat, e.left, t.tick + 1, t.last, t.laid, t.lines, t.shown, t.ending)


def _shown(t: TableState, shown: Shown, left: int, tick: int) -> TableState:
    return TableState(t.facts, t.seats, t.phase, t.turn, left, tick, t.last, t.laid, t.lines, shown, t.ending)


def _dice(t: TableState, e: ev.DiceRolled) -> TableState:
    s = t.shown
    return _shown(t, Shown((*s.dice, e), s.flips, s.answers, s.passed, s.marks), t.left, t.tick + 1)


def _flipped(t: TableState, e: ev.TileFlipped) -> TableState:
    s = t.shown
    return _shown(t, Shown(s.dice, (*s.flips, e), s.answers, s.passed, s.marks), e.left, t.tick + 1)


def _revealed_answers(t: TableState, e: ev.AnswersRevealed) -> TableState:
    s = t.shown
    return _shown(t, Shown(s.dice, s.flips, (*s.answers, e), s.passed, s.marks), t.left, t.tick + 1)


def _passed(t: TableState, e: ev.SeatPassed) -> TableState:
    s = t.shown
    return _shown(t, Shown(s.dice, s.flips, s.answers, (*s.passed, e.seat), s.marks), t.left, t.tick + 1)


def _marked(t: TableState, e: ev.Marked) -> TableState:
    s = t.shown
    kept = tuple([m for m in s.marks if m.name != e.mark or m.seat != e.seat])
    marks = kept if e.value is None else (*kept, Mark(e.seat, e.mark, e.value, e.private))
    return _shown(t, Shown(s.dice, s.flips, s.answers, s.passed, marks), t.left, t.tick + (not e.private))


def _dealt(t: TableState, e: ev.HandDealt) -> TableState:
    seat = SeatTiles(hand_of(e.tiles) if e.tiles else None, e.count, e.drawn, (), ())
    return _with(t, _seat_put(t.seats, e.seat, seat), t.turn, t.left, t.last, t.laid)


def _drawn(t: TableState, e: ev.TileDrawn) -> TableState:
    s = t.seats[e.seat]
    hand = None if s.hand is None or e.tile is None else s.hand + ONE[e.tile]
    seat = SeatTiles(hand, s.count + 1, e.tile, s.melds, s.row)
    return _with(t, _seat_put(t.seats, e.seat, seat), e.seat, e.left, None, None)


def _discarded(t: TableState, e: ev.TileDiscarded) -> TableState:
    s = t.seats[e.seat]
    hand = None if s.hand is None else s.hand - ONE[e.tile]
    seat = SeatTiles(hand, s.count - 1, None, s.melds, (*s.row, e.tile))
    return _with(t, _seat_put(t.seats, e.seat, seat), e.seat, t.left, (e.seat, e.tile), None)


def _laid(t: TableState, e: ev.TileLaid) -> TableState:
    s = t.seats[e.seat]
    hand = None if s.hand is None else s.hand - ONE[e.tile]
    seat = SeatTiles(hand, s.count - 1, _still(hand, s.drawn), s.melds, s.row)
    return _with(t, _seat_put(t.seats, e.seat, seat), e.seat, t.left, None, e)


def _without_taken(seats: tuple[SeatTiles, ...], source_seat: int) -> tuple[SeatTiles, ...]:
    """Take the last tile off a row: only the discard of this moment is ever claimed."""
    s = seats[source_seat]
    return _seat_put(seats, source_seat, SeatTiles(s.hand, s.count, s.drawn, s.melds, s.row[:-1]))


def _melded(t: TableState, e: ev.MeldMade) -> TableState:
    seats = _without_taken(t.seats, e.source_seat) if e.source == "row" and e.source_seat is not None else t.seats
    s = seats[e.seat]
    given = e.count if e.source == "own" else e.count - 1
    hand = s.hand
    if hand is not None:
        hand -= hand_of(e.tiles) - (0 if e.taken is None else ONE[e.taken])
    meld = Meld(e.kind, e.tiles, e.count, e.source_seat, e.taken, e.face_down)
    seat = SeatTiles(hand, s.count - given, _still(hand, s.drawn), (*s.melds, meld), s.row)
    return _with(t, _seat_put(seats, e.seat, seat), e.seat, t.left, None, None)


def _extended(t: TableState, e: ev.MeldExtended) -> TableState:
    seats = _without_taken(t.seats, e.source_seat) if e.source == "row" and e.source_seat is not None else t.seats
    s = seats[e.seat]
    own = e.source == "own"
    hand = s.hand - ONE[e.tile] if own and s.hand is not None else s.hand
    before = s.melds[e.meld]
    source = before.source_seat if e.source_seat is None else e.source_seat
    taken = e.tile if e.source == "row" else before.taken
    meld = Meld(e.kind, e.tiles, e.count, source, taken, False)
    melds = (*s.melds[: e.meld], meld, *s.melds[e.meld + 1 :])
    seat = SeatTiles(hand, s.count - own, _still(hand, s.drawn), melds, s.row)
    return _with(t, _seat_put(seats, e.seat, seat), e.seat, t.left, None, None)


def _points(t: TableState, e: ev.PointsMoved) -> TableState:
    return TableState(
        t.facts, t.seats, t.phase, t.turn, t.left, t.tick + 1, t.last, t.laid, t.lines + e.lines, t.shown, t.ending
    )  # fmt: skip


def _ending(t: TableState, seats: tuple[SeatTiles, ...], phase: ev.Phase, ending: Ending) -> TableState:
    return TableState(t.facts, seats, phase, t.turn, t.left, t.tick + 1, t.last, t.laid, t.lines, t.shown, ending)


def _won(t: TableState, e: ev.Won) -> TableState:
    end = t.ending
    return _ending(t, t.seats, t.phase, Ending((*end.wins, e), end.revealed, end.waits, end.ended))


def _hands(t: TableState, e: ev.HandsRevealed) -> TableState:
    seats = tuple(
        [
            SeatTiles(hand_of(tiles) if tiles else EMPTY, len(tiles), s.drawn, melds, s.row)
            for s, tiles, melds in zip(t.seats, e.hands, e.melds, strict=True)
        ]
    )
    return _ending(t, seats, t.phase, Ending(t.ending.wins, True, e.waits, t.ending.ended))


def _ended(t: TableState, e: ev.RoundEnded) -> TableState:
    return _ending(t, t.seats, "over", Ending(t.ending.wins, t.ending.revealed, t.ending.waits, e))


def _same_table(t: TableState, e: ev.Event) -> TableState:
    """Answers and holds are not on the table; a variant keeps them in its window."""
    return t


def _robbed(t: TableState, e: ev.TileRobbed) -> TableState:
    return _with(t, t.seats, t.turn, t.left, None, t.laid)


_EVOLVE: Final[dict[type[Any], Callable[[TableState, Any], TableState]]] = {
    ev.PhaseBegan: _phase,
    ev.DiceRolled: _dice,
    ev.HandDealt: _dealt,
    ev.TileFlipped: _flipped,
    ev.TileDrawn: _drawn,
    ev.TileDiscarded: _discarded,
    ev.TileLaid: _laid,
    ev.TileRobbed: _robbed,
    ev.MeldMade: _melded,
    ev.MeldExtended: _extended,
    ev.Answered: _same_table,
    ev.HoldEnded: _same_table,
    ev.AnswersRevealed: _revealed_answers,
    ev.SeatPassed: _passed,
    ev.Marked: _marked,
    ev.PointsMoved: _points,
    ev.Won: _won,
    ev.HandsRevealed: _hands,
    ev.RoundEnded: _ended,
}
