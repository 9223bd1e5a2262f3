"""Tickets: what lets a socket in, once. Bound to a user and a scope; the seat is read from the match."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Final, Literal

import msgspec

from app.storage.live import keys
from app.storage.live.link import Link

TICKET_S: Final = 30
"""How long a ticket may wait for its socket."""


class Ticket(msgspec.Struct, frozen=True):
    """Whom a ticket admits (`user` with the name and avatar to show) and to what: `room:<id>` or `lobby`.

    `role`: who may sit down; `member`: of the room's circle. `voided`: what `void` had left for him when it was issued.
    """

    user: str
    name: str
    avatar: str
    scope: str
    role: Literal["player", "spectator"] = "player"
    member: bool = False
    voided: str = ""


class Tickets:
    """Issues and redeems tickets. `now_s` is wall-clock time; it only tells an expired ticket from a wrong one."""

    def __init__(self, link: Link, now_s: Callable[[], float] = time.time) -> None:
        self._link = link
        self._now_s = now_s

    async def issue(self, ticket: Ticket) -> str:
        """A new ticket's secret; good for `TICKET_S` seconds. Raises StoreAway."""
        secret = f"{int(self._now_s()) + TICKET_S:x}.{secrets.token_urlsafe(18)}"
        voided = await self._link.ask("GET", keys.void(ticket.user))
        issued = msgspec.structs.replace(ticket, voided=str(voided or b"", "utf-8"))
        await self._link.ask("SET", keys.ticket(secret), msgspec.json.encode(issued), "EX", TICKET_S)
        return secret

    async def void(self, user: str) -> None:
        """No ticket that this user was given up to now is good any more: a mark, not a time. Raises StoreAway."""
        await self._link.ask("SET", keys.void(user), secrets.token_hex(8), "EX", TICKET_S)

    async def redeem(self, secret: str) -> Ticket | Literal["bad_ticket", "expired_ticket"]:
        """Use a ticket up: whom it admits, or the code of the error. Raises StoreAway."""
        found = await self._link.ask("GETDEL", keys.ticket(secret))
        if found is not None:
            ticket = msgspec.json.decode(found, type=Ticket)
            voided = await self._link.ask("GET", keys.void(ticket.user))
            return ticket if voided is None or str(voided, "utf-8") == ticket.voided else "bad_ticket"
        return "expired_ticket" if self._expired(secret) else "bad_ticket"

    def _expired(self, secret: str) -> bool:
        try:
            return int(secret.partition(".")[0], 16) <= self._now_s()
        except ValueError:
            return False
