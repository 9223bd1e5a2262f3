"""The end of a round: won, exhausted (流局) or void; the events of its last entry, and the facts for the archive. The
machine decides the kind of end, `scoring` the points.
"""

from __future__ import annotations

from app.kernel import events as ev
from app.kernel.ledger import reversal
from app.kernel.play.entry import EntryBuilder
from app.kernel.shapes.counts import hand_of
from app.kernel.tiles import Tile
from app.kernel.variant import Facts
from app.kernel.views import reveal
from app.variants.tangshan.rules import VOID_CLAUSE
from app.variants.tangshan.scoring import WIN_POINTS, WinReason, cover_lines, waits, win_lines
from app.variants.tangshan.state import TangshanState, position_of
from app.variants.tangshan.winning import groups


def won(
    entry: EntryBuilder[TangshanState],
    seat: int,
    tile: Tile | None,
    origin: ev.Origin,
    source: int | None,
    reason: WinReason,
) -> None:
    """End by a win: the win is paid, all is revealed, then un-konged covers are paid (TS-12.1, TS-12.3, TS-9.9)."""
    state = entry.state
    if origin == "rob_xi" and source is not None and tile is not None:
        entry.add(ev.TileRobbed(source, tile, (seat,), "win"))
    points = WIN_POINTS[reason]
    position = position_of(state.table, seat)
    hand = position.hand if source is None or tile is None else position.hand + hand_of((tile,))
    shown = groups(hand, position.pair_claimed, tile, dear=reason.startswith("win_xi"))
    entry.add(ev.Won(seat, tile, origin, source, points, ev.Reading(((reason, points),), points, shown)))
    entry.book(win_lines(seat, source, state.rules.players, reason))
    _settle(entry, "won", (seat,), seat)


def exhausted(entry: EntryBuilder[TangshanState]) -> None:
    """End without a winner (流局): points booked before stand, covers are paid, the dealer stays (TS-12.2, TS-13.1)."""
    _settle(entry, "exhausted", (), entry.state.table.facts.dealer)


def void(entry: EntryBuilder[TangshanState]) -> None:
    """Undo the round: every line back, nothing counts, the dealer stays (TS-12.4)."""
    entry.book(reversal(entry.state.table.lines, VOID_CLAUSE))
    _reveal(entry)
    _end(entry, "void", (), entry.state.table.facts.dealer)


def _settle(
    entry: EntryBuilder[TangshanState], outcome: ev.Outcome, winners: tuple[int, ...], next_dealer: int
) -> None:
    """Reveal first, then pay the covers: no line of a hidden cover before everybody sees it (TS-14.3, TS-14.6)."""
    _reveal(entry)
    seats = entry.state.table.seats
    covers = [(seat, meld.tiles[0]) for seat, s in enumerate(seats) for meld in s.melds if meld.kind == "cover"]
    entry.book(cover_lines(covers, entry.state.rules.players))
    _end(entry, outcome, winners, next_dealer)


def _reveal(entry: EntryBuilder[TangshanState]) -> None:
    state = entry.state
    entry.add(reveal(state.table, tuple([_waits(state, seat) for seat in range(state.rules.players)])))


def _waits(state: TangshanState, seat: int) -> ev.Tiles | None:
    """The kinds a waiting hand was ready for by draw, None when it was not (TS-9.8)."""
    position = position_of(state.table, seat)
    owned = position.hand + sum(hand_of(meld.tiles) for meld in state.table.seats[seat].melds)
    return tuple([wait.tile for wait in waits(position, owned)]) or None


def _end(entry: EntryBuilder[TangshanState], outcome: ev.Outcome, winners: tuple[int, ...], next_dealer: int) -> None:
    entry.add(ev.RoundEnded(outcome, winners, next_dealer, entry.state.seed, entry.state.wall))


def facts(state: TangshanState) -> Facts:
    """Dealer, next dealer, outcome, the win (seat, origin, source, reason), tiles left; of each seat its melds' kinds.

    Meant for a round that is over; before that `outcome` is null and nothing here may leave the server (TS-14.4).
    """
    table = state.table
    ended = table.ending.ended
    win = table.ending.wins[0] if table.ending.wins else None
    of_round = {
        "dealer": table.facts.dealer,
        "next_dealer": None if ended is None else ended.next_dealer,
        "outcome": None if ended is None else ended.outcome,
        "winner": None if win is None else win.seat,
        "origin": None if win is None else win.origin,
        "source": None if win is None else win.source_seat,
        "reason": None if win is None else win.reading.patterns[0][0],
        "left": table.left,
    }
    return Facts(of_round, tuple([{"melds": [meld.kind for meld in seat.melds]} for seat in table.seats]))
