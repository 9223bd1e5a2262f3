"""Judging a match: what an ask, an expired clock or an operator means. Returns events or why not; changes nothing.

| ask        | waiting, ended          | playing            | between (after a settlement) |
|------------|-------------------------|--------------------|------------------------------|
| ready      | yes                     | not_now            | yes                          |
| autoplay   | not_now                 | yes                | yes, and ready at once       |
| dissolve   | host: at once; else vote in waiting | vote   | vote                         |
| pause      | not_now                 | from the next deal | at once                      |
| leave      | chair becomes empty     | autoplay to the end, chair kept 120 s | chair kept 120 s |
| seat, kick, fill | yes (kick, fill: host) | not_now       | not_now                      |
| readmit    | host                | host               | host                         |

Consequences that nobody asks for (a complete vote, a host who is gone) are in `settle`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from app.kernel.immutable import immutable
from app.kernel.variant import Meta
from app.refusal import ErrorCode
from app.tables import asks
from app.tables.match import events as me
from app.tables.match.evolve import evolve_match
from app.tables.match.state import MatchState, Vote, rank
from app.tables.match.timers import timers
from app.tables.ports import Person


@immutable
class Refused:
    """A request that changes nothing, and why."""

    code: ErrorCode


Verdict = tuple[me.MatchEvent, ...] | Refused
NOT_NOW: Final = Refused(ErrorCode.NOT_NOW)
_OPEN: Final = ("waiting", "ended")
_RUNNING: Final = ("playing", "between")
_ENTROPY_LENGTH: Final = 64


def decide_ask(match: MatchState, meta: Meta, seat: int, ask: asks.Ask) -> Verdict:
    """Judge a seated person's ask."""
    return _ASKS[type(ask)](match, meta, seat, ask)


def _ready(m: MatchState, _: Meta, seat: int, ask: asks.Ready) -> Verdict:
    entropy = ask.entropy or ""
    if len(entropy) > _ENTROPY_LENGTH or not entropy.isprintable():
        return Refused(ErrorCode.MALFORMED)
    if m.phase in ("playing", "closed"):
        return NOT_NOW
    state = m.seats[seat]
    return () if state.ready and entropy in ("", state.entropy) else (me.MatchReady(seat, entropy),)


def _unready(m: MatchState, _: Meta, seat: int, ask: asks.Unready) -> Verdict:
    if m.phase in ("playing", "closed") or m.seats[seat].autoplay:
        return NOT_NOW
    return (me.MatchUnready(seat),) if m.seats[seat].ready else ()


def _autoplay(m: MatchState, _: Meta, seat: int, ask: asks.Autoplay) -> Verdict:
    if m.phase not in _RUNNING:
        return NOT_NOW
    return () if m.seats[seat].autoplay == ask.on else (me.MatchAutoplay(seat, ask.on),)


def _auto_win(m: MatchState, _: Meta, seat: int, ask: asks.AutoWin) -> Verdict:
    return () if m.seats[seat].auto_win == ask.on else (me.MatchAutoWin(seat, ask.on),)


def _dissolve(m: MatchState, _: Meta, seat: int, ask: asks.Dissolve) -> Verdict:
    if m.phase in _OPEN and m.host_seat == seat:
        return (me.MatchClosed("host"),)
    if m.phase == "ended" or m.vote is not None or seat in m.cooling:
        return NOT_NOW
    return (me.MatchVoteOpened(seat),)


def _vote(m: MatchState, _: Meta, seat: int, ask: asks.Vote) -> Verdict:
    if m.vote is None or m.vote.answers[seat] is not None:
        return NOT_NOW
    return (me.MatchVoted(seat, ask.yes),)


def _pause(m: MatchState, _: Meta, seat: int, ask: asks.Pause) -> Verdict:
    if m.phase not in _RUNNING or m.paused:
        return NOT_NOW
    return () if m.pause_asked[seat] else (me.MatchPauseAsked(seat, True),)


def _unpause(m: MatchState, _: Meta, seat: int, ask: asks.Unpause) -> Verdict:
    if m.paused:
        return (me.MatchPaused(False),)
    return (me.MatchPauseAsked(seat, False),) if m.pause_asked[seat] else NOT_NOW


def _leave(m: MatchState, meta: Meta, seat: int, ask: asks.Leave) -> Verdict:
    if m.phase in _OPEN:
        return (me.MatchEmptied(seat),)
    return () if m.seats[seat].left else (me.MatchLeft(seat, meta.new_series_on_leave),)


