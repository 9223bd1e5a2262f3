"""`mj bench outage`: one fault under play, as its players see it, from the fault to their next acknowledged act.

Real sockets through the front of a real `mj up`; players return as the page does: a socket that is not open within a
second is given up, a ticket is asked for anew, pauses double. Kinds, and from when time counts: `kill` a node beside
another, `alone` (the only node), `stop` (SIGSTOP a node beside another), `valkey`, `postgres` (kill -9; time until REST
answers again), `rolling` (each node restarted; from the farewell), `all` (kill -9 of everything; from the new start).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import signal
import socket
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

import httpx

from app.lab.chaos.load_run import Group, reckon
from app.lab.chaos.running import Running, own_server
from app.lab.clients.client import Plain, Refused, SeatClient
from app.variants import VARIANTS

GOALS_S: Final = {
    "kill": 1.5, "alone": 3.0, "stop": 5.0, "valkey": 2.0, "postgres": 5.0, "rolling": 0.5, "all": 3.0,
}  # fmt: skip
_MOST_S: Final = 60.0
_WARM_S: Final = 3.0
_THINK_S: Final = 0.02
_ASKING: Final = 4
_SINCE_S: Final = 0.005
"""An acknowledgement sent before the fault may still be under way for this long."""


@dataclass
class Outage:
    """`p50_s`, `p99_s` over the players whom the fault met; `lost`: acknowledged acts that are not in the archive."""

    kind: str
    tables: int
    p50_s: float = 0.0
    p99_s: float = 0.0
    lost: int = 0
    players: int = 0
    acts_p99_ms: tuple[float, float] = (0.0, 0.0)
    """p99 of acts before the fault, and during it; for `postgres`."""
    waits_s: list[float] = field(default_factory=list, repr=False)


def main(argv: list[str]) -> int:
    """Run the command. Returns 1 when something was lost or the goal was missed."""
    parser = argparse.ArgumentParser(prog="mj bench outage", description="A fault under play, as its players see it.")
    parser.add_argument("--kind", choices=list(GOALS_S), default="kill")
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    found = run(given.kind, given.tables)
    if given.json:
        print(json.dumps({name: value for name, value in asdict(found).items() if name != "waits_s"}))
    else:
        print(
            f"{found.kind}: p50 {found.p50_s:.2f} s, p99 {found.p99_s:.2f} s (goal {GOALS_S[found.kind]:g} s)"
            f" of {found.players} players at {found.tables} tables; lost {found.lost}"
        )
    return 0 if found.players and not found.lost and found.p99_s <= GOALS_S[found.kind] else 1


def run(kind: str, tables: int) -> Outage:
    """Start a server, let tables play, make the fault, wait for everybody, play the matches to their end, reckon."""
    nodes = 1 if kind == "alone" else 2
    with tempfile.TemporaryDirectory(prefix="mj-outage-") as name, contextlib.ExitStack() as servers:
        folder = Path(name)
        folder.chmod(0o755)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = int(free.getsockname()[1])

        def start() -> Running:
            return servers.enter_context(own_server(nodes=nodes, folder=folder, port=port))

        return asyncio.run(_measure(start(), start, Outage(kind, tables)))


async def _measure(server: Running, start: Callable[[], Running], found: Outage) -> Outage:
    rng, stop, games = random.Random(found.tables), asyncio.Event(), list(VARIANTS)
    database_url = str(server.facts()["database_url"])
    groups = [
        Group(server.url, games[number % len(games)], _THINK_S, random.Random(rng.random()), 4)
        for number in range(found.tables)
    ]
    async with asyncio.TaskGroup() as playing:
        tasks = [playing.create_task(group.run_noted(stop)) for group in groups]
        await asyncio.gather(*[group.began.wait() for group in groups])
        await asyncio.sleep(_WARM_S)
        before = [len(client.latencies_s) for client in seated(groups)]
        met = seated(groups)
        earlier = [latency for client in met for latency in client.latencies_s]
        await _fault(server, start, found, met)
        during = [s for client, at in zip(met, before, strict=True) for s in client.latencies_s[at:]]
        found.acts_p99_ms = (_percentile(earlier, 99) * 1000, _percentile(during, 99) * 1000)
        stop.set()
        await asyncio.wait(tasks)
    reckoned = await reckon(groups, database_url, False)
    found.lost = len(reckoned.lost) + len(reckoned.failed)
    found.players = len(found.waits_s)
    found.p50_s, found.p99_s = _percentile(found.waits_s, 50), _percentile(found.waits_s, 99)
    return found


def seated(groups: list[Group]) -> list[SeatClient]:
    """The players of the matches that run just now."""
    return [client for group in groups for client in group.clients if not client.over]


async def _fault(server: Running, start: Callable[[], Running], found: Outage, met: list[SeatClient]) -> None:
    """Make the fault and wait until everybody whom it met has acted again, or the match is over."""
    kind = found.kind
    if kind in ("kill", "alone", "stop"):
        nodes = list(server.facts()["nodes"])
        node = max(nodes, key=lambda name: sum(f"/n/{name}/" in client.address for client in met))
        met = [client for client in met if kind == "alone" or f"/n/{node}/" in client.address]
        number = signal.SIGSTOP if kind == "stop" else signal.SIGKILL
        server.kill(node, number)
        found.waits_s = await next_acts(met, time.monotonic())
        if kind == "stop":
            server.kill(node, signal.SIGCONT)
    elif kind == "valkey":
        server.kill_store("Valkey")
        found.waits_s = await next_acts(met, time.monotonic())
    elif kind == "postgres":
        server.kill_store("Postgres")
        began = time.monotonic()
        asking = met[:: max(1, len(met) // _ASKING)]  # all of them would be a load of their own
        found.waits_s = await asyncio.gather(*[_until_answered(client, began) for client in asking])
    elif kind == "rolling":
        found.waits_s = await _roll(server, met)
    else:
        server.kill_all()
        began = time.monotonic()
        starting = asyncio.create_task(asyncio.to_thread(start))
        found.waits_s = await next_acts(met, began)
        await starting


async def next_acts(met: list[SeatClient], began: float) -> list[float]:
    """Seconds from `began` to each player's next acknowledged act; those whose match ended first are left out."""
    acted: dict[int, float] = {}
    for client in met:
        client.on_frame = _recorder(client, acted, lambda: began)
    await _until_all(met, acted)
    return list(acted.values())


