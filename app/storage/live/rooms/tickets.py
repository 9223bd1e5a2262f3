"""Tickets: what lets a socket in, once. Bound to a user and a scope; the seat is read from the match.

A ticket's text is `expiry.user.secret`: whose it is must be known to find it and the mark that voids it at one place.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Final, Literal

import msgspec

from app.storage.live.wire import keys
from app.storage.live.wire.link import Link, Word
from app.storage.live.wire.scripts import ISSUE_TICKET, REDEEM_TICKET

TICKET_S: Final = 30
"""Life of a ticket."""
VOID_S: Final = 3 * 3600
"""Life of a mark: longer than any ticket or access token that it voids, also when a clock steps by an hour."""
_PATIENCE_S: Final = 5.0


class Ticket(msgspec.Struct, frozen=True):
    """The user that a ticket admits (with name and avatar to show) and its scope: `room:<id>` or `lobby`.

    `role`: who may sit down; `member`: of the room's circle; `session`: the sign-in that asked for it, "" if unknown;
    `bot`: a bot account's.
    """

    user: str
    name: str
    avatar: str
    scope: str
    role: Literal["player", "spectator"] = "player"
    member: bool = False
    session: str = ""
    bot: bool = False


_WRITE: Final = msgspec.json.Encoder()
_READ: Final = msgspec.json.Decoder(Ticket)


class Tickets:
    """Issues and redeems tickets. `now_s` is wall-clock time; it only tells an expired ticket from a wrong one."""

    def __init__(self, link: Link, now_s: Callable[[], float] = time.time) -> None:
        self._link = link
        self._now_s = now_s

    async def issue(self, ticket: Ticket) -> str:
        """A new ticket's text; good for `TICKET_S` seconds. Raises StoreUnavailable."""
        text = self._text(ticket)
        await self._issue(ticket, text, "", False)
        return text

    async def issue_seated(self, ticket: Ticket, table: str, *, vouched: bool) -> str | None:
        """`issue`, if the user holds a seat at this table; else None. Raises StoreUnavailable.

        `vouched`: the archive confirmed the user. Without that a user with a mark (`void`) gets no ticket.
        """
        text = self._text(ticket)
        return text if await self._issue(ticket, text, table, not vouched) else None

    def _text(self, ticket: Ticket) -> str:
        return f"{int(self._now_s()) + TICKET_S:x}.{ticket.user}.{secrets.token_urlsafe(18)}"

    async def _issue(self, ticket: Ticket, text: str, table: str, unmarked: bool) -> bool:
        where = [*_where(ticket.user, text), keys.seat(ticket.user)]
        said: list[Word] = [_WRITE.encode(ticket), TICKET_S, table, int(unmarked)]
        return bool(await self._link.run(ISSUE_TICKET, where, said, patience_s=_PATIENCE_S))

    async def void(self, user: str) -> None:
        """Void all tickets of the user, and have the archive asked about every access token from now on.

        Leaves a mark, not a time: clocks differ. Raises StoreUnavailable.
        """
        await self._link.ask("SET", keys.void(user), secrets.token_hex(8), "EX", VOID_S)

    async def redeem(self, text: str) -> Ticket | Literal["bad_ticket", "expired_ticket"]:
        """Use a ticket up. Returns the ticket, or the code of the error. Raises StoreUnavailable."""
        user = text.partition(".")[2].rpartition(".")[0]
        if not user or "}" in user:
            return "bad_ticket"
        found = await self._link.run(REDEEM_TICKET, _where(user, text), [], patience_s=_PATIENCE_S)
        if found:
            return _READ.decode(found)
        return "expired_ticket" if found is None and self._expired(text) else "bad_ticket"

    def _expired(self, text: str) -> bool:
        try:
            return int(text.partition(".")[0], 16) <= self._now_s()
        except ValueError:
            return False


def _where(user: str, text: str) -> list[str]:
    """The keys of the mark and of the ticket."""
    return [keys.void(user), keys.ticket(user, text)]
