"""Tickets for a room's socket: the one decision about a player who returns to the table where they hold a seat.

Asked by the route `POST /rooms/{room}/ticket`, for callers whom the archive knows, and by the fast path before it.
"""

from __future__ import annotations

from app.api.play.bodies import TicketOut
from app.service.ports import RoomService, SocketTicket
from app.tables.ports import Person


async def issue_return_ticket(
    rooms: RoomService, room: str, person: Person, session: str, *, vouched: bool
) -> TicketOut | None:
    """A player's ticket to the table at which `person` holds a seat; None: another answer is due.

    `vouched`: the archive was asked about the person. If not, None also when something about them changed lately.
    """
    given = await rooms.player_ticket(room, person, session=session, vouched=vouched)
    return None if given is None else ticket_out(given)


def ticket_out(given: SocketTicket) -> TicketOut:
    """A ticket as REST answers with it."""
    return TicketOut(ticket=given.ticket, ws_path=given.ws_path, expires_in=given.expires_in_s)
