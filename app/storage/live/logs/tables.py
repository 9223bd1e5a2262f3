"""`LiveTables`: the port `tables.ports.LiveStore` on Valkey. Which checks, in which order: the scripts; why: README.md.

Every call repeats the same bytes with the same expected position until the answer is definite. No judgement about
when to take a table stands here, and no heartbeat.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from app.storage.live.wire import keys, scripts
from app.storage.live.wire.link import Link, Word
from app.tables.ports import Conflict, Fenced, Owned, StoreLost, Taken, Token

TOMBSTONE_S: Final = 3600
"""A closed table's id is refused for this long: longer than any request can still be under way."""
_CLOSED: Final = b":closed"


class LiveTables:
    """Logs and owners of tables.

    `sure`: True when this node's heartbeat was renewed within its TTL. `queued(table)` is called when a document of
    that table waits for the archive.
    """

    def __init__(
        self,
        link: Link,
        lease_is_valid: Callable[[], bool] = lambda: True,
        queued: Callable[[str], None] = lambda table_id: None,
    ) -> None:
        self._link = link
        self._lease_is_valid = lease_is_valid
        self._queued = queued

    def lease_is_valid(self) -> bool:
        """True while no other node had reason to take this node's tables."""
        return self._lease_is_valid()

    async def confirm(self, table_id: str, token: Token) -> None:
        """The token is still mine. Raises Fenced."""
        if await self._link.ask("GET", keys.lease(table_id), patience_s=None) != str(token).encode():
            raise Fenced

    async def create(self, table_id: str, token: Token, first_entry: bytes) -> None:
        """A new table with page 1 and its first entry. Raises Taken."""
        await self._link.ask("SADD", keys.TABLES, table_id, patience_s=None)  # listed first: what is there is found
        where = [keys.lease(table_id), keys.page(table_id), keys.log(table_id, 1)]
        if not await self._link.run(scripts.CREATE, where, [str(token), 1, first_entry]):
            raise Taken

    async def look(self, table_id: str) -> str | None:
        """The stored token's text; None when there is no such table."""
        token = await self._link.ask("GET", keys.lease(table_id), patience_s=None)
        return None if token is None or token.endswith(_CLOSED) else str(token, "utf-8")

    async def in_use(self, table_id: str) -> bool:
        """Is there such a table, or does something of it still wait for the archive? Raises StoreUnavailable."""
        token = await self._link.ask(
            "GET", keys.lease(table_id)
        )  # first: what ends just now is queued in the same move
        if token is not None and not token.endswith(_CLOSED):
            return True
        return bool(await self._link.ask("HLEN", keys.rounds(table_id)))

    async def acquire(self, table_id: str, seen: str, nonce: str) -> Owned | None:
        """Swap the token if it is still `seen`, and take the whole log of the running round with it."""
        where = [keys.lease(table_id), keys.page(table_id)]
        found = await self._link.run(scripts.ACQUIRE, where, [seen, nonce, keys.log_prefix(table_id)])
        if not found:
            return None
        token, page, entries = found
        return Owned(Token.read(str(token, "utf-8")), int(page), tuple(entries))

    async def append(self, table_id: str, token: Token, round_no: int, position: int, entry: bytes) -> None:
        """Push `entry` as number `position` (1 or more) of the round's log. Raises Fenced, Conflict, StoreLost."""
        if position < 1:
            raise ValueError("a page's first entry is written by create and turn_page only")
        where = [keys.lease(table_id), keys.log(table_id, round_no)]
        _judge(await self._link.run(scripts.APPEND, where, [str(token), position, entry]), position)

    async def turn_page(
        self, table_id: str, token: Token, round_no: int, position: int, finished: bytes | None, first_entry: bytes
    ) -> None:
        """Queue the finished round, start round `round_no + 1`'s log, drop the old one. Raises as `append` does."""
        where = [
            keys.lease(table_id), keys.page(table_id), keys.log(table_id, round_no),
            keys.log(table_id, round_no + 1), keys.rounds(table_id),
        ]  # fmt: skip
        args: list[Word] = [str(token), round_no, position, first_entry, finished or b""]
        _judge(await self._link.run(scripts.TURN_PAGE, where, args), position)
        if finished is not None:
            self._queued(table_id)

    async def release(self, table_id: str, token: Token) -> None:
        """Give the table up: its token becomes `epoch:free`. Raises Fenced."""
        if not await self._link.run(scripts.RELEASE, [keys.lease(table_id)], [str(token)]):
            raise Fenced

    async def close(self, table_id: str, token: Token, finished: bytes | None, ending: bytes) -> None:
        """Queue the finished round, where there is one, and the note of the end; drop the table. Raises Fenced."""
        where = [keys.lease(table_id), keys.page(table_id), keys.rounds(table_id)]
        args: list[Word] = [str(token), TOMBSTONE_S, finished or b"", keys.log_prefix(table_id), ending]
        if not await self._link.run(scripts.CLOSE, where, args):
            raise Fenced
        self._queued(table_id)


def _judge(answer: int, position: int) -> None:
    """Turn a script's refusal into the error that it means."""
    if answer > 0:
        return
    if answer == 0:
        raise Fenced
    length = -answer - 1
    if length < position:
        raise StoreLost(f"the log has {length} entries, {position} were acknowledged")
    raise Conflict(f"the log has {length} entries, I expected {position}")
