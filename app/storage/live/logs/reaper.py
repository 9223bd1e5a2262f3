"""The reaper: what the end of a table should have taken along but a death in between left behind.

A table's name is struck only after it was found gone at two looks, so that one just being made is not lost.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from app.storage.live.logs.tables import LiveTables
from app.storage.live.nodes.nodes import Nodes
from app.storage.live.rooms.board import Board
from app.storage.live.rooms.codes import Codes
from app.storage.live.rooms.seats import SeatClaims
from app.storage.live.wire import keys
from app.storage.live.wire.link import Link, StoreUnavailable

log = logging.getLogger(__name__)

SWEEP_S: Final = 60.0


class Reaper:
    """Sweeps every `SWEEP_S`; any number of them may run at once."""

    def __init__(self, link: Link, tables: LiveTables, board: Board, codes: Codes, seats: SeatClaims) -> None:
        self._link = link
        self._tables = tables
        self._board = board
        self._codes = codes
        self._seats = seats
        self._nodes = Nodes(link)
        self._gone: set[str] = set()
        self._silent: set[str] = set()

    async def run(self) -> None:
        """Sweep until cancelled."""
        while True:
            await asyncio.sleep(SWEEP_S)
            try:
                await self.sweep()
            except StoreUnavailable:
                log.warning("no sweep: the live store does not answer")

    async def sweep(self) -> int:
        """One look; strikes what was gone at the last one too. Returns how many tables. Raises StoreUnavailable."""
        names = [str(name, "utf-8") for name in await self._link.ask("SMEMBERS", keys.TABLES)]
        listed = {summary.table_id: summary for summary in await self._board.all()}
        gone = {name for name in {*names, *listed} if not await self._tables.in_use(name)}
        dead = gone & self._gone
        for table_id in dead:
            await self._seats.free_all(table_id)
            if table_id in listed:
                await self._codes.retire(listed[table_id].code, table_id)
                await self._board.remove(table_id)
            await self._link.ask("SREM", keys.TABLES, table_id)
        self._gone = gone - dead
        await self._strike_nodes()
        return len(dead)

    async def _strike_nodes(self) -> None:
        """Nodes silent at two sweeps: by now other nodes have their tables, or the next request opens them."""
        dead = await self._nodes.listed() - (await self._nodes.look()).alive.keys()
        for owner in dead & self._silent:
            await self._nodes.forget(owner)
        self._silent = dead
