"""Carries what has ended (rounds, matches, rooms) from the live store to the archive: kept until committed, so written
exactly once in the end.

The sink is idempotent (a round by match and number), so handing one over twice does no harm; it is struck from the
queue only after its commit. Any node carries any table's, so no document is lost with a node.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import Awaitable, Callable
from typing import Final

from app.storage.live.logs.refused import RefusedDocuments
from app.storage.live.wire import keys
from app.storage.live.wire.link import Link, StoreUnavailable
from app.tables.log.documents import UnacceptableDocument, is_round

log = logging.getLogger(__name__)

Sink = Callable[[bytes], Awaitable[None]]
"""Commits one document of `tables/log/documents.py`. Raises when it could not; then it is asked again.

Raises UnacceptableDocument when asking again is of no use: it is put aside, with everything in it, for an operator.
"""

SCAN_S: Final = 15.0
"""Interval at which all tables are searched for rounds that another process left behind."""
SINK_S: Final = 20.0
"""Limit of one commit: an archive that answers nothing must not block us until TCP gives up."""
CARRIERS: Final = 4
"""Tables whose rounds are carried at the same time: at full load each answer of a store takes long."""
_PAUSES_S: Final = (0.2, 0.5, 1.0, 2.0, 5.0)


class Archiver:
    """One per node. `nudge` announces a document that was just queued here; the scan finds all others."""

    def __init__(
        self, link: Link, sink: Sink, scan_s: float = SCAN_S,
        on_refusal: Callable[[str, str], None] = lambda table_id, what: None,
    ) -> None:  # fmt: skip
        """`on_refusal` hears of a document that was put aside: its table, and its name in the queue."""
        self._link = link
        self._aside = RefusedDocuments(link)
        self._on_refusal = on_refusal
        self._sink = sink
        self._scan_s = scan_s
        self._due: dict[str, None] = {}
        self._wake = asyncio.Event()
        self._failures = 0
        self.rounds_written = 0
        """Rounds that this node took out of the queue into the archive; ends of matches and rooms do not count."""
        self.refused = 0
        """Documents that the archive refused for good."""

    @property
    def waiting(self) -> int:
        """Tables with a document that waits for the archive, as far as this node knows."""
        return len(self._due)

    @property
    def behind(self) -> bool:
        """Does the archive take nothing at present?"""
        return self._failures > 0

    def nudge(self, table_id: str) -> None:
        """Something of this table waits."""
        self._due[table_id] = None
        self._wake.set()

    async def run(self) -> None:
        """Carry until cancelled."""
        loop = asyncio.get_running_loop()
        next_scan = loop.time()
        while True:
            if loop.time() >= next_scan:
                next_scan = loop.time() + self._scan_s
                await self._scan()
            self._wake.clear()
            await self.drain()
            if self._failures:
                await asyncio.sleep(_PAUSES_S[min(self._failures, len(_PAUSES_S)) - 1])
            elif not self._due:
                await _wait(self._wake, next_scan - loop.time())

    async def drain(self) -> bool:
        """Carry all due documents once. True: none is left that this node knows of."""
        carriers_needed = min(CARRIERS, len(self._due))
        due, self._due = iter(list(self._due)), {}
        kept_back: list[str] = []

        async def carry() -> None:
            for table_id in due:
                if not await self._carry(table_id):
                    kept_back.append(table_id)

        async with asyncio.TaskGroup() as carriers:
            for _ in range(carriers_needed):
                carriers.create_task(carry())
        self._due.update(dict.fromkeys(kept_back))
        self._failures = self._failures + 1 if kept_back else 0
        return not self._due

    async def _scan(self) -> None:
        with contextlib.suppress(StoreUnavailable):
            for table_id in await self._link.ask("SMEMBERS", keys.TABLES):
                self._due[str(table_id, "utf-8")] = None

    async def _carry(self, table_id: str) -> bool:
        rounds = keys.rounds(table_id)
        try:
            for what in sorted(await self._link.ask("HKEYS", rounds), key=_in_order):
                finished = await self._link.ask("HGET", rounds, what)
                if finished is not None:
                    committed = await self._commit(table_id, what, finished)
                    struck = await self._link.ask("HDEL", rounds, what)  # 0: another node carried it too, and counts it
                    self.rounds_written += bool(committed and struck and is_round(finished))
        except Exception as error:
            # After any failure the round stays queued, and other tables get their turn.
            log.warning("a document of table %s waits for the archive: %s: %s", table_id, type(error).__name__, error)
            return False
        return True

    async def _commit(self, table_id: str, what: bytes, finished: bytes) -> bool:
        """Hand a document to the archive. False: the archive refuses it for good, and it is put aside."""
        try:
            async with asyncio.timeout(SINK_S):  # not wait_for, which may swallow the word to stop (Python 3.11)
                await self._sink(finished)
        except UnacceptableDocument:
            log.exception("the archive refuses %s of table %s for good; put aside", what.decode(), table_id)
            self.refused += 1
            await self._aside.put_aside(table_id, what, finished)
            self._on_refusal(table_id, what.decode())
            return False
        return True


def _in_order(what: bytes) -> float:
    """Rounds by number; the end of the room after them."""
    return math.inf if what == keys.END else int(what)


async def _wait(event: asyncio.Event, timeout_s: float) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(max(0.0, timeout_s)):
            await event.wait()
