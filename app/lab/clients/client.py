"""A player made of nothing but the public API: REST to sign in and find a room, one WebSocket to sit at its table.

Serves `mj demo`, the benchmarks, `mj chaos` and the integration tests. Knows nothing of the server's insides; it folds
its frames with the kernel's own fold, as any client would.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Subprotocol

from app.bots import choose
from app.kernel.errors import MalformedInput
from app.kernel.play.decisions import Decision
from app.kernel.table import TableState
from app.kernel.text.notation import plain_action, plain_view, read_action, read_event, read_view
from app.kernel.views import fold
from app.variants import VARIANTS

Plain = dict[str, Any]
Choose = Callable[["SeatClient", Plain], Awaitable[Plain | None]]
"""Pick one of a decision's options (given as its plain form); None: let the clock run."""

_RETURN: Final = frozenset({1001, 1005, 1006, 1011, 1012, 4002, 4003, 4007})
"""Close codes on which a client comes back; the others mean that it should not."""
_AGAIN: Final = frozenset({"busy", "moved", "saving", "rate_limited"})
"""Refusals after which the same request may be sent again as it is."""
_PING_S: Final = 10.0
_OPEN_S: Final = 1.0
"""A socket that is not open by then is given up, and another ticket asked for."""


class Refused(Exception):
    """The server refused a request. `code`: the reason; `retry_after_s`: when to ask again (0: not stated)."""

    def __init__(self, status: int, code: str, message: str, retry_after_s: int = 0) -> None:
        super().__init__(f"{code}: {message}")
        self.status = status
        self.code = code
        self.retry_after_s = retry_after_s


class Api:
    """REST, signed in as one guest. `caller`: the address to come from, where many would come from one."""

    def __init__(self, url: str, caller: str = "") -> None:
        self.url = url.rstrip("/")
        secure = self.url.startswith("https")  # a context for TLS is dear, and useless without
        named = {"X-Forwarded-For": caller} if caller else {}
        self._http = httpx.AsyncClient(base_url=f"{self.url}/v1", timeout=8.0, verify=secure, headers=named)
        self.user = ""
        self.name = ""
        self.device_token = ""

    async def __aenter__(self) -> Api:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def call(self, method: str, path: str, body: object = None) -> Plain:
        """One request, signed in again where that ran out. Raises Refused, or httpx's errors when nobody answers."""
        answer = await self._http.request(method, path, json=body)
        if answer.status_code == 401 and self.device_token and path != "/guests":
            await self.sign_in_again(self.device_token)
            answer = await self._http.request(method, path, json=body)
        found: Plain = answer.json() if answer.content else {}
        if answer.is_error:
            error = found.get("error", {})
            again = int(answer.headers.get("retry-after", 0))
            raise Refused(answer.status_code, error.get("code", "?"), error.get("message", answer.text), again)
        return found

    async def sign_in(self, name: str | None = None) -> str:
        """Sign in as a new guest. Returns the device token, with which to sign in as the same guest again."""
        signed = await self.call("POST", "/guests", {"name": name} if name else {})
        self._sign(signed)
        self.device_token = str(signed["device_token"])
        return self.device_token

    async def sign_in_again(self, device_token: str) -> None:
        """Become the guest of this device token."""
        self.device_token = device_token
        self._sign(await self.call("POST", "/guests", {"device_token": device_token}))

    def _sign(self, signed: Plain) -> None:
        self.user, self.name = signed["user"]["id"], signed["user"]["name"]
        self._http.headers["Authorization"] = f"Bearer {signed['access_token']}"

    async def create_room(self, variant: str, rules: Plain, settings: Plain) -> Plain:
        """A private room of my own."""
        return await self.call("POST", "/rooms", {"variant": variant, "rules": rules, "settings": settings})

    async def join(self, code: str) -> Plain:
        """Find a room by its code and take a seat in it."""
        room = await self.call("GET", f"/codes/{code}")
        return await self.call("POST", f"/rooms/{room['id']}/join", {})

    async def ticket(self, room_id: str) -> tuple[str, str]:
        """A ticket, and the address of the socket it is good for."""
        given = await self.call("POST", f"/rooms/{room_id}/ticket")
        return given["ticket"], self.url.replace("http", "ws", 1) + given["ws_path"]