def _recorder(
    client: SeatClient, acted: dict[int, float], since: Callable[[], float | None]
) -> Callable[[Plain], None]:
    def see(frame: Plain) -> None:
        began = since()
        if began is None or frame["kind"] != "ack" or frame["data"]["ref"] not in client.acts:
            return
        waited = time.monotonic() - began
        if waited > _SINCE_S:
            acted.setdefault(id(client), waited)

    return see


async def _until_all(met: list[SeatClient], acted: dict[int, float]) -> None:
    until = time.monotonic() + _MOST_S
    while any(id(client) not in acted and not client.over for client in met) and time.monotonic() < until:
        await asyncio.sleep(0.01)
    for client in met:
        if id(client) not in acted and not client.over:
            acted[id(client)] = _MOST_S


async def _until_answered(client: SeatClient, began: float) -> float:
    """Seconds until REST answers this player again, asked ten times a second."""
    while time.monotonic() - began < _MOST_S:
        with contextlib.suppress(Refused, httpx.HTTPError):
            await client.api.call("GET", "/me")
            return time.monotonic() - began
        await asyncio.sleep(0.1)
    return _MOST_S


async def _roll(server: Running, met: list[SeatClient]) -> list[float]:
    """Restart node after node, as a deploy does. Seconds from each player's farewell to their next acknowledged act."""
    waits: list[float] = []
    for node in sorted(server.facts()["nodes"]):
        acted: dict[int, float] = {}
        here = [client for client in met if f"/n/{node}/" in client.address and not client.over]
        for client in here:
            client.on_frame = _after_farewell(client, acted)
        pid = server.kill(node, signal.SIGTERM)
        await _until_all(here, acted)
        waits += acted.values()
        while server.facts()["nodes"][node] == pid or not await _all_up(server.url):
            await asyncio.sleep(0.05)
        await asyncio.sleep(_WARM_S)
    return waits


async def _all_up(url: str) -> bool:
    async with httpx.AsyncClient(timeout=8.0) as http:
        states = (await http.get(f"{url}/readyz")).json()["nodes"]
    return set(states.values()) == {"up"}


def _after_farewell(client: SeatClient, acted: dict[int, float]) -> Callable[[Plain], None]:
    told: list[float] = []
    record = _recorder(client, acted, lambda: told[0] if told else None)

    def see(frame: Plain) -> None:
        if frame["kind"] == "bye":
            told.append(time.monotonic())
        record(frame)

    return see


def _percentile(values: list[float], percent: int) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)] if ordered else 0.0
