"""What the archive keeps of a finished round beside points and record: plain values, known to this game only."""

from __future__ import annotations

from collections.abc import Mapping

from app.variants.tangshan.state import State


def facts(state: State) -> Mapping[str, object]:
    """Dealer, next dealer, outcome, the win (seat, origin, source, reason), kinds of melds by seat, wall tiles left.

    Meant for a round that is over; before that `outcome` is null and nothing here may leave the server (TS-14.4).
    """
    table = state.table
    ended = table.ending.ended
    win = table.ending.wins[0] if table.ending.wins else None
    return {
        "dealer": table.facts.dealer,
        "next_dealer": None if ended is None else ended.next_dealer,
        "outcome": None if ended is None else ended.outcome,
        "winner": None if win is None else win.seat,
        "origin": None if win is None else win.origin,
        "source": None if win is None else win.source_seat,
        "reason": None if win is None else win.reading.patterns[0][0],
        "melds": [[meld.kind for meld in seat.melds] for seat in table.seats],
        "left": table.left,
    }
