"""One table: one task, one mailbox, no locks. Message → decide → append → take the state → arm → offer → ack.

The only awaits are "next message" and a call of the live store. Nothing is told before it is stored. Whatever goes
wrong stops this table alone: fenced → `moved`, conflict → acquire again, a bug → frozen. `handlers` has the rest.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from app.kernel import shuffle
from app.kernel.errors import InvariantViolation
from app.kernel.notation import plain_line
from app.tables import asks, judge
from app.tables.clocks.deadlines import STALL_S
from app.tables.clocks.timers import CLAIMS, CLAIMS_S, TableTimers
from app.tables.frames import Plain, Reason
from app.tables.handlers import breakdown, expiring, joining, orders, requests
from app.tables.log.documents import ending_document, failed_document, match_document, round_document
from app.tables.log.entries import Entry, write_entry, write_page
from app.tables.log.table_log import TableLog, restore
from app.tables.mailbox import Mailbox
from app.tables.match.decide import Refused, Verdict, dissolve
from app.tables.match.pages import next_page, page_after_match
from app.tables.match.state import MatchState
from app.tables.messages import Attach, Detach, Late, Message, Operate, RanOut, Request, Role, RuntimeDeps, Written
from app.tables.ports import Conflict, Connection, Fenced, Person, StoreLost, Summary, Token
from app.tables.viewers import replies
from app.tables.viewers.broadcast import Broadcaster
from app.tables.viewers.channel import is_public, plain_frame

T = TypeVar("T")


class Table:
    """A live table that this process owns. Public calls return at once; everything else happens in `run`."""

    def __init__(
        self, course: TableLog, token: Token, house: RuntimeDeps, forget: Callable[[Table], None], recovered: bool
    ) -> None:
        self.course = course
        self.token = token
        self.house = house
        self.table_id = course.match.spec.table_id
        mailbox = self.mailbox = Mailbox()  # all that clocks hold on to: a table that is over is free at once

        def ran_out(name: str, generation: int, planned: float) -> None:
            mailbox.post("deadline", RanOut(name, generation, planned))

        self.alarms = TableTimers(house.clock, ran_out)
        self.teller = Broadcaster(course, self.alarms, house, lambda: mailbox.post("deadline", Late()))
        self.refusals: dict[str, dict[str, str]] = {}
        self.phrases: dict[str, float] = {}
        self.muted: dict[str, float] = {}
        self.leaving: list[Connection] = []
        self.broken: str | None = None
        self.gone: Reason | None = None
        self.stall_count = 0
        self._forget = forget
        self._restart_clocks = recovered
        self.deserted = False

    # What others may call

    def attach(
        self, connection: Connection, person: Person, *, role: Role = "player", member: bool = False,
        last: tuple[int, int] | None = None, ref: str | None = None,
    ) -> str | None:  # fmt: skip
        """A new authenticated socket; see README. A code when it was not taken."""
        return self._post("join", Attach(connection, person, role, member, last, ref))

    def detach(self, connection: Connection) -> None:
        """The socket is gone. Harmless when a newer one has its place."""
        self._post("presence", Detach(connection))

    def written(self, connection: Connection) -> None:
        """All that was queued for it is written."""
        self._post("presence", Written(connection))

    def request(self, connection: Connection, ref: str, ask: asks.Ask) -> str | None:
        """A person's ask. A code when it was not taken; None: one `ack` or `error` will follow."""
        return self._post("input", Request(connection, ref, ask))

    def operate(self, order: asks.Order) -> asyncio.Future[dict[str, Any]]:
        """An order; an operator's goes to the front. The outcome has `ok` and, when it is not, `code`."""
        done: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        code = self._post("join" if isinstance(order, asks.OrderReserve) else "admin", Operate(order, done))
        if code is not None:
            done.set_result({"ok": False, "code": code})
        return done

    def _post(self, kind: Any, message: Message) -> str | None:
        if self.gone is not None:
            return "room_closed" if self.gone == "closed" else "moved"
        return None if self.mailbox.post(kind, message) else "busy"

    def summary(self) -> Summary:
        """What may be known without sitting here."""
        m = self.course.match
        return Summary(
            m.spec.table_id, m.spec.code, m.spec.variant, m.phase, m.round_no, m.played, self.course.rules.rounds,
            m.host, tuple([seat.person for seat in m.seats]), tuple([seat.bot for seat in m.seats]),
            tuple(self.teller.online), self.broken is not None or m.frozen is not None, len(self.teller.gallery),
            m.spec.circle, tuple([old.user for old in m.parted if old.user and m.seats[old.seat].bot]),
            tuple([seat.reserved_ms for seat in m.seats]), m.spec.settings.spectators,
        )  # fmt: skip

    async def run(self) -> None:
        """Own the table until it is closed, handed over or lost."""
        await self._guarded(None)
        while self.gone is None:
            await self._guarded(await self.mailbox.next())

    async def _guarded(self, message: Message | None) -> None:
        """Handle one message. The one place where an exception ends: it stops this table and no other."""
        try:
            while True:
                try:
                    return await self._handle(message)
                except Conflict:
                    await self.acquire_again()
        except Fenced:
            self.stop("moved", "fenced", message)
        except StoreLost as lost:
            breakdown.stop_here(self, "store_lost", lost, message)
        except Exception as bug:
            breakdown.stop_here(self, "frozen", bug, message)
        except asyncio.CancelledError:  # stopped from outside, while this message waited for the store
            self._reject(message, "")
            raise

    async def _handle(self, message: Message | None) -> None:
        if not self.house.store.lease_is_valid():
            await self._stored(self.house.store.confirm(self.table_id, self.token))
            self.restart_clocks()
        match message:
            case None:
                self._begin()
            case Attach():
                await joining.attach(self, message)
            case Detach():
                joining.detach(self, message.connection)
            case Written():
                self._written(message.connection)
            case Request():
                await requests.answer(self, message)
            case RanOut():
                await expiring.ran_out(self, message)
            case Late():
                self.teller.gallery.deliver()
            case Operate():
                await orders.obey(self, message)
        await self.advance()
        self.dismiss("closed", "left")

    def _begin(self) -> None:
        if self._restart_clocks:
            self.keep_members()
        self.alarms.deserted(True)
        self._arm()
        self.changed()

    async def advance(self) -> None:
        """Deal, turn the page, close: what the state asks for by itself."""
        while self.gone is None and self.broken is None:
            match judge.next_step(self.course):
                case "close":
                    await self._close()
                case "turn":
                    await self._turn_page()
                case _ if self.deserted and self.course.match.phase in ("between", "ended"):
                    await self.commit_match({"deserted": True}, dissolve(self.course.match, "deserted"))
                case "deal":
                    await self.commit(judge.deal(self.course, self.house.clock.wall_ms()))
                case None:
                    return

    async def commit(self, draft: judge.Draft, ref: str | None = None, seat: int | None = None) -> None:
        """Make a draft durable, then take its state and tell. Raises Fenced, Conflict, StoreLost.

        The state is folded from the bytes before they are stored: what a log holds can be folded again by whoever
        takes the table, and gives what was played on.
        """
        if draft.empty:
            return
        course, before = self.course, self.course.match
        entry = write_entry(
            course.length, self.house.clock.wall_ms(), str(self.token), ref, seat, draft.command, draft.events,
            draft.match_events,
        )  # fmt: skip
        folded = course.fold(entry)
        if draft.events and folded.round != draft.round:
            raise InvariantViolation("what would be stored does not fold to what was decided")
        await self._stored(self.house.store.append(self.table_id, self.token, before.round_no, entry.n, entry.raw))
        course.absorb(entry, folded)
        if draft.events:
            course.open = draft.open
        self._tell(entry, before)

    async def commit_match(self, command: Plain, verdict: Verdict) -> str | None:
        """Judge and commit a match's verdict that nobody in a seat asked for; the code of a refusal."""
        draft = judge.matched(self.course, command, verdict)
        if isinstance(draft, Refused):
            return draft.code
        await self.commit(draft)
        return None

    async def _turn_page(self) -> None:
        course, before, now = self.course, self.course.match, self.house.clock.wall_ms()
        if course.round_over:
            table, seed = course.round.table, self.house.entropy.seed()
            after = next_page(
                before, table.ending.ended.outcome, table.points, table.ending.ended.next_dealer,
                tuple([plain_line(line) for line in table.lines]), course.rules.rounds, seed, shuffle.commitment(seed),
            )  # fmt: skip
            document = round_document(course, after, now)
        else:
            after, document = page_after_match(before), match_document(before, now)
        first = write_page(now, str(self.token), after, course.remembered())
        await self._stored(
            self.house.store.turn_page(self.table_id, self.token, before.round_no, course.length, document, first.raw)
        )
        course.turn_page(first)
        for channel in self.teller.channels:
            channel.ring.clear()
        self._tell(first, before)

    async def _close(self) -> None:
        """The one way a room ends. What ran is void already; what is finished goes to the archive with this call."""
        course, now, document = self.course, self.house.clock.wall_ms(), None
        if course.round_over:
            document = round_document(course, course.match, now)
        elif course.match.over is not None and not course.match.over.told:
            document = match_document(course.match, now)
        await self.close_store(document, course.match.closed or "closed")

    async def close_store(self, document: bytes | None, reason: str) -> None:
        """Drop the table from the store, then let everybody go."""
        ending = ending_document(self.table_id, reason, self.house.clock.wall_ms())
        await self._stored(self.house.store.close(self.table_id, self.token, document, ending))
        self.house.rooms.free(self.table_id, None, self.token.epoch)
        self.house.rooms.closed(self.table_id, self.course.match.spec.code, reason)
        self.stop("closed", reason)

    async def claim(self, user: str) -> bool:
        """His one seat is for this table (again); False: another one has him. An outage meanwhile is one like any."""
        stall_count = self.stall_count
        held = await self._stored(self.house.rooms.claim(self.table_id, user, self.token.epoch))
        if self.stall_count > stall_count:
            await self._stored(self.house.store.confirm(self.table_id, self.token))
            self.restart_clocks()
        return held

    async def _stored(self, call: Awaitable[T]) -> T:
        """Wait for the store; when it takes long say so, and afterwards start all clocks afresh: it was our outage."""
        clock = self.house.clock
        began = clock.monotonic()
        slow = clock.call_later(STALL_S, lambda: self.teller.say(plain_frame("saving", on=True)))
        try:
            answer = await call
        finally:
            slow.cancel()
        if clock.monotonic() - began >= STALL_S:
            self.stall_count += 1
            self._restart_clocks = True
            self.teller.say(plain_frame("saving", on=False))
        return answer

    # After an entry

    def _tell(self, entry: Entry, before: MatchState) -> None:
        match = self.course.match
        if match is not before:
            self.leaving += self.teller.reseat(tuple([seat.person for seat in before.seats]))
            self._free(before, match)
            self.alarms.deserted(not any(self.teller.online))  # the last one there may have gone by this
        started, stopped = self._arm()
        self.teller.entry(entry)
        self.teller.prompts()
        self.teller.countdowns(started, stopped)
        if is_public(entry):
            self.changed()

    def _free(self, before: MatchState, after: MatchState) -> None:
        """Whoever has left, or whose match is over, may sit elsewhere."""
        was = {seat.person.user for seat in before.seats if seat.person is not None and seat.present}
        now = {seat.person.user for seat in after.seats if seat.person is not None and seat.present}
        over = after.phase == "ended" and before.phase != "ended"
        freed = (was | now) if over else was - now
        if freed:
            self.house.rooms.free(self.table_id, tuple(sorted(freed)), self.token.epoch)
        for place, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
            if new.left and not old.left and (gone := self.teller.channels[place].connection) is not None:
                self.teller.channels[place].connection = None
                self.leaving.append(gone)

    def _arm(self) -> tuple[list[str], list[str]]:
        afresh, self._restart_clocks = self._restart_clocks, False
        if afresh:
            self.teller.prompt_again()
        return self.alarms.arm(self.course, afresh)

    def restart_clocks(self) -> None:
        """We were away (stall, pause, recovery): every open clock starts over, with grace; none of a broken table."""
        if self.broken is not None:
            return
        self.alarms.deserted(not any(self.teller.online))
        self._restart_clocks = True
        started, stopped = self._arm()
        self.teller.prompts()
        self.teller.countdowns(started, stopped)

    def changed(self) -> None:
        self.house.rooms.changed(self.summary())

    def keep_members(self) -> None:
        """Who belongs here is in the log: of an owner before us a claim or the end of one may have got lost.

        The end of a match frees everybody; after it only those are claimed who want a rematch or were just let in.
        Said again every minute: that owner may claim once more before it learns that it lost the table.
        """
        match = self.course.match
        here = [
            seat.person.user
            for seat in match.seats
            if seat.person is not None and seat.present and (match.phase != "ended" or seat.ready or not seat.arrived)
        ]
        self.house.rooms.keep(self.table_id, (*here, *self.alarms.awaited()), self.token.epoch)
        self.alarms.timers.start(CLAIMS, CLAIMS_S)

    def presence_changed(self, place: int, online: bool) -> None:
        """Tell who is there; with nobody there the room's end comes nearer."""
        self.teller.presence(place, online)
        empty = not any(self.teller.online)
        self.alarms.deserted(empty)
        self.deserted = self.deserted and empty
        self.changed()

    def _written(self, connection: Connection) -> None:
        place = self.teller.place_of(connection)
        if place is not None and (decision := self.teller.decision_of(place)) is not None:
            self.alarms.written(decision)

    def dismiss(self, reason: Reason, detail: str) -> None:
        """Send away those who have no seat any more."""
        while self.leaving:
            self.leaving.pop(0).farewell(reason, detail)

    # Ends and breakdowns

    async def acquire_again(self) -> None:
        """Fence whatever is still under way, take the log from the answer, go on from it. Raises Fenced."""
        nonce = self.house.entropy.nonce()
        owned = await self.house.store.acquire(self.table_id, str(self.token), nonce)
        if owned is None:
            raise Fenced
        before = self.course.match
        self.token = owned.token
        self.course = restore(self.house.variants, owned.entries)
        self.teller.course = self.course
        self.leaving += self.teller.reseat(tuple([seat.person for seat in before.seats]))
        self.broken = None
        self.alarms.timers.stop_all()
        self.keep_members()
        self.alarms.deserted(not any(self.teller.online))
        self._restart_clocks = True
        self._arm()
        self.teller.sync_all()

    async def close_failed(self) -> None:
        """The end of a table that broke down and that nobody released. Outside a match nothing of it is unwritten."""
        document, course = None, self.course
        if course.match.phase not in ("waiting", "ended"):
            document = failed_document(course, self.broken or "", self.house.clock.wall_ms())
        await self.close_store(document, "failed")

    def stop(self, reason: Reason, detail: str, handled: Message | None = None) -> None:
        """This table does not run here any more: no clock, no connection, no message (`handled`: this one) is left."""
        self.gone = reason
        self.alarms.timers.stop_all()
        self.teller.gallery.stop()
        for connection in {*self.leaving, *self.teller.connections()}:
            connection.farewell(reason, detail)
        for message in (handled, *self.mailbox.drain()):
            self._reject(message, detail)
        self._forget(self)

    def _reject(self, message: Message | None, detail: str) -> None:
        """Nobody will handle this message any more: whoever waits for an answer gets it."""
        reason = self.gone or "moved"
        code = "room_closed" if reason == "closed" else "moved"
        match message:
            case Attach(connection, ref=ref) if connection not in {*self.leaving, *self.teller.connections()}:
                connection.offer(replies.error(ref, code))
                connection.farewell(reason, detail)
            case Operate(order, done) if not done.done():
                closed = reason == "closed" and not isinstance(order, asks.OrderReserve)
                done.set_result({"ok": closed, "code": code})
