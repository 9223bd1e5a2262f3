"""Sends what waits for webhooks: signed as Standard Webhooks, to public addresses only, by one node at a time.

The queue is in the archive, so it survives restarts; a try that fails comes again after growing pauses.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import ssl
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, Final

import httpcore
from standardwebhooks import Webhook

from app.storage.archive.engine import AWAY, Archive
from app.storage.archive.webhooks import deliveries
from app.storage.archive.webhooks.deliveries import Due

log = logging.getLogger(__name__)

_LOOK_S: Final = 2.0
_AT_ONCE: Final = 8
_TRY_S: Final = 10.0
"""One try, from the name's resolution to the answer's head."""
_TIDY_EVERY: Final = 1800
_NAT64: Final = ip_network("64:ff9b::/96")

Told = Callable[[str, str, str], Awaitable[object]]
"""`told(user, circle, webhook)`: this webhook was disabled."""


class PrivateAddress(Exception):
    """The host has an address that is not on the public internet."""


def is_public(address: str) -> bool:
    """Whether an address is on the public internet, also when it is an IPv4 address within an IPv6 one."""
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        if found in _NAT64:
            return is_public(str(ip_address(int(found) & 0xFFFFFFFF)))
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo and found.teredo[1])
        if inner:
            return is_public(str(inner))
    return found.is_global and not found.is_multicast


class CheckedConnections(httpcore.AsyncNetworkBackend):
    """Resolves a name once, and connects to the very address that was checked. Raises PrivateAddress."""

    def __init__(self, allow_private: bool) -> None:
        self._allow_private = allow_private
        self._inner = httpcore.AnyIOBackend()

    async def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:  # fmt: skip
        """A connection to `host`, if all of its addresses are public."""
        infos = await asyncio.get_running_loop().getaddrinfo(host, port, type=1)
        addresses = [str(info[4][0]) for info in infos]
        if not self._allow_private and not all(map(is_public, addresses)):
            raise PrivateAddress
        return await self._inner.connect_tcp(addresses[0], port, timeout, local_address, socket_options)

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await self._inner.sleep(seconds)


class WebhookSender:
    """One per node. `allow_private` is for tests and closed networks."""

    def __init__(self, archive: Archive, now: Callable[[], datetime], told: Told, *, allow_private: bool) -> None:
        self._archive = archive
        self._now = now
        self._told = told
        self._allow_private = allow_private
        self._tls = ssl.create_default_context()

    async def run(self) -> None:
        """Send what is due until cancelled."""
        looks = 0
        while True:
            with contextlib.suppress(*AWAY):
                while await self.send_due():
                    pass
                if looks % _TIDY_EVERY == 0:
                    async with self._archive.begin() as db:
                        await deliveries.forget_old(db, self._now())
            looks += 1
            await asyncio.sleep(_LOOK_S)

    async def send_due(self) -> int:
        """Make the deliveries that are due now, a few at once. Returns their number."""
        async with self._archive.begin() as db:
            due = await deliveries.take_due(db, self._now(), _AT_ONCE)
        await asyncio.gather(*[self._deliver(one) for one in due])
        return len(due)

    async def _deliver(self, due: Due) -> None:
        status, error = None, ""
        try:
            async with asyncio.timeout(_TRY_S):
                status = await self._post(due)
            error = "" if 200 <= status < 300 else f"answered {status}"
        except PrivateAddress:
            error = "the address is not public"
        except (OSError, httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException, ValueError) as wrong:
            error = type(wrong).__name__
        disabled: list[str] = []
        async with self._archive.begin() as db:
            if status is not None and not error:
                await deliveries.delivered(db, due, status, self._now())
            else:
                disabled = await deliveries.failed(db, due, status, error, self._now())
        for user in disabled:
            await self._told(user, due.circle_id, due.hook_id)

    async def _post(self, due: Due) -> int:
        """The status of the answer; a redirect is one, and is not followed. The answer's body is not read."""
        at = self._now()
        body = json.dumps(due.body, ensure_ascii=False, separators=(",", ":"))
        headers: list[tuple[bytes | str, bytes | str]] = [
            ("Content-Type", "application/json"),
            ("User-Agent", "quezhuo"),
            ("webhook-id", due.id),
            ("webhook-timestamp", str(int(at.timestamp()))),
            ("webhook-signature", Webhook(due.secret).sign(due.id, at, body)),
        ]
        async with (
            httpcore.AsyncConnectionPool(
                ssl_context=self._tls, network_backend=CheckedConnections(self._allow_private)
            ) as pool,
            pool.stream("POST", due.url, headers=headers, content=body.encode()) as answer,
        ):
            return answer.status
