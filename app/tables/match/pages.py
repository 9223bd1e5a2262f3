"""The turn of a page: the match after a settled round, as the first entry of the next round's log. Pure."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from app.kernel.events import Outcome
from app.kernel.variant import Meta
from app.tables.match.state import EMPTY, MatchState, Over, SeatState, Settled, rank


def dealer_of(m: MatchState, meta: Meta, random_seat: int) -> int:
    """The next dealer: the succession, or for a new series META's rule (TJ-2.2, GZ-2.1, GZ-2.2, TS-13.1)."""
    if m.dealer is not None and not _new_series(m):
        return m.dealer
    if meta.first_dealer == "random":
        return random_seat
    if m.spec.circle is None and m.host_seat is not None:
        return m.host_seat
    joined = [(seat.joined, place) for place, seat in enumerate(m.seats) if seat.person is not None]
    return min(joined)[1] if joined else 0


def draws_dealer(m: MatchState, meta: Meta) -> bool:
    """True when the next dealer is the random seat of the shuffle."""
    return meta.first_dealer == "random" and (m.dealer is None or _new_series(m))


def _new_series(m: MatchState) -> bool:
    return m.reset or m.phase == "ended"


def next_page(
    m: MatchState, outcome: Outcome, nets: tuple[int, ...], next_dealer: int, lines: tuple[dict[str, Any], ...],
    rounds: int, seed: str, commitment: str,
) -> MatchState:  # fmt: skip
    """After a round of match length `rounds`: totals, readiness asked again, dealer, and whether it was the last."""
    totals = tuple([total + net for total, net in zip(m.totals, nets, strict=True)])
    present = [place for place, seat in enumerate(m.seats) if seat.present]
    agreed = bool(present) and all(m.pause_asked[place] for place in present)
    settled = replace(
        m, phase="between", round_no=m.round_no + 1, played=m.played + (outcome != "void"), totals=totals,
        dealer=next_dealer, seats=tuple([_asked_again(seat) for seat in m.seats]), paused=agreed,
        rounds=(*m.rounds, Settled(m.round_no, outcome, nets)), last_lines=lines, seed=seed, commitment=commitment,
    )  # fmt: skip
    return _ended(settled) if settled.played >= rounds else settled


def page_after_match(m: MatchState) -> MatchState:
    """A page of its own for a match that ended without a new round: its end is queued with the turn."""
    assert m.over is not None
    return replace(m, round_no=m.round_no + 1, over=replace(m.over, told=True))


def _asked_again(seat: SeatState) -> SeatState:
    """Readiness is cleared at settlement; bots and autoplay are ready at once, a seat that was left is not (TJ-1.8)."""
    return replace(seat, ready=seat.bot or (seat.autoplay and not seat.left), entropy="")


def _ended(m: MatchState) -> MatchState:
    """The last round: everybody who is still here may want a rematch; with nobody here the room is over."""
    seats = tuple([EMPTY if s.left else replace(s, ready=s.bot, autoplay=False, timeouts=0, missed=0) for s in m.seats])
    over = replace(
        m, phase="ended", over=Over("finished", rank(m), told=True), seats=seats, vote=None, cooling=(), paused=False,
        pause_asked=(False,) * len(seats), dealer=None,
    )  # fmt: skip
    if any(seat.person is not None for seat in seats):
        return over
    return replace(over, phase="closed", closed="finished")
