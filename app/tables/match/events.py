"""Events of a match: past-tense facts in the table's log beside those of the round.

Plain form: `{"type": "match_seated", …}` with the fields as they are. `FACES` names the audience: all, its seat,
nobody.
"""

from __future__ import annotations

import re
from typing import Final, Literal

import msgspec

from app.tables.match.state import Rank


def _tag(name: str) -> str:
    """`MatchLeft` → `match_left`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


class _Fact(msgspec.Struct, frozen=True, tag=_tag):
    """Written and read by msgspec as it stands, its type beside its fields."""


class MatchSeated(_Fact, frozen=True):
    """A person takes an empty seat or a bot's."""

    seat: int
    user: str
    name: str
    avatar: str
    bot_account: bool = False


class MatchReserved(_Fact, frozen=True):
    """An empty seat is held for a person who has not connected yet; `at_ms` since 1970, to be shown only."""

    seat: int
    user: str
    name: str
    avatar: str
    at_ms: int
    bot_account: bool = False


class MatchMarked(_Fact, frozen=True):
    """The secret marks of the person in a seat of a ranked room, see `SeatState.marks`. Sent to nobody (S15)."""

    seat: int
    marks: tuple[str, ...]


class MatchArrived(_Fact, frozen=True):
    """The person for whom a seat was held is here."""

    seat: int


class MatchLapsed(_Fact, frozen=True):
    """The person did not come: the seat is empty again."""

    seat: int


class MatchMoved(_Fact, frozen=True):
    """A person changes chairs before the match."""

    seat: int
    to: int


class MatchEmptied(_Fact, frozen=True, omit_defaults=True):
    """A seat becomes empty. `kicked`: by the host, and its person may not enter this room again (S8)."""

    seat: int
    kicked: bool = False


class MatchBarred(_Fact, frozen=True):
    """An operator sent a person away, who may not enter this room again (S8). Sent to nobody."""

    user: str


class MatchReadmitted(_Fact, frozen=True):
    """A person who was sent away may enter again: by the host's word, or an operator's."""

    user: str


class MatchBotSeated(_Fact, frozen=True):
    """A bot takes the seat; its former holder parts with the total."""

    seat: int


class MatchLeft(_Fact, frozen=True):
    """A player leaves in mid-match: autoplay moves for them. `reset`: a new series begins with the next deal."""

    seat: int
    reset: bool


class MatchReturned(_Fact, frozen=True):
    """The player is back in time and plays again."""

    seat: int


class MatchHosted(_Fact, frozen=True):
    """Another player is host now."""

    user: str


class MatchReady(_Fact, frozen=True):
    """A seat is ready (准备), with its contribution to the shuffle."""

    seat: int
    entropy: str = ""


class MatchUnready(_Fact, frozen=True):
    """Readiness is withdrawn."""

    seat: int


class MatchAutoplay(_Fact, frozen=True):
    """托管 is switched; on: after too many timeouts or by the player."""

    seat: int
    on: bool


class MatchAutoWin(_Fact, frozen=True):
    """The personal switch "win automatically"."""

    seat: int
    on: bool


class MatchTimedOut(_Fact, frozen=True):
    """A seat let a clock run out. Sent to nobody: in a claim it would tell that there was something to claim.

    `turn`: it was the seat's own turn, as everybody saw.
    """

    seat: int
    turn: bool = True


class MatchAwake(_Fact, frozen=True):
    """A seat acted again: its timeouts in a row are forgotten, its missed turns only by an act in its `turn`."""

    seat: int
    turn: bool = True


class MatchVoteOpened(_Fact, frozen=True):
    """A dissolve vote (申请解散) begins; the player who asked has agreed."""

    seat: int


class MatchVoted(_Fact, frozen=True):
    """An answer."""

    seat: int
    yes: bool


class MatchVoteEnded(_Fact, frozen=True):
    """The vote is decided."""

    passed: bool


class MatchCooled(_Fact, frozen=True):
    """The seat may ask for a dissolve again."""

    seat: int


class MatchPauseAsked(_Fact, frozen=True):
    """A seat agrees to a pause, or no longer."""

    seat: int
    on: bool


class MatchPaused(_Fact, frozen=True):
    """The pause begins or ends."""

    on: bool


class MatchDealt(_Fact, frozen=True):
    """A round of match `match_no` begins with this dealer in this series; `RoundStarted` follows."""

    match_no: int
    series: int
    dealer: int


class MatchOver(_Fact, frozen=True):
    """The match ends with its settled rounds."""

    reason: str
    ranking: tuple[Rank, ...]


class MatchClosed(_Fact, frozen=True, omit_defaults=True):
    """The room is over. `note`: the closing operator's text to its people."""

    reason: str
    note: str | None = None


class MatchFrozen(_Fact, frozen=True):
    """An operator stopped the table; None: goes on."""

    reason: str | None


MatchEvent = (
    MatchSeated | MatchReserved | MatchMarked | MatchArrived | MatchLapsed | MatchMoved | MatchEmptied | MatchBotSeated
    | MatchBarred | MatchReadmitted | MatchLeft
    | MatchReturned | MatchHosted | MatchReady | MatchUnready | MatchAutoplay | MatchAutoWin | MatchTimedOut
    | MatchAwake | MatchVoteOpened | MatchVoted | MatchVoteEnded | MatchCooled | MatchPauseAsked | MatchPaused
    | MatchDealt | MatchOver | MatchClosed | MatchFrozen
)  # fmt: skip

Told = Literal["all", "seat", "nobody"]
FACES: Final[dict[type, Told]] = {
    MatchMarked: "nobody",
    MatchBarred: "nobody",
    MatchAutoWin: "seat",
    MatchTimedOut: "nobody",
    MatchAwake: "nobody",
    MatchCooled: "nobody",
}
"""Audience of an event of that type; everybody, when it is not listed."""
