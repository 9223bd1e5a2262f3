"""`RoomKeeper`: the port `tables.ports.Rooms`. What follows from a change at a table: seats, codes, the board.

The table only notes it and plays on; the work is done here, one thing after the other, and repeated until it is done.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable

from app.storage.live.board import Board
from app.storage.live.codes import Codes
from app.storage.live.link import StoreAway
from app.storage.live.seats import AllClaimed, SeatClaims
from app.tables.ports import Summary

log = logging.getLogger(__name__)

_Job = Callable[[], Awaitable[None]]
OnClosed = Callable[[str, str], Awaitable[None]]
"""Told once a room is gone: (table id, reason). Raises when it could not note it; then it is told again."""


async def _nobody(table_id: str, reason: str) -> None:
    return None


class RoomKeeper:
    """One per node. `on_closed` lets the archive note the end of a room."""

    def __init__(self, board: Board, codes: Codes, seats: SeatClaims, on_closed: OnClosed = _nobody) -> None:
        self._board = board
        self._codes = codes
        self._seats = seats
        self._on_closed = on_closed
        self._jobs: deque[_Job] = deque()
        self._changed: dict[str, Summary] = {}
        self._wake = asyncio.Event()
        self._noted = 0
        self._again: dict[tuple[str, str], int] = {}
        self._one = asyncio.Lock()

    async def claim(self, table_id: str, user: str, places: int) -> bool:
        """His one seat is for this table again, whatever `free` noted before; False: another table has him."""
        pause_s = 0.1
        while True:
            try:
                async with self._one:
                    held = await self._seats.claim(user, table_id, places) is None
                    if held and self._jobs:
                        self._again[table_id, user] = self._noted
                    return held
            except AllClaimed:
                return False
            except StoreAway:
                log.warning("the live store is away; a claim waits")
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, 5.0)

    def free(self, table_id: str, users: tuple[str, ...] | None) -> None:
        """These people may sit elsewhere; None: everybody of this table."""
        self._noted += 1
        noted = self._noted
        self._do(lambda: self._free(table_id, users, noted))

    async def _free(self, table_id: str, users: tuple[str, ...] | None, noted: int) -> None:
        """Free them, but not who has claimed his seat again since that was noted."""
        async with self._one:
            if users is not None:
                users = tuple([user for user in users if self._again.get((table_id, user), 0) < noted])
            await self._seats.free_all(table_id, users)

    def closed(self, table_id: str, code: str, reason: str) -> None:
        """The table is gone: its people are free, its code in quarantine, its line off the board."""
        self._changed.pop(table_id, None)
        self._do(lambda: self._seats.free_all(table_id, None))
        self._do(lambda: self._retire(table_id, code))
        self._do(lambda: self._board.remove(table_id))
        self._do(lambda: self._on_closed(table_id, reason))

    def changed(self, summary: Summary) -> None:
        """The newest summary of a table counts; older ones not yet shown are skipped."""
        self._changed[summary.table_id] = summary
        self._wake.set()

    async def run(self) -> None:
        """Work until cancelled."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            await self.settle()

    async def settle(self) -> None:
        """Do all that is noted by now."""
        while self._jobs or self._changed:
            if self._jobs:
                await self._until_done(self._jobs[0])
                self._jobs.popleft()
                if not self._jobs:
                    self._again.clear()
            if self._changed:
                table_id = next(iter(self._changed))
                summary = self._changed.pop(table_id)
                await self._until_done(lambda: self._board.show(summary))  # noqa: B023  (awaited in this very turn)

    async def _retire(self, table_id: str, code: str) -> None:
        """A table that could not be read does not know its code; the board does."""
        shown = None if code else (await self._board.get([table_id]))[0]
        await self._codes.retire(code if shown is None else shown.code, table_id)

    def _do(self, job: _Job) -> None:
        self._jobs.append(job)
        self._wake.set()

    async def _until_done(self, job: _Job) -> None:
        pause_s = 0.1
        while True:
            try:
                return await job()
            except StoreAway:
                log.warning("the live store is away; a room's change waits")
            except Exception:
                log.exception("a room's change could not be noted; trying again")
                if pause_s >= 5.0:
                    log.error("given up on it: the others must not wait for ever")
                    return
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, 5.0)
