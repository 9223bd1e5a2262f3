"""A running table for all code outside `app.tables`: found through the registry, called through this. Every call
returns at once. A message that the table cannot take is answered by an error code.
"""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from typing import Final, Protocol

from app.refusal import ErrorCode
from app.tables.asks import Ask, Order
from app.tables.frames import Reason
from app.tables.log.table_log import TableLog
from app.tables.outcomes import OrderOutcome
from app.tables.ports import Connection, Person, Role, Summary, Token

running_table: Final[ContextVar[str]] = ContextVar("running_table", default="")
"""The id of the table whose task runs: log lines carry it."""


class TableHandle(Protocol):
    """One table that this process owns."""

    table_id: str

    @property
    def token(self) -> Token:
        """The token by which this process owns the table."""
        ...

    @property
    def gone(self) -> Reason | None:
        """None while the table runs here, else the reason why it stopped; its connections have been notified."""
        ...

    @property
    def log(self) -> TableLog:
        """The state that its log folds to. Read only, for measurements and tests: only the table moves it."""
        ...

    def attach(
        self, connection: Connection, person: Person, *, role: Role = "player", member: bool = False,
        last: tuple[int, int] | None = None, ref: str | None = None,
    ) -> ErrorCode | None:  # fmt: skip
        """Let an authenticated socket in: to its person's seat or to watch. An error code when it was not taken.

        `last`: the newest number it has seen; `member`: of the room's circle; `ref`: the request that is answered. When
        it was taken you must call `detach` once, when the socket is gone, also after a farewell.
        """
        ...

    def detach(self, connection: Connection) -> None:
        """The socket is gone. Harmless when a newer one has its place."""
        ...

    def written(self, connection: Connection) -> None:
        """All that waited for the socket is written. Call it after an `offer` that returned False."""
        ...

    def request(self, connection: Connection, ref: str, ask: Ask) -> ErrorCode | None:
        """A person's ask. None: exactly one `ack` or `error` with `ref` will be offered to the connection.

        A code: it was not taken, and you must answer.
        """
        ...

    def operate(self, order: Order) -> asyncio.Future[OrderOutcome]:
        """An order. All but `OrderReserve` are handled before what people ask."""
        ...

    def summary(self) -> Summary:
        """Public facts of the table: no hidden tiles."""
        ...

    def stop(self, reason: Reason, detail: str) -> None:
        """End it here at once: no clock, no connection, no message is left. Its log stays."""
        ...
