"""What operators may do to a table. Every order ends in a value; all of them are safe to repeat.

Who may give an order, and the audit of it, is settled above. No hidden tile leaves here but by `everything`.
"""

from __future__ import annotations

from dataclasses import asdict
from math import inf
from typing import TYPE_CHECKING

from app.kernel.notation import plain_view
from app.kernel.seats import EVERYTHING, SPECTATOR
from app.kernel.views import view
from app.tables import asks
from app.tables.frames import Plain
from app.tables.match.decide import Refused, decide_ask, dissolve, fill, reserve
from app.tables.match.events import MatchFrozen
from app.tables.messages import Operate
from app.tables.ports import Person
from app.tables.viewers.channel import plain_frame

if TYPE_CHECKING:
    from app.tables.actor import Table


async def obey(table: Table, message: Operate) -> None:
    """Carry an order out and resolve its future: `{"ok": True, …}` or `{"ok": False, "code": …}`."""
    outcome = await _carry_out(table, message.order)
    if not message.done.done():
        message.done.set_result(outcome)


async def _carry_out(table: Table, order: asks.Order) -> Plain:
    match order:
        case asks.OrderReserve():
            return await _reserve(table, order)
        case asks.OrderDissolve(reason, by):
            return await _dissolve(table, reason, by)
        case asks.OrderRemove(user, kicked):
            return await _remove(table, user, kicked)
        case asks.OrderMute(user, on, for_s):
            table.muted.pop(user, None)
            if on:
                table.muted[user] = inf if for_s is None else table.house.clock.monotonic() + for_s
            return {"ok": True}
        case asks.OrderFreeze(reason):
            return _outcome(await table.commit_match({"freeze": reason}, (MatchFrozen(reason),)))
        case asks.OrderRelease():
            return await _release(table)
        case asks.OrderAnnounce(text):
            table.teller.say(plain_frame("notice", text=text))
            return {"ok": True}
        case asks.OrderInspect(everything):
            return _inspect(table, everything)
        case asks.OrderFill():
            return _outcome(await table.commit_match({"fill": True}, fill(table.course.match)))
        case asks.OrderHandOver(restart):
            await table.house.store.release(table.table_id, table.token)
            table.stop("restart" if restart else "moved", "drain")
            return {"ok": True}


def _outcome(code: str | None) -> Plain:
    return {"ok": True} if code is None else {"ok": False, "code": code}


async def _reserve(table: Table, order: asks.OrderReserve) -> Plain:
    """The claim first, then the chair: nobody sits here whose one seat is elsewhere.

    Somebody who returns is only expected; he takes over from autoplay or a bot when he is connected.
    """
    match, person = table.course.match, Person(order.user, order.name, order.avatar)
    verdict = reserve(match, person, order.seat, table.house.clock.wall_ms())
    if table.broken is not None or match.frozen is not None:
        return {"ok": False, "code": "frozen"}
    if isinstance(verdict, Refused):
        return {"ok": False, "code": verdict.code}
    if not await table.claim(order.user):
        return {"ok": False, "code": "conflict"}
    place = match.seat_of(order.user)
    if not verdict and (place is None or not match.seats[place].present):
        table.alarms.expected(order.user, True)
    return _outcome(await table.commit_match({"reserve": order.user}, verdict))


async def _dissolve(table: Table, reason: str, by: str) -> Plain:
    """The running round is void, the room closes, all in this message; a broken table is closed as failed."""
    if table.broken is not None:
        await table.close_failed()
        return {"ok": True}
    command = {"dissolve": by, "reason": reason}
    note = reason if by == "operator" else None
    outcome = _outcome(await table.commit_match(command, dissolve(table.course.match, by, note)))
    await table.advance()
    return outcome


async def _remove(table: Table, user: str, kicked: bool) -> Plain:
    gallery = table.teller.gallery
    for connection in gallery.connections:
        person = gallery.person(connection)
        if person is not None and person.user == user and gallery.dismiss(connection):
            connection.farewell("kicked" if kicked else "closed", "operator" if kicked else "left")
    place = table.course.match.seat_of(user)
    if place is None or table.broken is not None or not table.course.match.seats[place].present:
        table.house.rooms.free(table.table_id, (user,), table.token.epoch)  # he was expected back
        return {"ok": True}
    verdict = decide_ask(table.course.match, table.course.variant.meta, place, asks.Leave())
    outcome = _outcome(await table.commit_match({"remove": user}, verdict))
    if kicked:
        table.dismiss("kicked", "operator")
    return outcome


async def _release(table: Table) -> Plain:
    """Go on: a broken table is folded anew from the store; if that breaks again, so does this order."""
    if table.broken is not None:
        await table.acquire_again()
    if table.course.match.frozen is not None:
        await table.commit_match({"release": True}, (MatchFrozen(None),))
        table.restart_clocks()
    return {"ok": True}


def _inspect(table: Table, everything: bool) -> Plain:
    """Summary, match and the table as a spectator sees it; hidden tiles only with `everything`."""
    state = table.course.round
    shown = None if state is None else plain_view(view(state.table, EVERYTHING if everything else SPECTATOR))
    return {
        "ok": True, "summary": asdict(table.summary()), "match": table.teller.match_view(), "view": shown,
        "broken": table.broken, "frozen": table.course.match.frozen, "token": str(table.token),
        "entries": table.course.length, "stalls": table.stall_count,
    }  # fmt: skip
