"""`LiveAlerts`: the port `tables.ports.Alerts`. A stopped table is an error in the log; its dump is kept for a week.

The dump holds secrets; only operators may read it, and it goes into no log.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any, Final

import msgspec

from app.storage.live.wire import keys
from app.storage.live.wire.link import Link

log = logging.getLogger(__name__)

KEPT_S: Final = 7 * 24 * 3600


class LiveAlerts:
    """Notes alerts in the live store, so that any node can show them."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._writing: set[asyncio.Future[Any]] = set()

    def alert(self, table_id: str, what: str, text: str, dump: bytes | None) -> None:
        """`what`: frozen, store_lost, corrupt."""
        log.error("table %s is stopped (%s): %s", table_id, what, text)
        kept = {"what": what, "text": text, "at_ms": int(time.time() * 1000), "dump": msgspec.Raw(dump or b"null")}
        writing = self._link.ask("SET", keys.alert(table_id), msgspec.json.encode(kept), "EX", KEPT_S, patience_s=None)
        self._writing.add(writing)
        writing.add_done_callback(self._written)

    def _written(self, writing: asyncio.Future[Any]) -> None:
        self._writing.discard(writing)
        if not writing.cancelled() and (error := writing.exception()) is not None:
            log.error("an alert could not be kept: %r", error)

    async def of(self, table_id: str) -> dict[str, Any] | None:
        """The latest alert of a table. Raises StoreUnavailable."""
        kept = await self._link.ask("GET", keys.alert(table_id))
        return None if kept is None else dict(msgspec.json.decode(kept))
