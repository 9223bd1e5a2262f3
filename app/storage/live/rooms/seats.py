"""One player, one seat: the table that holds a user. A claim whose table is gone has no effect. The table knows its
number of seats; only its owner claims for it. A claim knows the epoch of the owner that made it, so that a late call of
an earlier owner cannot free a seat that a later owner has given.
"""

from __future__ import annotations

from app.storage.live.wire import keys
from app.storage.live.wire.link import Link, Word
from app.storage.live.wire.scripts import CLAIM_SEAT, FREE_SEAT, STRIKE_CLAIM


class SeatClaims:
    """Claims and frees a user's one seat. Claim only for a table that is open: a claim for no table counts as stale."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def claim(self, user: str, table: str, epoch: int = 0, *, listed: bool = False) -> str | None:
        """Take the user's one seat for `table`, as its owner of `epoch`. None: taken; else the table that holds it.

        `listed`: the user is already in the table's list (`claimed`). Harmless when repeated. Raises StoreUnavailable.
        """
        if not listed:
            await self._link.ask("SADD", keys.members(table), user)
        where, holder = [keys.seat(user), keys.seat_epoch(user)], ""
        while not await self._link.run(CLAIM_SEAT, where, [holder, table, epoch], patience_s=5.0):
            holder = str(await self._link.ask("GET", keys.seat(user)) or b"", "utf-8")
            if holder not in ("", table) and await self._lives(holder):
                await self._link.ask("SREM", keys.members(table), user)
                return holder
        return None

    async def table_of(self, user: str) -> str | None:
        """The living table that holds the user, or None. Raises StoreUnavailable."""
        holder = await self._link.ask("GET", keys.seat(user))
        if holder is None or not await self._lives(str(holder, "utf-8")):
            return None
        return str(holder, "utf-8")

    async def claimed(self, table: str) -> set[str]:
        """The users with a claim at a table. Raises StoreUnavailable."""
        return {str(user, "utf-8") for user in await self._link.ask("SMEMBERS", keys.members(table))}

    async def free(self, user: str, table: str, epoch: int | None = None) -> None:
        """Free the user's seat at `table`, as its owner of `epoch` (None: unconditionally, because the table is gone).

        Does nothing when another table, or a later owner of this one, holds the seat by now. Raises StoreUnavailable.
        """
        by: Word = "" if epoch is None else epoch
        where = [keys.seat(user), keys.seat_epoch(user)]
        if await self._link.run(FREE_SEAT, where, [table, by], patience_s=10.0):
            claims = [keys.lease(table), keys.members(table)]
            await self._link.run(STRIKE_CLAIM, claims, [user, by], patience_s=10.0)

    async def free_all(self, table: str) -> None:
        """Free everybody who claimed a seat at `table`. Raises StoreUnavailable; harmless when repeated."""
        for user in await self.claimed(table):
            await self.free(user, table)  # the set of members vanishes with its last one

    async def _lives(self, table: str) -> bool:
        token = await self._link.ask("GET", keys.lease(table))
        return token is not None and not token.endswith(b":closed")
