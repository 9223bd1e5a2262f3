"""Raw sockets of real people at a real node: tabs that freeze, vanish, repeat themselves or talk nonsense."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import socket
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from app.api.gateway import connection
from app.lab.clients.client import Api
from tests.integration.nodes import RunningNode
from tests.integration.waiting import PATIENCE_S, until

__all__ = ["Tab", "falls_silent", "gone", "until"]

_numbers = itertools.count(1)


def falls_silent(node: RunningNode, api: Api) -> None:
    """The connection's last sign of life is much too old: the next look will see it."""
    (line,) = [line for line in node.process.gateway._connections if line.user == api.user]
    line.heard -= 2 * connection.SILENT_S


def gone(place: int) -> Callable[[dict[str, Any]], bool]:
    """The frame that says so of a seat's person."""
    return lambda frame: frame["kind"] == "presence" and frame["data"] == {"seat": place, "online": False}


class Tab:
    """One socket of one person."""

    def __init__(self, wire: ClientConnection) -> None:
        self.wire = wire
        self.frames: list[dict[str, Any]] = []

    @classmethod
    async def open(cls, api: Api, room: str, last: list[int] | None = None, *, tiny: bool = False) -> Tab:
        """Connected, and its hello sent. `tiny`: the kernel keeps next to nothing for a reader that stopped."""
        ticket, url = await api.ticket(room)
        return await cls._with(ticket, url, last, tiny)

    @classmethod
    async def lobby(cls, api: Api) -> Tab:
        """A socket of the lobby."""
        given = await api.call("POST", "/lobby/ticket")
        return await cls._with(given["ticket"], api.url.replace("http", "ws", 1) + given["ws_path"], None, False)

    @classmethod
    async def _with(cls, ticket: str, url: str, last: list[int] | None, tiny: bool) -> Tab:
        tab = await cls.line(url, tiny=tiny)
        await tab.say("hello", {"ticket": ticket, **({"last": last} if last else {})}, ref="hello")
        return tab

    @classmethod
    async def line(cls, url: str, *, tiny: bool = False) -> Tab:
        """Connected, and nothing said yet."""
        parts, raw = urlsplit(url), socket.socket()
        if tiny:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.setblocking(False)
        await asyncio.get_running_loop().sock_connect(raw, (parts.hostname, parts.port))
        wire = await connect(
            url, sock=raw, subprotocols=[Subprotocol("mahjong.v1")], compression=None, ping_interval=None,
            max_size=2**22, open_timeout=PATIENCE_S, close_timeout=0.2, max_queue=None,
        )  # fmt: skip
        return cls(wire)

    async def say(self, kind: str, data: Any = None, ref: str | None = None) -> str:
        """Send a request; its id."""
        ref = ref or f"q{next(_numbers)}"
        await self.wire.send(json.dumps({"id": ref, "kind": kind, "data": {} if data is None else data}))
        return ref

    async def hear(self, limit_s: float = PATIENCE_S) -> dict[str, Any]:
        """The next frame. Raises ConnectionClosed, TimeoutError."""
        async with asyncio.timeout(limit_s):
            frame: dict[str, Any] = json.loads(await self.wire.recv())
        self.frames.append(frame)
        return frame

    async def until(self, wanted: Callable[[dict[str, Any]], bool], limit_s: float = PATIENCE_S) -> dict[str, Any]:
        """Read on to a frame."""
        async with asyncio.timeout(limit_s):
            while not wanted(frame := await self.hear(limit_s)):
                pass
        return frame

    async def answer(self, ref: str, limit_s: float = PATIENCE_S) -> dict[str, Any]:
        """The one answer to a request."""
        return await self.until(lambda f: f["kind"] in ("ack", "error") and f["data"].get("ref") == ref, limit_s)

    async def ended(self, limit_s: float = PATIENCE_S) -> int | None:
        """Read to the close; its code."""
        with contextlib.suppress(ConnectionClosed):
            await self.until(lambda _: False, limit_s)
        return self.wire.close_code

    def freeze(self) -> None:
        """Read nothing more and say nothing: neither a close nor a FIN."""
        self.wire.transport.pause_reading()

    def vanish(self) -> None:
        """Cut the line."""
        self.wire.transport.abort()
