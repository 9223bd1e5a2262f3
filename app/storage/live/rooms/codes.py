"""Room codes: drawn by a secure generator, reserved atomically, in quarantine after use.

A code leads to a room; the room's rules decide who may enter.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Final

from app.storage.live.wire import keys
from app.storage.live.wire.link import Link
from app.storage.live.wire.scripts import SWAP

QUARANTINE_S: Final = 24 * 3600
RESERVED_S: Final = 600
"""A code is held this long for a room that has not shown itself: its node may die before it makes the table."""
_RETIRED: Final = b"-"
_TRIES: Final = 20


VISIT_S: Final = 86_400
"""A user who came by a room's code may look at the room by its id for this long."""


class NoFreeCode(Exception):
    """Hardly a code is free: try later."""


class Codes:
    """Reserves, resolves and retires codes of `digits` digits. `draw(n)` gives a number below n."""

    def __init__(self, link: Link, digits: int = 6, draw: Callable[[int], int] = secrets.randbelow) -> None:
        self._link = link
        self._digits = digits
        self._draw = draw

    async def reserve(self, room: str) -> str:
        """A code that nobody has, now leading to `room`; for good once that is there (`keep`).

        Raises NoFreeCode after `_TRIES` taken ones; StoreUnavailable.
        """
        for _ in range(_TRIES):
            code = f"{self._draw(10**self._digits):0{self._digits}d}"
            if await self._link.run(SWAP, [keys.code(code)], ["", room, RESERVED_S], patience_s=5.0):
                return code
        raise NoFreeCode

    async def keep(self, code: str, room: str) -> None:
        """The room is there: a room keeps its code until it ends. Nothing where it leads elsewhere by now.

        Waits as long as the store is away.
        """
        await self._link.run(SWAP, [keys.code(code)], [room, room, 0])

    async def room_of(self, code: str) -> str | None:
        """The room a code leads to, or None.

        Callers on behalf of people spend the budget `code` of the limiter first.
        """
        room = await self._link.ask("GET", keys.code(code))
        return None if room is None or room == _RETIRED else str(room, "utf-8")

    async def note_visit(self, room: str, user: str) -> None:
        """This user was shown the room by its code. Raises StoreUnavailable."""
        await self._link.ask("SET", keys.visit(room, user), "1", "EX", VISIT_S)

    async def visited(self, room: str, user: str) -> bool:
        """Whether this user was shown the room by its code lately. Raises StoreUnavailable."""
        return await self._link.ask("GET", keys.visit(room, user)) is not None

    async def retire(self, code: str, room: str) -> None:
        """The room is gone: its code leads nowhere and is not given out for `QUARANTINE_S`. Harmless when repeated."""
        await self._link.run(SWAP, [keys.code(code)], [room, _RETIRED, QUARANTINE_S], patience_s=10.0)

    async def give_back(self, code: str, room: str) -> None:
        """The room never came to be: its code is free again at once. Raises StoreUnavailable."""
        await self._link.run(SWAP, [keys.code(code)], [room, "", 0], patience_s=5.0)
