"""What people are told outside of a table's socket: a short stream of events for each user, and who listens just now.

At least once: a repeated write adds an event twice. The newest `KEPT` events of a user stay for `KEPT_S` after the
last one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from app.storage.live.wire import keys
from app.storage.live.wire.answers import pairs
from app.storage.live.wire.link import Link
from app.storage.live.wire.scripts import LISTEN

KEPT: Final = 100
"""Events of one user, about: the store drops older ones in blocks."""
KEPT_S: Final = 3600
LISTENING_S: Final = 10
"""A node that dies is forgotten as a listener after this long."""
BEGINNING: Final = "0-0"
_PATIENCE_S: Final = 2.0


class Notices:
    """Writes and reads the events of users. Every call may raise StoreUnavailable."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def add(self, user: str, event: bytes) -> None:
        """Keep an event for this user."""
        key = keys.notices(user)
        added = self._link.ask("XADD", key, "MAXLEN", "~", KEPT, "*", "event", event, patience_s=_PATIENCE_S)
        await self._link.ask("EXPIRE", key, KEPT_S, patience_s=_PATIENCE_S)
        await added

    async def after(self, user: str, cursor: str) -> list[tuple[str, bytes]]:
        """The kept events after this one, oldest first, each with its own cursor."""
        found = await self._link.ask("XRANGE", keys.notices(user), f"({cursor}", "+", "COUNT", KEPT)
        return [(str(name, "ascii"), dict(pairs(fields))[b"event"]) for name, fields in found]

    async def newest(self, user: str) -> str:
        """The cursor of the newest event that is kept; `BEGINNING` where there is none."""
        found = await self._link.ask("XREVRANGE", keys.notices(user), "+", "-", "COUNT", 1)
        return str(found[0][0], "ascii") if found else BEGINNING

    async def listen(self, users: Iterable[str]) -> frozenset[str]:
        """Note that these users listen at this node. Returns all who do, at any node."""
        found = await self._link.run(LISTEN, [keys.LISTENERS], [LISTENING_S, *users], patience_s=_PATIENCE_S)
        return frozenset([str(user, "utf-8") for user in found])
