"""`mj bench socket`: one node under tables of four sockets each: acts a second, time to the ack, CPU of the server.

Beside it stands a plain echo on the same sockets (`ping`), so that the ratio can be carried to another machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from app.lab.chaos.chaos import stores
from app.lab.chaos.cluster import NodeChild, cluster
from app.lab.chaos.load_run import Group
from app.lab.clients.client import Api
from app.settings import Settings
from app.variants import VARIANTS

_ECHOES: Final = 40
_PINGS: Final = 70
"""Pings on each echo socket: fewer than a socket may send in a burst."""


@dataclass
class Measured:
    """`cpu_us`: CPU of the server's process per acknowledged act; `echo_us`: the same per ping."""

    tables: int
    sockets: int
    acts: int
    acts_per_s: float
    p50_ms: float
    p99_ms: float
    cpu_us: float
    cpu_share: float
    echo_us: float


def main(argv: list[str]) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="mj bench socket", description="One node's sockets under playing tables.")
    parser.add_argument("--tables", type=int, default=24)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--think-ms", type=float, default=200.0, help="mean thinking time of each player (200)")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    with stores() as made:
        found = asyncio.run(_measure(made.settings, given.tables, given.seconds, given.think_ms / 1000))
    if given.json:
        print(json.dumps({name: round(value, 3) for name, value in asdict(found).items()}))
    else:
        print(f"{found.tables} tables, {found.sockets} sockets, {found.acts} acts: {found.acts_per_s:.0f} a second")
        print(f"time to the ack: p50 {found.p50_ms:.1f} ms, p99 {found.p99_ms:.1f} ms")
        print(f"server: {found.cpu_us:.0f} µs an act, {found.cpu_share:.0%} of a core; a ping {found.echo_us:.0f} µs")
    return 0


async def _measure(settings: Settings, tables: int, seconds: float, think_s: float) -> Measured:
    games, stop = list(VARIANTS), asyncio.Event()
    async with cluster(settings.model_copy(update={"max_tables": 100_000, "address_factor": 1000.0}), 1) as nodes:
        node = nodes.nodes["n1"]
        url = f"http://127.0.0.1:{node.backend.port}"
        groups = [Group(url, games[n % len(games)], think_s, random.Random(n)) for n in range(tables)]
        playing = [asyncio.create_task(group.run(stop)) for group in groups]
        for group in groups:
            await group.began.wait()
        clients = [client for group in groups for client in group.clients]
        before, cpu, began = [len(client.latencies_s) for client in clients], cpu_s(node), time.monotonic()
        await asyncio.sleep(seconds)
        cpu, took = cpu_s(node) - cpu, time.monotonic() - began
        took_each = [t for client, skip in zip(clients, before, strict=True) for t in client.latencies_s[skip:]]
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        cuts = statistics.quantiles(took_each, n=100)
        return Measured(
            tables, len(clients), len(took_each), len(took_each) / took, cuts[49] * 1e3, cuts[98] * 1e3,
            cpu / len(took_each) * 1e6, cpu / took, await _echo_us(url, node),
        )  # fmt: skip


async def _echo_us(url: str, node: NodeChild) -> float:
    """CPU of the server per ping, over some lobby sockets, at a pace below their allowance."""
    async with Api(url) as api:
        await api.sign_in()
        sockets = [await _lobby_socket(api) for _ in range(_ECHOES)]
        before = cpu_s(node)
        for _ in range(_PINGS):
            for socket in sockets:
                await socket.send('{"id":"p","kind":"ping","data":{"t":1}}')
            for socket in sockets:
                await socket.recv()
        spent = cpu_s(node) - before
        for socket in sockets:
            await socket.close()
        return spent / (_PINGS * _ECHOES) * 1e6


async def _lobby_socket(api: Api) -> ClientConnection:
    given = await api.call("POST", "/lobby/ticket")
    url = api.url.replace("http", "ws", 1) + given["ws_path"]
    socket = await connect(url, subprotocols=[Subprotocol("mahjong.v1")], compression=None, ping_interval=None)
    await socket.send(json.dumps({"id": "hello", "kind": "hello", "data": {"ticket": given["ticket"]}}))
    await socket.recv()
    return socket


def cpu_s(node: NodeChild) -> float:
    """CPU time of a node's process so far (Linux)."""
    fields = Path(f"/proc/{node.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
