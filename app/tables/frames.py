"""Frames from a table to a connection: JSON data per distinct face, shared by everybody who sees the same.

No envelope: the gateway makes the message of a socket out of it and keeps that in the face.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

import msgspec

Plain = dict[str, Any]
Seq = tuple[int, int]
"""(round, n): n counts this viewer's projected entries of that round's log, gapless, from 1."""

Kind = Literal[
    "events", "prompt", "sync", "ack", "error", "presence", "chat", "countdown", "saving", "notice",
]  # fmt: skip
Reason = Literal["replaced", "moved", "closed", "kicked", "restart"]
"""Why a connection is sent away: newer socket, other owner, room gone, removed by host or operator, drained node."""

NO_PROMPT: Final[Plain] = {"decision": None}
"""The data of a prompt that asks nothing."""


_encode: Final = msgspec.json.Encoder().encode


class Face:
    """One payload as some viewers see it, as JSON, the same object for all of them.

    `message` and `message_seq` belong to the gateway: the whole message for viewers who count that number.
    """

    __slots__ = ("encoded", "message", "message_seq")

    def __init__(self, data: Plain) -> None:
        self.encoded: bytes = _encode(data)
        self.message: bytes | None = None
        self.message_seq: Seq | None = None

    @classmethod
    def kept(cls, encoded: bytes) -> Face:
        """A face out of its JSON."""
        face = cls.__new__(cls)
        face.encoded, face.message, face.message_seq = encoded, None, None
        return face

    @property
    def data(self) -> Plain:
        """The payload as plain values, decoded anew: for tests and measurements."""
        plain: Plain = msgspec.json.decode(self.encoded)
        return plain


class Frame(NamedTuple):
    """One frame for one viewer. `seq` only with play kinds."""

    kind: Kind
    seq: Seq | None
    face: Face


def plain_frame(kind: Kind, **data: Any) -> Frame:
    """A frame without seq: acks, errors, presence, chat, countdowns. It may be lost."""
    return Frame(kind, None, Face(data))
