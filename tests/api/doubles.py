"""Live rooms in memory, for tests of REST: the port `app.service.ports.RoomService`, without a table behind it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

from app.refusal import ErrorCode, Refusal
from app.service.ports import SocketTicket
from app.tables.asks import Company, Order
from app.tables.outcomes import Done, OrderOutcome
from app.tables.ports import Person, Summary
from app.tables.settings import TableSpec


class RoomsInMemory:
    """Seats people at once when they join; remembers the orders it was given."""

    def __init__(self) -> None:
        self.tables: dict[str, Summary] = {}
        self.specs: dict[str, TableSpec] = {}
        self.orders: list[tuple[str, Order]] = []
        self.tickets: list[tuple[str, str, bool]] = []
        self.refuse_create: Refusal | None = None
        self.voided: set[str] = set()
        self.rechecked: list[str] = []
        self.visits: set[tuple[str, str]] = set()
        self.changed_circles: list[str] = []
        self.counted: list[tuple[str, str]] = []
        self.counted_seats: list[tuple[str, str]] = []
        self.seated_late: set[str] = set()
        """Users whose seat is not known yet when it is looked for, only when another is taken."""
        self.marks: dict[str, tuple[str, ...]] = {}
        self._codes: dict[str, str] = {}

    async def circle_changed(self, circle_id: str) -> None:
        self.changed_circles.append(circle_id)

    async def count_room(self, room_id: str, address: str) -> None:
        self.counted.append((room_id, address))

    async def count_seat(self, user: str, address: str) -> None:
        self.counted_seats.append((user, address))

    async def reserve_code(self, room_id: str) -> str:
        code = f"{len(self._codes):06d}"
        self._codes[code] = room_id
        return code

    async def create(self, spec: TableSpec) -> Summary:
        if self.refuse_create is not None:
            raise self.refuse_create
        nobody = (None,) * spec.players
        no = (False,) * spec.players
        rounds = int(spec.rules.get("rounds", 8))
        self.specs[spec.table_id] = spec
        self.tables[spec.table_id] = Summary(
            spec.table_id, spec.code, spec.variant, "waiting", 1, 0, rounds, spec.host, nobody, no, no, False, 0
        )
        return self.tables[spec.table_id]

    async def summary(self, room_id: str) -> Summary | None:
        return self.tables.get(room_id)

    async def room_of_code(self, code: str) -> str | None:
        return self._codes.get(code)

    async def note_visit(self, room_id: str, user: str) -> None:
        self.visits.add((room_id, user))

    async def visited(self, room_id: str, user: str) -> bool:
        return (room_id, user) in self.visits

    async def room_of_user(self, user: str) -> str | None:
        return None if user in self.seated_late else self._holder(user)

    async def chairs_of_user(self, user: str) -> list[str]:
        return [
            room_id for room_id, table in self.tables.items()
            if any(person is not None and person.user == user for person in table.seats)
        ]  # fmt: skip

    def _holder(self, user: str) -> str | None:
        for room_id, table in self.tables.items():
            if any(person is not None and person.user == user for person in table.seats):
                return room_id
        return None

    async def join(
        self, room_id: str, person: Person, seat: int | None, marks: tuple[str, ...] = (), company: Company = "any"
    ) -> None:
        table = self._table(room_id)
        linked = [bool(set(marks) & set(self.marks.get(there.user, ()))) for there in table.seats if there is not None]
        if company != "any" and not (all(linked) if company == "own" else not any(linked)):
            raise Refusal(ErrorCode.ROOM_FULL)
        self.marks[person.user] = marks
        if self._holder(person.user) not in (None, room_id):
            raise Refusal(ErrorCode.CONFLICT, "seated elsewhere")
        if person in table.seats:
            return
        free = [n for n, there in enumerate(table.seats) if there is None]
        if not free:
            raise Refusal(ErrorCode.ROOM_FULL)
        if seat is not None and seat not in free:
            raise Refusal(ErrorCode.SEAT_TAKEN, "somebody sits there")
        self._seat(room_id, free[0] if seat is None else seat, person)

    async def claims(self, room_id: str) -> set[str]:
        return {person.user for person in self._table(room_id).seats if person is not None}

    async def leave(self, room_id: str, user: str) -> None:
        for seat, person in enumerate(self._table(room_id).seats):
            if person is not None and person.user == user:
                self._seat(room_id, seat, None)

    async def ticket(self, scope: str, person: Person, *, session: str, member: bool = False) -> SocketTicket:
        self.tickets.append((scope, person.user, member))
        return SocketTicket("ticket", "/n/n1/v1/ws", 30)

    async def player_ticket(
        self, room_id: str, person: Person, *, session: str, vouched: bool = True
    ) -> SocketTicket | None:
        if await self.room_of_user(person.user) != room_id or not (vouched or person.user not in self.voided):
            return None
        return await self.ticket(f"room:{room_id}", person, session=session)

    async def void(self, user: str) -> None:
        self.voided.add(user)

    async def rights_changed(self, user: str) -> None:
        self.rechecked.append(user)

    async def listed(self, scope: str) -> list[Summary]:
        _, _, circle = scope.partition(":")
        wanted = [id_ for id_, s in self.specs.items() if (s.circle == circle if circle else s.host is None)]
        return [self.tables[room_id] for room_id in reversed(wanted) if room_id in self.tables]

    async def order(self, room_id: str, order: Order) -> OrderOutcome:
        self._table(room_id)
        self.orders.append((room_id, order))
        return Done()

    def close(self, room_id: str) -> None:
        """The table is gone."""
        del self.tables[room_id]

    def _table(self, room_id: str) -> Summary:
        if room_id not in self.tables:
            raise Refusal(ErrorCode.NO_SUCH_ROOM, "gone")
        return self.tables[room_id]

    def _seat(self, room_id: str, seat: int, person: Person | None) -> None:
        table = self.tables[room_id]
        seats = (*table.seats[:seat], person, *table.seats[seat + 1 :])
        self.tables[room_id] = replace(table, seats=seats)


class EventsInMemory:
    """Remembers what people were told; a stream ends after its first line."""

    def __init__(self) -> None:
        self.noted: list[tuple[str, str, dict[str, Any]]] = []
        self.away = False

    async def note(self, user: str, kind: str, /, **facts: Any) -> bool:
        self.noted.append((user, kind, facts))
        return not self.away

    def refuse_full(self) -> None: ...

    async def lines(self, user: str, session: str, cursor: str | None) -> AsyncIterator[bytes]:
        yield b'{"id":"0-0","type":"open"}\n'
