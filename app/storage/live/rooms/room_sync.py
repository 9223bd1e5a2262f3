"""`RoomSync`: the port `tables.ports.Rooms`. Seats, codes and the board follow a change at a table.

The table only notes it and plays on; the work is done here, one thing after the other in each of several lanes, and
repeated until it is done. The archive's note of a room's end waits in the store (`archiver.py`).
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from itertools import islice
from typing import Final
from zlib import crc32

from app.storage.live.rooms.board import Board
from app.storage.live.rooms.codes import Codes
from app.storage.live.rooms.seats import SeatClaims
from app.storage.live.wire.link import StoreUnavailable
from app.tables.ports import Summary

log = logging.getLogger(__name__)

_TRIES: Final = 8
_FIRST_S: Final = 0.1
_LONGEST_S: Final = 1.0
"""Pauses between tries, while the store is away."""
_FREEING: Final = 16
"""Lanes for seats: a busy node waits long for each answer of the store, and no table for another one's."""
_SHOW_EVERY_S: Final = 0.05
_SHOWN_AT_ONCE: Final = 64
"""Rooms: when a thousand connections are cut at once, returning players do not wait until every change is shown."""
_CODED: Final = 10_000
"""Tables of which is remembered that their codes were kept from here; of more it is done again."""


@dataclass(slots=True)
class _Job:
    work: Callable[[], Awaitable[None]]
    failed: int = 0


class _Lane:
    """Jobs in their order. While the store is away the first one waits; one that fails lets the others go first."""

    def __init__(self) -> None:
        self._jobs: deque[_Job] = deque()
        self._wake = asyncio.Event()
        self._working = asyncio.Lock()

    def __len__(self) -> int:
        return len(self._jobs)

    def add(self, work: Callable[[], Awaitable[None]]) -> None:
        """Note something to do."""
        self._jobs.append(_Job(work))
        self._wake.set()

    async def run(self) -> None:
        """Work until cancelled."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            await self.settle()

    async def settle(self) -> None:
        """Carry out all notes made by now, or wait for the task that does so already."""
        async with self._working:
            await self._settle()

    async def _settle(self) -> None:
        pause_s = _FIRST_S
        while self._jobs:
            job = self._jobs[0]
            try:
                await job.work()
            except StoreUnavailable:
                log.warning("the live store is away; a room's change waits")
            except Exception:
                self._failed(job)
            else:
                self._jobs.popleft()
                continue
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, _LONGEST_S)

    def _failed(self, job: _Job) -> None:
        job.failed += 1
        log.exception("a room's change could not be noted (%d times)", job.failed)
        self._jobs.popleft()
        if job.failed < _TRIES:
            self._jobs.append(job)
        else:
            log.error("given up on it")


class _Freeing(_Lane):
    """The lane of some tables' seats. `again`: (table, user) claimed anew meanwhile → number of the note before it."""

    def __init__(self) -> None:
        super().__init__()
        self.again: dict[tuple[str, str], int] = {}
        self.one = asyncio.Lock()


