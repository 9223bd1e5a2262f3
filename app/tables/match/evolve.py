"""Folding a match: one function per event, total, no judgement. `decide` finds consequences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from app.tables.match import events as me
from app.tables.match.state import BOT, EMPTY, Kick, MatchState, Over, Parted, SeatState, Vote
from app.tables.ports import Person


def evolve_match(match: MatchState, event: me.MatchEvent) -> MatchState:
    """The match after one event."""
    return _EVOLVE[type(event)](match, event)


def with_seat(match: MatchState, place: int, **changes: Any) -> MatchState:
    """The match with some fields of one seat changed."""
    return replace(match, seats=_put(match.seats, place, replace(match.seats[place], **changes)))


def _put(seats: tuple[SeatState, ...], place: int, seat: SeatState) -> tuple[SeatState, ...]:
    return (*seats[:place], seat, *seats[place + 1 :])


def _holder(match: MatchState, place: int, seat: SeatState) -> MatchState:
    """A new holder: the old one parts with the total, a returning one gets theirs back."""
    old, total, parted = match.seats[place], match.totals[place], match.parted
    started = match.played > 0 or match.phase == "playing"
    if started and not old.empty and match.phase != "ended":
        user, name = (old.person.user, old.person.name) if old.person else ("", "")
        parted = (*parted, Parted(place, user, name, total))
    mine = seat.person.user if seat.person else ""
    own = next((p for p in parted if mine and p.user == mine and p.seat == place), None)
    if own is not None:
        parted = tuple([p for p in parted if p is not own])
    total = own.total if own else (total if old.empty and not started else 0)
    totals = (*match.totals[:place], total, *match.totals[place + 1 :])
    match = _nobodys(match, place)
    return replace(match, seats=_put(match.seats, place, seat), totals=totals, parted=parted)


def _nobodys(match: MatchState, place: int) -> MatchState:
    """Forget the answers of a seat's former player: an answer in a vote, an agreement to a pause, a wait."""
    asked, vote = match.pause_asked, match.vote
    if vote is not None:
        vote = replace(vote, answers=(*vote.answers[:place], None, *vote.answers[place + 1 :]))
    cooling = tuple([seat for seat in match.cooling if seat != place])
    return replace(match, vote=vote, cooling=cooling, pause_asked=(*asked[:place], False, *asked[place + 1 :]))


def _seated(m: MatchState, e: me.MatchSeated) -> MatchState:
    seat = SeatState(Person(e.user, e.name, e.avatar, e.bot_account), joined=m.joins + 1)
    return replace(_holder(m, e.seat, seat), joins=m.joins + 1)


def _reserved(m: MatchState, e: me.MatchReserved) -> MatchState:
    seat = SeatState(Person(e.user, e.name, e.avatar, e.bot_account), joined=m.joins + 1, reserved_ms=e.at_ms)
    return replace(_holder(m, e.seat, seat), joins=m.joins + 1)


def _emptied(m: MatchState, e: me.MatchEmptied) -> MatchState:
    person = m.seats[e.seat].person
    emptied = _holder(m, e.seat, EMPTY)
    if not e.kicked or person is None:
        return emptied
    return replace(emptied, kicked=(*m.kicked, person.user), kicks=(*m.kicks, Kick(person.user, person.name)))


def _barred(m: MatchState, e: me.MatchBarred) -> MatchState:
    kicks = tuple([kick for kick in m.kicks if kick.user != e.user])
    return replace(m, kicked=m.kicked if e.user in m.kicked else (*m.kicked, e.user), kicks=kicks)


def _readmitted(m: MatchState, e: me.MatchReadmitted) -> MatchState:
    kicked = tuple([user for user in m.kicked if user != e.user])
    return replace(m, kicked=kicked, kicks=tuple([kick for kick in m.kicks if kick.user != e.user]))


def _moved(m: MatchState, e: me.MatchMoved) -> MatchState:
    seats = _put(m.seats, e.to, replace(m.seats[e.seat], ready=False, entropy=""))
    cooling = tuple([e.to if place == e.seat else place for place in m.cooling])
    return replace(m, seats=_put(seats, e.seat, EMPTY), cooling=cooling, vote=_moved_vote(m.vote, e))


def _moved_vote(vote: Vote | None, e: me.MatchMoved) -> Vote | None:
    """A leaving player's answer goes with them."""
    if vote is None:
        return None
    answers = list(vote.answers)
    answers[e.to], answers[e.seat] = answers[e.seat], None
    return Vote(vote.number, e.to if vote.by == e.seat else vote.by, tuple(answers))


def _left(m: MatchState, e: me.MatchLeft) -> MatchState:
    changed = with_seat(m, e.seat, left=True, autoplay=True, ready=False, timeouts=0, missed=0)
    return replace(changed, reset=m.reset or e.reset)


