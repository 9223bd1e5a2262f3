"""The end of a round: won, exhausted or void; the events of its last entry, and the facts for the archive.

The machine decides the kind of end, `scoring` the points.
"""

from __future__ import annotations

from app.kernel import events as ev
from app.kernel.errors import InvariantViolation
from app.kernel.ledger import reversal
from app.kernel.play.entry import EntryBuilder
from app.kernel.shapes.counts import tiles_of
from app.kernel.table import TableState
from app.kernel.tiles import format_tiles
from app.kernel.variant import Facts
from app.kernel.views import reveal
from app.variants.tianjin.advisor import winning_tiles
from app.variants.tianjin.offers import draw_of, is_dead, turn_win, wilds_seen
from app.variants.tianjin.patterns import breakdown, name_of
from app.variants.tianjin.rules import KONG_POINTS, META, PLAYERS
from app.variants.tianjin.scoring import Result, Stakes, kong_points, next_dealer, settle
from app.variants.tianjin.state import TianjinState, position_of
from app.variants.tianjin.winning import groups


def won(entry: EntryBuilder[TianjinState], seat: int) -> None:
    """End the round by a win of `seat` in its own turn (TJ-9.1, TJ-13.1, TJ-16.4)."""
    state = entry.state
    position = position_of(state, seat)
    found = turn_win(position)
    if found is None:
        raise InvariantViolation(f"seat {seat} was offered a win that is none")
    detail = breakdown(found.patterns)
    shown = ev.Reading(detail, found.fan, groups(draw_of(position), found))
    origin: ev.Origin = "kong_draw" if position.began == "replacement" else "draw"
    entry.add(ev.Won(seat, found.drawn, origin, None, found.fan * state.rules.base, shown))
    _close(entry, "won", Result(seat, detail, kongs_of(state.table), _followed(state.table)))


def exhausted(entry: EntryBuilder[TianjinState]) -> None:
    """荒庄: kong points and follow are settled all the same (TJ-4.11, TJ-8.3, TJ-13.5)."""
    table = entry.state.table
    _close(entry, "exhausted", Result(None, (), kongs_of(table), _followed(table)))


def void(entry: EntryBuilder[TianjinState]) -> None:
    """A dissolved round: all bookings are reversed, the dealer stays for the record (TJ-2.8)."""
    entry.book(reversal(entry.state.table.lines, META.void_clause))
    _end(entry, "void", (), entry.state.table.facts.dealer)


def _close(entry: EntryBuilder[TianjinState], outcome: ev.Outcome, result: Result) -> None:
    table = entry.state.table
    winners = () if result.winner is None else (result.winner,)
    entry.add(_revealed(table))
    entry.book(settle(stakes_of(table), result, entry.state.rules))
    _end(entry, outcome, winners, next_dealer(table.facts.dealer, result.winner))


def _end(entry: EntryBuilder[TianjinState], outcome: ev.Outcome, winners: tuple[int, ...], dealer: int) -> None:
    state = entry.state
    entry.add(ev.RoundEnded(outcome, winners, dealer, state.secret.seed, state.wall.tiles))


def _revealed(table: TableState) -> ev.HandsRevealed:
    """All four hands, with the waits of the seats that hold no drawn tile (TJ-16.4)."""
    return reveal(table, tuple([winning_tiles(table, place) or None for place in range(PLAYERS)]))


def stakes_of(table: TableState) -> Stakes:
    """The revealed 坐庄 and 拉庄 (TJ-3.3). Before they are revealed: no and 0."""
    dealer = table.facts.dealer
    values = table.shown.answers[0].values if table.shown.answers else (0,) * PLAYERS
    pull = tuple([0 if seat == dealer else int(value) for seat, value in enumerate(values)])
    return Stakes(dealer, bool(values[dealer]), pull)


def kongs_of(table: TableState) -> tuple[tuple[str, ...], ...]:
    """The kinds of kong on the table, by seat (TJ-6.1)."""
    return tuple([tuple([meld.kind for meld in seat.melds if meld.kind in KONG_POINTS]) for seat in table.seats])


def _followed(table: TableState) -> bool:
    return table.mark("follow") is True


def facts(state: TianjinState) -> Facts:
    """Facts for the archive beside seats and ledger, of the round and of each seat: plain values."""
    table = state.table
    stakes, wilds = stakes_of(table), wilds_seen(table)
    wins = table.ending.wins
    patterns = tuple(sorted(name for name, _ in wins[0].reading.patterns)) if wins else ()
    of_round = {
        "dealer": table.facts.dealer,
        "sit": stakes.sit,
        "dice": [list(roll.faces) for roll in table.shown.dice],
        "wilds": None if wilds is None else list(wilds),
        "fan": wins[0].reading.value if wins else None,
        "patterns": " ".join(patterns),
        "pattern_name": name_of(patterns) if wins else None,
        "winning_tile": wins[0].tile if wins else None,
        "follow": _followed(table),
        "live_left": table.left,
    }
    of_seats = [
        {
            "pull": stakes.pull[seat],
            "kong_points": kong_points(kongs),
            "dead_hand": is_dead(table, seat),
            "hands": None if tiles.hand is None else format_tiles(tiles_of(tiles.hand)),
        }
        for seat, (tiles, kongs) in enumerate(zip(table.seats, kongs_of(table), strict=True))
    ]
    return Facts(of_round, tuple(of_seats))
