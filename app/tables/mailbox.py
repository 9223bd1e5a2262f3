"""The one way into a table: a bounded queue with a policy by kind of message. Never blocks the sender.

| kind     | when `PLAYERS` messages wait | place |
|----------|------------------------------|-------|
| input    | refused (`busy`)             | back  |
| join     | refused (`busy`)             | back  |
| deadline | accepted: at most one per running clock | back |
| presence | accepted: at most one per connection and change | back |
| admin    | accepted up to `ADMINS`      | front |
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, Final, Literal

Kind = Literal["input", "join", "deadline", "presence", "admin"]

PLAYERS: Final = 256
ADMINS: Final = 32
_REFUSABLE: Final[frozenset[Kind]] = frozenset(("input", "join"))


class Mailbox:
    """Messages in order of arrival, operators first."""

    def __init__(self, players: int = PLAYERS) -> None:
        self._players = players
        self._queue: deque[tuple[Kind, Any]] = deque()
        self._front: deque[tuple[Kind, Any]] = deque()
        self._refusable = 0
        self._waiter: asyncio.Future[None] | None = None

    def post(self, kind: Kind, message: Any) -> bool:
        """Put a message in. False: refused, nothing happened."""
        if kind == "admin":
            if len(self._front) >= ADMINS:
                return False
            self._front.append((kind, message))
        else:
            if kind in _REFUSABLE:
                if self._refusable >= self._players:
                    return False
                self._refusable += 1
            self._queue.append((kind, message))
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
        return True

    async def next(self) -> Any:
        """The next message; waits for one."""
        while not self._front and not self._queue:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        return self.take()

    def take(self) -> Any:
        """The next message, there must be one."""
        if self._front:
            return self._front.popleft()[1]
        kind, message = self._queue.popleft()
        self._refusable -= kind in _REFUSABLE
        return message

    def drain(self) -> list[Any]:
        """All waiting messages, for the end of the table: none may stay unanswered."""
        left = []
        while self._front or self._queue:
            left.append(self.take())
        return left
