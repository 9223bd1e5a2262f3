"""Coming and going of connections. Attach is sitting down; the newest connection of a person wins at once.

All of it happens inside the table's task, so nothing can be stored between the snapshot and the subscription.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.refusal import ErrorCode
from app.tables import judge
from app.tables.match.decide import Refused, Verdict, sit
from app.tables.match.timers import timers
from app.tables.match.view import room_view
from app.tables.messages import Attach
from app.tables.ports import Connection
from app.tables.viewers import replies

if TYPE_CHECKING:
    from app.tables.actor import Table


async def attach(table: Table, message: Attach) -> None:
    """Let a connection in: to its seat, to a free one, or to the gallery; or say why not and send it away."""
    if table.broken is not None:
        _reject(message, "frozen")
    elif message.role == "spectator" and table.course.match.seat_of(message.person.user) is None:
        _watch(table, message)
    else:
        await _sit(table, message)


async def _sit(table: Table, message: Attach) -> None:
    match = table.course.match
    verdict: Verdict = sit(match, message.person)
    if verdict and match.frozen is not None:
        verdict = Refused(ErrorCode.FROZEN)
    elif verdict and not isinstance(verdict, Refused) and not await _claimed(table, message.person.user):
        verdict = Refused(ErrorCode.CONFLICT)
    draft = judge.matched(table.course, {"sit": message.person.user}, verdict)
    if isinstance(draft, Refused):
        _reject(message, draft.code)
        return
    await table.commit(draft)
    place = table.course.match.seat_of(message.person.user)
    assert place is not None, "whoever sat down has a seat"
    _leave_gallery(table, message)
    channel, connection = table.teller.channels[place], message.connection
    old, channel.connection = channel.connection, connection
    if old is not None and old is not connection:
        old.farewell("replaced", "")
    if message.ref is not None:
        connection.offer(replies.ack(message.ref, seat=place))
    _catch_up(table, place, None if draft.match_events else message.last)
    if old is None:
        table.presence_changed(place, True)


async def _claimed(table: Table, user: str) -> bool:
    """One player, one seat: also for one whose ticket is older than his last seat."""
    table.alarms.expected(user, False)
    return await table.claim(user)


def _catch_up(table: Table, place: int, last: tuple[int, int] | None) -> None:
    """The entries a returning connection has missed and its prompt, or everything; then the running countdowns."""
    teller = table.teller
    channel = teller.channels[place]
    decision = channel.prompted = teller.decision_of(place)
    missed = channel.missed(last, table.course.seq(place))
    if missed is None:
        channel.offer(teller.sync(place))
    else:
        for frame in missed:
            channel.offer(frame)
        channel.offer(teller.prompt(place, decision))
        for other, online in enumerate(teller.online):
            channel.offer(replies.presence(other, online))
    for key in timers(table.course.match, table.course.variant.meta):
        if (running := replies.countdown(key, table.alarms.match_left_ms(key))) is not None:
            channel.offer(running)


def _watch(table: Table, message: Attach) -> None:
    allowed = table.course.match.spec.settings.spectators
    if allowed == "off" or (allowed == "members" and not message.member):
        _reject(message, "not_allowed")
        return
    gallery, connection = table.teller.gallery, message.connection
    old = gallery.admit(connection, message.person)
    if old is not None and old is not connection:
        old.farewell("replaced", "")
    if message.ref is not None:
        connection.offer(replies.ack(message.ref, seat=None))
    connection.offer(gallery.snapshot(room_view(table.course.match)))


def _leave_gallery(table: Table, message: Attach) -> None:
    """Whoever takes a seat does not watch any more."""
    for watching in table.teller.gallery.connections:
        person = table.teller.gallery.person(watching)
        if person is not None and person.user == message.person.user:
            table.teller.gallery.dismiss(watching)
            if watching is not message.connection:
                watching.farewell("replaced", "")


def _reject(message: Attach, code: str) -> None:
    message.connection.offer(replies.error(message.ref, code))
    message.connection.farewell("closed", code)


def detach(table: Table, connection: Connection) -> None:
    """A socket is gone. Only if its seat still holds this very connection does anything change."""
    if table.teller.gallery.dismiss(connection):
        return
    place = table.teller.place_of(connection)
    if place is not None:
        table.teller.channels[place].connection = None
        table.presence_changed(place, False)
