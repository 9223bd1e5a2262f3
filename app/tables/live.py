"""The parts of a live table that move together: its owned log, its viewers, its clocks, and how they follow an entry.

`actor.Table` decides on an outcome; here it is carried out. Stored first, then sent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Final

from app.kernel.seats import EVERYTHING, SPECTATOR
from app.kernel.text.notation import plain_view
from app.kernel.views import view
from app.refusal import ErrorCode
from app.tables.clocks.timers import TableTimers
from app.tables.frames import Plain, Reason
from app.tables.handlers import breakdown
from app.tables.handlers.unlogged import Unlogged
from app.tables.log.audience import EVERYBODY, Audience, changes_public_match
from app.tables.log.documents import failed_document
from app.tables.log.entries import Asked, Entry
from app.tables.log.owned_log import OwnedLog
from app.tables.log.table_log import TableLog
from app.tables.match.decide import Refused
from app.tables.match.state import MatchState
from app.tables.messages import Attach, Late, Message, Operate, RanOut, Request, RuntimeDeps
from app.tables.outcomes import Draft, Judged
from app.tables.ports import Connection, Summary, TableFacts, Token
from app.tables.viewers import replies
from app.tables.viewers.broadcast import Broadcaster

_CONFLICT: Final = Refused(ErrorCode.CONFLICT)


class LiveState:
    """The parts of one `Table`. `broken`: the reason why it cannot go on, our bug or a store that lost data."""

    def __init__(
        self, log: TableLog, token: Token, deps: RuntimeDeps, recovered: bool, post: Callable[[Message], object]
    ) -> None:
        """`post` takes the messages of clocks; `recovered`: the log was written by an owner before us.

        Nothing here may refer to the table itself: an ended round is freed at once, not at the next full collection.
        """

        def ran_out(name: str, generation: int, planned: float) -> None:
            post(RanOut(name, generation, planned))

        self.table_id = log.match.spec.table_id
        self.deps = deps
        self.timers = TableTimers(deps.clock, ran_out)
        self.viewers = Broadcaster(log, self.timers, deps, lambda: post(Late()))
        self.owned = OwnedLog(log, token, deps, self.viewers.saving)
        self.unlogged = Unlogged()
        self.deserted = False
        self.broken: str | None = None
        self._restart_clocks = recovered
        self._recovered = recovered
        self._late_count = 0

    @property
    def log(self) -> TableLog:
        """The table's log; another one after the table was acquired again."""
        return self.owned.log

    def summary(self) -> Summary:
        """Public facts of the table."""
        m = self.log.match
        return Summary(
            m.spec.table_id, m.spec.code, m.spec.variant, m.phase, m.round_no, m.played, self.log.rules.rounds,
            m.host, tuple([seat.person for seat in m.seats]), tuple([seat.bot for seat in m.seats]),
            tuple(self.viewers.online), self.broken is not None or m.frozen is not None,
            len(self.viewers.spectators), m.spec.circle,
            tuple([old.user for old in m.parted if old.user and m.seats[old.seat].bot]),
            tuple([seat.reserved_ms for seat in m.seats]), m.spec.settings.spectators,
        )  # fmt: skip

    def facts(self) -> TableFacts:
        """Counters for metrics."""
        return TableFacts(
            broken=self.broken, frozen=self.broken is not None or self.log.match.frozen is not None,
            playing=self.log.match.phase == "playing", connections=sum(self.viewers.online),
            spectators=len(self.viewers.spectators), stalls=self._stall_count,
        )  # fmt: skip

    def inspect(self, everything: bool) -> Plain:
        """Summary, match and the table as a spectator sees it; hidden tiles only with `everything`."""
        state = self.log.round
        shown = None if state is None else plain_view(view(state.table, EVERYTHING if everything else SPECTATOR))
        return {
            "summary": asdict(self.summary()), "match": self.viewers.match_view(), "view": shown,
            "broken": self.broken, "frozen": self.log.match.frozen, "token": str(self.owned.token),
            "entries": self.log.length, "stalls": self._stall_count,
        }  # fmt: skip

    @property
    def _stall_count(self) -> int:
        return self.owned.stall_count + self._late_count

    def begin(self) -> None:
        if self._recovered:
            self.keep_members()
        self.timers.deserted(True)
        self._arm()
        self._changed()

    # Outcomes

    async def carry_out(self, judged: Judged, asked: Asked | None = None) -> list[Connection] | Refused:
        """Do what a handler found, in the order of `Outcome`. Returns who has to go, or why nothing was done.

        `asked`: the request that it answers, kept in the log.
        """
        if isinstance(judged, Refused):
            return judged
        if judged.claim is not None and not await self.claim(judged.claim):
            return _CONFLICT
        if judged.expect is not None:
            self.timers.expected(judged.expect, True)
        dismissed = [] if judged.draft is None else await self.commit(judged.draft, asked)
        if judged.free:
            self.deps.rooms.free(self.table_id, judged.free, self.owned.token.epoch)
        if judged.mute is not None:
            self.unlogged.mute(judged.mute.user, judged.mute.until)
        if judged.said is not None:
            self.viewers.say(judged.said)
        if judged.dismissal[0] == "kicked":
            dismiss(dismissed, *judged.dismissal)
        return dismissed

    async def claim(self, user: str) -> bool:
        """One player, one seat. An outage meanwhile is one like any other."""
        self.timers.expected(user, False)
        stall_count = self.owned.stall_count
        held = await self.owned.claim(user)
        if self.owned.stall_count > stall_count:
            self.restart_every_clock()
        return held

    async def commit(self, draft: Draft, asked: Asked | None = None) -> list[Connection]:
        """Make a draft durable, then take its state and tell. Returns the connections of people without a seat now."""
        if draft.empty:
            return []
        before = self.log.match
        entry, told = await self.owned.append(draft, asked)
        return self._tell(entry, told, before)

    async def turn_page(self) -> list[Connection]:
        """Begin the next round's page and tell. Returns the connections of people without a seat now."""
        before = self.log.match
        first = await self.owned.turn_page()
        self.viewers.turn_page()
        return self._tell(first, EVERYBODY, before)

    def _tell(self, entry: Entry, told: Audience, before: MatchState) -> list[Connection]:
        match, dismissed = self.log.match, []
        if match is not before:
            dismissed = self.viewers.reseat(tuple([seat.person for seat in before.seats]))
            dismissed += self._free(before, match)
            self.timers.deserted(not any(self.viewers.online))  # the last one there may have gone by this
        started, stopped = self._arm()
        self.viewers.entry(entry, told)
        self.viewers.prompts()
        self.viewers.countdowns(started, stopped)
        if changes_public_match(entry):
            self._changed()
        return dismissed

    def _free(self, before: MatchState, after: MatchState) -> list[Connection]:
        """People who have left, or whose match is over, may sit elsewhere. Returns connections of those who left."""
        was = {seat.person.user for seat in before.seats if seat.person is not None and seat.present}
        now = {seat.person.user for seat in after.seats if seat.person is not None and seat.present}
        over = after.phase == "ended" and before.phase != "ended"
        freed = (was | now) if over else was - now
        if freed:
            self.deps.rooms.free(self.table_id, tuple(sorted(freed)), self.owned.token.epoch)
        left = [place for place, seat in enumerate(after.seats) if seat.left and not before.seats[place].left]
        return [gone for place in left if (gone := self.viewers.vacate(place)) is not None]

    # Clocks and presence

    def _arm(self) -> tuple[list[str], list[str]]:
        afresh = self.owned.take_stall() or self._restart_clocks
        self._restart_clocks = False
        if afresh:
            self.viewers.prompt_again()
        return self.timers.arm(self.log, afresh)

    def restart_every_clock(self) -> None:
        """We were away (stall, pause, recovery): every open clock starts over, with grace; none of a broken table."""
        if self.broken is not None:
            return
        self.timers.deserted(not any(self.viewers.online))
        self._restart_clocks = True
        started, stopped = self._arm()
        self.viewers.prompts()
        self.viewers.countdowns(started, stopped)

    def late(self) -> None:
        """A clock's message was handled much too late: that was an outage of ours."""
        self._late_count += 1
        self.restart_every_clock()

    def presence_changed(self, place: int, online: bool) -> None:
        """Tell who is there; with nobody there the room's end comes nearer."""
        self.viewers.presence(place, online)
        empty = not any(self.viewers.online)
        self.timers.deserted(empty)
        self.deserted = self.deserted and empty
        self._changed()

    def _changed(self) -> None:
        self.deps.rooms.changed(self.summary())

    def keep_members(self) -> None:
        """Say who belongs here: an owner before us may have lost a claim, or the end of one. The log knows.

        The end of a match frees everybody; after it only those are claimed who want a rematch or were just let in.
        It is repeated every minute: that owner may claim once more before it learns that it lost the table.
        """
        match = self.log.match
        here = [
            seat.person.user
            for seat in match.seats
            if seat.person is not None and seat.present and (match.phase != "ended" or seat.ready or not seat.arrived)
        ]
        self.deps.rooms.keep(self.table_id, (*here, *self.timers.awaited()), self.owned.token.epoch)
        self.timers.look_at_claims_later()

    async def acquire_again(self) -> list[Connection]:
        """Fence writes under way and go on from the stored log. Raises Fenced. Returns the connections to close."""
        before = await self.owned.acquire_again()
        self.viewers.log = self.log
        dismissed = self.viewers.reseat(tuple([seat.person for seat in before.seats]))
        self.broken = None
        self.timers.stop_all()
        self.keep_members()
        self.timers.deserted(not any(self.viewers.online))
        self._restart_clocks = True
        self._arm()
        self.viewers.sync_all()
        return dismissed

    async def close(self, document: bytes | None, reason: str) -> None:
        """Drop the table from the store; its people may sit elsewhere."""
        await self.owned.close(document, reason)
        self.deps.rooms.free(self.table_id, None, self.owned.token.epoch)
        self.deps.rooms.closed(self.table_id, self.log.match.spec.code, reason)

    def failed_document(self) -> bytes | None:
        """The unwritten documents of a table that broke down and was not released; outside a match there are none."""
        if self.log.match.phase in ("waiting", "ended"):
            return None
        return failed_document(self.log, self.broken or "", self.deps.clock.wall_ms())

    def break_down(self, what: str, error: Exception, message: Message | None) -> None:
        """Stop where we stand: tell everybody and an operator, free the people, answer the one who was being answered.

        The log stays as it is. An operator may release the table or dissolve it; else it is closed as failed.
        """
        self.broken = f"{what}: {error!r}"
        self.timers.broken()
        self.deps.alerts.alert(self.table_id, what, self.broken, breakdown.dump(error, self.log.entries))
        self.deps.rooms.free(self.table_id, None, self.owned.token.epoch)
        self.viewers.say(replies.error(None, ErrorCode.FROZEN))
        match message:
            case Request(connection, ref, _):
                connection.offer(replies.error(ref, ErrorCode.FROZEN))
            case Attach():
                connection = message.connection
                connection.offer(replies.error(message.ref, ErrorCode.FROZEN))
                connection.farewell("closed", "failed")
            case Operate(_, done) if not done.done():
                done.set_result(Refused(ErrorCode.FROZEN))
        self._changed()


def dismiss(connections: list[Connection], reason: Reason, detail: str) -> None:
    """Send these away; the list is empty afterwards."""
    while connections:
        connections.pop(0).farewell(reason, detail)
