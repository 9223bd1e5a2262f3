"""What happened to a match: past-tense facts in the table's log beside those of the round.

Plain form: `{"type": "match_seated", …}` with the fields as they are. `FACES` says who is told: all, its seat, nobody.
"""

from __future__ import annotations

import re
import typing
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

import msgspec

from app.kernel.errors import MalformedInput
from app.tables.match.state import Rank


@dataclass(frozen=True, slots=True)
class MatchSeated:
    """A person takes an empty chair or a bot's."""

    seat: int
    user: str
    name: str
    avatar: str


@dataclass(frozen=True, slots=True)
class MatchMoved:
    """A person changes chairs before the match."""

    seat: int
    to: int


@dataclass(frozen=True, slots=True)
class MatchEmptied:
    """A chair becomes empty."""

    seat: int


@dataclass(frozen=True, slots=True)
class MatchBotSeated:
    """A bot takes the chair; whoever held it parts with his total."""

    seat: int


@dataclass(frozen=True, slots=True)
class MatchLeft:
    """A player leaves in mid-match: autoplay moves for him. `reset`: a new series begins with the next deal."""

    seat: int
    reset: bool


@dataclass(frozen=True, slots=True)
class MatchReturned:
    """He is back in time and plays himself."""

    seat: int


@dataclass(frozen=True, slots=True)
class MatchHosted:
    """Somebody else is host now."""

    user: str


@dataclass(frozen=True, slots=True)
class MatchReady:
    """A seat is ready (准备), with its contribution to the shuffle."""

    seat: int
    entropy: str = ""


@dataclass(frozen=True, slots=True)
class MatchUnready:
    """Readiness is withdrawn."""

    seat: int


@dataclass(frozen=True, slots=True)
class MatchAutoplay:
    """托管 is switched; on: after too many timeouts or by the player."""

    seat: int
    on: bool


@dataclass(frozen=True, slots=True)
class MatchAutoWin:
    """The personal switch "win automatically"."""

    seat: int
    on: bool


@dataclass(frozen=True, slots=True)
class MatchTimedOut:
    """A seat let a clock run out. Told to nobody: in a claim it would tell that there was something to claim."""

    seat: int


@dataclass(frozen=True, slots=True)
class MatchAwake:
    """A seat acted again: its timeouts in a row are forgotten."""

    seat: int


@dataclass(frozen=True, slots=True)
class MatchVoteOpened:
    """A dissolve vote (申请解散) begins; the one who asked has said yes."""

    seat: int


@dataclass(frozen=True, slots=True)
class MatchVoted:
    """An answer."""

    seat: int
    yes: bool


@dataclass(frozen=True, slots=True)
class MatchVoteEnded:
    """The vote is decided."""

    passed: bool


@dataclass(frozen=True, slots=True)
class MatchCooled:
    """The seat may ask for a dissolve again."""

    seat: int


@dataclass(frozen=True, slots=True)
class MatchPauseAsked:
    """A seat agrees to a pause, or no longer."""

    seat: int
    on: bool


@dataclass(frozen=True, slots=True)
class MatchPaused:
    """The pause begins or ends."""

    on: bool


@dataclass(frozen=True, slots=True)
class MatchDealt:
    """A round of match `match_no` begins with this dealer in this series; `RoundStarted` follows."""

    match_no: int
    series: int
    dealer: int


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match ends with its settled rounds."""

    reason: str
    ranking: tuple[Rank, ...]


@dataclass(frozen=True, slots=True)
class MatchClosed:
    """The room is over."""

    reason: str


@dataclass(frozen=True, slots=True)
class MatchFrozen:
    """An operator stopped the table; None: goes on."""

    reason: str | None


MatchEvent = (
    MatchSeated | MatchMoved | MatchEmptied | MatchBotSeated | MatchLeft | MatchReturned | MatchHosted | MatchReady
    | MatchUnready | MatchAutoplay | MatchAutoWin | MatchTimedOut | MatchAwake | MatchVoteOpened | MatchVoted
    | MatchVoteEnded | MatchCooled | MatchPauseAsked | MatchPaused | MatchDealt | MatchOver | MatchClosed | MatchFrozen
)  # fmt: skip

Told = Literal["all", "seat", "nobody"]
FACES: Final[dict[type, Told]] = {
    MatchAutoWin: "seat",
    MatchTimedOut: "nobody",
    MatchAwake: "nobody",
    MatchCooled: "nobody",
}
"""Who is told of an event of that type; everybody, when it is not listed."""

MATCH_TYPES: Final[dict[str, type]] = {
    re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower(): cls for cls in typing.get_args(MatchEvent)
}
"""Plain type tag → event class."""
_TAGS: Final = {cls: tag for tag, cls in MATCH_TYPES.items()}


def plain_match_event(event: MatchEvent) -> dict[str, Any]:
    """`{"type": "match_left", "seat": 2, …}`."""
    return {"type": _TAGS[type(event)], **asdict(event)}


def read_match_event(plain: dict[str, Any]) -> MatchEvent:
    """Inverse of `plain_match_event`. Raises MalformedInput: the log is corrupt or of another format."""
    cls = MATCH_TYPES.get(plain["type"])
    try:
        if cls is None:
            raise MalformedInput("type", f"no such match event {plain['type']!r}")
        return typing.cast(MatchEvent, msgspec.convert({k: v for k, v in plain.items() if k != "type"}, cls))
    except msgspec.ValidationError as wrong:
        raise MalformedInput(str(plain["type"]), str(wrong)) from wrong
