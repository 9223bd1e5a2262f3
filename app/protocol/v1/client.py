"""Frames from clients: `{id, kind, data}`, and the data of each kind. Unknown fields are refused, lengths bounded.

Types and bounds only; whether a request is allowed is for the table to say.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from app.refusal import ErrorCode

_PLAIN: Final = r"^[^\x00-\x1f\x7f]*$(?!\n)"
"""No control characters: Postgres cannot keep all of them, and nobody means them. `$` alone allows a last newline."""
Id = Annotated[str, Meta(min_length=1, max_length=40, pattern=_PLAIN)]
Name = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_.\-]+$(?!\n)")]
SeatNo = Annotated[int, Meta(ge=0, le=3)]
Count = Annotated[int, Meta(ge=0, le=2**31)]
Whole = Annotated[int, Meta(ge=-(2**53), le=2**53)]


class Message(Struct, frozen=True, forbid_unknown_fields=True):
    """Every request. `id` is the client's, random; its `ack` or `error` carries it as `ref`."""

    id: Id
    kind: Annotated[str, Meta(min_length=1, max_length=20)]
    data: msgspec.Raw = msgspec.Raw(b"{}")


class _OnlyId(Struct, frozen=True):
    id: Id


class _Data(Struct, frozen=True, forbid_unknown_fields=True):
    """Data of a request."""


class Hello(_Data, frozen=True):
    """The first frame, within 5 s: a single-use ticket, and the last `[round, n]` seen, to resume there."""

    ticket: Annotated[str, Meta(min_length=1, max_length=200)]
    last: tuple[Count, Count] | None = None


class OfferedAction(_Data, frozen=True):
    """An action as it was offered: verb, tiles run together, choice."""

    verb: Annotated[str, Meta(min_length=1, max_length=20)]
    tiles: Annotated[str, Meta(max_length=8)] = ""
    choice: Annotated[str, Meta(max_length=20)] | Annotated[int, Meta(ge=-100, le=100)] | bool | None = None


class Act(_Data, frozen=True):
    """Choose an offered action of an open decision of this round."""

    round: Count
    decision: Annotated[str, Meta(min_length=1, max_length=32)]
    action: OfferedAction


class Ready(_Data, frozen=True):
    """Ready for the next round, with a contribution to the shuffle."""

    entropy: Annotated[str, Meta(max_length=64, pattern=_PLAIN)] | None = None


class Switch(_Data, frozen=True):
    """Turn something of one's own seat on or off (托管, win automatically)."""

    on: bool


class Vote(_Data, frozen=True):
    """Answer the open vote."""

    yes: bool


class SeatChoice(_Data, frozen=True):
    """A seat: to move to, or whose player to send away."""

    seat: SeatNo


class PersonChoice(_Data, frozen=True):
    """A person whom the host sent away, to let them in again."""

    user: Name


class Phrase(_Data, frozen=True):
    """A quick phrase or emote, by its code."""

    code: Annotated[str, Meta(min_length=1, max_length=32, pattern=r"^[a-z0-9_\-]+$(?!\n)")]


class Ping(_Data, frozen=True):
    """Every 10 s; comes back as `pong` with the same `t`. Stands for nothing else: no clock of ours looks at it."""

    t: Whole | float = 0


class Watch(_Data, frozen=True):
    """In the lobby: follow a circle's rooms, or the public ones."""

    circle: Name | None = None
    lobby: bool = False


class Nothing(_Data, frozen=True):
    """A request without data."""


ROOM_KINDS: Final[dict[str, type[_Data]]] = {
    "hello": Hello, "act": Act, "ready": Ready, "unready": Nothing, "autoplay": Switch, "auto_win": Switch,
    "dissolve": Nothing, "vote": Vote, "pause": Nothing, "unpause": Nothing, "leave": Nothing, "seat": SeatChoice,
    "kick": SeatChoice, "readmit": PersonChoice, "fill": Nothing, "phrase": Phrase, "sync": Nothing, "ping": Ping,
    "hints": Nothing, "why_not": Nothing,
}  # fmt: skip
"""Kinds of a room's socket, and the data each takes."""

LOBBY_KINDS: Final[dict[str, type[_Data]]] = {"hello": Hello, "watch": Watch, "ping": Ping}
"""Kinds of a lobby socket."""

_MESSAGE: Final = msgspec.json.Decoder(Message)
_ONLY_ID: Final = msgspec.json.Decoder(_OnlyId)
_DECODERS: Final[dict[str, msgspec.json.Decoder[Any]]] = {
    kind: msgspec.json.Decoder(data) for kinds in (ROOM_KINDS, LOBBY_KINDS) for kind, data in kinds.items()
}


class BadFrame(Exception):
    """A frame that is not a request. `problem` is one sentence for people, `ref` its id if it had a good one, `left_ms`
    the time after which it may be sent again."""

    def __init__(self, code: ErrorCode, problem: str, ref: str | None = None, left_ms: int | None = None) -> None:
        super().__init__(problem)
        self.code = code
        self.problem = problem
        self.ref = ref
        self.left_ms = left_ms


def read_message(text: str | bytes) -> Message:
    """The envelope of a frame. Raises BadFrame."""
    try:
        return _MESSAGE.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise BadFrame(ErrorCode.MALFORMED, _problem(error), _id_of(text)) from None


def _id_of(text: str | bytes) -> str | None:
    """The id of a request that is wrong elsewhere, so that its sender knows which one it was."""
    try:
        return _ONLY_ID.decode(text).id
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None


def read_data(message: Message, kinds: dict[str, type[_Data]]) -> Any:
    """The data of a message, as one of the classes of `kinds`. Raises BadFrame: unknown_kind, malformed."""
    if message.kind not in kinds:
        raise BadFrame(ErrorCode.UNKNOWN_KIND, f"no request of kind {message.kind!r} here", message.id)
    try:
        return _DECODERS[message.kind].decode(message.data)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise BadFrame(ErrorCode.MALFORMED, f"{message.kind}: {_problem(error)}", message.id) from None


def _problem(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)[:200]
