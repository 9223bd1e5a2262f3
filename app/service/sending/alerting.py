"""Alerts for those who host: seen, closed and sent out; documents that the archive refused: seen and queued again.

Callers decide who may do it, and audit it. The port `AlertService`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec

from app.refusal import not_found
from app.service.busy import busy_when_away
from app.storage.live.rooms.alerts import Alert
from app.storage.live.store import Live

log = logging.getLogger(__name__)

Send = Callable[[str, str], Awaitable[bool]]
"""Sends a title and a text to those who host. False: it did not arrive."""

_GATHER_S: Final = 5.0
"""Alerts of one cause come together: they are sent as one message."""
_LINES: Final = 20
_PAUSES_S: Final = (5.0, 30.0, 120.0)


class Alerting:
    """One per node. `send` is None where nothing is sent out; `sleep` waits."""

    def __init__(
        self, live: Live, node: str, send: Send | None, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._live = live
        self._node = node
        self._send = send
        self._sleep = sleep
        self._due: asyncio.Queue[Alert] = asyncio.Queue()

    def raised(self, alert: Alert) -> None:
        """This node raised an alert: send it out soon."""
        if self._send is not None:
            self._due.put_nowait(alert)

    async def run(self) -> None:
        """Send alerts out until cancelled; what does not arrive in four tries is in the log and in the list."""
        while self._send is not None:
            alerts = [await self._due.get()]
            await self._sleep(_GATHER_S)
            while not self._due.empty():
                alerts.append(self._due.get_nowait())
            await self._sent(self._send, f"雀桌 {self._node}: {len(alerts)} alert(s)", _text(alerts))

    async def _sent(self, send: Send, title: str, text: str) -> None:
        for pause_s in (*_PAUSES_S, None):
            if await send(title, text):
                return
            if pause_s is not None:
                await self._sleep(pause_s)
        log.error("an alert was not delivered; `mj admin alerts` lists it")

    @busy_when_away
    async def open(self) -> list[Alert]:
        """Open alerts of all nodes, newest first."""
        return await self._live.alerts.open()

    @busy_when_away
    async def close(self, table: str) -> None:
        """Close a table's alert. Raises Refusal: not_found, busy."""
        if not await self._live.alerts.close(table):
            raise not_found("alert")

    @busy_when_away
    async def refused(self) -> dict[str, list[str]]:
        """By table, the names of the documents that the archive refused: a round's number, or `end`."""
        return await self._live.refused.all()

    @busy_when_away
    async def refused_document(self, table: str, what: str) -> dict[str, Any]:
        """One of them, whole. Raises Refusal: not_found, busy."""
        found = await self._live.refused.one(table, what)
        if found is None:
            raise not_found("document")
        return dict(msgspec.json.decode(found))

    @busy_when_away
    async def try_again(self, table: str) -> int:
        """Hand a table's refused documents to the archive again. Returns how many. Raises Refusal: not_found, busy."""
        queued = await self._live.refused.queue_again(table)
        if not queued:
            raise not_found("document")
        self._live.archiver.nudge(table)
        return queued


def _text(alerts: list[Alert]) -> str:
    lines = [f"table {alert.table} ({alert.what}): {alert.text}" for alert in alerts[:_LINES]]
    more = len(alerts) - len(lines)
    return "\n".join([*lines, f"and {more} more"] if more else lines)


def sender(url: str) -> Send | None:
    """Sends to an address of `apprise` (a chat, a mail box, `json://` for a webhook). None without an address.

    Raises ValueError when it is no such address.
    """
    if not url:
        return None
    import apprise  # heavy, and only here

    there = apprise.Apprise()
    if not there.add(url):
        raise ValueError("MJ_ALERT_URL is no address that apprise knows")

    async def send(title: str, text: str) -> bool:
        return bool(await asyncio.to_thread(there.notify, text, title))

    return send
