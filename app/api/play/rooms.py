"""Rooms: create, find by code, join, ticket, leave. Play at the table goes over the socket."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path, Response

from app.api.limits import guessing
from app.api.people.identity import Caller, CurrentUser, RemoteAddress, ServicesDep
from app.api.play import opening
from app.api.play.bodies import CreateRoom, JoinRoom, MyRoomOut, RoomListOut, RoomOut, TicketOut
from app.api.play.company import marks_of, refuse_bot_account, refuse_company
from app.api.play.tickets import issue_return_ticket, ticket_out
from app.api.repeats import IdempotencyKey, once
from app.api.services import Services
from app.kernel.errors import MalformedInput
from app.refusal import ErrorCode, Refusal
from app.rest.bodies import IdPath
from app.rest.errors import signed_in
from app.service.ports import SocketTicket
from app.storage.archive.circles import circles
from app.storage.archive.paging import Row
from app.storage.archive.people import people
from app.storage.archive.play import rooms
from app.tables.asks import Company, OrderDissolve, OrderMute
from app.tables.ports import Person, Summary

router = APIRouter(tags=["rooms"])

_ENTERING = signed_in(
    ErrorCode.NO_SUCH_ROOM, ErrorCode.NOT_ALLOWED, ErrorCode.BANNED, ErrorCode.CONFLICT, ErrorCode.ROOM_FULL,
    ErrorCode.SEAT_TAKEN, ErrorCode.NOT_NOW, ErrorCode.ROOM_CLOSED, ErrorCode.FROZEN, ErrorCode.TOO_MANY_TABLES,
)  # fmt: skip
_OPENING = signed_in(
    ErrorCode.CONFLICT, ErrorCode.FORBIDDEN, ErrorCode.NOT_FOUND, ErrorCode.TOO_MANY_TABLES, ErrorCode.BUSY,
    ErrorCode.BANNED,
)  # fmt: skip


@router.post("/rooms", status_code=201, responses=_OPENING)
async def create_room(
    asked: CreateRoom, me: CurrentUser, services: ServicesDep, remote: RemoteAddress, key: IdempotencyKey = None
) -> RoomOut:
    """Create a room and hold a seat in it. A wrong option is named (`rules.cap`); 503: there are enough tables."""
    return await once(
        services.repeats, key, me.id, "room", asked, RoomOut, lambda: _create_room(asked, me, services, remote)
    )


async def _create_room(asked: CreateRoom, me: Caller, services: Services, remote: str) -> RoomOut:
    await refuse_seated(services, me.id)
    refuse_contradictions(asked)
    wanted = opening.Wanted(asked.variant, asked.rules, asked.settings, asked.circle)
    async with services.archive.read() as db:
        if asked.circle is not None:
            await circles.require_permission(db, asked.circle, me.id, "open_room")
        if asked.template is not None:
            wanted = opening.from_template(await circles.template(db, asked.circle, asked.template), asked.circle)
    if asked.spectators is not None:
        wanted.settings["spectators"] = asked.spectators
    await services.limiter.spend("room", user=me.id, address=remote)
    return await shown(services, await open_and_sit_down(services, me, wanted, me.person, remote))


@router.get("/rooms/{room}", responses=signed_in(ErrorCode.NO_SUCH_ROOM, ErrorCode.NOT_ALLOWED))
async def room_state(room: IdPath, me: CurrentUser, services: ServicesDep) -> RoomOut:
    """A room; a circle's room only for its members.

    The players, the host and the code are null for callers who neither sit there nor came by the code, unless the
    room is public or their circle's.
    """
    found = await enter(services, me, room, closed=True)
    if found["kind"] != "private" or await knows(services, me, room):
        return await shown(services, room)
    return room_body({**found, "host_id": None}, None)


@router.get("/codes/{code}", responses=signed_in(ErrorCode.NO_SUCH_ROOM, ErrorCode.NOT_ALLOWED))
async def room_by_code(
    code: Annotated[str, Path(pattern=r"^[0-9]{6}$")], me: CurrentUser, services: ServicesDep, remote: RemoteAddress
) -> RoomOut:
    """The room behind a code, to look at before joining. Wrong guesses are counted, and refused after some."""
    async with guessing(services.limiter, user=me.id, address=remote):
        room_id = await services.rooms.room_of_code(code)
        if room_id is None:
            raise Refusal(ErrorCode.NO_SUCH_ROOM, "there is no room with this code")
    await enter(services, me, room_id, closed=True)
    await services.rooms.note_visit(room_id, me.id)
    return await shown(services, room_id)


@router.post("/rooms/{room}/join", responses=_ENTERING)
async def join(room: IdPath, asked: JoinRoom, me: CurrentUser, services: ServicesDep, remote: RemoteAddress) -> RoomOut:
    """Hold a seat in the room for a minute; sit down by connecting with a ticket. Again: no change."""
    found = await enter(services, me, room)
    comes = await services.rooms.room_of_user(me.id) != room
    if comes:
        refuse_bot_account(services, me, found["ranked"])
        await services.limiter.spend("seat", user=me.id, address=remote)
        await services.rooms.count_seat(me.id, remote)
        await refuse_company(services, me, found)
    marks = await marks_of(services, me, remote) if comes and found["ranked"] else ()
    await sit_down(services, me, room, asked.seat, marks)
    if comes:
        try:
            await refuse_company(services, me, found)  # another player may have joined at the same moment
        except Refusal:
            await services.rooms.leave(room, me.id)
            raise
    return await shown(services, room)


@router.post("/rooms/{room}/ticket", responses=_ENTERING)
async def ticket(room: IdPath, me: CurrentUser, services: ServicesDep) -> TicketOut:
    """A ticket to the room's table: as a player for who holds a seat, else as a spectator where the room allows it."""
    given = await issue_return_ticket(services.rooms, room, me.person, me.session_id, vouched=True)
    if given is None:
        return ticket_out(await _other_ticket(services, me, room))
    await _keep_muted(services, me, room)
    return given


