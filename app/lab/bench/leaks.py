"""`mj leaks`: bot matches on a real node and real stores, and the remains of them: memory, tasks, keys, connections.

A node in a process of its own; people over sockets open a room, let bots have the other seats and autoplay their own,
play the match without thinking time and dissolve the room. Counted after a warm-up and at the end. Exit status 1 when
anything grew by more than 5 %, or a stored round does not play again to the same events. Nothing is broken on purpose.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any, Final

import asyncpg
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from app.lab.bench.footprint import Footprint, measure
from app.lab.chaos.chaos import stores
from app.lab.chaos.cluster import NodeChild, cluster
from app.lab.chaos.load_run import insist
from app.lab.clients.client import Api
from app.records.verify import verify
from app.serving.migrate import plain as plain_url
from app.settings import Settings
from app.storage.live.nodes.node_rpc import NodeRpc
from app.storage.live.nodes.nodes import Nodes
from app.storage.live.wire.link import Link, StoreUnavailable
from app.storage.live.wire.link import connect as open_store
from app.variants import VARIANTS

ALLOWED: Final = 0.05
WARM_UP: Final = 2_000
"""Matches of the warm-up: they fill the rules' memos (DECISIONS.md, D21) and last for several looks of the reaper."""
WHOLE: Final = 500
"""From this number of matches on, memory is compared after two sweeps of the reaper; fewer are a sample."""
_SAMPLE_S: Final = 20.0
_LOOKS: Final = 5
_LOOK_S: Final = 0.7
_PING_S: Final = 8.0
_REAPED_S: Final = 200.0


def main(argv: list[str]) -> int:
    """Run the command. Returns 0 when nothing grew."""
    parser = argparse.ArgumentParser(prog="mj leaks", description="Play bot matches; what is in use afterwards?")
    parser.add_argument(
        "--matches", type=int, default=5_000, help="matches after a warm-up of as many, at most 2000 (5000)"
    )
    parser.add_argument("--at-once", type=int, default=16, help="tables that play at a time (16)")
    parser.add_argument("--rounds", type=int, default=1, help="rounds of a match (1)")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    with stores() as made:
        before, after = asyncio.run(leaks(made.settings, given.matches, given.at_once, given.rounds, _tell))
        again, differ = asyncio.run(play_again(made.settings.database_url))
    grown = after.grown(before, ALLOWED, whole=given.matches >= WHOLE)
    if given.json:
        figures = {"before": before.plain(), "after": after.plain(), "grown": grown}
        print(json.dumps({"matches": given.matches, **figures, "played_again": again, "differ": differ}))
    else:
        print(f"{given.matches} matches of {', '.join(VARIANTS)}, {given.rounds} round each, {given.at_once} at a time")
        for name, value in after.plain().items():
            print(f"  {name:<24} {before.plain().get(name, 0):>10} → {value:>10}{'   GREW' if name in grown else ''}")
        print(f"{again} stored rounds played again from wall and commands: {len(differ)} differ {differ[:5]}")
    return 1 if grown or differ or not again else 0


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


async def play_again(database_url: str) -> tuple[int, list[str]]:
    """Every round in the archive again from its wall and its commands: how many, and which have other events."""
    connection, count, differ = await asyncpg.connect(plain_url(database_url)), 0, []
    try:
        async with connection.transaction():
            async for row in connection.cursor("SELECT round_id, record FROM records", prefetch=50):
                count += 1
                wrong = [check for check in verify(json.loads(row["record"]), VARIANTS) if check.difference is not None]
                differ += [f"{row['round_id']}: {check.name}: {check.difference}" for check in wrong]
    finally:
        await connection.close()
    return count, differ


async def leaks(
    settings: Settings, matches: int, at_once: int, rounds: int, say: Callable[[str], object]
) -> tuple[Footprint, Footprint]:  # fmt: skip
    """Play a warm-up and the matches on a node of our own; what was in use after either."""
    warm_up = max(at_once * 2, min(matches, WARM_UP))
    patience_s = _REAPED_S if matches >= WHOLE else _SAMPLE_S
    async with (
        cluster(settings.model_copy(update={"max_tables": 100_000, "address_factor": 1000.0}), 1) as nodes,
        AsyncExitStack() as stack,
    ):
        node = nodes.nodes["n1"]
        link = Link(open_store(settings.valkey_url))
        stack.push_async_callback(link.close)
        found: list[Footprint] = []
        for part in (warm_up, matches):
            began = time.monotonic()
            async with _guests(node, at_once) as apis:
                await _play(apis, part, rounds, say)
            played = time.monotonic() - began
            found.append(await _at_rest(node, link, settings, matches >= WHOLE, patience_s))
            say(f"{part} matches in {played:.0f} s")
        return found[0], found[1]


