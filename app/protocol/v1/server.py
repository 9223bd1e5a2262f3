"""What the server sends: `{v, kind, data}`, play frames with `seq` besides. Types for readers, schema and tests.

The hot path never builds these: a table makes plain dicts, `codec` glues bytes; tests hold real frames against this.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

PlainEvent = Annotated[
    dict[str, Any], Meta(description="An event of the round as this viewer may see it: `type` and its fields.")
]
PlainView = Annotated[dict[str, Any], Meta(description="The table as this viewer sees it; events fold onto it.")]
PlainAction = Annotated[dict[str, Any], Meta(description="An offered action: verb, tiles, choice; echo it in `act`.")]
Seat = Annotated[int, Meta(ge=0, le=3)]
Ms = Annotated[int, Meta(ge=0, description="a duration in milliseconds")]


class SeatView(Struct):
    """Who has a seat."""

    user: str
    name: str
    avatar: str
    bot: bool
    ready: bool
    autoplay: bool
    left: bool
    online: bool
    reserved_ms: Annotated[
        int | None, Meta(description="For so long it still waits for him to connect; null: he was connected.")
    ] = None


class VoteView(Struct):
    """An open vote (申请解散)."""

    kind: Literal["dissolve"]
    by: Seat
    answers: list[bool | None]
    left_ms: Ms | None


class Ranked(Struct):
    """One line of the final ranking."""

    seat: Seat
    total: int
    rank: int


class MatchEnded(Struct):
    """How the match ended."""

    reason: str
    ranking: list[Ranked]
    rounds: list[dict[str, Any]]


class MatchView(Struct):
    """The match around the round; sent whole whenever an entry changed it."""

    phase: Literal["waiting", "playing", "between", "ended"]
    round_no: int
    played: int
    rounds: int
    variant: str
    rules: dict[str, Any]
    settings: dict[str, Any]
    host: Seat | None
    seats: list[SeatView | None]
    totals: list[int]
    series: int
    commitment: str | None
    vote: VoteView | None
    pause: dict[str, Any] | None
    ended: MatchEnded | None
    share: dict[str, str]
    match_no: int
    dealer: Seat | None
    rounds_so_far: list[dict[str, Any]]
    last_lines: list[dict[str, Any]]
    frozen: bool


class RoomView(Struct):
    """The room as its people see it."""

    id: str
    code: str
    variant: str
    circle: str | None
    host_name: str
    spectators: str
    ranked: bool


class Me(Struct):
    """Who the receiver is: his seat, or None for a spectator."""

    seat: Seat | None
    user: str | None = None


class DecisionView(Struct):
    """The receiver's open decision. Durations, never times: clocks differ."""

    id: str
    clock: Literal["answer", "opening", "turn", "forced", "claim"]
    options: list[PlainAction]
    left_ms: Ms
    total_ms: Ms | None


class Events(Struct):
    """One entry. Takes the next number of `seq`."""

    events: list[PlainEvent]
    match: MatchView | None = None
    me: dict[str, Any] | None = None


class Prompt(Struct):
    """The receiver's complete open decision, or null. Repeats the last number of `seq`."""

    decision: DecisionView | None
    hints: list[dict[str, Any]] | None = None


class Sync(Struct):
    """Everything, at once. Repeats the last number of `seq`."""

    room: RoomView
    match: MatchView
    view: PlainView | None
    prompt: Prompt
    me: Me


class Ack(Struct):
    """A request was accepted, and is stored if it changed anything. May carry more by kind (`hello`: seat; `hints`)."""

    ref: str


class Error(Struct):
    """A request was refused; nothing changed. `left_ms`: after so long it may be asked again (`muted`), if known."""

    ref: str | None
    code: str
    message: str
    detail: str | None = None
    left_ms: Ms | None = None


class Presence(Struct):
    """Somebody's connection came or went."""

    seat: Seat
    online: bool


class Chat(Struct):
    """A quick phrase."""

    seat: Seat
    code: str


class Countdown(Struct):
    """A clock of the table that is no decision; `left_ms` null: it stopped."""

    what: Literal["ready", "vote", "next_round", "pause", "seat"]
    left_ms: Ms | None
    seat: Seat | None = None


class Pong(Struct):
    """Answer to `ping`, the same `t`."""

    t: float


class Saving(Struct):
    """Storing takes long: nothing is lost, everything waits."""

    on: bool


class Notice(Struct):
    """An operator says something."""

    text: str


class Lobby(Struct):
    """Rooms that changed. `all`: this is the whole list; else `rooms` replace or add, `gone` are to be removed."""

    all: bool
    rooms: list[dict[str, Any]]
    gone: list[str]


class Bye(Struct):
    """Said just before a close: its close code, why, when and where to come back."""

    code: int
    reason: str
    retry_ms: int | None = None
    path: str | None = None


FRAMES: Final[dict[str, type[Struct]]] = {
    "events": Events, "prompt": Prompt, "sync": Sync, "ack": Ack, "error": Error, "presence": Presence, "chat": Chat,
    "countdown": Countdown, "pong": Pong, "saving": Saving, "notice": Notice, "lobby": Lobby, "bye": Bye,
}  # fmt: skip
"""Kind → its data."""

PLAY: Final = frozenset({"events", "prompt", "sync"})
"""Kinds that carry a `seq`."""
