"""The way to Postgres: one pool per process, handed down by the composition root. No queries here."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

AWAY: Final[tuple[type[Exception], ...]] = (OperationalError, InterfaceError, PoolTimeout, OSError)
"""What is raised while Postgres cannot be reached, or is too busy: try again later."""

PATIENCE_S: Final = 20.0
"""How long a block may take, opening a connection included: a Postgres that answers nothing holds nobody up."""

Db = AsyncConnection
"""What every function of this package works on: an open connection, inside the caller's transaction."""


class Archive:
    """The pool. `begin` is a transaction; `read` one that is thrown away.

    Both raise SQLAlchemy's own errors, and TimeoutError (one of AWAY) when the block takes more than `patience_s`.
    """

    def __init__(self, engine: AsyncEngine, patience_s: float = PATIENCE_S) -> None:
        self._engine = engine
        self._patience_s = patience_s

    @classmethod
    def at(cls, database_url: str, *, connections: int = 10, patience_s: float = PATIENCE_S) -> Archive:
        """A pool of at most `connections`, none opened yet; a connection that died is replaced when it is taken."""
        engine = create_async_engine(
            database_url, pool_size=connections, max_overflow=0, pool_timeout=10, pool_pre_ping=True
        )
        return cls(engine, patience_s)

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[Db]:
        """One transaction: committed when the block ends, rolled back when it raises."""
        async with asyncio.timeout(self._patience_s), self._engine.begin() as db:
            yield db

    @asynccontextmanager
    async def read(self) -> AsyncIterator[Db]:
        """A connection for queries; nothing written through it stays."""
        async with asyncio.timeout(self._patience_s), self._engine.connect() as db:
            yield db

    async def close(self) -> None:
        """Give all connections back. Open blocks must be over."""
        await self._engine.dispose()
