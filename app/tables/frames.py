"""What a table hands to a connection: plain values per distinct face, shared by everybody who sees the same.

No bytes and no envelope: the gateway encodes a `Face` once and may keep the result in `encoded`.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

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


class Face:
    """One payload as some viewers see it, the same object for all of them. `encoded` belongs to the gateway."""

    __slots__ = ("data", "encoded")

    def __init__(self, data: Plain) -> None:
        self.data = data
        self.encoded: bytes | None = None


class Frame(NamedTuple):
    """One frame for one viewer. `seq` only with play kinds."""

    kind: Kind
    seq: Seq | None
    face: Face


def plain_frame(kind: Kind, **data: Any) -> Frame:
    """A frame without seq: acks, errors, presence, chat, countdowns. It may be lost."""
    return Frame(kind, None, Face(data))
