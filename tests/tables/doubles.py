"""Recording doubles of the runtime's ports: a live store that obeys the contract, a fake clock, scripted clients.

They record and obey; what a test wants broken it breaks by the named switches. No mocks of the runtime itself.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from app.kernel.table import TableState
from app.kernel.text.notation import plain_view, read_action, read_event
from app.kernel.views import fold
from app.protocol.v1.server import PLAY
from app.tables import asks
from app.tables.actor import Table
from app.tables.clocks.stalls import StallWatch
from app.tables.frames import Frame
from app.tables.ports import Conflict, Fenced, Owned, Person, StoreLost, Summary, Taken, Token


class FakeClock:
    """Time that moves only when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.wall = 1_700_000_000_000
        self._calls: list[tuple[float, int, list[Callable[[], None]]]] = []
        self._order = itertools.count()

    def monotonic(self) -> float:
        return self.now

    def wall_ms(self) -> int:
        return self.wall + round(self.now * 1000)

    def call_later(self, delay_s: float, callback: Callable[[], None]) -> FakeCancel:
        cell = [callback]
        heapq.heappush(self._calls, (self.now + delay_s, next(self._order), cell))
        return FakeCancel(cell)

    @property
    def pending(self) -> int:
        """Calls that a table waits for. The node's one watch over stalls is none of them."""
        return sum(1 for _, _, cell in self._calls if cell and not _of_node(cell[0]))

    def next_due(self) -> float | None:
        while self._calls and not self._calls[0][2]:
            heapq.heappop(self._calls)
        return self._calls[0][0] if self._calls else None

    def fire(self, until: float) -> bool:
        """Run the earliest call that is due by `until`; False: there is none and time is `until` now."""
        due = self.next_due()
        if due is None or due > until:
            self.now = max(self.now, until)
            return False
        _, _, cell = heapq.heappop(self._calls)
        self.now = max(self.now, due)
        cell.pop()()
        return True


def _of_node(callback: Callable[[], None]) -> bool:
    return isinstance(getattr(callback, "__self__", None), StallWatch)


@dataclass
class FakeCancel:
    cell: list[Callable[[], None]]

    def cancel(self) -> None:
        self.cell.clear()


class FakeEntropy:
    """Counting, so that two runs of one script are equal."""

    def __init__(self, salt: int = 0) -> None:
        self._count = itertools.count(salt * 1_000_000)

    def seed(self) -> str:
        return f"{next(self._count):064x}"

    def nonce(self) -> str:
        return f"n{next(self._count)}"

    def word(self) -> int:
        return next(self._count) * 2654435761 % 2**64


@dataclass
class Stored:
    """One table in the store."""

    token: str
    page: int
    log: list[bytes]


class MemoryStore:
    """The contract of `LiveStore` in memory: tokens, logs, the queue for the archive, and switches to break things."""

    activity = 0
    """Calls of all stores: tests wait until it rests."""

    def __init__(self) -> None:
        self.tables: dict[str, Stored] = {}
        self.queue: list[dict[str, Any]] = []
        self.ends: list[dict[str, Any]] = []
        self.history: list[tuple[str, int, bytes]] = []
        self.sure_now = True
        self.confirmed = 0
        self.gate: asyncio.Event | None = None
        self.before: Callable[[str, str], Awaitable[None]] | None = None

    def lease_is_valid(self) -> bool:
        return self.sure_now

    async def _turn(self, what: str, table_id: str) -> None:
        MemoryStore.activity += 1
        await asyncio.sleep(0)
        if self.gate is not None:
            await self.gate.wait()
        if self.before is not None:
            await self.before(what, table_id)

    def _mine(self, table_id: str, token: Token) -> Stored:
        stored = self.tables.get(table_id)
        if stored is None or stored.token != str(token):
            raise Fenced
        return stored

    async def confirm(self, table_id: str, token: Token) -> None:
        await self._turn("confirm", table_id)
        self._mine(table_id, token)
        self.confirmed += 1

    async def create(self, table_id: str, token: Token, first_entry: bytes) -> None:
        await self._turn("create", table_id)
        if table_id in self.tables:
            raise Taken
        self.tables[table_id] = Stored(str(token), 1, [first_entry])
        self.history.append((table_id, 1, first_entry))

    async def look(self, table_id: str) -> str | None:
        stored = self.tables.get(table_id)
        return None if stored is None else stored.token

    async def acquire(self, table_id: str, seen: str, nonce: str) -> Owned | None:
        await self._turn("acquire", table_id)
        stored = self.tables.get(table_id)
        if stored is None or stored.token != seen:
            return None
        token = Token(int(seen.split(":")[0]) + 1, nonce)
        stored.token = str(token)
        return Owned(token, stored.page, tuple(stored.log))

    async def append(self, table_id: str, token: Token, round_no: int, position: int, entry: bytes) -> None:
        await self._turn("append", table_id)
        stored = self._mine(table_id, token)
        if stored.page != round_no or len(stored.log) > position:
            if len(stored.log) == position + 1 and stored.log[-1] == entry:
                return
            raise Conflict
        if len(stored.log) < position:
            raise StoreLost
        stored.log.append(entry)
        self.history.append((table_id, round_no, entry))

    async def turn_page(
        self, table_id: str, token: Token, round_no: int, position: int, finished: bytes | None, first_entry: bytes
    ) -> None:
        await self._turn("turn_page", table_id)
        stored = self._mine(table_id, token)
        if stored.page != round_no or len(stored.log) != position:
            raise Conflict
        if finished is not None:
            self.queue.append(json.loads(finished))
        stored.page, stored.log = round_no + 1, [first_entry]
        self.history.append((table_id, round_no + 1, first_entry))

    async def release(self, table_id: str, token: Token) -> None:
        await self._turn("release", table_id)
        self._mine(table_id, token).token = f"{token.epoch}:free"

    async def close(self, table_id: str, token: Token, finished: bytes | None, ending: bytes) -> None:
        await self._turn("close", table_id)
        self._mine(table_id, token)
        if finished is not None:
            self.queue.append(json.loads(finished))
        self.ends.append(json.loads(ending))
        del self.tables[table_id]


