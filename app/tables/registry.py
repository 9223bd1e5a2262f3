"""The tables of this node: made, opened on demand, one task per id, handed over when the node drains.

Knows nothing of sockets and codes of rooms. The callers decide whether this node *should* run a table (`storage.live`);
the store's token ensures that two nodes never both do.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping

import msgspec

from app.kernel.play import shuffle
from app.refusal import ErrorCode
from app.tables import asks
from app.tables.actor import Table
from app.tables.log.documents import ending_document
from app.tables.log.entries import write_page
from app.tables.log.table_log import TableLog, restore
from app.tables.match.decide import Refused
from app.tables.match.state import new_match
from app.tables.messages import RuntimeDeps
from app.tables.outcomes import Done, OrderOutcome
from app.tables.ports import Fenced, Owned, Token
from app.tables.settings import TableSpec


class TooMany(Exception):
    """This node has as many tables as it may have: try another, or later."""


class Draining(Exception):
    """This node is on its way out and takes no new tables."""


class Unplayable(Exception):
    """The table's log cannot be read or folded here; it is in quarantine and operators have been notified."""


class Registry:
    """All live tables of this process."""

    def __init__(self, deps: RuntimeDeps) -> None:
        self._deps = deps
        self._tables: dict[str, Table] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._making: set[str] = set()
        self._opening: dict[str, asyncio.Task[Table | None]] = {}
        self._quarantine: dict[str, Token] = {}
        self._counts = {"created": 0, "opened": 0, "left": 0, "quarantined": 0}
        self.draining = False

    async def create(self, spec: TableSpec) -> Table:
        """A new table. Raises TooMany, Draining, Taken; MalformedInput for rules its variant refuses."""
        if self.draining:
            raise Draining
        if len(self._tables) + len(self._making) + len(self._opening) >= self._deps.limits.max_tables:
            raise TooMany
        variant, entropy = self._deps.variants[spec.variant], self._deps.entropy
        seed, token = entropy.seed(), Token(1, entropy.nonce())
        first = write_page(self._deps.clock.wall_ms(), str(token), new_match(spec, seed, shuffle.commitment(seed)), {})
        log = TableLog(variant, first)
        log.derive()
        table = Table(log, token, self._deps, self._stopped, recovered=False)
        self._making.add(spec.table_id)
        try:
            await self._deps.store.create(spec.table_id, token, first.raw)
        finally:
            self._making.discard(spec.table_id)
        self._counts["created"] += 1
        return self._start(table)

    async def open(self, table_id: str, seen: str | None = None) -> Table | None:
        """The table, acquired and folded if it does not run here yet. None: no such table, or another was quicker.

        `seen`: only if this is its token still. Raises Unplayable, Draining.
        """
        if table_id in self._tables:
            return self._tables[table_id]
        if self.draining:
            raise Draining
        if table_id in self._quarantine:
            raise Unplayable(table_id)
        task = self._opening.get(table_id)
        if task is None:
            task = self._opening[table_id] = asyncio.get_running_loop().create_task(self._open(table_id, seen))
            task.add_done_callback(lambda _: self._opening.pop(table_id, None))
        return await asyncio.shield(task)

    async def adopt(self, tables: Mapping[str, str]) -> int:
        """Open these, all at a time: the caller gives the number. By table the token that was seen: who has taken
        it since keeps it. Returns how many of them run here now. A draining node gives its tables up instead."""
        if self.draining:
            await asyncio.gather(*[self._let_go(table_id, seen) for table_id, seen in tables.items()])
            return 0
        opening = [self.open(table_id, seen) for table_id, seen in tables.items()]
        found = await asyncio.gather(*opening, return_exceptions=True)
        for error in found:
            if isinstance(error, BaseException) and not isinstance(error, Unplayable | Draining):
                raise error
        return sum(isinstance(table, Table) for table in found)

    async def _open(self, table_id: str, seen: str | None) -> Table | None:
        seen = seen or await self._deps.store.look(table_id)
        if seen is None:
            return None
        owned = await self._deps.store.acquire(table_id, seen, self._deps.entropy.nonce())
        if owned is None:
            return None
        try:
            log = restore(self._deps.variants, owned.entries, table_id, owned.round_no)
            table = Table(log, owned.token, self._deps, self._stopped, recovered=True)
        except Exception as error:  # unreadable, or our bug in a fold or a view: this table alone is put aside
            self._put_aside(table_id, owned, error)
            raise Unplayable(table_id) from error
        self._counts["opened"] += 1
        return self._start(table)

    async def read_again(self, table_id: str) -> None:
        """The stored log of a table that runs here was found damaged: end it and open it from what is stored.

        If that is really so, this puts it aside, notifies operators and frees its people.
        """
        table = self._tables.get(table_id)
        if table is None:
            return
        table.stop("moved", "corrupt")
        with contextlib.suppress(Unplayable, Draining):
            await self.open(table_id)

    async def _let_go(self, table_id: str, seen: str) -> None:
        """Release a table held under this token that was not released in time."""
        token = Token.read(seen)
        if table_id not in self._tables and token.nonce != "free":
            self._quarantine.pop(table_id, None)
            with contextlib.suppress(Fenced):
                await self._deps.store.release(table_id, token)

    def _put_aside(self, table_id: str, owned: Owned, error: Exception) -> None:
        self._quarantine[table_id] = owned.token
        self._counts["quarantined"] += 1
        entries = [raw.decode("utf-8", "replace") for raw in owned.entries]
        dump = msgspec.json.encode({"error": repr(error), "entries": entries})
        self._deps.alerts.alert(table_id, "corrupt", repr(error), dump)
        self._deps.rooms.free(table_id, None, owned.token.epoch)

    def _start(self, table: Table) -> Table:
        self._tables[table.table_id] = table
        task = asyncio.get_running_loop().create_task(table.run(), name=f"table {table.table_id}")
        task.add_done_callback(lambda done: self._died(table, done))
        self._tasks[table.table_id] = task
        if self.draining:  # it was on its way when that began
            table.operate(asks.OrderHandOver())
        return table

    def _died(self, table: Table, task: asyncio.Task[None]) -> None:
        """A table's task never raises; if it does all the same, its people are not left with a silent table."""
        error = None if task.cancelled() else task.exception()
        if error is not None and table.gone is None:
            self._deps.alerts.alert(table.table_id, "frozen", f"the task ended: {error!r}", None)
            table.stop("moved", "failed")
        table.let_go()

    def _stopped(self, table: Table) -> None:
        if self._tables.get(table.table_id) is table:
            del self._tables[table.table_id]
            task = self._tasks.pop(table.table_id)
            if task is not asyncio.current_task():  # stopped from outside: it would wait for ever, held by nobody
                task.cancel()
            self._counts["left"] += 1

    def find(self, table_id: str) -> Table | None:
        """Only what runs here."""
        return self._tables.get(table_id)

    def is_responsible_for(self, table_id: str) -> bool:
        """True when this node runs the table, opens it, or has it in quarantine; while it drains, a quarantined table
        is left to other nodes. If false and we own the table, its token is orphaned.
        """
        coming = table_id in self._making or table_id in self._opening
        return table_id in self._tables or coming or (table_id in self._quarantine and not self.draining)

    def tables(self) -> tuple[Table, ...]:
        """All that run here."""
        return tuple(self._tables.values())

    def tasks(self) -> tuple[asyncio.Task[None], ...]:
        """The tables' tasks, for the supervision of the process."""
        return tuple(self._tasks.values())

    async def operate(self, table_id: str, order: asks.Order) -> OrderOutcome:
        """Give an order to a table, opening it where needed. A table in quarantine can be released or dissolved."""
        if table_id in self._quarantine:
            if isinstance(order, asks.OrderDissolve):
                return await self._dissolve_unread(table_id)
            if not isinstance(order, asks.OrderRelease):
                return Refused(ErrorCode.FROZEN)
            del self._quarantine[table_id]
        try:
            table = await self.open(table_id)
        except Unplayable:
            return Refused(ErrorCode.FROZEN)
        if table is not None:
            return await table.operate(order)
        there = await self._deps.store.look(table_id)  # another node was quicker
        return Refused(ErrorCode.NO_SUCH_ROOM if there is None else ErrorCode.MOVED)

    async def _dissolve_unread(self, table_id: str) -> OrderOutcome:
        ending = ending_document(table_id, "failed", self._deps.clock.wall_ms())
        try:
            await self._deps.store.close(table_id, self._quarantine[table_id], None, ending)
        except Fenced:  # another node has taken it meanwhile
            self._quarantine.pop(table_id, None)
            return Refused(ErrorCode.MOVED)
        self._quarantine.pop(table_id, None)
        self._deps.rooms.closed(table_id, "", "failed")
        return Done()

    def counters(self) -> dict[str, int]:
        """For metrics."""
        facts = [table.facts() for table in self._tables.values()]
        return {
            **self._counts,
            "tables": len(facts),
            "quarantine": len(self._quarantine),
            "frozen": sum(table.frozen for table in facts),
            "playing": sum(table.playing for table in facts),
            "connections": sum(table.connections for table in facts),
            "spectators": sum(table.spectators for table in facts),
            "stalls": sum(table.stalls for table in facts),
        }

    async def drain(self, limit_s: float = 10.0) -> None:
        """No new tables; each is released between two entries and its sockets are closed with `restart`.

        A table whose store does not answer within the limit is given up as it stands: its token stays, and the next
        owner fences the writes under way. While this node runs on, that is itself (`adopt`).
        """
        self.draining = True
        handed = [table.operate(asks.OrderHandOver()) for table in self.tables()]
        if handed:
            await asyncio.wait(handed, timeout=limit_s)
        for table in self.tables():
            table.stop("restart", "drain")
