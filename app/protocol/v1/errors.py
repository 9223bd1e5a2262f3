"""Error codes and close codes: one list each, never reused, never renumbered. Clients translate the codes."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Final


class ErrorCode(StrEnum):
    """What an `error` frame (and the REST error body) says in `code`."""

    MALFORMED = "malformed"
    UNKNOWN_KIND = "unknown_kind"
    TOO_LARGE = "too_large"
    NOT_TEXT = "not_text"
    BAD_TICKET = "bad_ticket"
    EXPIRED_TICKET = "expired_ticket"
    NO_HELLO = "no_hello"
    CLOSED = "closed"
    NOT_YOURS = "not_yours"  # retired, never sent: the answer may not tell whether another seat is asked
    NOT_OFFERED = "not_offered"
    ROUND_OVER = "round_over"
    WRONG_ROUND = "wrong_round"
    NOT_SEATED = "not_seated"
    NOT_HOST = "not_host"
    NOT_NOW = "not_now"
    SEAT_TAKEN = "seat_taken"
    ROOM_FULL = "room_full"
    NO_SUCH_ROOM = "no_such_room"
    ROOM_CLOSED = "room_closed"
    NOT_ALLOWED = "not_allowed"
    RATE_LIMITED = "rate_limited"
    BUSY = "busy"
    FROZEN = "frozen"
    MOVED = "moved"
    SAVING = "saving"
    INTERNAL = "internal"
    NOT_SIGNED_IN = "not_signed_in"
    WRONG_PASSWORD = "wrong_password"
    NAME_TAKEN = "name_taken"
    NOT_FOUND = "not_found"
    INVALID = "invalid"
    CONFLICT = "conflict"
    BANNED = "banned"
    GONE = "gone"
    TOO_MANY_TABLES = "too_many_tables"
    FORBIDDEN = "forbidden"
    BLOCKED_WORD = "blocked_word"
    MUTED = "muted"


MESSAGES: Final[dict[str, str]] = {
    ErrorCode.MALFORMED: "The frame could not be read.",
    ErrorCode.UNKNOWN_KIND: "There is no request of this kind here.",
    ErrorCode.TOO_LARGE: "The frame is too large.",
    ErrorCode.NOT_TEXT: "Only JSON text frames in UTF-8 are understood.",
    ErrorCode.BAD_TICKET: "This ticket is not valid or was used; ask for a new one.",
    ErrorCode.EXPIRED_TICKET: "This ticket has expired; ask for a new one.",
    ErrorCode.NO_HELLO: "The first frame must be a hello with a ticket.",
    ErrorCode.NO_SUCH_ROOM: "There is no such room.",
    ErrorCode.ROOM_CLOSED: "The room is closed.",
    ErrorCode.RATE_LIMITED: "Too many requests; wait a little.",
    ErrorCode.BUSY: "The server is busy; try again.",
    ErrorCode.FROZEN: "The table is stopped because of an error; an operator has been told.",
    ErrorCode.MOVED: "The table moved to another server; ask for a new ticket.",
    ErrorCode.NOT_ALLOWED: "You may not do that.",
    ErrorCode.INTERNAL: "Something went wrong on our side.",
}
"""What the gateway says for codes that it answers itself. For people who read traces; clients show their own words."""


class CloseCode(IntEnum):
    """Why a socket was closed, and with it what the client should do."""

    NO_HELLO = 4000
    REPLACED = 4001
    MOVED = 4002
    BAD_TICKET = 4003
    ROOM_CLOSED = 4004
    KICKED = 4005
    TOO_SLOW = 4006
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
    CloseCode.TOO_SLOW: "ask for a new ticket, resume with `last`",
    CloseCode.SILENT: "ask for a new ticket, resume with `last`",
    CloseCode.VERSION: "reload the client: it speaks another protocol version",
    CloseCode.ABUSE: "fix the client",
    CloseCode.RESTART: "wait `retry_ms` of the bye, ask for a new ticket, resume with `last`",
}
"""What a client does on each close code; part of the contract."""
