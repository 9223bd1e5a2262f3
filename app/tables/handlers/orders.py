"""Operators' orders to a table. All orders are safe to repeat. The callers check the right to give an order, and audit
it. Release, hand over and inspect concern the running table, and are in `actor.py`.
"""

from __future__ import annotations

from math import inf

from app.refusal import ErrorCode
from app.tables import asks, judge
from app.tables.frames import Plain, plain_frame
from app.tables.log.table_log import TableLog
from app.tables.match.decide import Refused, Verdict, decide_ask, dissolve, fill, reserve
from app.tables.match.events import MatchBarred, MatchFrozen, MatchReadmitted
from app.tables.outcomes import Judged, Mute, Outcome
from app.tables.ports import Clock, Person


def judge_order(log: TableLog, order: asks.Order, broken: bool, clock: Clock) -> Judged:
    """The outcome of an order. `broken`: the table stopped for a bug of ours, nothing can be written into its log."""
    match order:
        case asks.OrderReserve():
            return Refused(ErrorCode.FROZEN) if broken else _reserve(log, order, clock.wall_ms())
        case asks.OrderDissolve(reason, by):
            return _matched(log, {"dissolve": by, "reason": reason}, dissolve(log.match, by, reason or None))
        case asks.OrderRemove(user, kicked):
            return _remove(log, user, kicked, broken)
        case asks.OrderReadmit(user):
            events = (MatchReadmitted(user),) if user in log.match.kicked else ()
            return _matched(log, {"readmit": user}, events)
        case asks.OrderMute(user, on, for_s):
            if not on:
                return Outcome(mute=Mute(user, None))
            return Outcome(mute=Mute(user, inf if for_s is None else clock.monotonic() + for_s))
        case asks.OrderFreeze(reason):
            return _matched(log, {"freeze": reason}, (MatchFrozen(reason),))
        case asks.OrderAnnounce(text):
            return Outcome(said=plain_frame("notice", text=text))
        case asks.OrderFill():
            return _matched(log, {"fill": True}, fill(log.match))
    raise TypeError(f"not for a handler: {type(order).__name__}")


def _matched(log: TableLog, command: Plain, verdict: Verdict) -> Judged:
    draft = judge.matched(log, command, verdict)
    return draft if isinstance(draft, Refused) else Outcome(draft=draft)


def _reserve(log: TableLog, order: asks.OrderReserve, wall_ms: int) -> Judged:
    """Hold a seat. A returning player is only expected: they take over when they are connected.

    A player who comes back to their seat after the match may sit elsewhere, until they ask for a rematch (A6).
    """
    match = log.match
    person = Person(order.user, order.name, order.avatar, order.bot_account)
    verdict = reserve(match, person, order.seat, wall_ms, order.marks, order.company)
    if match.frozen is not None:
        return Refused(ErrorCode.FROZEN)
    draft = judge.matched(log, {"reserve": order.user}, verdict)
    if isinstance(draft, Refused):
        return draft
    place = match.seat_of(order.user)
    away = not verdict and (place is None or not match.seats[place].present)
    over = not verdict and match.phase == "ended" and place is not None and match.seats[place].arrived
    return Outcome(claim=None if over else order.user, expect=order.user if away else None, draft=draft)


def _remove(log: TableLog, user: str, kicked: bool, broken: bool) -> Judged:
    """Take a person out as if they had left, and keep a kicked one out. One who is only expected back is free to sit
    elsewhere.
    """
    if broken:
        return Outcome(free=(user,))
    place = log.match.seat_of(user)
    seated = place is not None and log.match.seats[place].present
    barred = (MatchBarred(user),) if kicked and user not in log.match.kicked else ()
    left: Verdict = decide_ask(log.match, log.variant.meta, place, asks.Leave()) if seated and place is not None else ()
    verdict = left if isinstance(left, Refused) else (*left, *barred)
    draft = judge.matched(log, {"remove": user}, verdict)
    if isinstance(draft, Refused):
        return draft
    return Outcome(
        draft=draft, free=() if seated else (user,), dismissal=("kicked", "operator") if kicked else ("closed", "left")
    )
