"""Errands between nodes: ask the process that owns a table to do something, and wait for its answer.

Through the store, so that no node needs another's address; polled, so that nothing goes silent. At most once: a caller
without an answer does not know whether the call was done, so calls must be harmless when repeated.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec

from app.storage.live.wire import keys
from app.storage.live.wire.link import Link, StoreUnavailable

log = logging.getLogger(__name__)

PATIENCE_S: Final = 4.0
_LOOK_S: Final = 0.1
_QUICK_LOOK_S: Final = 0.01
_QUICK_FOR: Final = 20
"""Number of quick polls after a call came in, and while an answer is young: calls come in bursts."""
_AT_ONCE: Final = 32

Handler = Callable[..., Awaitable[Any]]
"""Runs a call; its arguments and answer are plain values, or what msgspec makes plain."""


class _Errand(msgspec.Struct, frozen=True, array_like=True):
    id: str
    what: str
    args: list[Any]


class NodeRpc:
    """Sends calls and runs those that come in. `owner()` is this process."""

    def __init__(self, link: Link, owner: Callable[[], str]) -> None:
        self._link = link
        self._owner = owner
        self._handlers: dict[str, Handler] = {}
        self._running: set[asyncio.Task[None]] = set()

    def handle(self, what: str, handler: Handler) -> None:
        """Errands of this name are this handler's from now on."""
        self._handlers[what] = handler

    async def tell(self, owner: str, what: str, *args: object) -> None:
        """Leave word with `owner` and wait for no answer. Raises StoreAway."""
        await self._leave(owner, _Errand(secrets.token_hex(12), what, list(args)))

    async def send(self, owner: str, what: str, *args: object, patience_s: float = PATIENCE_S) -> Any:
        """Have `owner` do `what`: its answer. Raises StoreUnavailable when none comes."""
        errand = _Errand(secrets.token_hex(12), what, list(args))
        await self._leave(owner, errand)
        loop = asyncio.get_running_loop()
        until = loop.time() + patience_s
        looks = 0
        while loop.time() < until:
            answer = await self._link.ask("GETDEL", keys.reply(errand.id))
            if answer is not None:
                return msgspec.msgpack.decode(answer)
            looks += 1
            await asyncio.sleep(_QUICK_LOOK_S if looks < _QUICK_FOR else _LOOK_S / 2)
        raise StoreUnavailable

    async def _leave(self, owner: str, errand: _Errand) -> None:
        inbox = keys.inbox(owner)
        sent = self._link.ask("RPUSH", inbox, msgspec.msgpack.encode(errand))
        await self._link.ask("EXPIRE", inbox, 60)
        await sent

    async def run(self) -> None:
        """Do what comes in until cancelled."""
        quick = 0
        while True:
            quick -= 1
            try:
                for raw in await self._link.ask("LPOP", keys.inbox(self._owner()), _AT_ONCE) or ():
                    quick = _QUICK_FOR
                    task = asyncio.ensure_future(self._do(msgspec.msgpack.decode(raw, type=_Errand)))
                    self._running.add(task)
                    task.add_done_callback(self._running.discard)
            except StoreUnavailable:
                log.warning("no calls from other nodes: the live store does not answer")
            await asyncio.sleep(_QUICK_LOOK_S if quick > 0 else _LOOK_S)

    async def _do(self, errand: _Errand) -> None:
        try:
            answer = msgspec.msgpack.encode(await self._handlers[errand.what](*errand.args))
            await self._link.ask("SET", keys.reply(errand.id), answer, "EX", 30)
        except StoreUnavailable:
            log.warning("a call's answer could not be stored: the live store does not answer")
        except Exception:
            log.exception("the call %r failed", errand.what)  # its sender times out and answers busy
