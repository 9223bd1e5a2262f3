"""What a clock that ran out means: a time-out, a controller's move, the end of a match clock, or that we were late.

A clock whose message comes much too late was held up by us: then nobody is charged and all clocks start afresh.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.kernel.commands import Act
from app.kernel.decisions import Decision
from app.kernel.errors import InvariantViolation
from app.kernel.views import view
from app.tables import judge
from app.tables.clocks.controllers import controller, stand_in
from app.tables.clocks.deadlines import LATE_S
from app.tables.clocks.timers import CLAIMS, DESERTED, EXPECTED
from app.tables.match.decide import Refused, expire
from app.tables.messages import RanOut

if TYPE_CHECKING:
    from app.tables.actor import Table


async def ran_out(table: Table, message: RanOut) -> None:
    """Handle a clock's message; one of an earlier start of that clock is stale and means nothing."""
    if not table.alarms.timers.take(message.name, message.generation):
        return
    kind, key = message.name[0], message.name[2:]
    if table.broken is not None:
        await table.close_failed()
    elif message.name.startswith(EXPECTED):  # late or not: who comes after all is claimed again
        _did_not_return(table, message.name.removeprefix(EXPECTED))
    elif message.name == CLAIMS:
        table.keep_members()
    elif table.house.clock.monotonic() - message.planned > LATE_S:
        table.stall_count += 1
        table.restart_clocks()
    elif message.name == DESERTED:
        table.deserted = True
    elif kind == "t":
        await table.commit_match({"clock": key}, expire(table.course.match, table.course.variant.meta, key))
    elif (decision := next((d for d in table.course.open if d.id == key), None)) is not None:
        await (_move(table, decision) if kind == "m" else _commit(table, judge.time_out(table.course, decision)))


def _did_not_return(table: Table, user: str) -> None:
    """Who said he would return and did not is free to sit elsewhere; his seat here stays what it was."""
    place = table.course.match.seat_of(user)
    if place is None or not table.course.match.seats[place].present:
        table.house.rooms.free(table.table_id, (user,), table.token.epoch)


async def _move(table: Table, decision: Decision) -> None:
    """A controller's turn: it sees its seat's view and answers like anybody else."""
    course, seat = table.course, decision.seat
    who = None if seat is None else controller(course.match.seats[seat], decision)
    if who is None or seat is None:
        return
    if who == "bot":
        seen = view(course.round.table, seat)
        action = table.house.chooser(course.variant, seen, seat, decision, table.house.entropy.word())
    else:
        action = stand_in(who, decision)
    await _commit(table, judge.move(course, Act(seat, decision.id, action)))


async def _commit(table: Table, draft: judge.Draft | Refused) -> None:
    if isinstance(draft, Refused):
        raise InvariantViolation(f"the table's own command was refused: {draft.code}")
    await table.commit(draft)
