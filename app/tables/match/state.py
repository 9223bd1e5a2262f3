"""The match as one frozen value: `match` entries hold it, and its events move it. No judgement here.

Structs of msgspec: their fields are their plain form, and a changed copy of many fields stays cheap.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, Final, Literal

import msgspec

from app.tables.ports import Person
from app.tables.settings import TableSpec

Phase = Literal["waiting", "playing", "between", "ended", "closed"]
"""waiting: before the first round · between: after a settlement · ended: rematch possible · closed: room over."""

REMEMBERED: Final = 64
"""Request ids kept per seat."""


class SeatState(msgspec.Struct, frozen=True):
    """One seat. Empty: `person` None and not `bot`. `joined` orders arrivals. `timeouts` in a row, not yet autoplay.

    `missed`: the turns among them, since the last turn that was played. Autoplay begins by these alone: a claim that
    was let pass, or answered, shows in nothing (S1).
    `left`: the player went away in mid-match; the seat stays theirs until it is replaced, and autoplay moves for it.
    `reserved_ms`: held since then (ms since 1970) for a person who has not connected; None: connected. Only before a
    match or after it.
    `marks`: of ranked rooms only, secret words for the person's address, device and circles. Two seats with one word in
    common belong to people who may know each other (S15). No viewer is sent them.
    """

    person: Person | None = None
    bot: bool = False
    joined: int = 0
    ready: bool = False
    entropy: str = ""
    autoplay: bool = False
    auto_win: bool = False
    left: bool = False
    timeouts: int = 0
    reserved_ms: int | None = None
    missed: int = 0
    marks: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Nobody sits here."""
        return self.person is None and not self.bot

    @property
    def present(self) -> bool:
        """A person who has not left: has a say in votes and starts."""
        return self.person is not None and not self.left

    @property
    def arrived(self) -> bool:
        """Present, and was connected at least once: what nobody has seen yet neither votes nor gets ready by itself."""
        return self.present and self.reserved_ms is None


EMPTY: Final = SeatState()
BOT: Final = SeatState(bot=True, ready=True)


class Vote(msgspec.Struct, frozen=True):
    """A running dissolve vote (申请解散): `number` of the vote, who asked, answers by seat (None: none yet)."""

    number: int
    by: int
    answers: tuple[bool | None, ...]


class Parted(msgspec.Struct, frozen=True):
    """A holder of a seat before its present one, with the points won or lost there: totals are never inherited."""

    seat: int
    user: str
    name: str
    total: int


class Rank(msgspec.Struct, frozen=True):
    """One row of the final order. Equal totals share a rank."""

    seat: int
    user: str
    name: str
    total: int
    rank: int


class Over(msgspec.Struct, frozen=True):
    """The match has ended. `told`: its end is in a document that was queued for the archive."""

    reason: str
    ranking: tuple[Rank, ...]
    told: bool = False


class Settled(msgspec.Struct, frozen=True):
    """One finished round: its number, outcome and nets by seat."""

    round_no: int
    outcome: str
    nets: tuple[int, ...]


class Kick(msgspec.Struct, frozen=True):
    """A person whom the host sent away, and may let in again."""

    user: str
    name: str


class MatchState(msgspec.Struct, frozen=True):
    """Everything a match knows. `dealer` None: to be picked anew. `reset`: a player left, so a new series is due.

    `round_no` numbers this page of the log and its round; it never restarts on a table. `refused`: the last vote that
    did not pass, as it ended. `cooling`: seats that may not ask for a dissolve again yet. `pause_asked`: the seats that
    agree to a pause. `last_lines`: the plain ledger lines of the last settlement, for players who return while it is on
    show. `kicked`: users who may neither sit nor watch here any more, in the order of the kicks; `kicks`: those of them
    whom the host sent away and may let in again, since the host did not overrule an operator.
    """

    spec: TableSpec
    seats: tuple[SeatState, ...]
    totals: tuple[int, ...]
    seed: str
    commitment: str
    phase: Phase = "waiting"
    match_no: int = 1
    round_no: int = 1
    played: int = 0
    series: int = 1
    dealer: int | None = None
    reset: bool = False
    host: str | None = None
    joins: int = 0
    bots_ever: bool = False
    vote: Vote | None = None
    refused: Vote | None = None
    votes: int = 0
    cooling: tuple[int, ...] = ()
    pause_asked: tuple[bool, ...] = ()
    paused: bool = False
    parted: tuple[Parted, ...] = ()
    rounds: tuple[Settled, ...] = ()
    last_lines: tuple[dict[str, Any], ...] = ()
    over: Over | None = None
    closed: str | None = None
    note: str | None = None
    frozen: str | None = None
    kicked: tuple[str, ...] = ()
    kicks: tuple[Kick, ...] = ()

    @property
    def match_id(self) -> str:
        """Unique over all tables: the table's id and the number of the match on it."""
        return f"{self.spec.table_id}.{self.match_no}"

    def seat_of(self, user: str) -> int | None:
        """The seat of a user, left or not."""
        for place, seat in enumerate(self.seats):
            if seat.person is not None and seat.person.user == user:
                return place
        return None

    @property
    def linked(self) -> tuple[tuple[int, int, tuple[str, ...]], ...]:
        """Pairs of seats whose people share a mark, and what they share. Rounds of such people do not count (S15)."""
        marked = [(place, seat.marks) for place, seat in enumerate(self.seats) if seat.marks]
        return tuple(
            [
                (one, other, shared)
                for (one, ours), (other, theirs) in combinations(marked, 2)
                if (shared := tuple([mark for mark in ours if mark in theirs]))
            ]
        )

    @property
    def counts(self) -> bool:
        """Rounds of the people who sit here now may count for the ladder, unless a bot plays (TJ-15.4)."""
        return self.spec.ranked and not self.linked

    @property
    def host_seat(self) -> int | None:
        """The host's seat, or None."""
        return None if self.host is None else self.seat_of(self.host)


def new_match(spec: TableSpec, seed: str, commitment: str) -> MatchState:
    """The first state of a table: all chairs empty, round 1 to come."""
    return MatchState(
        spec, (EMPTY,) * spec.players, (0,) * spec.players, seed, commitment, host=spec.host,
        pause_asked=(False,) * spec.players,
    )  # fmt: skip


def rank(match: MatchState) -> tuple[Rank, ...]:
    """The final order of the present holders, by total; equal totals share a rank (TS-13.3)."""
    order = sorted(range(len(match.seats)), key=lambda place: -match.totals[place])
    rows: list[Rank] = []
    for place in order:
        person, total = match.seats[place].person, match.totals[place]
        number = 1 + sum(1 for other in match.totals if other > total)
        rows.append(Rank(place, person.user if person else "", person.name if person else "", total, number))
    return tuple(rows)
