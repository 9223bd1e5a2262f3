"""The end of a round (终局): won, exhausted (荒庄) or void; the events of its last entry, and facts for the archive.

This module builds the final position for `scoring.settle`. The machine decides the kind of end.
"""

from __future__ import annotations

from typing import Final

from app.kernel import events as ev
from app.kernel.ledger import Detail
from app.kernel.play.entry import EntryBuilder
from app.kernel.shapes.counts import EMPTY, ONE, kinds_of
from app.kernel.tiles import Tile
from app.kernel.variant import Facts
from app.kernel.views import reveal
from app.variants.guizhou.offers import earth, heaven
from app.variants.guizhou.scoring import (
    By,
    FinalPosition,
    FinalSeat,
    Settlement,
    Win,
    Winner,
    hand_factor,
    settle,
    sha_ting,
    winning_hand,
)
from app.variants.guizhou.state import (
    CHARGE,
    DUTY,
    WEEKDAY,
    GuizhouState,
    decided_firsts,
    declared,
    next_tile,
    position_of,
)
from app.variants.guizhou.winning import SEVEN_PAIRS, PatternName, groups, laid_of, waits_of

_ORIGIN: Final[dict[str, ev.Origin]] = {
    "draw": "draw", "kong_draw": "kong_draw", "discard": "discard", "rob_kong": "rob_kong",
}  # fmt: skip


def own_win(state: GuizhouState, seat: int) -> Win:
    """自摸, 杠开 or 天胡 of the seat in turn. 天胡 has no winning tile: any of the 14 serves as one."""
    position = position_of(state.table, seat, ())
    tile = kinds_of(position.hand)[-1] if position.drawn is None else position.drawn
    by: By = "kong_draw" if state.replaced else "draw"
    return Win(by, tile, (Winner(seat, earth(position)),), None, False, heaven(position))


def claimed_win(state: GuizhouState, seats: tuple[int, ...], tile: Tile, source_seat: int, robbed: bool) -> Win:
    """接炮 or 抢杠胡 by `seats`, in turn order after the source (GZ-6.1)."""
    winners = tuple([Winner(seat, earth(position_of(state.table, seat, ()))) for seat in seats])
    return Win("rob_kong" if robbed else "discard", tile, winners, source_seat, state.hot and not robbed, False)


def won(entry: EntryBuilder[GuizhouState], win: Win) -> None:
    """Winners, one flip (GZ-15.1), hands, points, end; 责任 marks must already be on the table.

    Won tiles stay where they lie; the flipped tile belongs to nobody (GZ-15.3).
    """
    state = entry.state
    flip = (ev.TileFlipped("flip", next_tile(state), state.table.left - 1),) if state.table.left else ()
    final = _final(state, win, flip[0].tile if flip else None)
    result = settle(final)
    for place, winner in enumerate(win.winners):
        patterns, value = _reading(final, win, result, place)
        tile = None if win.heaven else win.tile
        shown = ev.Reading(patterns, value, _groups(final, win, winner.seat, result.patterns[place]))
        entry.add(ev.Won(winner.seat, tile, _ORIGIN[win.by], win.source_seat, value * final.rules.base, shown))
    entry.add(*flip)
    _close(entry, final, result, "won", tuple([winner.seat for winner in win.winners]))


def exhausted(entry: EntryBuilder[GuizhouState]) -> None:
    """荒庄: hands, 查叫, end (GZ-16.1)."""
    final = _final(entry.state, None, None)
    _close(entry, final, settle(final), "exhausted", ())


def void(entry: EntryBuilder[GuizhouState]) -> None:
    """A dissolved round books nothing (GZ-17.2), and nothing was booked before; the same dealer deals again."""
    _end(entry, "void", (), entry.state.table.facts.dealer)


def _groups(final: FinalPosition, win: Win, seat: int, name: PatternName) -> tuple[str, ...]:
    hand = winning_hand(final.seats[seat], win.tile)
    return groups(hand, None if win.heaven else win.tile, name in SEVEN_PAIRS)


def _reading(final: FinalPosition, win: Win, result: Settlement, place: int) -> tuple[Detail, int]:
    """Patterns with bonuses and what one payer owes before 底分; 杀听 is named where there is one payer only."""
    detail = result.details[place]
    if win.source_seat is not None and final.seats[win.source_seat].declared:
        detail = (*detail, *sha_ting(final.rules))
    return detail, sum([amount for _, amount in detail]) * hand_factor(final.rules, win)


def _close(
    entry: EntryBuilder[GuizhouState],
    final: FinalPosition,
    result: Settlement,
    outcome: ev.Outcome,
    winners: tuple[int, ...],
) -> None:
    """Show all hands and melds (GZ-19.5), then move the points, then end."""
    waits = tuple(
        [waits_of(seat.hand, laid_of(seat.melds)) if result.ready[at] else None for at, seat in enumerate(final.seats)]
    )
    entry.add(reveal(entry.state.table, waits))
    entry.book(result.lines)
    _end(entry, outcome, winners, result.next_dealer)


def _end(entry: EntryBuilder[GuizhouState], outcome: ev.Outcome, winners: tuple[int, ...], next_dealer: int) -> None:
    entry.add(ev.RoundEnded(outcome, winners, next_dealer, entry.state.seed, entry.state.wall))


def _final(state: GuizhouState, win: Win | None, flip: Tile | None) -> FinalPosition:
    """The table as settlement reads it: 13 tiles a hand, the won discard no longer in its row (GZ-13.8)."""
    table = state.table
    seats: list[FinalSeat] = []
    for place, seat in enumerate(table.seats):
        hand, row = seat.hand or EMPTY, seat.row
        if win is not None and win.source_seat is None and place == win.winners[0].seat:
            hand -= ONE[win.tile]
        if win is not None and win.by == "discard" and place == win.source_seat:
            row = row[:-1]
        seats.append(FinalSeat(hand, seat.melds, row, declared(table, place)))
    weekday = table.mark(WEEKDAY)
    assert isinstance(weekday, int)
    return FinalPosition(state.rules, table.facts.dealer, weekday, tuple(seats), decided_firsts(table), flip, win)


def facts(state: GuizhouState) -> Facts:
    """For the archive: dealer, weekday, flip, chickens by kind, wins; of each seat 报听 and whether it was ready.

    In a void round no hand is shown, so nobody counts as ready.
    """
    table = state.table
    of_round: dict[str, object] = {
        "dealer": table.facts.dealer,
        "weekday": table.mark(WEEKDAY),
        "flip": table.shown.flips[0].tile if table.shown.flips else None,
        CHARGE: {first.kind: first.seat for first in decided_firsts(table) if not first.claimants},
        DUTY: {
            first.kind: {"from": first.seat, "to": list(first.claimants)}
            for first in decided_firsts(table)
            if first.claimants
        },
        "wins": [
            {
                "seat": won.seat,
                "origin": won.origin,
                "from": won.source_seat,
                "pattern": won.reading.patterns[0][0],
                "points": won.points,
            }
            for won in table.ending.wins
        ],
    }
    ready = [waits is not None for waits in table.ending.waits] or [False] * table.facts.players
    seats = [{"declared_ready": declared(table, seat), "ready": is_ready} for seat, is_ready in enumerate(ready)]
    return Facts(of_round, tuple(seats))
