"""Frames offered to one socket in a turn leave in one write: a write is a system call, as dear as its frames."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Protocol


class Pending(Protocol):
    """Something that has to be written out."""

    def flush(self) -> None: ...


class Outgoing:
    """The connections of a node that have something to write.

    A table calls `flush` at the end of its step, so that nobody waits for the next turn of the event loop. Frames from
    other senders, and frames offered before a table waits for the store, leave at the end of the turn.
    """

    def __init__(self) -> None:
        self.refusals: Counter[str] = Counter()
        """Requests refused over sockets, by code."""
        self._pending: list[Pending] = []
        self._scheduled = False

    def add(self, pending: Pending) -> None:
        """This one has something to write now, and had nothing before."""
        self._pending.append(pending)
        if not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._turn_is_over)

    def flush(self) -> None:
        """Write all of it out."""
        while self._pending:
            self._pending.pop().flush()

    def _turn_is_over(self) -> None:
        self._scheduled = False
        self.flush()
