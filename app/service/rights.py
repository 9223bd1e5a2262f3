"""The right to an open socket: checked again after every change of its user."""

from __future__ import annotations

from datetime import datetime

from app.refusal import Refusal
from app.storage.archive.engine import Archive
from app.storage.archive.people import accounts, people
from app.storage.archive.play import rooms
from app.storage.live.rooms.tickets import Ticket


async def may_stay(archive: Archive, ticket: Ticket, now: datetime) -> bool:
    """False when the session has ended or its user is banned; of a spectator, also when they may no longer watch.

    A seated player stays until they leave, also after they lose their membership.
    """
    async with archive.read() as db:
        try:
            if ticket.session and await accounts.signed_in(db, ticket.user, ticket.session, now) is None:
                return False
            if ticket.role == "player" or ticket.scope == "lobby":
                return True
            room = await rooms.room(db, ticket.scope.removeprefix("room:"))
            await rooms.refuse_stranger(db, room["circle_id"], ticket.user)
        except Refusal:
            return False
        return room["host_id"] is None or not await people.blocks_him(db, room["host_id"], ticket.user)