def _dealt(m: MatchState, e: me.MatchDealt) -> MatchState:
    if e.match_no != m.match_no:
        m = replace(m, totals=(0,) * len(m.seats), played=0, rounds=(), parted=(), over=None, bots_ever=False)
    bots = m.bots_ever or any(seat.bot for seat in m.seats)
    return replace(
        m, phase="playing", match_no=e.match_no, series=e.series, dealer=e.dealer, reset=False, bots_ever=bots,
        pause_asked=(False,) * len(m.seats), paused=False, last_lines=(),
    )  # fmt: skip


def _vote_ended(m: MatchState, e: me.MatchVoteEnded) -> MatchState:
    if m.vote is None or e.passed:
        return replace(m, vote=None)
    return replace(m, vote=None, refused=m.vote, cooling=(*m.cooling, m.vote.by))


def _voted(m: MatchState, e: me.MatchVoted) -> MatchState:
    if m.vote is None:
        return m
    answers = (*m.vote.answers[: e.seat], e.yes, *m.vote.answers[e.seat + 1 :])
    return replace(m, vote=Vote(m.vote.number, m.vote.by, answers))


def _vote_opened(m: MatchState, e: me.MatchVoteOpened) -> MatchState:
    answers = tuple([True if place == e.seat else None for place in range(len(m.seats))])
    return replace(m, vote=Vote(m.votes + 1, e.seat, answers), votes=m.votes + 1)


def _pause_asked(m: MatchState, e: me.MatchPauseAsked) -> MatchState:
    return replace(m, pause_asked=(*m.pause_asked[: e.seat], e.on, *m.pause_asked[e.seat + 1 :]))


def _paused(m: MatchState, e: me.MatchPaused) -> MatchState:
    return replace(m, paused=e.on, pause_asked=m.pause_asked if e.on else (False,) * len(m.seats))


def _over(m: MatchState, e: me.MatchOver) -> MatchState:
    """The chairs of those who left become free; readiness is asked again, for a rematch."""
    seats = [
        EMPTY if s.left else replace(s, ready=s.bot, entropy="", autoplay=False, timeouts=0, missed=0) for s in m.seats
    ]
    return replace(
        m, phase="ended", over=Over(e.reason, e.ranking), seats=tuple(seats), vote=None, paused=False, cooling=(),
        pause_asked=(False,) * len(seats), dealer=None,
    )  # fmt: skip


def _closed(m: MatchState, e: me.MatchClosed) -> MatchState:
    return replace(m, phase="closed", closed=e.reason, note=e.note, vote=None, paused=False)


_EVOLVE: Final[dict[type, Callable[[MatchState, Any], MatchState]]] = {
    me.MatchSeated: _seated,
    me.MatchReserved: _reserved,
    me.MatchMarked: lambda m, e: with_seat(m, e.seat, marks=e.marks),
    me.MatchArrived: lambda m, e: with_seat(m, e.seat, reserved_ms=None),
    me.MatchLapsed: lambda m, e: _holder(m, e.seat, EMPTY),
    me.MatchMoved: _moved,
    me.MatchEmptied: _emptied,
    me.MatchBarred: _barred,
    me.MatchReadmitted: _readmitted,
    me.MatchBotSeated: lambda m, e: _holder(m, e.seat, BOT),
    me.MatchLeft: _left,
    me.MatchReturned: lambda m, e: with_seat(m, e.seat, left=False, autoplay=False, timeouts=0, missed=0),
    me.MatchHosted: lambda m, e: replace(m, host=e.user),
    me.MatchReady: lambda m, e: with_seat(m, e.seat, ready=True, entropy=e.entropy),
    me.MatchUnready: lambda m, e: with_seat(m, e.seat, ready=False, entropy=""),
    me.MatchAutoplay: lambda m, e: with_seat(m, e.seat, autoplay=e.on, timeouts=0, missed=0),
    me.MatchAutoWin: lambda m, e: with_seat(m, e.seat, auto_win=e.on),
    me.MatchTimedOut: lambda m, e: with_seat(
        m, e.seat, timeouts=m.seats[e.seat].timeouts + 1, missed=m.seats[e.seat].missed + e.turn
    ),
    me.MatchAwake: lambda m, e: with_seat(m, e.seat, timeouts=0, missed=0 if e.turn else m.seats[e.seat].missed),
    me.MatchVoteOpened: _vote_opened,
    me.MatchVoted: _voted,
    me.MatchVoteEnded: _vote_ended,
    me.MatchCooled: lambda m, e: replace(m, cooling=tuple([seat for seat in m.cooling if seat != e.seat])),
    me.MatchPauseAsked: _pause_asked,
    me.MatchPaused: _paused,
    me.MatchDealt: _dealt,
    me.MatchOver: _over,
    me.MatchClosed: _closed,
    me.MatchFrozen: lambda m, e: replace(m, frozen=e.reason),
}