class SeatClient:
    """One seat at one table, through any number of sockets. `run` plays until the match is over or the room closed.

    It comes back after a lost connection with the last number it saw, repeats unanswered requests under their old ids,
    and keeps for later: `acked` (request → answer), `acts` (request → round), `settled`, `gaps`; `byes` received, the
    number of sockets lost without one, `untold`, and the `address` of its last socket.
    """

    def __init__(self, api: Api, room_id: str, choose: Choose | None = None, rng: random.Random | None = None) -> None:
        self.api = api
        self.room_id = room_id
        self.rng = rng or random.Random()
        self.choose = choose or bot_choice
        self.seat: int | None = None
        self.match: Plain = {}
        self.room: Plain = {}
        self.view: TableState | None = None
        self.last: tuple[int, int] | None = None
        self.gaps: list[tuple[tuple[int, int] | None, tuple[int, int]]] = []
        self.acked: dict[str, Plain] = {}
        self.acts: dict[str, int] = {}
        self.latencies_s: list[float] = []
        self.refused: list[Plain] = []
        self.settled: list[Plain] = []
        self.reconnects = 0
        self.untold = 0
        self.byes: list[Plain] = []
        self.bye: Plain | None = None
        self.close_code: int | None = None
        self.on_frame: Callable[[Plain], None] = lambda frame: None
        self.ready_at_once = True
        self.address = ""
        self._tries = 0
        self._waiting: dict[str, Plain] = {}
        self._sent_at: dict[str, float] = {}
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
        while not self.over:
            try:
                await self._one_socket()
            except (OSError, InvalidHandshake, httpx.TransportError, EOFError):
                pass
            except Refused as refused:
                if refused.status not in (429, 502, 503, 504):
                    raise
            if self.close_code is not None and self.close_code not in _RETURN:
                self._over.set()
            if not self.over:
                self.reconnects += 1
                self.untold += self.bye is None and self.close_code is not None  # else a try to return that failed
                await asyncio.sleep(self._pause_s())
        for task in self._tasks:
            task.cancel()
        if self._failure is not None:
            raise self._failure

    def _pause_s(self) -> float:
        """As the page does: what the server said, else a quarter of a second that doubles at each try, 8 s at most."""
        self._tries += 1
        said_ms = int((self.bye or {}).get("retry_ms") or 0)
        return said_ms / 1000 if said_ms else min(8.0, 0.125 * 2**self._tries) * (0.5 + self.rng.random())

    async def drop(self) -> None:
        """Lose the connection without a word."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def send(self, kind: str, data: Plain | None = None) -> str:
        """Send a request; its id. Unanswered ones are repeated after a reconnect."""
        message: Plain = {"id": secrets.token_hex(8), "kind": kind, "data": data or {}}
        if kind not in ("ping", "sync", "hints"):
            self._waiting[message["id"]] = message
            self._sent_at[message["id"]] = time.monotonic()
        await self._write(message)
        return str(message["id"])

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
                    await self._take(json.loads(text), socket)
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

    async def _take(self, frame: Plain, socket: ClientConnection) -> None:
        kind, data = frame["kind"], frame["data"]
        self.on_frame(frame)
        if kind == "events":
            self._follow(tuple(frame["seq"]))
            self._fold(data["events"])
            self._matched(data.get("match"))
        elif kind == "sync":
            self.last = tuple(frame["seq"])
            self.seat, self.room = data["me"]["seat"], data["room"]
            self.view = None if data["view"] is None else read_view(data["view"])
            self._matched(data["match"])
            self._asked(data["prompt"]["decision"])
        elif kind == "prompt":
            self._asked(data["decision"])
        elif kind == "ack":
            await self._acked(data, socket)
        elif kind == "error":
            self._refused(data)
        elif kind == "bye":
            self.bye = data
            self.byes.append(data)
        await self._ready_if_due()

    async def _acked(self, data: Plain, socket: ClientConnection) -> None:
        if self._socket is None:  # the hello's: we are in
            self._socket = socket
            self._tries = 0
            self.seat = data.get("seat", self.seat)
            for message in list(self._waiting.values()):
                await self._write(message)
            self._asked_ready = None
        self.acked[data["ref"]] = data
        self._waiting.pop(data["ref"], None)
        sent = self._sent_at.pop(data["ref"], None)
        if sent is not None:
            self.latencies_s.append(time.monotonic() - sent)

    def _refused(self, data: Plain) -> None:
        self.refused.append(data)
        message = self._waiting.pop(data["ref"] or "", None)
        if message is not None and data["code"] in _AGAIN:
            self._waiting[message["id"]] = message
            self._spawn(self._again(message))

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

    def _follow(self, seq: tuple[int, int]) -> None:
        expected = None if self.last is None else {(self.last[0], self.last[1] + 1), (self.last[0] + 1, 1)}
        if expected is not None and seq not in expected:
            self.gaps.append((self.last, seq))
        self.last = seq

    def _fold(self, events: list[Plain]) -> None:
        for plain in events:
            if plain["type"].startswith("match_"):
                continue
            event = read_event(plain)
            if plain["type"] == "round_started" or self.view is not None:
                self.view = fold(None if plain["type"] == "round_started" else self.view, event)
            if plain["type"] == "round_ended":
                self.settled.append({"ended": plain, "lines": self._lines(), "points": self._points()})

    def _lines(self) -> list[Plain]:
        return [] if self.view is None else list(plain_view(self.view)["lines"])

    def _points(self) -> list[int]:
        return [] if self.view is None else list(self.view.points)

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
            ref = await self.send("act", {"round": key[0], "decision": decision["id"], "action": action})
            self.acts[ref] = key[0]


async def bot_choice(client: SeatClient, decision: Plain) -> Plain:
    """The choice of a bot with this client's view; the first sensible option while the view is incomplete."""
    options = decision["options"]
    if client.view is None or client.seat is None:
        return plain_choice(options, client.rng)
    try:
        opened = Decision(
            decision["id"], client.seat, decision["clock"], tuple([read_action(o) for o in options]), None, None
        )  # fmt: skip
        variant = VARIANTS[client.match["variant"]]
        return plain_action(choose(variant, client.view, client.seat, opened, client.rng.getrandbits(32), "easy"))
    except MalformedInput:
        return plain_choice(options, client.rng)


def plain_choice(options: list[Plain], rng: random.Random) -> Plain:
    """Win when it is offered, else throw something, else pass."""
    if options[0]["verb"] == "win":
        return options[0]
    throws = [option for option in options if option["verb"] == "discard"]
    return rng.choice(throws) if throws else options[-1]
