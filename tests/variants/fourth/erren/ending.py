"""The end of a round of 二人雀 (ER-1.4, ER-2.4, ER-3.3, ER-3.5, ER-3.6), and its facts for the archive."""

from __future__ import annotations

from app.kernel import events as ev
from app.kernel.errors import InvariantViolation
from app.kernel.ledger import Line, reversal
from app.kernel.play.entry import EntryBuilder
from app.kernel.seats import next_seat
from app.kernel.shapes.counts import EMPTY, ONE
from app.kernel.shapes.sets import divide, group_texts
from app.kernel.tiles import Tile
from app.kernel.variant import Facts
from app.kernel.views import reveal
from tests.variants.fourth.erren.rules import META, PLAYERS
from tests.variants.fourth.erren.state import State
from tests.variants.fourth.erren.winning import DRAW_FACTOR, fan, reading, waits


def won(entry: EntryBuilder[State], seat: int, tile: Tile | None, source: int | None) -> None:
    """A win by draw (`source` None) or on the other's discard."""
    own, rules = entry.state.table.seats[seat], entry.state.rules
    hand = (own.hand or EMPTY) + (ONE[tile] if tile is not None and source is not None else EMPTY)
    detail = reading(hand, own.melds)
    if detail is None:
        raise InvariantViolation("a win was offered without a reading")
    points = fan(detail) * rules.base * (DRAW_FACTOR if source is None else 1)
    texts = group_texts(divide(hand, pair=True) or (), tile)
    origin: ev.Origin = "draw" if source is None else "discard"
    entry.add(ev.Won(seat, tile, origin, source, points, ev.Reading(detail, fan(detail), texts)))
    line = Line("win", "ER-3.3", next_seat(seat, PLAYERS), seat, points, detail)
    _close(entry, "won", (seat,), seat, (line,))


def exhausted(entry: EntryBuilder[State]) -> None:
    """荒庄: the hand that is not ready pays the ready one (ER-2.4, ER-3.5)."""
    state = entry.state
    ready = [bool(found) for found in _waits(state)]
    lines = [
        Line("check", "ER-3.5", next_seat(seat, PLAYERS), seat, state.rules.base)
        for seat in range(PLAYERS)
        if ready[seat] and not ready[next_seat(seat, PLAYERS)]
    ]
    _close(entry, "exhausted", (), state.table.facts.dealer, tuple(lines))


def void(entry: EntryBuilder[State]) -> None:
    """Everything back, the dealer stays (ER-3.6)."""
    table = entry.state.table
    entry.book(reversal(table.lines, META.void_clause))
    entry.add(ev.RoundEnded("void", (), table.facts.dealer, entry.state.seed, entry.state.wall))


def _close(
    entry: EntryBuilder[State], outcome: ev.Outcome, winners: tuple[int, ...], dealer: int, lines: tuple[Line, ...]
) -> None:
    state = entry.state
    entry.add(reveal(state.table, tuple([found or None for found in _waits(state)])))
    entry.book(lines)
    entry.add(ev.RoundEnded(outcome, winners, dealer, state.seed, state.wall))


def _waits(state: State) -> list[ev.Tiles]:
    return [waits(seat.hand or EMPTY, seat.melds) for seat in state.table.seats]


def facts(state: State) -> Facts:
    """Dealer and patterns of the win."""
    wins = state.table.ending.wins
    of_round = {
        "dealer": state.table.facts.dealer,
        "patterns": " ".join(name for name, _ in wins[0].reading.patterns) if wins else None,
    }
    return Facts(of_round, ({},) * state.table.facts.players)
