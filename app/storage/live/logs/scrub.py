"""The scrub: reads the logs of running tables again, one table a second, and compares them with their checksums.

A table that runs keeps its state in memory, so damage in the store would be found only by its next owner, perhaps days
later. Bounded: one log is read at a time, at most one a second, and nothing is folded. The caller names the tables,
and acts on a damaged one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from app.storage.live.wire import keys
from app.storage.live.wire.link import Link, StoreUnavailable
from app.tables.log.chain import BrokenChain, Chain

log = logging.getLogger(__name__)

EVERY_S: Final = 1.0
_LOOKS: Final = 3
"""A page may turn between two reads; one that still differs after this many looks is damaged."""


class Scrub:
    """Walks over `tables()` for ever; `on_damage(table, what)` is awaited for each whose log is damaged."""

    def __init__(
        self, link: Link, tables: Callable[[], Sequence[str]], on_damage: Callable[[str, str], Awaitable[None]]
    ) -> None:
        self._link = link
        self._tables = tables
        self._on_damage = on_damage
        self._last = ""

    async def run(self) -> None:
        """Look at a table each second until cancelled."""
        while True:
            await asyncio.sleep(EVERY_S)
            try:
                await self.step()
            except StoreUnavailable:
                continue  # it is not damaged, it is away

    async def step(self) -> None:
        """Look at the next table, by name, after the one of last time. Raises StoreUnavailable."""
        names = sorted(self._tables())
        if not names:
            return
        self._last = next((name for name in names if name > self._last), names[0])
        if (damage := await self._damage(self._last)) is not None:
            log.error("the stored log of table %s is damaged: %s", self._last, damage)
            await self._on_damage(self._last, damage)

    async def _damage(self, table_id: str) -> str | None:
        """What is wrong with a table's log; None: nothing, or it was closed just now."""
        found = None
        for _ in range(_LOOKS):
            try:
                page = await self._link.ask("GET", keys.page(table_id))
                if page is None:
                    return "its page is missing" if await self._is_open(table_id) else None
                entries = await self._link.ask("LRANGE", keys.log(table_id, int(page)), 0, -1)
                found = _broken(table_id, int(page), entries)
                if found is None or page == await self._link.ask("GET", keys.page(table_id)):
                    return found
            except StoreUnavailable:
                raise
            except Exception as error:  # what a damaged key leads to
                found = repr(error)
        return found

    async def _is_open(self, table_id: str) -> bool:
        token = await self._link.ask("GET", keys.lease(table_id))
        return token is not None and not token.endswith(b":closed")


def _broken(table_id: str, round_no: int, entries: Sequence[bytes]) -> str | None:
    """The first difference from the checksums; None: there is none."""
    if not entries:
        return "its log is empty"
    chain = Chain(table_id, round_no)
    try:
        for entry in entries:
            chain.accept(entry)
    except BrokenChain as broken:
        return str(broken)
    return None
