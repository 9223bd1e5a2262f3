"""One seat at one table, through any number of sockets: resume, repetition of requests, the fold of the view.

Speaks the protocol of `protocol/v1/README.md` and nothing else; folds with the kernel's own fold, as a server does.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Subprotocol

from app.kernel.events import Event
from app.kernel.table import TableState
from app.kernel.text.notation import read_event, read_view
from app.kernel.views import fold
from app.sdk.client.rest import Api, Plain, Refused

Choose = Callable[[Any, Plain], Awaitable[Plain | None]]
"""`choose(player, decision)` picks one of the decision's `options`; None: let the clock run."""

_RETURN: Final = frozenset({1001, 1005, 1006, 1011, 1012, 4002, 4003, 4007})
"""Close codes on which a client comes back; the others mean that it should not."""
_AGAIN: Final = frozenset({"busy", "moved", "saving", "rate_limited"})
"""Refusals after which the same request may be sent again as it is."""
_PASSING: Final = frozenset({"ping", "sync", "hints", "why_not"})
"""Requests that are not repeated after a reconnect: their answers are of the moment."""
_PING_S: Final = 10.0
_QUICK_TRIES: Final = 12
_OPEN_S: Final = 1.0
"""A socket that is not open by then is given up, and another ticket asked for."""