def _change_seat(m: MatchState, _: Meta, seat: int, ask: asks.ChangeSeat) -> Verdict:
    if m.phase not in _OPEN:
        return NOT_NOW
    if not 0 <= ask.seat < len(m.seats) or not m.seats[ask.seat].empty:
        return Refused(ErrorCode.SEAT_TAKEN)
    return (me.MatchMoved(seat, ask.seat),)


def _kick(m: MatchState, _: Meta, seat: int, ask: asks.Kick) -> Verdict:
    if m.host_seat != seat:
        return Refused(ErrorCode.NOT_HOST)
    if m.phase not in _OPEN or ask.seat == seat or not 0 <= ask.seat < len(m.seats) or m.seats[ask.seat].empty:
        return NOT_NOW
    return (me.MatchEmptied(ask.seat, kicked=m.seats[ask.seat].person is not None),)


def _readmit(m: MatchState, _: Meta, seat: int, ask: asks.Readmit) -> Verdict:
    if m.host_seat != seat:
        return Refused(ErrorCode.NOT_HOST)
    return (me.MatchReadmitted(ask.user),) if any(kick.user == ask.user for kick in m.kicks) else NOT_NOW


def _fill(m: MatchState, _: Meta, seat: int, ask: asks.Fill) -> Verdict:
    if m.host_seat != seat:
        return Refused(ErrorCode.NOT_HOST)
    if not m.spec.settings.fill_with_bots:
        return Refused(ErrorCode.NOT_ALLOWED)
    return fill(m)


_ASKS: Final[dict[type, Callable[[MatchState, Meta, int, Any], Verdict]]] = {
    asks.Ready: _ready,
    asks.Unready: _unready,
    asks.Autoplay: _autoplay,
    asks.AutoWin: _auto_win,
    asks.Dissolve: _dissolve,
    asks.Vote: _vote,
    asks.Pause: _pause,
    asks.Unpause: _unpause,
    asks.Leave: _leave,
    asks.ChangeSeat: _change_seat,
    asks.Kick: _kick,
    asks.Readmit: _readmit,
    asks.Fill: _fill,
}


def fill(m: MatchState) -> Verdict:
    """Bots on all empty chairs."""
    if m.phase not in _OPEN:
        return NOT_NOW
    return tuple([me.MatchBotSeated(place) for place, seat in enumerate(m.seats) if seat.empty])


def sit(m: MatchState, person: Person) -> Verdict:
    """Give a person a seat: their own again, the first empty one, or a bot's between rounds."""
    if person.user in m.kicked:  # the answer of a full room: it says nothing about the host
        return Refused(ErrorCode.ROOM_CLOSED if m.phase == "closed" else ErrorCode.ROOM_FULL)
    own = m.seat_of(person.user)
    if own is not None:
        if m.seats[own].reserved_ms is not None:
            return (me.MatchArrived(own),)
        return (me.MatchReturned(own),) if m.seats[own].left else ()
    if m.phase == "closed":
        return Refused(ErrorCode.ROOM_CLOSED)
    if (bots := _taken_over(m, person.user)) is not None:
        return (me.MatchSeated(bots, person.user, person.name, person.avatar, person.bot_account),)
    if m.phase == "playing":
        return Refused(ErrorCode.ROOM_FULL)
    for state in ("empty", "bot"):
        for place, seat in enumerate(m.seats):
            if getattr(seat, state):
                return (me.MatchSeated(place, person.user, person.name, person.avatar, person.bot_account),)
    return Refused(ErrorCode.ROOM_FULL)


def reserve(
    m: MatchState, person: Person, wanted: int | None, now_ms: int, marks: tuple[str, ...] = (),
    company: asks.Company = "any",
) -> Verdict:  # fmt: skip
    """Hold a seat for a person until they connect: only an empty one, and only while no match runs.

    `marks`, `company`: see `asks.OrderReserve`; a table with other company answers like a full one.

    Nothing happens for a person who has a seat, or whose seat a bot has: they sit down in it on connecting.
    """
    if m.phase == "closed":
        return Refused(ErrorCode.ROOM_CLOSED)
    if person.user in m.kicked:
        return Refused(ErrorCode.ROOM_FULL)
    if m.seat_of(person.user) is not None:
        return ()
    if _taken_over(m, person.user) is not None:
        return ()
    if m.phase not in _OPEN:
        return NOT_NOW
    empty = [place for place, seat in enumerate(m.seats) if seat.empty]
    if not empty or not _suits(m, marks, company):
        return Refused(ErrorCode.ROOM_FULL)
    if wanted is not None and wanted not in empty:
        return Refused(ErrorCode.SEAT_TAKEN)
    place = empty[0] if wanted is None else wanted
    reserved = me.MatchReserved(place, person.user, person.name, person.avatar, now_ms, person.bot_account)
    return (reserved, me.MatchMarked(place, marks)) if marks and m.spec.ranked else (reserved,)