async def _other_ticket(services: Services, me: Caller, room: str) -> SocketTicket:
    """For a caller without a seat in this room at present."""
    found = await enter(services, me, room)
    member = False
    if await _sits(services, room, me.id):
        await sit_down(services, me, room)  # the match is over, or the player had left: they hold their seat again
    else:
        member = await _is_member(services, found, me.id)
        allowed = found["settings"].get("spectators", "off")
        if allowed == "off" or (allowed == "members" and not member) or await _blocked(services, found, me.id):
            raise Refusal(ErrorCode.NOT_ALLOWED, "join first: spectators are not allowed here")
    return await services.rooms.ticket(f"room:{room}", me.person, session=me.session_id, member=member)


async def knows(services: Services, me: Caller, room: str) -> bool:
    """Whether the caller sits in this room or was shown it by its code."""
    if await services.rooms.room_of_user(me.id) == room or await _sits(services, room, me.id):
        return True
    return await services.rooms.visited(room, me.id)


async def _sits(services: Services, room: str, user: str) -> bool:
    """Whether a user has a seat there: also when their claim ended with the match, or a bot plays for them."""
    summary = await services.rooms.summary(room)
    if summary is None:
        return False
    return user in summary.parted or any(sitter is not None and sitter.user == user for sitter in summary.seats)


@router.post("/rooms/{room}/leave", status_code=204, response_class=Response, responses=signed_in())
async def leave(room: IdPath, me: CurrentUser, services: ServicesDep) -> None:
    """Give my seat up; in a running match autoplay takes over to the end of the round. Harmless when repeated."""
    if await services.rooms.room_of_user(me.id) == room or await _sits(services, room, me.id):
        await services.rooms.leave(room, me.id)


@router.get("/me/room", responses=signed_in())
async def my_room(me: CurrentUser, services: ServicesDep) -> MyRoomOut:
    """ "You are in room …": where to go back to after a break."""
    room_id = await services.rooms.room_of_user(me.id)
    return MyRoomOut(room=None if room_id is None else await shown(services, room_id))


@router.get("/lobby", responses=signed_in())
async def lobby(me: CurrentUser, services: ServicesDep) -> RoomListOut:
    """Public tables that are open now."""
    return RoomListOut(items=await listed(services, "public"))


@router.post("/lobby/ticket", responses=signed_in())
async def lobby_ticket(me: CurrentUser, services: ServicesDep) -> TicketOut:
    """A ticket to watch lobbies on the socket, of the public and of my circles."""
    return ticket_out(await services.rooms.ticket("lobby", me.person, session=me.session_id))


def refuse_contradictions(asked: CreateRoom) -> None:
    """Raises MalformedInput for what would be ignored: options beside a template, two words about spectators."""
    if asked.template is not None:
        for name in ("variant", "rules", "settings"):
            if getattr(asked, name):
                raise MalformedInput(name, "contradicts `template`, which has all options")
    if asked.spectators is not None and asked.settings.get("spectators", asked.spectators) != asked.spectators:
        raise MalformedInput("spectators", "contradicts `settings.spectators`")


