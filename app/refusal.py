"""Every "no" of this server: one list of error codes, one English sentence for each, one exception.

Four things say "no", and each names a code of this list:

Refusal              an exception: REST, the stores and the orders to live tables refuse a request BadFrame
an exception (`protocol.v1.client`): a frame of a socket that cannot be read Refused              a value
(`tables.match.decide`): a table refuses a request of a seat; nothing changed Rejection            a value
(`kernel.errors`): the rules refuse a command; its three codes are codes of this list too

Our own bugs are none of these: they are logged and answered with `internal`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class ErrorCode(StrEnum):
    """The `code` of an `error` frame and of the REST error body. Never reused; clients translate the codes."""

    MALFORMED = "malformed"
    UNKNOWN_KIND = "unknown_kind"
    TOO_LARGE = "too_large"
    NOT_TEXT = "not_text"
    BAD_TICKET = "bad_ticket"
    EXPIRED_TICKET = "expired_ticket"
    NO_HELLO = "no_hello"
    CLOSED = "closed"
    NOT_OFFERED = "not_offered"
    ROUND_OVER = "round_over"
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


MESSAGES: Final[Mapping[ErrorCode, str]] = {
    ErrorCode.MALFORMED: "the request cannot be read",
    ErrorCode.UNKNOWN_KIND: "there is no request of this kind here",
    ErrorCode.TOO_LARGE: "the request is too large",
    ErrorCode.NOT_TEXT: "only JSON text frames in UTF-8 are understood",
    ErrorCode.BAD_TICKET: "the ticket is not valid or was used; ask for a new one",
    ErrorCode.EXPIRED_TICKET: "the ticket has expired; ask for a new one",
    ErrorCode.NO_HELLO: "the first frame must be a hello with a ticket",
    ErrorCode.CLOSED: "that is not an open question of yours",
    ErrorCode.NOT_OFFERED: "that is not among the offered actions",
    ErrorCode.ROUND_OVER: "the round is over",
    ErrorCode.NOT_SEATED: "you have no seat at this table",
    ErrorCode.NOT_HOST: "only the host may do that",
    ErrorCode.NOT_NOW: "that is not possible at this moment",
    ErrorCode.SEAT_TAKEN: "that seat is taken or does not exist",
    ErrorCode.ROOM_FULL: "no seat of this room is free",
    ErrorCode.NO_SUCH_ROOM: "there is no such room, or it is closed",
    ErrorCode.ROOM_CLOSED: "the room is closed",
    ErrorCode.NOT_ALLOWED: "that is not allowed here",
    ErrorCode.RATE_LIMITED: "too many requests; wait a little",
    ErrorCode.BUSY: "the server is busy; try again",
    ErrorCode.FROZEN: "the table has been stopped because of an error; operators have been notified",
    ErrorCode.MOVED: "the table has moved to another server; ask for a new ticket",
    ErrorCode.SAVING: "the result is still being saved; try again",
    ErrorCode.INTERNAL: "something went wrong on our side",
    ErrorCode.NOT_SIGNED_IN: "sign in first",
    ErrorCode.WRONG_PASSWORD: "the name or the password is wrong",
    ErrorCode.NAME_TAKEN: "this name belongs to somebody else",
    ErrorCode.NOT_FOUND: "there is no such thing",
    ErrorCode.INVALID: "part of the request is not valid",
    ErrorCode.CONFLICT: "that conflicts with what you have already, such as a seat at another table",
    ErrorCode.BANNED: "you are banned",
    ErrorCode.GONE: "it no longer exists",
    ErrorCode.TOO_MANY_TABLES: "this server has as many tables as it can carry; try again soon",
    ErrorCode.FORBIDDEN: "you do not have the right to do that",
    ErrorCode.BLOCKED_WORD: "the text contains a word that is not allowed",
    ErrorCode.MUTED: "an operator has muted you",
}
"""Code → its sentence for developers who read traces. A Refusal may carry a more exact one."""


class Refusal(Exception):
    """A request that cannot be done. `code` is for programs, `message` is one sentence for people.

    `field` is a dotted path to the part of the input to blame. Without `message` the code's own sentence is used.
    `reason` names the case where one code has several (`conflict`: `seated_elsewhere`, `circle_full` …); it is stable.
    `limit` is the number that was exceeded or not reached, `left_ms` the time after which it may be tried again.
    """

    def __init__(
        self, code: ErrorCode, message: str | None = None, field: str | None = None, *, reason: str | None = None,
        limit: int | None = None, left_ms: int | None = None,
    ) -> None:  # fmt: skip
        self.code = code
        self.message = MESSAGES[code] if message is None else message
        self.field = field
        self.reason = reason
        self.limit = limit
        self.left_ms = left_ms
        super().__init__(self.message)


def not_found(what: str) -> Refusal:
    """There is no such thing, or the asker may not know of it."""
    return Refusal(ErrorCode.NOT_FOUND, f"there is no such {what}")