def _suits(m: MatchState, marks: tuple[str, ...], company: asks.Company) -> bool:
    """Whether the people here are company of the wanted kind (S15)."""
    linked = [not set(marks).isdisjoint(seat.marks) for seat in m.seats if seat.person is not None]
    return company == "any" or (all(linked) if company == "own" else not any(linked))


def _taken_over(m: MatchState, user: str) -> int | None:
    """The person's seat that a bot has now; they may have it back at any time."""
    return next((old.seat for old in m.parted if old.user == user and m.seats[old.seat].bot), None)


def dissolve(m: MatchState, reason: str, note: str | None = None) -> Verdict:
    """Close the room for good; the composer of the entry makes a running round void. `note`: what its people hear."""
    return () if m.phase == "closed" else closing(m, reason, note)


def expire(m: MatchState, meta: Meta, key: str) -> Verdict:
    """Judge a match clock that ran out; nothing for one that does not run any more."""
    if key not in timers(m, meta):
        return ()
    name, _, detail = key.partition(":")
    match name:
        case "ready":
            return (me.MatchReady(int(detail)),)
        case "next":
            return tuple([me.MatchReady(i) for i, seat in enumerate(m.seats) if seat.present and not seat.ready])
        case "kept" if m.spec.settings.fill_with_bots:
            return (me.MatchBotSeated(int(detail)),)
        case "kept":
            return (me.MatchOver("left", rank(m)),)
        case "held":
            return (me.MatchLapsed(int(detail)),)
        case "vote":
            return (me.MatchVoteEnded(True),)
        case "cool":
            return (me.MatchCooled(int(detail)),)
        case "pause":
            return (me.MatchPaused(False),)
        case "start":
            return (me.MatchClosed("not_started"),)
        case "rematch":
            return (me.MatchClosed("no_rematch"),)
    raise AssertionError(f"no such clock {key}")


def closing(m: MatchState, reason: str, note: str | None = None) -> tuple[me.MatchEvent, ...]:
    """The room is over; a running match ends with it, its settled rounds stand."""
    closed = me.MatchClosed(reason, note)
    return (me.MatchOver(reason, rank(m)), closed) if m.phase in _RUNNING else (closed,)


def settle(before: MatchState, events: tuple[me.MatchEvent, ...]) -> tuple[tuple[me.MatchEvent, ...], MatchState]:
    """The events with all that follows from them, and the state after: one entry."""
    if not events:
        return events, before
    done, after = list(events), before
    for event in events:
        after = evolve_match(after, event)
    while done and (more := _follows(before, after, done[-1])):
        for event in more:
            after = evolve_match(after, event)
        done.extend(more)
    return tuple(done), after


def _follows(before: MatchState, m: MatchState, last: me.MatchEvent) -> tuple[me.MatchEvent, ...]:
    if m.phase == "closed":
        return ()
    if type(last) is me.MatchVoteEnded and last.passed:
        return closing(m, "voted")
    if m.vote is not None and (ended := _vote_ended(m.vote, m)) is not None:
        return (me.MatchVoteEnded(ended),)
    if m.phase != "playing" and _persons(before) and not _persons(m):
        return closing(m, "left")
    if m.host is not None and m.host_seat is None and before.host_seat is not None and _persons(m):
        return (me.MatchHosted(_first_joined(m)),)
    return _between(m) if m.phase == "between" else ()


def _vote_ended(vote: Vote, m: MatchState) -> bool | None:
    """One no cancels; it passes at once when all who are still here have agreed. None: goes on."""
    if False in vote.answers:
        return False
    passed = all(vote.answers[place] for place, seat in enumerate(m.seats) if seat.arrived)
    return True if passed else None


def _between(m: MatchState) -> tuple[me.MatchEvent, ...]:
    present = [place for place, seat in enumerate(m.seats) if seat.present]
    if not m.paused and present and all(m.pause_asked[place] for place in present):
        return (me.MatchPaused(True),)
    return tuple([me.MatchReady(place) for place in present if m.seats[place].autoplay and not m.seats[place].ready])


def _persons(m: MatchState) -> bool:
    return any(seat.person is not None for seat in m.seats)


def _first_joined(m: MatchState) -> str:
    """The one who has sat here longest; one who is still awaited only where nobody else is."""
    order = [(not seat.arrived, seat.joined, seat.person.user) for seat in m.seats if seat.person is not None]
    return min(order)[2]