@dataclass
class RecordingRooms:
    """The notes that the house gets."""

    freed: list[tuple[str, tuple[str, ...] | None]] = field(default_factory=list)
    gone: list[tuple[str, str, str]] = field(default_factory=list)
    summaries: dict[str, Summary] = field(default_factory=dict)
    elsewhere: set[str] = field(default_factory=set)
    claimed: list[tuple[str, str]] = field(default_factory=list)
    kept: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    gate: asyncio.Event | None = None

    async def claim(self, table_id: str, user: str, epoch: int) -> bool:
        if self.gate is not None:
            await self.gate.wait()
        self.claimed.append((table_id, user))
        return user not in self.elsewhere

    def keep(self, table_id: str, users: tuple[str, ...], epoch: int) -> None:
        self.kept.append((table_id, users))

    def free(self, table_id: str, users: tuple[str, ...] | None, epoch: int) -> None:
        self.freed.append((table_id, users))

    def closed(self, table_id: str, code: str, reason: str) -> None:
        self.gone.append((table_id, code, reason))

    def changed(self, summary: Summary) -> None:
        self.summaries[summary.table_id] = summary


@dataclass
class RecordingAlerts:
    """The alerts to operators."""

    alerts: list[tuple[str, str, str]] = field(default_factory=list)
    dumps: list[bytes] = field(default_factory=list)

    def alert(self, table_id: str, what: str, text: str, dump: bytes | None) -> None:
        self.alerts.append((table_id, what, text))
        self.dumps.append(dump or b"")


class Client:
    """A socket with a person behind it: keeps what it was sent, folds the view, and checks every number."""

    _refs = itertools.count(1)

    def __init__(self, user: str, writable: bool = True) -> None:
        self.person = Person(user, user.upper())
        self.writable = writable
        self.frames: list[Frame] = []
        self.table: TableState | None = None
        self.match: dict[str, Any] = {}
        self.seq: tuple[int, int] = (0, 0)
        self.decision: dict[str, Any] | None = None
        self.bye: tuple[str, str] | None = None
        self.synced: dict[str, Any] | None = None

    # Connection

    def offer(self, frame: Frame) -> bool:
        assert self.bye is None, "nothing is sent after the farewell"
        self.frames.append(frame)
        data = frame.face.data
        assert (frame.seq is not None) == (frame.kind in PLAY)
        match frame.kind:
            case "events":
                self._events(frame)
            case "sync":
                assert frame.seq is not None
                self.seq, self.match, self.synced = frame.seq, data["match"], data
                self.decision = data["prompt"]["decision"]
                if (
                    self.table is not None
                    and data["view"] is not None
                    and data["view"]["dealt_at_ms"] == (self.table.facts.dealt_at_ms)
                    and frame.seq == self.seq
                ):
                    self.synced = data
            case "prompt":
                assert frame.seq == self.seq, (frame.seq, self.seq)
                self.decision = data["decision"]
        return self.writable

    def _events(self, frame: Frame) -> None:
        assert frame.seq is not None
        round_no, n = frame.seq
        if self.seq != (0, 0):
            assert (round_no, n) in ((self.seq[0], self.seq[1] + 1), (self.seq[0] + 1, 1)), (frame.seq, self.seq)
        self.seq = frame.seq
        data = frame.face.data
        self.match = data.get("match", self.match)
        for plain in data["events"]:
            event = read_event(plain)
            if plain["type"] == "round_started":
                self.table = None
            if self.table is not None or plain["type"] == "round_started":
                self.table = fold(self.table, event)

    def farewell(self, reason: str, detail: str) -> None:
        assert self.bye is None, "one farewell is enough"
        self.bye = (reason, detail)

    # A player

    def attach(self, table: Table, **options: Any) -> Client:
        assert table.attach(self, self.person, **options) is None
        return self

    def ask(self, table: Table, ask: asks.Ask, ref: str | None = None) -> str:
        ref = ref or f"{self.person.user}-{next(Client._refs)}"
        assert table.request(self, ref, ask) is None
        return ref

    def play(self, table: Table, option: int | str, ref: str | None = None) -> str:
        """Choose an option of the open prompt, by place or by verb."""
        assert self.decision is not None
        options = self.decision["options"]
        if isinstance(option, str):
            option = next(place for place, plain in enumerate(options) if plain["verb"] == option)
        action = read_action(options[option % len(options)])
        return self.ask(table, asks.Play(self.seq[0], self.decision["id"], action), ref)

    def answers(self, ref: str) -> list[tuple[str, Any]]:
        """All acks and errors to one request."""
        return [
            (frame.kind, frame.face.data.get("code"))
            for frame in self.frames
            if frame.kind in ("ack", "error") and frame.face.data["ref"] == ref
        ]

    def kinds(self, kind: str) -> list[dict[str, Any]]:
        """The data of all frames of a kind."""
        return [frame.face.data for frame in self.frames if frame.kind == kind]

    @property
    def view(self) -> dict[str, Any] | None:
        """The folded view in plain form."""
        return None if self.table is None else plain_view(self.table)