class RoomSync:
    """One per node."""

    heard: Callable[[Summary], None] = staticmethod(lambda summary: None)
    """Called with each new summary, once it is noted here."""

    def __init__(self, board: Board, codes: Codes, seats: SeatClaims) -> None:
        self._board = board
        self._codes = codes
        self._seats = seats
        self._freeing, self._showing = [_Freeing() for _ in range(_FREEING)], _Lane()
        self._changed: dict[str, Summary] = {}
        self._noted_changes = False
        self._coded: set[str] = set()
        self._writing = asyncio.Lock()
        self._shown = float("-inf")
        self._noted = 0

    async def claim(self, table_id: str, user: str, epoch: int = 0) -> bool:
        """Claim the user's one seat for this table, against earlier notes too. False: another table holds it."""
        lane, pause_s = self._lane(table_id), _FIRST_S
        while True:
            try:
                async with lane.one:
                    held = await self._seats.claim(user, table_id, epoch) is None
                    if held and lane:
                        lane.again[table_id, user] = self._noted
                    return held
            except StoreUnavailable:
                log.warning("the live store is away; a claim waits")
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, _LONGEST_S)

    def free(self, table_id: str, users: tuple[str, ...] | None, epoch: int | None = None) -> None:
        """These people may sit elsewhere; None: everybody of this table. `epoch`: of the owner who says so."""
        self._note(table_id, users, (), epoch)

    def keep(self, table_id: str, users: tuple[str, ...], epoch: int | None = None) -> None:
        """Everybody of this table may sit elsewhere but these, whose claims are the owner's of `epoch` from now on."""
        self._note(table_id, None, users, epoch)

    def _note(
        self, table_id: str, users: tuple[str, ...] | None, kept: tuple[str, ...], epoch: int | None
    ) -> None:  # fmt: skip
        self._noted += 1
        noted = self._noted
        self._lane(table_id).add(lambda: self._free(table_id, users, kept, epoch, noted))

    def _lane(self, table_id: str) -> _Freeing:
        return self._freeing[crc32(table_id.encode()) % _FREEING]

    async def _free(
        self, table_id: str, users: tuple[str, ...] | None, kept: tuple[str, ...], epoch: int | None, noted: int
    ) -> None:  # fmt: skip
        """Free these users, except those who claimed their seat again after the note was made."""
        lane = self._lane(table_id)
        async with lane.one:
            listed = await self._seats.claimed(table_id) if users is None else users
            for user in listed:
                if user not in kept and lane.again.get((table_id, user), 0) < noted:
                    await self._seats.free(user, table_id, epoch)
            claims = [self._seats.claim(user, table_id, epoch or 0, listed=user in listed) for user in kept]
            for answer in await asyncio.gather(*claims, return_exceptions=True):
                if isinstance(answer, BaseException):  # now that none of them goes on behind our back
                    raise answer
            if len(lane) == 1:
                lane.again.clear()  # nothing else is left that could undo a claim

    def closed(self, table_id: str, code: str, reason: str) -> None:
        """The table is gone: its people are free, its code in quarantine, its line off the board."""
        self._changed.pop(table_id, None)
        self._coded.discard(table_id)
        self.free(table_id, None)
        self._showing.add(lambda: self._retire(table_id, code))
        self._showing.add(lambda: self._remove(table_id))

    def changed(self, summary: Summary) -> None:
        """The newest summary of a table counts; older ones not yet shown are skipped."""
        self._changed[summary.table_id] = summary
        self._note_changes()
        self.heard(summary)

    def _note_changes(self) -> None:
        if not self._noted_changes:
            self._noted_changes = True
            self._showing.add(self._show)

    async def _show(self) -> None:
        """Show all changes in one call, then pause: when many people come and go, most changes are soon outdated."""
        clock = asyncio.get_running_loop().time
        await asyncio.sleep(max(0.0, self._shown + _SHOW_EVERY_S - clock()))
        self._noted_changes = False
        async with self._writing:
            news = dict(islice(self._changed.items(), _SHOWN_AT_ONCE))
            for table_id in news:
                del self._changed[table_id]
            first = [summary for summary in news.values() if summary.table_id not in self._coded]
            try:
                await asyncio.gather(
                    self._board.show(*news.values()),
                    *[self._codes.keep(summary.code, summary.table_id) for summary in first],
                )
            except (StoreUnavailable, asyncio.CancelledError):  # once more
                self._changed = {**news, **self._changed}
                raise
            if len(self._coded) > _CODED:
                self._coded.clear()
            self._coded.update([summary.table_id for summary in first])
        self._shown = clock()
        if self._changed:
            self._note_changes()

    async def shown(self, table_id: str) -> None:
        """Show this table's changes on the board at once: a client of another node is about to read it."""
        async with self._writing:
            summary = self._changed.get(table_id)
            if summary is not None:
                await self._board.show(summary)

    async def _remove(self, table_id: str) -> None:
        async with self._writing:
            await self._board.remove(table_id)

    async def run(self) -> None:
        """Work until cancelled."""
        await asyncio.gather(*[lane.run() for lane in (*self._freeing, self._showing)])

    async def settle(self) -> None:
        """Do all that is noted by now."""
        await asyncio.gather(*[lane.settle() for lane in (*self._freeing, self._showing)])

    async def _retire(self, table_id: str, code: str) -> None:
        """A table that could not be read does not know its code; the board does."""
        shown = None if code else (await self._board.get([table_id]))[0]
        await self._codes.retire(code if shown is None else shown.code, table_id)
