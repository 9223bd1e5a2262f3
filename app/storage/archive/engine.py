"""The way to Postgres: one pool per process, handed down by the composition root. No queries here.

Besides the pool there are a few bare connections for single statements: what every request asks, and what every
finished round writes, must cost next to nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, Final, cast

import asyncpg
from sqlalchemy import Select, literal, select
from sqlalchemy.dialects.postgresql.asyncpg import dialect
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

AWAY: Final[tuple[type[Exception], ...]] = (OperationalError, InterfaceError, PoolTimeout, OSError)
"""Errors raised while Postgres cannot be reached, or is too busy: try again later."""

PATIENCE_S: Final = 20.0
"""Time limit of a block, opening a connection included: a Postgres that does not answer blocks no caller."""

_BARE: Final = 5
"""Bare connections, opened when they are needed: each carries one statement after another."""
_CUT: Final = (
    asyncpg.PostgresConnectionError, asyncpg.OperatorInterventionError, asyncpg.InterfaceError,
    asyncpg.InternalClientError, OSError,
)  # fmt: skip
"""Errors of a bare connection when it, or Postgres, has just gone: the query may be repeated. The client's own
error comes while it still reads the server's farewell."""
_AWAY: Final = (*_CUT, asyncpg.InsufficientResourcesError)

Db = AsyncConnection
"""The argument of every function of this package: an open connection, inside the caller's transaction."""


class Question:
    """A SELECT that is put together and compiled once. Its parameters (`bindparam`) are given when it is asked; it may
    ask for texts, numbers and moments, not for documents."""

    def __init__(self, query: Select[*tuple[Any, ...]]) -> None:
        compiled = query.compile(dialect=dialect())  # type: ignore[no-untyped-call]
        self.query = query
        self.text = str(compiled)
        self._fixed = dict(compiled.params)
        self._names: list[str] = list(compiled.positiontup or ())

    def values(self, given: dict[str, Any]) -> list[Any]:
        """All parameters in the order of the text."""
        known = {**self._fixed, **given}
        return [known[name] for name in self._names]


def with_driver(database_url: str) -> str:
    """The URL with SQLAlchemy's driver in its scheme; people write the plain one."""
    scheme, colon, rest = database_url.partition("://")
    return f"postgresql+asyncpg{colon}{rest}" if scheme in ("postgres", "postgresql") else database_url


_THERE: Final = Question(select(literal(1)))
_LOOK_S: Final = 1.0


@contextlib.contextmanager
def _named_away() -> Iterator[None]:
    """A Postgres that starts, recovers, stops or was cut off in the middle of a statement is away: ConnectionError.

    SQLAlchemy has no class of its own for 57P01 to 57P03, and wraps what the driver raises in several ways.
    """
    try:
        yield
    except TimeoutError:
        raise
    except Exception as error:
        cause: BaseException | None = error
        while cause is not None and not isinstance(cause, _AWAY):
            cause = cause.__cause__
        if cause is None:
            raise
        said = (str(cause) or type(cause).__name__).splitlines()[0]
        raise ConnectionError(f"Postgres is away: {said}") from error


class Archive:
    """The pool. `begin` is a transaction; `read` one that is thrown away; `ask` is for a question without either, and
    `change` for a single statement that writes.

    All raise errors of AWAY, and SQLAlchemy's own: TimeoutError when the block takes more than `patience_s`.
    """

    def __init__(self, engine: AsyncEngine, patience_s: float = PATIENCE_S) -> None:
        self._engine = engine
        self._patience_s = patience_s
        self._bare = asyncio.Semaphore(_BARE)
        self._idle: list[asyncpg.Connection[asyncpg.Record]] = []
        self._looked: tuple[float, asyncio.Future[bool]] | None = None

    @classmethod
    def at(cls, database_url: str, *, connections: int = 10, patience_s: float = PATIENCE_S) -> Archive:
        """A pool of at most `connections`, none opened yet; a broken connection is replaced when it is taken."""
        engine = create_async_engine(
            database_url,
            pool_size=connections,
            max_overflow=0,
            pool_timeout=10,
            pool_pre_ping=True,
            hide_parameters=True,
        )
        return cls(engine, patience_s)

    @contextlib.asynccontextmanager
    async def begin(self) -> AsyncIterator[Db]:
        """One transaction: committed when the block ends, rolled back when it raises."""
        with _named_away():
            async with asyncio.timeout(self._patience_s), self._engine.begin() as db:
                yield db

    @contextlib.asynccontextmanager
    async def read(self) -> AsyncIterator[Db]:
        """A connection for queries; nothing written through it stays."""
        with _named_away():
            async with asyncio.timeout(self._patience_s), self._engine.connect() as db:
                yield db

    async def ask(self, question: Question, **given: Any) -> list[asyncpg.Record]:
        """The rows that answer a question."""
        return await self._twice(question.text, question.values(given))

    async def change(self, statement: str, *values: str) -> asyncpg.Record:
        """Run one statement, a transaction of its own, with text parameters; it answers with one row.

        It must be harmless when it is applied twice. Raises the driver's errors when the database refuses it.
        """
        return (await self._twice(statement, values))[0]

    async def _twice(self, text: str, values: Sequence[Any]) -> list[asyncpg.Record]:
        """The rows of a statement; a second attempt when the connection turns out to have been cut."""
        with _named_away():
            async with asyncio.timeout(self._patience_s), self._bare:
                try:
                    return await self._once(text, values)
                except _CUT:
                    while self._idle:  # they have most likely gone as well
                        self._idle.pop().terminate()
                    return await self._once(text, values)

    async def _once(self, text: str, values: Sequence[Any]) -> list[asyncpg.Record]:
        line = await self._line()
        try:
            rows = await line.fetch(text, *values)
        except asyncpg.PostgresError as refused:  # the line is sound, unless this was its end
            if isinstance(refused, _AWAY):
                line.terminate()
            else:
                self._idle.append(line)
            raise
        except BaseException:  # cut, or we do not wait for the answer any more: it must not be taken for the next one's
            line.terminate()
            raise
        self._idle.append(line)
        return rows

    async def _line(self) -> asyncpg.Connection[asyncpg.Record]:
        while self._idle:
            if not (idle := self._idle.pop()).is_closed():
                return idle
        pooled = await self._engine.raw_connection()
        line = cast("asyncpg.Connection[asyncpg.Record]", pooled.driver_connection)
        pooled.detach()  # ours alone from now on
        return line

    async def answers(self, within_s: float = 1.0) -> bool:
        """Does Postgres answer a question just now? Looked at once a second at most, however often one asks."""
        now = time.monotonic()
        if self._looked is None or now - self._looked[0] > _LOOK_S:
            self._looked = now, asyncio.ensure_future(self._answers(within_s))
        return await asyncio.shield(self._looked[1])

    async def _answers(self, within_s: float) -> bool:
        with contextlib.suppress(*AWAY):  # a time-out is an OSError
            await asyncio.wait_for(self.ask(_THERE), within_s)
            return True
        return False

    async def close(self) -> None:
        """Give all connections back. Open blocks must be over."""
        while self._idle:
            await self._idle.pop().close()
        await self._engine.dispose()
