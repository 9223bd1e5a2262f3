"""The open rooms and the held seats of each address: one address can neither fill the nodes nor take every seat (D4).

Counted over all nodes. A room counts no more from the moment its table is closed, a seat from the moment it is free.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from app.storage.live.limiter import address_group
from app.storage.live.wire import keys
from app.storage.live.wire.link import Link

_KEPT_S: Final = 86_400
"""What an address holds is forgotten this long after it took its last one."""
_BEING_MADE_S: Final = 30
"""A room without a table yet, a seat without a claim yet, count this long: it is being made, or its node died."""
_CLOSED: Final = b":closed"


def most_rooms(per_address: int, max_tables: int, factor: float) -> int:
    """The number of rooms of one address: `per_address`, but at most a quarter of a node's tables and at least four.

    `factor` multiplies it, as it does all that one address may do.
    """
    return max(1, round(min(per_address, max(4, max_tables // 4)) * factor))


def most_seats(per_address: int, factor: float) -> int:
    """The number of seats that users of one address may hold at a time."""
    return max(1, round(per_address * factor))


class PerAddress:
    """At most `most` things held by one address, or by the /64 of an IPv6 address.

    `key` names an address's set; `is_held` tells whether a thing of it is held (None: it may be in the making).
    """

    def __init__(
        self, link: Link, most: int, key: Callable[[str], str], is_held: Callable[[Link, str], Awaitable[bool | None]]
    ) -> None:
        self._link = link
        self._most = most
        self._key = key
        self._is_held = is_held

    async def take(self, address: str, thing: str) -> bool:
        """Count a thing that is about to be held. False: the address has enough, and nothing is counted.

        Two that are taken at the same moment may both be refused where one would still fit; never are both let in.
        """
        key = self._key(address_group(address))
        await self._link.ask("SET", keys.making(thing), "1", "EX", _BEING_MADE_S)
        await self._link.ask("SADD", key, thing)
        await self._link.ask("EXPIRE", key, _KEPT_S)
        if int(await self._link.ask("SCARD", key)) <= self._most:
            return True
        known = sorted(str(found, "utf-8") for found in await self._link.ask("SMEMBERS", key))
        held = await asyncio.gather(*[self._counts(one) for one in known])
        over = [one for one, is_held in zip(known, held, strict=True) if not is_held]
        if enough := len(known) - len(over) > self._most:
            over.append(thing)
        if over:
            await self._link.ask("SREM", key, *over)
        return not enough

    async def _counts(self, thing: str) -> bool:
        held = await self._is_held(self._link, thing)
        return bool(await self._link.ask("EXISTS", keys.making(thing))) if held is None else held


def rooms_of_address(link: Link, most: int) -> PerAddress:
    """Rooms by the address that made them."""
    return PerAddress(link, most, keys.rooms_of, _is_open)


def seats_of_address(link: Link, most: int) -> PerAddress:
    """Users who hold a seat, by the address from which they took it."""
    return PerAddress(link, most, keys.seats_of, _is_seated)


async def _is_open(link: Link, room: str) -> bool | None:
    lease = await link.ask("GET", keys.lease(room))
    return None if lease is None else not lease.endswith(_CLOSED)


async def _is_seated(link: Link, user: str) -> bool | None:
    return True if await link.ask("EXISTS", keys.seat(user)) else None
