"""The lobby's board: the public facts of live rooms, on all nodes, and their numbered changes.

Readers ask for changes; nothing is pushed, so nothing can go silent when the store was away. No hidden tiles.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from app.storage.live.wire import keys
from app.storage.live.wire.answers import pairs
from app.storage.live.wire.link import Link, Word
from app.storage.live.wire.scripts import LIST_ROOMS, NEWS
from app.tables.ports import Summary

_REMEMBERED: Final = 4096
_BOARD: Final = [keys.ROOMS, keys.ROOM_CHANGES, keys.ROOM_COUNTER]


class Board:
    """Lists rooms, takes them off, reads."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def show(self, *summaries: Summary) -> None:
        """Rooms as they are now. Waits as long as the store is away."""
        lines: list[Word] = [_REMEMBERED]
        for summary in summaries:
            lines += summary.table_id, msgspec.json.encode(summary)
        await self._link.run(LIST_ROOMS, _BOARD, lines)

    async def remove(self, table_id: str) -> None:
        """The room is gone. Waits as long as the store is away."""
        await self._link.run(LIST_ROOMS, _BOARD, [_REMEMBERED, table_id, ""])

    async def news(self, since: int) -> tuple[int, bool, dict[str, Summary | None]]:
        """Changes after number `since` (0: all): the number now, whether this is the whole list, the rooms.

        A room that is gone has None. Raises StoreUnavailable.
        """
        now, whole, *changed = await self._link.run(NEWS, _BOARD, [since], patience_s=5.0)
        return int(now), bool(whole), {str(name, "utf-8"): _read(text) for name, text in pairs(changed)}

    async def get(self, table_ids: Iterable[str]) -> list[Summary | None]:
        """The summaries of these rooms, in order. Raises StoreUnavailable."""
        wanted = list(table_ids)
        found = await self._link.ask("HMGET", keys.ROOMS, *wanted) if wanted else []
        return [_read(text) for text in found]

    async def all(self) -> list[Summary]:
        """Every room on the board, the latest changed first. Raises StoreUnavailable."""
        changed = self._link.ask("ZREVRANGE", keys.ROOM_CHANGES, 0, -1)
        rooms = dict(pairs(await self._link.ask("HGETALL", keys.ROOMS)))
        order = {table_id: number for number, table_id in enumerate(await changed)}
        listed = sorted(rooms, key=lambda table_id: order.get(table_id, _REMEMBERED))
        return [summary for table_id in listed if (summary := _read(rooms[table_id])) is not None]


def _read(text: bytes | None) -> Summary | None:
    return msgspec.json.decode(text, type=Summary) if text else None
