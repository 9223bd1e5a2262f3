"""The end of a clock, of a decision or of the match: a time-out, a controller's move, an expiry."""

from __future__ import annotations

from app.kernel.errors import InvariantViolation
from app.kernel.play.commands import Act
from app.kernel.play.decisions import Decision
from app.kernel.views import view
from app.tables import judge
from app.tables.clocks.controllers import controller, stand_in
from app.tables.log.table_log import TableLog
from app.tables.match.decide import Refused, expire
from app.tables.outcomes import Draft
from app.tables.ports import Chooser, Entropy


def ran_out(log: TableLog, name: str, chooser: Chooser, entropy: Entropy) -> Draft | None:
    """The entry that clock `name` asks for (names: `clocks/timers.py`); None: nothing, the question is gone."""
    kind, key = name[0], name[2:]
    if kind == "t":
        draft = judge.matched(log, {"clock": key}, expire(log.match, log.variant.meta, key))
        return None if isinstance(draft, Refused) else draft
    decision = next((decision for decision in log.open if decision.id == key), None)
    if decision is None:
        return None
    return _move(log, decision, chooser, entropy) if kind == "m" else _own(judge.time_out(log, decision))


def _move(log: TableLog, decision: Decision, chooser: Chooser, entropy: Entropy) -> Draft | None:
    """A controller's turn: it sees its seat's view and answers as a person would."""
    seat = decision.seat
    who = None if seat is None else controller(log.match.seats[seat], decision)
    if who is None or seat is None:
        return None
    if who == "bot":
        action = chooser(log.variant, view(log.round.table, seat), seat, decision, entropy.word())
    else:
        action = stand_in(who, decision)
    return _own(judge.move(log, Act(seat, decision.id, action)))


def _own(draft: Draft | Refused) -> Draft:
    if isinstance(draft, Refused):
        raise InvariantViolation(f"the table's own command was refused: {draft.code}")
    return draft


def may_sit_elsewhere(log: TableLog, user: str) -> bool:
    """True for a player who was expected back and is still away; their seat here stays as it was."""
    place = log.match.seat_of(user)
    return place is None or not log.match.seats[place].present