async def open_and_sit_down(
    services: Services, me: Caller, wanted: opening.Wanted, host: Person | None, address: str
) -> str:  # fmt: skip
    """Open a room and claim its first seat for the caller: its id. If they sit elsewhere by now, it is removed."""
    marks = await marks_of(services, me, address) if wanted.ranked else ()
    await services.rooms.count_seat(me.id, address)
    live = await opening.open_room(services, wanted, host, address)
    try:
        await sit_down(services, me, live.table_id, None, marks)
    except Refusal:
        await services.rooms.order(live.table_id, OrderDissolve("nobody sat down"))
        raise
    return live.table_id


async def sit_down(
    services: Services, me: Caller, room_id: str, seat: int | None = None, marks: tuple[str, ...] = (),
    company: Company = "any",
) -> None:  # fmt: skip
    """Claim a seat for the caller; the phrases of a muted player are not passed on at this table either.

    `marks`, `company`: see `asks.OrderReserve`.
    """
    await services.rooms.join(room_id, me.person, seat, marks, company)
    await _keep_muted(services, me, room_id)


async def _keep_muted(services: Services, me: Caller, room_id: str) -> None:
    """A table forgets mutes when it moves to another node, so each arrival states them again."""
    if me.user.muted:
        until = me.user.muted_until
        for_s = None if until is None else (until - me.now).total_seconds()
        await services.rooms.order(room_id, OrderMute(me.id, True, for_s))


async def refuse_seated(services: Services, user: str) -> None:
    """Raises Refusal conflict for a caller who holds a seat already: one player, one seat."""
    if await services.rooms.room_of_user(user) is not None:
        raise Refusal(ErrorCode.CONFLICT, "you hold a seat at another table; leave it first", reason="seated_elsewhere")


async def shown(services: Services, room_id: str) -> RoomOut:
    """A room for people to see, as it is now. Raises Refusal no_such_room."""
    async with services.archive.read() as db:
        found = await rooms.room(db, room_id)
    return room_body(found, await services.rooms.summary(room_id))


async def listed(services: Services, scope: str) -> list[RoomOut]:
    """The open rooms of a scope, `public` or `circle:<id>`, newest first."""
    live = await services.rooms.listed(scope)
    async with services.archive.read() as db:
        known = await rooms.some_rooms(db, [summary.table_id for summary in live])
    return [room_body(known[summary.table_id], summary) for summary in live if summary.table_id in known]


def room_body(room: Row, live: Summary | None) -> RoomOut:
    """The body that shows a room: its row, and its table while there is one."""
    table = None
    if live is not None:
        reserved = live.reserved or (None,) * len(live.seats)
        seats = [
            person and {**asdict(person), "bot": bot, "online": online, "reserved_at": _moment(since_ms)}
            for person, bot, online, since_ms in zip(live.seats, live.bots, live.online, reserved, strict=True)
        ]
        names = ("phase", "round_no", "played", "rounds", "frozen", "spectators")
        table = {"seats": seats, **{name: getattr(live, name) for name in names}}
    fields: dict[str, Any] = {
        **room,
        "circle": room["circle_id"],
        "host": room["host_id"],
        "code": live.code if live is not None else None,
        "live": table,
    }
    return RoomOut.model_validate(fields)


def _moment(since_ms: int | None) -> datetime | None:
    return None if since_ms is None else datetime.fromtimestamp(since_ms / 1000, UTC)


async def enter(services: Services, me: Caller, room_id: str, *, closed: bool = False) -> Row:
    """The room's row. Raises Refusal: no_such_room, not_allowed (no member of its circle), room_closed.

    A player with a seat there may return to it even after removal from the circle.
    """
    async with services.archive.read() as db:
        found = await rooms.room(db, room_id)
    if await services.rooms.room_of_user(me.id) != room_id:
        async with services.archive.read() as db:
            await rooms.refuse_stranger(db, found["circle_id"], me.id)
    if found["closed_at"] is not None and not closed:
        raise Refusal(ErrorCode.ROOM_CLOSED, "the room is closed")
    return found


async def _blocked(services: Services, room: Row, user: str) -> bool:
    """Whether the room's host blocks this user."""
    if room["host_id"] is None:
        return False
    async with services.archive.read() as db:
        return await people.blocks_him(db, room["host_id"], user)


async def _is_member(services: Services, room: Row, user: str) -> bool:
    if room["circle_id"] is None:
        return False
    async with services.archive.read() as db:
        return await rooms.is_member(db, room["circle_id"], user)