class Player:
    """One seat. `run` plays until the match is over or the room closed.

    `seat`, `room`, `match`, `view` and `last` (`[round, n]`) are as last told; between rounds `view` is the ended one
    or None. It comes back after a lost connection with the last number it saw, and repeats unanswered requests under
    their old ids. `address`: that of its last socket.
    `on_event(event, view)` hears every event of the round after it was folded, `on_frame(frame)` every frame before.
    `ready_at_once`: says ready whenever a round may begin. Subclasses may extend `sending`, `take` and `lost`.
    """

    def __init__(self, api: Api, room_id: str, choose: Choose, rng: random.Random | None = None) -> None:
        self.api = api
        self.room_id = room_id
        self.choose = choose
        self.rng = rng or random.Random()
        self.seat: int | None = None
        self.match: Plain = {}
        self.room: Plain = {}
        self.view: TableState | None = None
        self.last: tuple[int, int] | None = None
        self.address = ""
        self.reconnects = 0
        self.bye: Plain | None = None
        self.close_code: int | None = None
        self.on_frame: Callable[[Plain], None] = lambda frame: None
        self.on_event: Callable[[Event, TableState], None] = lambda event, view: None
        self.ready_at_once = True
        self._tries = 0
        self._waiting: dict[str, Plain] = {}
        self._replies: dict[str, asyncio.Future[Plain]] = {}
        self._answered: set[tuple[int, str]] = set()
        self._asked_ready: tuple[str, int] | None = None
        self._socket: ClientConnection | None = None
        self._over = asyncio.Event()
        self._failure: BaseException | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def over(self) -> bool:
        """Is there nothing more to play?"""
        return self._over.is_set()

    async def run(self) -> None:
        """Play to the end. Raises Refused when the room no longer exists."""
        try:
            while not self.over:
                await self._come_in()
                if self.close_code is not None and self.close_code not in _RETURN:
                    self._over.set()
                if not self.over:
                    self.lost()
                    await asyncio.sleep(self._pause_s())
        finally:
            for task in self._tasks:
                task.cancel()
            for ref in list(self._replies):
                self._reply(ref, {"code": "room_closed", "message": "the match is over"})
        if self._failure is not None:
            raise self._failure

    async def _come_in(self) -> None:
        """One socket from ticket to close, or none where the server cannot be reached."""
        try:
            await self._one_socket()
        except (OSError, InvalidHandshake, httpx.TransportError, EOFError):
            pass
        except Refused as refused:
            if refused.status not in (429, 502, 503, 504):
                raise

    def _pause_s(self) -> float:
        """As the page does: what the server said; else a quarter of a second, a half, then seconds.

        From the twelfth try on they double, 8 s at most: a server that is started again serves within seconds.
        """
        self._tries += 1
        said_ms = int((self.bye or {}).get("retry_ms") or 0)
        if said_ms:
            return said_ms / 1000
        grown_s: float = min(1.0, 0.125 * 2**self._tries) * 2.0 ** max(0, self._tries - _QUICK_TRIES)
        return min(8.0, grown_s) * (0.5 + self.rng.random())

    def lost(self) -> None:
        """The socket is gone, `bye` and `close_code` say why, and another will be opened."""
        self.reconnects += 1

    async def drop(self) -> None:
        """Lose the connection without a word."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def send(self, kind: str, data: Plain | None = None) -> str:
        """Send a request; its id. Unanswered ones are repeated after a reconnect."""
        return await self._send(secrets.token_hex(8), kind, data)

    async def ask(self, kind: str, data: Plain | None = None) -> Plain:
        """Send a request and wait for its `ack`. Raises Refused (status 0) if refused, or if the match ends first."""
        ref = secrets.token_hex(8)
        self._replies[ref] = asyncio.get_running_loop().create_future()
        try:
            await self._send(ref, kind, data)
            return await self._replies[ref]
        finally:
            del self._replies[ref]

    async def _send(self, ref: str, kind: str, data: Plain | None) -> str:
        message: Plain = {"id": ref, "kind": kind, "data": data or {}}
        if kind not in _PASSING or ref in self._replies:
            self._waiting[ref] = message
        self.sending(message)
        await self._write(message)
        return ref

    def sending(self, message: Plain) -> None:
        """A request is about to be sent for the first time."""

    async def _write(self, message: Plain) -> None:
        if self._socket is not None:
            with contextlib.suppress(ConnectionClosed):
                await self._socket.send(json.dumps(message))

    async def _one_socket(self) -> None:
        self.bye, self.close_code = None, None
        ticket, self.address = await self.api.ticket(self.room_id)
        async with connect(
            self.address, subprotocols=[Subprotocol("mahjong.v1")], compression=None, ping_interval=None,
            open_timeout=_OPEN_S, close_timeout=1, max_size=2**20,
        ) as socket:  # fmt: skip
            hello = {"ticket": ticket, **({"last": list(self.last)} if self.last else {})}
            with contextlib.suppress(ConnectionClosed):  # sent away in this moment: its `bye` is read below
                await socket.send(json.dumps({"id": secrets.token_hex(8), "kind": "hello", "data": hello}))
            pings = asyncio.ensure_future(self._ping(socket))
            try:
                async for text in socket:
                    await self._read(json.loads(text), socket)
                    if self.over:
                        break
            except ConnectionClosed:
                pass
            finally:
                pings.cancel()
                self._socket = None
                self.close_code = socket.close_code

    async def _ping(self, socket: ClientConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                await asyncio.sleep(_PING_S)
                await socket.send(json.dumps({"id": secrets.token_hex(8), "kind": "ping", "data": {"t": 0}}))

    async def _read(self, frame: Plain, socket: ClientConnection) -> None:
        self.on_frame(frame)
        self.take(frame)
        if frame["kind"] == "ack" and self._socket is None:  # the hello's: we are in
            self._socket = socket
            self._tries = 0
            self._asked_ready = None
            for message in list(self._waiting.values()):
                await self._write(message)
        await self._ready_if_due()

    def take(self, frame: Plain) -> None:
        """Be told something: one frame of the server."""
        kind, data = frame["kind"], frame["data"]
        if kind == "events":
            self.last = (frame["seq"][0], frame["seq"][1])
            self._fold(data["events"])
            self._matched(data.get("match"))
        elif kind == "sync":
            self.last = (frame["seq"][0], frame["seq"][1])
            self.seat, self.room = data["me"]["seat"], data["room"]
            self.view = None if data["view"] is None else read_view(data["view"])
            self._matched(data["match"])
            self._asked(data["prompt"]["decision"])
        elif kind == "prompt":
            self._asked(data["decision"])
        elif kind == "ack":
            self.seat = data.get("seat", self.seat)
            self._waiting.pop(data["ref"], None)
            self._reply(data["ref"], data)
        elif kind == "error":
            self._refused(data)
        elif kind == "bye":
            self.bye = data

    def _reply(self, ref: str | None, data: Plain) -> None:
        reply = self._replies.get(ref or "")
        if reply is None or reply.done():
            return
        if "code" in data:
            reply.set_exception(Refused(0, data["code"], data["message"]))
        else:
            reply.set_result(data)

    def _refused(self, data: Plain) -> None:
        message = self._waiting.get(data["ref"] or "")
        if message is not None and data["code"] in _AGAIN:
            self._spawn(self._again(message))
            return
        self._waiting.pop(data["ref"] or "", None)
        self._reply(data["ref"], data)

    async def _again(self, message: Plain) -> None:
        await asyncio.sleep(0.2)
        await self._write(message)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._failure = task.exception()
            self._over.set()

    def _fold(self, events: list[Plain]) -> None:
        for plain in events:
            event = read_event(plain)
            if plain["type"] == "round_started":
                self.view = fold(None, event)
            elif self.view is not None:
                self.view = fold(self.view, event)
            if self.view is not None:
                self.on_event(event, self.view)

    def _matched(self, match: Plain | None) -> None:
        if match is not None:
            self.match = match
            if match["phase"] == "ended":
                self._over.set()

    async def _ready_if_due(self) -> None:
        match = self.match
        if not self.ready_at_once or self._socket is None or self.seat is None or not match or self.over:
            return
        here = match["seats"][self.seat]
        if match["phase"] in ("waiting", "between") and here is not None and not here["ready"]:
            moment = (match["phase"], match["round_no"])
            if self._asked_ready != moment:
                self._asked_ready = moment
                await self.send("ready", {"entropy": secrets.token_hex(8)})

    def _asked(self, decision: Plain | None) -> None:
        if decision is None or self.last is None:
            return
        key = (self.last[0], str(decision["id"]))
        if key in self._answered:
            return
        self._answered.add(key)
        self._spawn(self._answer(key, decision))

    async def _answer(self, key: tuple[int, str], decision: Plain) -> None:
        action = await self.choose(self, decision)
        if action is not None:
            await self.send("act", {"round": key[0], "decision": decision["id"], "action": action})
