"""`mj chaos --kinds all`: every kind of fault, mixed, against one `mj up` of three nodes; for a run of 1,000 faults.

Three lanes break things side by side: nodes (`kill`, `freeze`, `restart`, `rolling`, `bad-birth`), Valkey (`crash`,
`stall`, `blackhole`, `full`, `clock`) and Postgres (`postgres-recovers`). After a minute of it the lanes rest: every
table must go on within 30 s; then one fault of the whole server, `disk-full` or `half-data` (everything killed, a start
without the archive refused, a start with it), and the same again. At the end acknowledged acts are looked up in the
archive, and keys, descriptors and memory are compared with those before the first table.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import socket
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx

from app.embedded.places import StartError
from app.lab.bench.footprint import Footprint, measure, resident_kb
from app.lab.chaos import hosted
from app.lab.chaos.as_players_see import next_acts, seated
from app.lab.chaos.hosted import NotHealed
from app.lab.chaos.load_run import Group, Reckoning, reckon
from app.lab.chaos.outages import Line, full, step_clock
from app.lab.chaos.running import Running, own_server
from app.storage.live.wire.link import Link, StoreUnavailable, connect
from app.variants import VARIANTS

_NODES: Final = 3
_DISK_MB: Final = 1200
_BURST_S: Final = 60.0
_GOES_ON_S: Final = 30.0
_SETTLED_S: Final = 180.0
_PAUSES_S: Final = {"nodes": (0.5, 3.0), "valkey": (0.5, 4.0), "postgres": (2.0, 6.0)}
_LOG_CHARS: Final = 20_000
_GROWN: Final = 0.2
_ONE: Final = "keys {lobby}:counter"
"""A counter that is made at its first use, and stays."""
_DESCRIPTORS: Final = 12
"""Pools of connections may be fuller after play than before it."""


@dataclass
class Mixed:
    """The result of a run: faults by kind, the reckoning of the play, and the resources in use before and after it."""

    faults: Counter[str]
    seconds: float
    play: Reckoning
    before: dict[str, int]
    after: dict[str, int]
    grown: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    """Players who had not acted again half a minute after the faults before."""

    @property
    def clean(self) -> bool:
        """Was every promise kept, and everything given back?"""
        return self.play.clean and not self.grown and not self.stuck

    def plain(self) -> dict[str, Any]:
        """For `--json`."""
        return {**vars(self), "faults": dict(self.faults), "play": self.play.plain()}


def run(faults: int, minutes: float | None, tables: int, think_s: float, rng: random.Random) -> Mixed:
    """Make at least so many faults, or as many as fit; play to the end; reckon. Raises NotHealed."""
    with tempfile.TemporaryDirectory(prefix="mj-mixed-") as name, contextlib.ExitStack() as cleanup:
        folder = Path(name)
        folder.chmod(0o755)
        cleanup.enter_context(hosted.small_disk(folder, _DISK_MB))
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = int(free.getsockname()[1])

        def start() -> Running:
            server = own_server(nodes=_NODES, folder=folder, port=port, options={"address_factor": "1000"})
            return cleanup.enter_context(server)

        return asyncio.run(_Run(start, folder, rng, faults, minutes).play(tables, think_s))


class _Run:
    """One run: the server of just now, the lanes, and the faults so far."""

    def __init__(
        self, start: Callable[[], Running], folder: Path, rng: random.Random, faults: int, minutes: float | None
    ) -> None:  # fmt: skip
        self._start = start
        self._server = start()
        self._folder = folder
        self._rng = rng
        self._wanted = faults
        self._minutes = minutes
        self._began = time.monotonic()
        self._done: Counter[str] = Counter()
        self._stuck: list[str] = []
        self._groups: list[Group] = []

    async def play(self, tables: int, think_s: float) -> Mixed:
        """The whole run."""
        before, stop, games = await self._used(), asyncio.Event(), list(VARIANTS)
        self._groups = [
            Group(self._server.url, games[number % len(games)], think_s, random.Random(self._rng.random()))
            for number in range(tables)
        ]
        playing = [asyncio.create_task(group.run_noted(stop)) for group in self._groups]
        try:
            await asyncio.gather(*[group.began.wait() for group in self._groups])
            await self._break_all()
            stop.set()
            await asyncio.gather(*playing)
        except* NotHealed:
            print(self._server.log.read_text("utf-8", "replace")[-_LOG_CHARS:], flush=True)
            raise
        finally:
            for task in playing:
                task.cancel()
        seconds = time.monotonic() - self._began
        found = await reckon(self._groups, str(self._server.facts()["database_url"]), False)
        after = await self._used(settle=True)
        return Mixed(self._done, round(seconds), found, before, after, _grown(before, after), self._stuck)

    async def _break_all(self) -> None:
        whole = 0
        while not self._enough():
            async with asyncio.TaskGroup() as lanes:
                until = time.monotonic() + _BURST_S
                for lane, kinds in (("nodes", self._of_nodes()), ("valkey", self._of_valkey())):
                    lanes.create_task(self._lane(lane, kinds, until))
                lanes.create_task(self._lane("postgres", {"postgres-recovers": self._postgres}, until))
            await self._goes_on("a minute of faults")
            kind, fault = (("disk-full", self._disk_full), ("half-data", self._half_data))[whole % 2]
            whole += 1
            await fault()
            self._done[kind] += 1
            await self._goes_on(kind)
            print(f"  {self._done.total()} faults, {time.monotonic() - self._began:.0f} s", flush=True)

    def _enough(self) -> bool:
        late = self._minutes is not None and time.monotonic() - self._began > self._minutes * 60
        return late or self._done.total() >= self._wanted

    async def _goes_on(self, after: str) -> None:
        """Every table that plays is acted at again, by each of its players; who is stuck is noted."""
        playing = [group for group in self._groups if group.failure is None]
        longest = max(await next_acts(seated(playing), time.monotonic()), default=0.0)
        if longest <= _GOES_ON_S:
            return
        self._stuck.append(f"after {after}: {longest:.0f} s")
        for group in playing:
            for client in group.clients:
                if not client.over:
                    self._stuck.append(
                        f"{group.variant} room {client.room_id} seat {client.seat} last {client.last} phase"
                        f" {client.match.get('phase')} code {client.close_code} {client.address} {group.failure}"
                    )
        print(f"  stuck {self._stuck[-20:]}", flush=True)
        print(self._server.log.read_text("utf-8", "replace")[-_LOG_CHARS:], flush=True)

    async def _lane(self, lane: str, kinds: dict[str, Callable[[], Awaitable[None]]], until: float) -> None:
        while time.monotonic() < until:
            await asyncio.sleep(self._rng.uniform(*_PAUSES_S[lane]))
            kind = self._rng.choice(sorted(kinds))
            with contextlib.suppress(StoreUnavailable):  # too busy just now to be harmed
                await kinds[kind]()
                self._done[kind] += 1

    # Nodes

    def _of_nodes(self) -> dict[str, Callable[[], Awaitable[None]]]:
        return {
            "kill": self._kill, "freeze": self._freeze, "restart": self._restart, "rolling": self._rolling,
            "bad-birth": self._bad_birth,
        }  # fmt: skip

    async def _kill(self) -> None:
        await self._signal(await self._serving_node(), signal.SIGKILL)

    async def _freeze(self) -> None:
        """Longer than its heartbeat lives; what its tables do meanwhile is another node's."""
        pid = await self._signal(await self._serving_node(), signal.SIGSTOP)
        await asyncio.sleep(self._rng.uniform(2.5, 5.0))
        with contextlib.suppress(ProcessLookupError):  # its supervisor may have replaced it
            os.kill(pid, signal.SIGCONT)

    async def _restart(self) -> None:
        await self._signal(await self._serving_node(), signal.SIGTERM)

    async def _rolling(self) -> None:
        for node in sorted(self._server.facts()["nodes"]):
            await self._until_up(node)
            pid = await self._signal(node, signal.SIGTERM)
            await hosted.wait_until(
                lambda node=node, pid=pid: self._server.facts()["nodes"][node] != pid,  # type: ignore[misc]
                f"{node} was not started again",
                _SETTLED_S,
            )

    async def _bad_birth(self) -> None:
        node = await self._serving_node()
        for _ in range(3):
            pid = await self._signal(node, signal.SIGKILL)
            await hosted.wait_until(
                lambda pid=pid: self._server.facts()["nodes"][node] != pid,  # type: ignore[misc]
                f"{node} was not tried again",
                _SETTLED_S,  # the pauses between its lives grow
            )

    async def _signal(self, node: str, number: signal.Signals) -> int:
        with contextlib.suppress(ProcessLookupError):  # it died just now of something else
            return self._server.kill(node, number)
        return 0

    async def _serving_node(self) -> str:
        """One that serves, beside another one; waits until there is one."""
        until = time.monotonic() + _SETTLED_S
        while time.monotonic() < until:
            up = [node for node, state in (await self._states()).items() if state == "up"]
            if len(up) > 1:
                return self._rng.choice(sorted(up))
            await asyncio.sleep(0.2)
        raise NotHealed(f"the nodes do not come back: {await self._states()}")

    async def _until_up(self, node: str) -> None:
        until = time.monotonic() + _SETTLED_S
        while (await self._states()).get(node) != "up":
            if time.monotonic() > until:
                raise NotHealed(f"{node} does not come back: {await self._states()}")
            await asyncio.sleep(0.2)

    async def _states(self) -> dict[str, str]:
        with contextlib.suppress(httpx.HTTPError, ValueError):
            async with httpx.AsyncClient(base_url=self._server.url, timeout=8.0) as http:
                found: dict[str, str] = (await http.get("/readyz")).json()["nodes"]
                return found
        return {}

    # Valkey

    def _of_valkey(self) -> dict[str, Callable[[], Awaitable[None]]]:
        return {
            "crash": self._crash, "stall": self._stall, "blackhole": self._blackhole, "full": self._full,
            "clock": self._clock,
        }  # fmt: skip

    async def _crash(self) -> None:
        before = self._server.kill_store("Valkey")
        await hosted.wait_until(
            lambda: self._server.facts()["stores"]["Valkey"] != before, "Valkey was not started again"
        )
        await self._answers()

    async def _stall(self) -> None:
        pid = int(self._server.facts()["stores"]["Valkey"])
        os.kill(pid, signal.SIGSTOP)
        try:
            await asyncio.sleep(self._rng.uniform(0.3, 4.0))
        finally:
            os.kill(pid, signal.SIGCONT)

    async def _blackhole(self) -> None:
        async with _swallowed(self._valkey_url):
            await asyncio.sleep(self._rng.uniform(0.3, 4.0))

    async def _full(self) -> None:
        async with full(self._valkey_url):
            await asyncio.sleep(self._rng.uniform(0.3, 4.0))

    async def _clock(self) -> None:
        await step_clock(self._valkey_url, self._rng.choice((-3600.0, 3600.0)))

    @property
    def _valkey_url(self) -> str:
        return str(self._server.facts()["valkey_url"])

    async def _answers(self) -> None:
        link, until = Link(connect(self._valkey_url)), time.monotonic() + _GOES_ON_S
        try:
            while True:
                try:
                    await link.ask("PING")
                    return
                except StoreUnavailable:
                    if time.monotonic() > until:
                        raise NotHealed("Valkey does not answer again") from None
                await asyncio.sleep(0.05)
        finally:
            await link.close()

    # Postgres, and everything

    async def _postgres(self) -> None:
        await hosted.postgres_recovers(self._server, self._rng)

    async def _disk_full(self) -> None:
        await hosted.disk_full(self._server, self._rng)

    async def _half_data(self) -> None:
        """Everything is killed; a start without the archive is refused; a start with it finds every table."""
        self._server.kill_all()
        away = self._folder / "postgres.away"
        (self._folder / "postgres").rename(away)
        try:
            await asyncio.to_thread(self._start)
            raise NotHealed("a server started without its archive")
        except StartError as refused:
            if "is missing" not in str(refused):
                raise NotHealed(f"the refusal does not say what is missing: {refused}") from None
        away.rename(self._folder / "postgres")
        self._server = await asyncio.to_thread(self._start)

    # Resources in use

    async def _used(self, settle: bool = False) -> dict[str, int]:
        """Keys that stay, descriptors and memory. `settle`: once nothing is on its way any more."""
        until = time.monotonic() + (_SETTLED_S if settle else 0.0)
        while True:
            facts = self._server.facts()
            link = Link(connect(facts["valkey_url"]))
            try:
                nodes = {
                    name: await measure(link, facts["database_url"], int(pid), {}, True)
                    for name, pid in facts["nodes"].items()
                }
            finally:
                await link.close()
            if time.monotonic() > until or not any(node.busy for node in nodes.values()):
                return _figures(nodes, facts)
            await asyncio.sleep(2.0)


