"""The open rooms that each address has made: one address cannot fill the nodes with rooms (D4).

Counted over all nodes. A room that is over counts no more from the moment its table is closed.
"""

from __future__ import annotations

import asyncio
from typing import Final

from app.storage.live.limiter import address_group
from app.storage.live.wire import keys
from app.storage.live.wire.link import Link

_KEPT_S: Final = 86_400
"""The rooms of an address are forgotten this long after it made its last one."""
_BEING_MADE_S: Final = 30
"""A room without a table yet counts this long: it is being made, or its node died before it made it."""
_CLOSED: Final = b":closed"


def most_rooms(per_address: int, max_tables: int, factor: float) -> int:
    """The number of rooms of one address: `per_address`, but at most a quarter of a node's tables and at least four.

    `factor` multiplies it, as it does all that one address may do.
    """
    return max(1, round(min(per_address, max(4, max_tables // 4)) * factor))


class AddressRooms:
    """At most `most` open rooms made by one address, or by the /64 of an IPv6 address."""

    def __init__(self, link: Link, most: int) -> None:
        self._link = link
        self._most = most

    async def take(self, address: str, room: str) -> bool:
        """Count a room that is about to be made. False: the address has enough, and nothing is counted.

        Two rooms made at the same moment may both be refused where one would still fit; never are both let in.
        """
        key, making = keys.rooms_of(address_group(address)), keys.making(room)
        await self._link.ask("SET", making, "1", "EX", _BEING_MADE_S)
        await self._link.ask("SADD", key, room)
        await self._link.ask("EXPIRE", key, _KEPT_S)
        known = sorted(str(found, "utf-8") for found in await self._link.ask("SMEMBERS", key))
        open_ = await asyncio.gather(*[self._is_open(known_room) for known_room in known])
        over = [known_room for known_room, is_open in zip(known, open_, strict=True) if not is_open]
        if enough := len(known) - len(over) > self._most:
            over.append(room)
        if over:
            await self._link.ask("SREM", key, *over)
        return not enough

    async def _is_open(self, room: str) -> bool:
        lease = await self._link.ask("GET", keys.lease(room))
        if lease is None:
            return bool(await self._link.ask("EXISTS", keys.making(room)))
        return not lease.endswith(_CLOSED)
