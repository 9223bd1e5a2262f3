"""Documents that the archive refused for good: a bug of ours. Kept whole, so that they can be seen, and handed over
again once the bug is mended.
"""

from __future__ import annotations

from typing import Final

from app.storage.live.wire import keys
from app.storage.live.wire.link import Link

LISTED: Final = 200
"""Tables that a list shows at most."""


class RefusedDocuments:
    """What `Archiver` has put aside, of all tables. Every call raises StoreUnavailable."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def put_aside(self, table_id: str, what: bytes, document: bytes) -> None:
        """Keep a document of a table; `what` is its field in the queue: the round's number, or `end`."""
        await self._link.ask("HSET", keys.refused(table_id), what, document)
        await self._link.ask("SADD", keys.REFUSED, table_id)

    async def all(self) -> dict[str, list[str]]:
        """By table, in order of id, the names of what is kept."""
        names = sorted(str(name, "utf-8") for name in await self._link.ask("SMEMBERS", keys.REFUSED))
        return {
            name: sorted(str(what, "utf-8") for what in await self._link.ask("HKEYS", keys.refused(name)))
            for name in names[:LISTED]
        }

    async def one(self, table_id: str, what: str) -> bytes | None:
        """A document as it was handed to the archive: JSON."""
        found = await self._link.ask("HGET", keys.refused(table_id), what)
        return None if found is None else bytes(found)

    async def queue_again(self, table_id: str) -> int:
        """Put all of a table's back into the archive's queue. Returns how many; repeated, it does no harm."""
        kept = await self._link.ask("HKEYS", keys.refused(table_id))
        for what in kept:
            document = await self._link.ask("HGET", keys.refused(table_id), what)
            if document is not None:
                await self._link.ask("SADD", keys.TABLES, table_id)  # first: what waits must be found by every node
                await self._link.ask("HSET", keys.rounds(table_id), what, document)
                await self._link.ask("HDEL", keys.refused(table_id), what)
        await self._link.ask("SREM", keys.REFUSED, table_id)
        return len(kept)