def _figures(nodes: dict[str, Footprint], facts: dict[str, Any]) -> dict[str, int]:
    one = next(iter(nodes.values()))
    found = {f"keys {name}": count for name, count in one.keys.items() if count}
    found |= {"valkey connections": one.valkey, "postgres connections": one.postgres}
    for name, node in nodes.items():
        found |= {f"{name} sockets": node.node_sockets, f"{name} memory_kb": node.memory_kb}
    for name, pid in {"supervisor": facts["pid"], **facts["stores"]}.items():
        found |= {f"{name} memory_kb": resident_kb(pid), f"{name} descriptors": len(os.listdir(f"/proc/{pid}/fd"))}
    return found


def _grown(before: dict[str, int], after: dict[str, int]) -> list[str]:
    """What was not given back. Memory of nodes and stores is shown, not judged: they are filled by use."""
    grown = []
    for name, now in after.items():
        then = before.get(name, 0)
        if name.endswith("memory_kb"):
            allowed = then * (1 + _GROWN) if name.startswith("supervisor") else now
        else:
            allowed = 1 if name == _ONE else then + (0 if name.startswith("keys") else _DESCRIPTORS)
        if now > allowed:
            grown.append(f"{name}: {then} before, {now} after")
    return grown


@contextlib.asynccontextmanager
async def _swallowed(store_url: str) -> AsyncIterator[None]:
    """A black hole before a store that runs already: its connections are cut, and new ones get no answer."""
    public = Path(store_url.removeprefix("unix://"))
    real = public.with_suffix(".real")
    public.rename(real)
    link = Link(connect(f"unix://{real}"))
    line = Line(f"unix://{real}", public)
    line.swallows = True
    try:
        await line.open()
        await link.ask("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        yield
    finally:
        await link.close()
        await line.close()
        public.unlink(missing_ok=True)
        real.rename(public)
