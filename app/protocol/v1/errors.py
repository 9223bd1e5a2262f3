"""Close codes: one list, never reused, never renumbered. Error codes come from `app.refusal` and are named here too."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from app.refusal import MESSAGES, ErrorCode

__all__ = ["MESSAGES", "RECONNECT", "CloseCode", "ErrorCode"]


class CloseCode(IntEnum):
    """Why a socket was closed, and with it what the client should do."""

    NO_HELLO = 4000
    REPLACED = 4001
    MOVED = 4002
    BAD_TICKET = 4003
    ROOM_CLOSED = 4004
    KICKED = 4005
    SILENT = 4007
    VERSION = 4008
    ABUSE = 4009
    RESTART = 1012


RECONNECT: Final[dict[CloseCode, str]] = {
    CloseCode.NO_HELLO: "fix the client",
    CloseCode.REPLACED: "do not reconnect: another tab or device has the seat",
    CloseCode.MOVED: "ask for a new ticket and connect where it says",
    CloseCode.BAD_TICKET: "ask for a new ticket",
    CloseCode.ROOM_CLOSED: "do not reconnect: the room is gone, or you cannot come in",
    CloseCode.KICKED: "do not reconnect",
    CloseCode.SILENT: "ask for a new ticket, resume with `last`",
    CloseCode.VERSION: "reload the client: it speaks another protocol version",
    CloseCode.ABUSE: "fix the client",
    CloseCode.RESTART: "wait `retry_ms` of the bye, ask for a new ticket, resume with `last`",
}
"""The client's action on each close code; part of the contract."""
