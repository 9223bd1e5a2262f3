"""Frames from the server: `{v, kind, data}`, play frames also `seq`. Types for readers, schema and tests.

The hot path never builds these: a table makes plain dicts, `codec` glues bytes; tests hold real frames against this.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from app.protocol.v1.views import (
    Action,
    Event,
    LobbyRoom,
    MatchView,
    Me,
    MeChange,
    Ms,
    RoomView,
    Seat,
    TableView,
)


class DecisionView(Struct):
    """The receiver's open decision. Durations, never times: clocks differ.

    `silence`: the offer that is taken when no answer comes.
    """

    id: str
    clock: Literal["answer", "opening", "turn", "forced", "claim"]
    options: list[Action]
    left_ms: Ms
    total_ms: Ms | None
    silence: Action | None = None


class Events(Struct):
    """One entry. Takes the next number of `seq`."""

    events: list[Event]
    match: MatchView | None = None
    me: MeChange | None = None


class Prompt(Struct):
    """The receiver's complete open decision, or null. Repeats the last number of `seq`."""

    decision: DecisionView | None


class Sync(Struct):
    """Everything, at once. Repeats the last number of `seq`."""

    room: RoomView
    match: MatchView
    view: TableView | None
    prompt: Prompt
    me: Me


class ReasonView(Struct):
    """Why `action`, which the receiver's own tiles suggest, is not offered to them now.

    `code` is the game's, with its sentence among the game's texts; `clause` is where its rules say so.
    """

    action: Action
    code: str
    clause: str


class Ack(Struct):
    """A request was accepted, and is stored if it changed anything. May carry more by kind: `hello` the seat, `hints`
    the waits, `why_not` the `reasons`.
    """

    ref: str
    reasons: list[ReasonView] | None = None


class Error(Struct):
    """A request was refused; nothing changed.

    `left_ms` (`muted`, `rate_limited`): after this time it may be repeated.
    """

    ref: str | None
    code: str
    message: str
    detail: str | None = None
    left_ms: Ms | None = None


class Presence(Struct):
    """A player's connection came or went."""

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
    """An announcement by an operator."""

    text: str


class Lobby(Struct):
    """Rooms that changed. `all`: this is the whole list; else `rooms` replace or add, `gone` are to be removed.

    `changed`: something else of the circle has changed (applications, members, notice, templates): ask REST again.
    """

    all: bool
    rooms: list[LobbyRoom]
    gone: list[str]
    changed: bool = False


class Bye(Struct):
    """Sent just before a close: its close code, why, when and where to come back."""

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
