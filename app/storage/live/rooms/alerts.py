"""`LiveAlerts`: the port `tables.ports.Alerts`. A stopped table is an error in the log; its dump is kept for a week.

The dump holds secrets; only operators may read it, and it goes into no log and no message.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from app.storage.live.wire import keys
from app.storage.live.wire.link import Link

log = logging.getLogger(__name__)

KEPT_S: Final = 7 * 24 * 3600
LISTED: Final = 200
"""Open alerts that a list shows at most, the newest."""


@dataclass(frozen=True, slots=True)
class Alert:
    """An open alert of a table. `what`: frozen, store_lost, corrupt, refused. Times in ms since 1970."""

    table: str
    what: str
    text: str
    at_ms: int


class LiveAlerts:
    """Notes alerts in the live store, so that any node can show them. `told` hears of each that is raised here."""

    def __init__(self, link: Link, told: Callable[[Alert], None] = lambda alert: None) -> None:
        self._link = link
        self._told = told
        self._writing: set[asyncio.Future[Any]] = set()

    def alert(self, table_id: str, what: str, text: str, dump: bytes | None) -> None:
        """`what`: as of `Alert`. Returns at once; the store may take it later."""
        log.error("table %s is stopped (%s): %s", table_id, what, text)
        now_ms = int(time.time() * 1000)
        kept = {"what": what, "text": text, "at_ms": now_ms, "dump": msgspec.Raw(dump or b"null")}
        for writing in (
            self._link.ask("SET", keys.alert(table_id), msgspec.json.encode(kept), "EX", KEPT_S, patience_s=None),
            self._link.ask("ZADD", keys.ALERTS, now_ms, table_id, patience_s=None),
            self._link.ask("ZREMRANGEBYSCORE", keys.ALERTS, 0, now_ms - KEPT_S * 1000, patience_s=None),
        ):
            self._writing.add(writing)
            writing.add_done_callback(self._written)
        self._told(Alert(table_id, what, text, now_ms))

    def _written(self, writing: asyncio.Future[Any]) -> None:
        self._writing.discard(writing)
        if not writing.cancelled() and (error := writing.exception()) is not None:
            log.error("an alert could not be kept: %r", error)

    async def of(self, table_id: str) -> dict[str, Any] | None:
        """The latest alert of a table, with its dump. Raises StoreUnavailable."""
        kept = await self._link.ask("GET", keys.alert(table_id))
        return None if kept is None else dict(msgspec.json.decode(kept))

    async def open(self) -> list[Alert]:
        """Alerts of a week that nobody has closed, newest first, without dumps. Raises StoreUnavailable."""
        names = [str(name, "utf-8") for name in await self._link.ask("ZREVRANGE", keys.ALERTS, 0, LISTED - 1)]
        found = await asyncio.gather(*[self.of(name) for name in names])
        return [
            Alert(name, alert["what"], alert["text"], alert["at_ms"])
            for name, alert in zip(names, found, strict=True)
            if alert is not None
        ]

    async def close(self, table_id: str) -> bool:
        """Strike a table's alert and its dump. False: there is none. Raises StoreUnavailable."""
        await self._link.ask("DEL", keys.alert(table_id))
        return bool(await self._link.ask("ZREM", keys.ALERTS, table_id))
