"""One table: one task, one mailbox, no locks. Message → judge → append → take the state → arm → offer → answer.

Handlers judge and return an `Outcome`; the table carries it out, and no other code writes its attributes. The only
awaits are "next message" and a call of the live store, and nothing is sent before it is stored. A failure stops this
table alone: fenced → `moved`, conflict → acquire again, a bug → frozen.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from app.refusal import ErrorCode
from app.tables import asks, judge
from app.tables.clocks.deadlines import LATE_S
from app.tables.clocks.timers import CLAIMS, DESERTED, EXPECTED, TableTimers
from app.tables.frames import Reason
from app.tables.handle import running_table
from app.tables.handlers import expiring, joining, orders, requests
from app.tables.handlers.unlogged import DONE
from app.tables.live import LiveState, dismiss
from app.tables.log.entries import Asked
from app.tables.log.table_log import TableLog
from app.tables.mailbox import Kind, Mailbox
from app.tables.match.decide import Refused
from app.tables.messages import Attach, Detach, Late, Message, Operate, RanOut, Request, RuntimeDeps, Written
from app.tables.outcomes import Done, Judged, OrderOutcome, Outcome
from app.tables.ports import Conflict, Connection, Fenced, Person, Role, StoreLost, Summary, TableFacts, Token
from app.tables.viewers import replies
from app.tables.viewers.broadcast import Broadcaster

_FROZEN: Final = Refused(ErrorCode.FROZEN)


class Table:
    """A live table that this process owns. Public calls return at once; everything else happens in `run`."""

    def __init__(
        self, log: TableLog, token: Token, deps: RuntimeDeps, forget: Callable[[Table], None], recovered: bool
    ) -> None:
        """`forget` is called when the table stops; `recovered`: its log was written by an owner before us."""
        mailbox = Mailbox()  # all that clocks hold on to: a table that is over is free at once
        self.table_id = log.match.spec.table_id
        self._deps = deps
        self._mailbox = mailbox
        self._live = LiveState(log, token, deps, recovered, lambda message: mailbox.post("deadline", message))
        self._forget = forget
        self._gone: Reason | None = None

    # The interface (`ports.TableHandle`)

    def attach(
        self, connection: Connection, person: Person, *, role: Role = "player", member: bool = False,
        last: tuple[int, int] | None = None, ref: str | None = None,
    ) -> ErrorCode | None:  # fmt: skip
        """Let an authenticated socket in, see `ports.TableHandle`."""
        return self._post("join", Attach(connection, person, role, member, last, ref))

    def detach(self, connection: Connection) -> None:
        """The socket is gone. Harmless when a newer one has its place."""
        self._post("presence", Detach(connection))

    def written(self, connection: Connection) -> None:
        """All that was queued for it is written."""
        self._post("presence", Written(connection))

    def request(self, connection: Connection, ref: str, ask: asks.Ask) -> ErrorCode | None:
        """A person's ask. A code when it was not taken; None: one `ack` or `error` will follow."""
        return self._post("input", Request(connection, ref, ask))

    def operate(self, order: asks.Order) -> asyncio.Future[OrderOutcome]:
        """An order; an operator's goes to the front."""
        done: asyncio.Future[OrderOutcome] = asyncio.get_running_loop().create_future()
        code = self._post("join" if isinstance(order, asks.OrderReserve) else "admin", Operate(order, done))
        if code is not None:
            done.set_result(Refused(code))
        return done

    def _post(self, kind: Kind, message: Message) -> ErrorCode | None:
        if self._gone is not None:
            return ErrorCode.ROOM_CLOSED if self._gone == "closed" else ErrorCode.MOVED
        return None if self._mailbox.post(kind, message) else ErrorCode.BUSY

    @property
    def token(self) -> Token:
        """The token by which this process owns the table."""
        return self._live.owned.token

    @property
    def gone(self) -> Reason | None:
        """The reason why the table stopped here; its connections have been notified."""
        return self._gone

    @property
    def log(self) -> TableLog:
        """The state that its log folds to. Read only: only the table moves it."""
        return self._live.owned.log

    @property
    def viewers(self) -> Broadcaster:
        """The viewers and their connections. Read only."""
        return self._live.viewers

    @property
    def timers(self) -> TableTimers:
        """The clocks that run. To look at."""
        return self._live.timers

    def summary(self) -> Summary:
        """Public facts of the table."""
        return self._live.summary()

    def facts(self) -> TableFacts:
        """Counters for metrics."""
        return self._live.facts()

    def stop(self, reason: Reason, detail: str) -> None:
        """End it here: no clock, no connection, no message is left."""
        self._stop(reason, detail, [], None)

    def let_go(self) -> None:
        """Its task has ended: hold no clock and no connection, which may stay for a while and hold this table."""
        self._live.timers.stop_all()
        self._live.viewers.spectators.stop()
        self._live.viewers.let_go()

    # The task

    async def run(self) -> None:
        """Own the table until it is closed, handed over or lost."""
        running_table.set(self.table_id)
        await self._guarded(None)
        while self._gone is None:
            await self._guarded(await self._mailbox.next())
            self._deps.flush()

    async def _guarded(self, message: Message | None) -> None:
        """Handle one message. The one place where an exception ends: it stops this table and no other."""
        try:
            while True:
                try:
                    return await self._handle(message)
                except Conflict:
                    dismiss(await self._live.acquire_again(), "closed", "left")
        except Fenced:
            self._stop("moved", "fenced", [], message)
        except StoreLost as lost:
            self._live.break_down("store_lost", lost, message)
        except Exception as bug:
            self._live.break_down("frozen", bug, message)
        except asyncio.CancelledError:  # stopped from outside, while this message waited for the store
            self._reject(message, "")
            raise

    async def _handle(self, message: Message | None) -> None:
        """Do what a message asks for, then what follows by itself; at last part with those who have no seat now."""
        live = self._live
        if not self._deps.store.lease_is_valid():
            await live.owned.confirm()
            live.restart_every_clock()
        dismissed: list[Connection] = []
        answer: OrderOutcome | None = None
        try:
            match message:
                case Request():
                    dismissed += await self._answer(message)
                case RanOut():
                    dismissed += await self._ran_out(message)
                case Attach():
                    dismissed += await self._let_in(message)
                case Detach(connection):
                    dismissed += await self._detached(connection)
                case Written(connection):
                    self._written(connection)
                case Operate(order, _):
                    answer, gone = await self._obey(order)
                    dismissed += gone
                case Late():
                    live.viewers.spectators.deliver()
                case None:
                    live.begin()
            await self._advance(dismissed)
        finally:
            dismiss(dismissed, "closed", "left")
        if isinstance(message, Operate) and answer is not None and not message.done.done():
            message.done.set_result(answer)

    async def _advance(self, dismissed: list[Connection]) -> None:
        """Deal, turn the page, close: what the state asks for by itself. Adds to those who have to go."""
        live = self._live
        while self._gone is None and live.broken is None:
            match judge.next_step(live.log, live.deserted):
                case "close":
                    await self._close(live.owned.last_document(), live.log.match.closed or "closed", dismissed)
                case "turn":
                    dismissed += await live.turn_page()
                case "dissolve":
                    dismissed += await live.commit(judge.dissolve_deserted(live.log))
                case "deal":
                    dismissed += await live.commit(judge.deal(live.log, self._deps.clock.wall_ms()))
                case None:
                    return

    # Messages

    async def _answer(self, request: Request) -> list[Connection]:
        """Answer a person's request. One over a connection that is not their newest is dropped."""
        live = self._live
        connection, ref, ask = request
        place = live.viewers.place_of(connection)
        if place is None:
            live.viewers.answer_watcher(connection, ref, ask)
            return []
        person = live.log.match.seats[place].person
        assert person is not None, "a connected seat has a person"
        user, now = person.user, self._deps.clock.monotonic()
        content = asks.content_of(ask)
        if live.log.is_another(user, ref, content) or live.unlogged.is_another(user, ref, content):
            connection.offer(replies.error(ref, ErrorCode.CONFLICT))
            return []
        code = live.unlogged.answer(user, ref)
        if code == DONE or live.log.answered(user, ref):
            connection.offer(replies.ack(ref))
            return []
        judged: Judged
        if code is not None:
            judged = Refused(code)
        elif live.broken is not None:
            judged = _FROZEN
        else:
            judged = requests.of_player(live.log, live.unlogged, place, user, ask, now)
        done = await live.carry_out(judged, Asked(ref, place, content))
        if isinstance(done, Refused):
            self._refuse(request, place, user, done.code)
            return []
        assert isinstance(judged, Outcome)
        requests.note(judged, live.unlogged, user, ref, now)
        connection.offer(replies.ack(ref, **judged.data))
        if judged.sync and (here := live.viewers.place_of(connection)) is not None:
            connection.offer(live.viewers.sync(here))
        return done

    def _refuse(self, request: Request, place: int, user: str, code: ErrorCode) -> None:
        connection, ref, ask = request
        self._live.unlogged.remember(user, ref, code)
        muted_s = self._live.unlogged.muted_s(user, self._deps.clock.monotonic())
        connection.offer(replies.muted(ref, muted_s) if code is ErrorCode.MUTED else replies.error(ref, code))
        if isinstance(ask, asks.Play) and self._live.broken is None:  # the client's picture may be an old one
            connection.offer(self._live.viewers.sync(place))

    async def _ran_out(self, message: RanOut) -> list[Connection]:
        """A clock ran out; a message of an earlier start of that clock is stale and means nothing.

        One that is handled much too late was held up by us: nobody is charged, all clocks start afresh.
        """
        live = self._live
        name = message.name
        if not live.timers.take(name, message.generation):
            return []
        if live.broken is not None:
            await self._close(live.failed_document(), "failed", [])
        elif name.startswith(EXPECTED):  # late or not: a person who comes after all is claimed again
            user = name.removeprefix(EXPECTED)
            if expiring.may_sit_elsewhere(live.log, user):
                self._deps.rooms.free(self.table_id, (user,), self.token.epoch)
        elif name == CLAIMS:
            away = [place for place, online in enumerate(live.viewers.online) if not online]
            dismissed = await self._lost(away)  # those whom an owner before us left connected, and who did not come
            live.keep_members()
            return dismissed
        elif self._deps.clock.monotonic() - message.planned > LATE_S:
            live.late()
        elif name == DESERTED:
            live.deserted = True
        else:
            draft = expiring.ran_out(live.log, name, self._deps.chooser, self._deps.entropy)
            return [] if draft is None else await live.commit(draft)
        return []

    async def _let_in(self, attach: Attach) -> list[Connection]:
        """Let a connection in: to its seat, to a free one, or to watch; or say why not and send it away."""
        live = self._live
        person = attach.person
        if live.broken is not None:
            _send_back(attach, ErrorCode.FROZEN)
        elif attach.role == "spectator" and live.log.match.seat_of(person.user) is None:
            code = joining.refuses_watcher(live.log.match, person.user, attach.member)
            if code is None:
                live.viewers.watch(attach)
            else:
                _send_back(attach, code)
        else:
            judged = joining.take_seat(live.log, person)
            done = await live.carry_out(judged)
            if isinstance(done, Refused):
                _send_back(attach, done.code)
                return []
            assert isinstance(judged, Outcome) and judged.draft is not None
            place = live.log.match.seat_of(person.user)
            assert place is not None, "a person who sat down has a seat"
            if live.viewers.seat(place, attach, fresh=bool(judged.draft.match_events)):
                live.presence_changed(place, True)
            return done
        return []

    async def _detached(self, connection: Connection) -> list[Connection]:
        """A socket is gone. Something changes only if its seat still holds this very connection."""
        live = self._live
        place = None if live.viewers.spectators.dismiss(connection) else live.viewers.place_of(connection)
        if place is None:
            return []
        live.viewers.vacate(place)
        live.presence_changed(place, False)
        return await self._lost([place])

    async def _lost(self, places: list[int]) -> list[Connection]:
        """After the match the people of these seats, who have no connection, are free."""
        live = self._live
        lost = None if live.broken is not None else joining.lost(live.log, places)
        done = [] if lost is None else await live.carry_out(lost)
        assert not isinstance(done, Refused), "nothing is claimed here"
        return done

    def _written(self, connection: Connection) -> None:
        place = self._live.viewers.place_of(connection)
        if place is not None and (decision := self._live.viewers.decision_of(place)) is not None:
            self._live.timers.written(decision)

    async def _obey(self, order: asks.Order) -> tuple[OrderOutcome, list[Connection]]:
        """Carry an order out: its answer, and who has to go."""
        live = self._live
        match order:
            case asks.OrderRelease():
                return Done(), await self._release()
            case asks.OrderHandOver(restart):
                await live.owned.release()
                self._stop("restart" if restart else "moved", "drain", [], None)
                return Done(), []
            case asks.OrderInspect(everything):
                return Done(live.inspect(everything)), []
            case asks.OrderDissolve() if live.broken is not None:
                await self._close(live.failed_document(), "failed", [])
                return Done(), []
            case asks.OrderRemove(user, kicked):
                for connection in live.viewers.spectators.dismiss_user(user):
                    connection.farewell("kicked" if kicked else "closed", "operator" if kicked else "left")
        judged = orders.judge_order(live.log, order, live.broken is not None, self._deps.clock)
        done = await live.carry_out(judged)
        return (done, []) if isinstance(done, Refused) else (Done(), done)

    async def _release(self) -> list[Connection]:
        """Go on: a broken table is folded anew from the store; if that breaks again, so does this order."""
        live = self._live
        dismissed = [] if live.broken is None else await live.acquire_again()
        if live.log.match.frozen is not None:
            dismissed += await live.commit(judge.release(live.log))
            live.restart_every_clock()
        return dismissed

    # Ends and breakdowns

    async def _close(self, document: bytes | None, reason: str, dismissed: list[Connection]) -> None:
        """The one way a room ends: drop the table from the store, then let everybody go."""
        await self._live.close(document, reason)
        self._stop("closed", reason, dismissed, None)

    def _stop(self, reason: Reason, detail: str, dismissed: list[Connection], handled: Message | None) -> None:
        """This table does not run here any more: no clock, no connection, no message (`handled`: this one) is left."""
        live = self._live
        self._gone = reason
        live.timers.stop_all()
        live.viewers.spectators.stop()
        told = {*dismissed, *live.viewers.connections()}
        dismissed.clear()
        for connection in told:
            connection.farewell(reason, detail)
        for message in (handled, *self._mailbox.drain()):
            self._reject(message, detail)
        self._forget(self)

    def _reject(self, message: Message | None, detail: str) -> None:
        """This message will not be handled: answer its sender, if one waits."""
        reason = self._gone or "moved"
        code = ErrorCode.ROOM_CLOSED if reason == "closed" else ErrorCode.MOVED
        match message:
            case Attach(connection, ref=ref) if connection not in {*self._live.viewers.connections()}:
                connection.offer(replies.error(ref, code))
                connection.farewell(reason, detail)
            case Operate(order, done) if not done.done():
                closed = reason == "closed" and not isinstance(order, asks.OrderReserve)
                done.set_result(Done() if closed else Refused(code))


def _send_back(attach: Attach, code: ErrorCode) -> None:
    attach.connection.offer(replies.error(attach.ref, code))
    attach.connection.farewell("closed", code)
