"""What a person's request does: exactly one `ack` or `error`, a repeated id gets its first answer and no second effect.

Judged in `judge.py` and `match/decide.py`; made durable by the actor before anything is answered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from app.kernel.views import view
from app.tables import asks, judge
from app.tables.frames import Frame, Plain
from app.tables.match.decide import Refused
from app.tables.match.state import REMEMBERED
from app.tables.match.view import room_view
from app.tables.messages import Request
from app.tables.ports import Connection
from app.tables.viewers import replies
from app.tables.viewers.channel import plain_frame

if TYPE_CHECKING:
    from app.tables.actor import Table

PHRASE_GAP_S: Final = 1.0
"""Shortest time between two phrases of one person."""
_DONE: Final = ""
"""Stands among the refusals for what was done and left nothing in the log: said already, or so already."""


async def answer(table: Table, request: Request) -> None:
    """Answer one request. One that comes over a connection that is not its person's newest is dropped."""
    connection, ref = request.connection, request.ref
    place = table.teller.place_of(connection)
    if place is None:
        _watcher(table, request)
        return
    person = table.course.match.seats[place].person
    assert person is not None, "a connected seat has a person"
    code = table.refusals.get(person.user, {}).get(ref)
    if code == _DONE or table.course.answered(person.user, ref):
        connection.offer(replies.ack(ref))
        return
    code = code or await _do(table, request, place, person.user)
    if code is None:
        return
    _remember_unlogged(table, person.user, ref, code)
    if code == "muted":
        left_s = table.muted.get(person.user, 0.0) - table.house.clock.monotonic()
        connection.offer(replies.muted(ref, max(0.0, left_s)))
    else:
        connection.offer(replies.error(ref, code))
    if isinstance(request.ask, asks.Play) and table.broken is None:
        connection.offer(table.teller.sync(place))


async def _do(table: Table, request: Request, place: int, user: str) -> str | None:
    """Carry a request out and acknowledge it; the code when it is refused."""
    connection, ref, ask = request.connection, request.ref, request.ask
    if table.broken is not None:
        return "frozen"
    match ask:
        case asks.Sync():
            _send(connection, replies.ack(ref), table.teller.sync(place))
            return None
        case asks.Hints():
            _send(connection, replies.ack(ref, hints=_hints(table, place)))
            return None
        case asks.Phrase(code):
            return _phrase(table, request, place, user, code)
    if table.course.match.frozen is not None and not isinstance(ask, asks.Leave):
        return "frozen"
    draft = judge.play(table.course, place, ask) if isinstance(ask, asks.Play) else judge.ask(table.course, place, ask)
    if isinstance(draft, Refused):
        return draft.code
    if isinstance(ask, asks.Ready) and not await _holds_seat(table, user):
        return "conflict"
    await table.commit(draft, ref, place)
    if draft.empty:
        _remember_unlogged(table, user, ref, _DONE)
    _send(connection, replies.ack(ref))
    if isinstance(ask, asks.Kick):
        table.dismiss("kicked", "host")
    if isinstance(ask, asks.ChangeSeat) and (moved := table.teller.place_of(connection)) is not None:
        connection.offer(table.teller.sync(moved))
    return None


async def _holds_seat(table: Table, user: str) -> bool:
    """One player, one seat: the match's end freed him, so for a rematch his seat is claimed again."""
    match = table.course.match
    if match.phase != "ended":
        return True
    return await table.claim(user)


def _send(connection: Connection, *frames: Frame) -> None:
    for frame in frames:
        connection.offer(frame)


def _hints(table: Table, place: int) -> list[Plain]:
    course = table.course
    if course.round is None or course.round_over:
        return []
    return replies.plain_hints(course.variant.advise(view(course.round.table, place), place))


def _phrase(table: Table, request: Request, place: int, user: str, code: str) -> str | None:
    now = table.house.clock.monotonic()
    if now - table.phrases.get(user, -PHRASE_GAP_S) < PHRASE_GAP_S:
        return "rate_limited"
    if now < table.muted.get(user, 0.0):
        return "muted"
    table.phrases[user] = now
    _remember_unlogged(table, user, request.ref, _DONE)
    table.teller.say(plain_frame("chat", seat=place, code=code))
    _send(request.connection, replies.ack(request.ref))
    return None


def _remember_unlogged(table: Table, user: str, ref: str, code: str) -> None:
    """What is not in the log is remembered here only; another node judges again, on a later state."""
    refusals = table.refusals.setdefault(user, {})
    refusals[ref] = code
    if len(refusals) > REMEMBERED:
        del refusals[next(iter(refusals))]


def _watcher(table: Table, request: Request) -> None:
    """Spectators may ask for a sync and may leave; everything else needs a seat."""
    connection, ref = request.connection, request.ref
    if table.teller.gallery.person(connection) is None:
        return
    match request.ask:
        case asks.Sync():
            _send(connection, replies.ack(ref), table.teller.gallery.snapshot(room_view(table.course.match)))
        case asks.Leave():
            table.teller.gallery.dismiss(connection)
            _send(connection, replies.ack(ref))
            connection.farewell("closed", "left")
        case _:
            _send(connection, replies.error(ref, "not_seated"))