@asynccontextmanager
async def _guests(node: NodeChild, count: int) -> AsyncIterator[list[Api]]:
    """People for a while; afterwards none of their connections is left."""
    async with AsyncExitStack() as stack:
        apis = [await stack.enter_async_context(Api(f"http://127.0.0.1:{node.backend.port}")) for _ in range(count)]
        for api in apis:
            await api.sign_in()
        yield apis


async def _play(apis: list[Api], matches: int, rounds: int, say: Callable[[str], object]) -> None:
    """Play this many matches, one after another for each guest, the games in turn."""
    numbers = iter(range(matches))
    games = [(slug, size) for slug, variant in VARIANTS.items() for size in variant.meta.players]

    async def guest(api: Api) -> None:
        for number in numbers:
            slug, size = games[number % len(games)]
            await _match(api, slug, size, rounds)
            if number % 500 == 499:
                say(f"  {number + 1} matches")

    async with asyncio.TaskGroup() as group:
        for api in apis:
            group.create_task(guest(api))


async def _match(api: Api, slug: str, size: int, rounds: int) -> None:
    """One match of a person on autoplay and bots, from the room's making to its end."""
    options = {option.name for option in VARIANTS[slug].meta.options}
    rules = {name: value for name, value in (("rounds", rounds), ("players", size)) if name in options}
    settings = {"claim_hold_ms": 0, "fill_with_bots": True, "think_s": 60}
    room = await insist(lambda: api.create_room(slug, rules, settings))
    async with _socket(api, room["id"]) as socket:
        for kind in ("fill", "ready"):
            await _say(socket, kind)
        asked: set[str] = set()
        with contextlib.suppress(ConnectionClosed):
            async for text in socket:
                await _go_on(socket, str(text), asked)
    if socket.close_code != 4004 or "dissolve" not in asked:
        raise RuntimeError(f"a match of {slug} ended with close code {socket.close_code}")


async def _go_on(socket: ClientConnection, text: str, asked: set[str]) -> None:
    """Autoplay once the match runs, and the end of the room once the match is over."""
    if '"match"' not in text and '"error"' not in text:
        return
    frame = json.loads(text)
    if frame["kind"] == "error":
        raise RuntimeError(f"refused: {frame['data']}")
    phase = (frame["data"].get("match") or {}).get("phase")
    for wanted, kind, data in (("playing", "autoplay", {"on": True}), ("ended", "dissolve", {})):
        if phase == wanted and kind not in asked:
            asked.add(kind)
            await _say(socket, kind, data)


@asynccontextmanager
async def _socket(api: Api, room: str) -> AsyncIterator[ClientConnection]:
    ticket, url = await api.ticket(room)
    async with connect(
        url, subprotocols=[Subprotocol("mahjong.v1")], compression=None, ping_interval=None, max_size=2**20
    ) as socket:
        await _say(socket, "hello", {"ticket": ticket})
        pings = asyncio.create_task(_ping(socket))
        try:
            yield socket
        finally:
            pings.cancel()


async def _ping(socket: ClientConnection) -> None:
    """A guest on autoplay must still show that they are there."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            await asyncio.sleep(_PING_S)
            await socket.send(json.dumps({"id": "only-ping", "kind": "ping", "data": {"t": 0}}))


async def _say(socket: ClientConnection, kind: str, data: dict[str, Any] | None = None) -> None:
    await socket.send(json.dumps({"id": f"only-{kind}", "kind": kind, "data": data or {}}))


async def _at_rest(node: NodeChild, link: Link, settings: Settings, whole: bool, patience_s: float) -> Footprint:
    """The footprint once the last rounds are archived and (in a whole run) the reaper has looked twice."""
    errands, until = NodeRpc(link, lambda: "nobody"), time.monotonic() + patience_s
    fewest: list[int] = []
    while True:
        owner = next(iter((await Nodes(link).look()).alive))
        try:
            counters = await errands.send(owner, "counters")
        except StoreUnavailable:
            counters = {"tables": 1}
        found = await measure(link, settings.database_url, node.pid, counters, whole)
        if (not found.busy and counters["tables"] == 0) or time.monotonic() > until:
            fewest.append(found.tasks)
            if len(fewest) == _LOOKS:  # a heartbeat or an answer on its way is a task as well, but soon none any more
                return replace(found, tasks=min(fewest))
        await asyncio.sleep(_LOOK_S)
