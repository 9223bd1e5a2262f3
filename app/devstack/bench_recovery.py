"""`mj bench recovery`: many tables in mid-round whose owner is dead; people come back; how soon does each table play?

A table plays when its person's act was acknowledged, that is stored. Times count from the first acquire; before it lies
detection (a heartbeat that runs out), or nothing where a new process of the same name starts.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

import asyncpg
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Subprotocol

from app.devstack.chaos import stores
from app.devstack.client import plain_choice
from app.devstack.cluster import NodeChild, cluster
from app.devstack.midround import OWNER, make_tables
from app.devstack.migrate import plain as plain_url
from app.settings import Settings
from app.storage.live import keys
from app.storage.live.link import Link
from app.storage.live.link import connect as open_store
from app.storage.live.nodes import owner_of
from app.storage.live.tickets import Ticket, Tickets
from app.tables.course import restore
from app.variants import VARIANTS


@dataclass
class Recovered:
    """Seconds from the first acquire; µs of folding per entry; `lost`: tables whose log is not what it was."""

    tables: int
    entries: int
    first_s: float = 0.0
    half_s: float = 0.0
    all_s: float = 0.0
    fold_us: float = 0.0
    lost: int = 0
    start_s: float = 0.0
    times_s: list[float] = field(default_factory=list, repr=False)


def main(argv: list[str]) -> int:
    """Run the command. Returns 1 when something was lost or a goal was missed."""
    parser = argparse.ArgumentParser(prog="mj bench recovery", description="How soon do tables of a dead node play?")
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--entries", type=int, default=75, help="entries in each running round, at least (75)")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    with stores() as made:
        settings = made.settings.model_copy(update={"max_tables": 100_000})
        found = asyncio.run(recovery(settings, given.tables, given.entries))
    if given.json:
        plain = {name: value for name, value in asdict(found).items() if name != "times_s"}
        print(json.dumps({name: round(value, 3) for name, value in plain.items()}))
    else:
        print(f"{found.tables} tables, {found.entries} entries; folding {found.fold_us:.1f} µs an entry")
        print(f"from the first acquire: first {found.first_s:.2f} s, half {found.half_s:.2f}, all {found.all_s:.2f}")
        print(f"lost: {found.lost}; start of the process until the first acquire {found.start_s:.2f} s")
    return 0 if found.lost == 0 and found.first_s <= 1.0 and found.all_s <= 3.0 else 1


async def recovery(settings: Settings, tables: int, entries: int) -> Recovered:
    """Make the tables, start a node that takes them over, let one person come back to each."""
    link = Link(open_store(settings.valkey_url))
    made = await make_tables(link, tables, entries)
    before = await _logs(link, made)
    logs = [log for _, log in before.values()]
    found = Recovered(tables, sum(map(len, logs)))
    found.fold_us = _fold_us(logs)
    async with cluster(settings, 1) as nodes:
        node = nodes.nodes["n1"]
        await node.close()
        await _measure(settings, link, made, found)
    found.lost = await _lost(link, settings, before) + tables - len(found.times_s)
    await link.close()
    return found


async def _lost(link: Link, settings: Settings, before: dict[str, tuple[int, list[bytes]]]) -> int:
    """Tables whose log is neither continued, nor kept whole as a finished round."""
    after = await _logs(link, before)
    turned = [name for name, (page, _) in before.items() if after[name][0] != page]
    queued = await asyncio.gather(*[link.ask("HEXISTS", keys.rounds(name), before[name][0]) for name in turned])
    gone = {name for name, waits in zip(turned, queued, strict=True) if not waits}
    connection = await asyncpg.connect(plain_url(settings.database_url))
    rows = await connection.fetch(
        "SELECT m.room_id, r.round_no FROM rounds r JOIN matches m ON m.id = r.match_id WHERE m.room_id = ANY($1)",
        sorted(gone),
    )
    await connection.close()
    gone -= {row["room_id"] for row in rows if row["round_no"] == before[row["room_id"]][0]}
    stayed = [name for name in before if name not in turned]
    return len(gone) + sum(after[name][1][: len(before[name][1])] != before[name][1] for name in stayed)


async def _measure(settings: Settings, link: Link, made: dict[str, str], found: Recovered) -> None:
    node = NodeChild(settings, "n1")
    starting = asyncio.create_task(node.start())
    began = time.monotonic()
    tickets = Tickets(link)
    people = [asyncio.create_task(_come_back(node, tickets, name, user)) for name, user in made.items()]
    try:
        first = await _first_acquire(link, list(made))
        found.start_s = first - began
        done = await asyncio.wait_for(asyncio.gather(*people), 120)
        await starting
    finally:
        await node.close()
    found.times_s = sorted(at - first for at in done)
    found.first_s, found.all_s = found.times_s[0], found.times_s[-1]
    found.half_s = found.times_s[len(done) // 2]


async def _first_acquire(link: Link, names: list[str]) -> float:
    some = names[:: max(1, len(names) // 50)]
    while True:
        owners = await asyncio.gather(*[link.ask("GET", keys.lease(name)) for name in some])
        if any(owner_of(str(owner, "utf-8")) != OWNER for owner in owners if owner is not None):
            return time.monotonic()
        await asyncio.sleep(0.01)


async def _come_back(node: NodeChild, tickets: Tickets, table_id: str, user: str) -> float:
    """One person: connect, say hello, answer the open question; try again until that was acknowledged."""
    rng = random.Random(table_id)
    while True:
        with contextlib.suppress(OSError, InvalidHandshake, ConnectionClosed, TimeoutError, EOFError):
            async with asyncio.timeout(60):
                return await _answer(node, tickets, table_id, user, rng)
        await asyncio.sleep(0.05 + rng.random() * 0.1)


async def _answer(node: NodeChild, tickets: Tickets, table_id: str, user: str, rng: random.Random) -> float:
    url = f"ws://127.0.0.1:{node.backend.port}/v1/ws"
    async with connect(
        url, subprotocols=[Subprotocol("mahjong.v1")], compression=None, ping_interval=None, open_timeout=60
    ) as socket:  # fmt: skip
        ticket = await tickets.issue(Ticket(user, "某人", "", f"room:{table_id}"))
        await socket.send(json.dumps({"id": "hello", "kind": "hello", "data": {"ticket": ticket}}))
        while True:
            frame: dict[str, Any] = json.loads(await socket.recv())
            if (decision := _open_decision(frame)) is not None:
                data = {
                    "round": frame["seq"][0], "decision": decision["id"],
                    "action": plain_choice(decision["options"], rng),
                }  # fmt: skip
                await socket.send(json.dumps({"id": f"act-{decision['id']}", "kind": "act", "data": data}))
            elif frame["kind"] == "ack" and frame["data"]["ref"].startswith("act"):
                return time.monotonic()


def _open_decision(frame: dict[str, Any]) -> dict[str, Any] | None:
    """What a `sync` or a `prompt` asks."""
    data = {"sync": lambda: frame["data"]["prompt"], "prompt": lambda: frame["data"]}.get(frame["kind"], dict)()
    decision: dict[str, Any] | None = data.get("decision")
    return decision


async def _logs(link: Link, made: Iterable[str]) -> dict[str, tuple[int, list[bytes]]]:
    """The current page of each table, and its log."""
    names = list(made)
    pages = [int(page) for page in await asyncio.gather(*[link.ask("GET", keys.page(name)) for name in names])]
    asked = [link.ask("LRANGE", keys.log(name, page), 0, -1) for name, page in zip(names, pages, strict=True)]
    return dict(zip(names, zip(pages, await asyncio.gather(*asked), strict=True), strict=True))


def _fold_us(logs: list[list[bytes]]) -> float:
    began, entries = time.process_time(), 0
    for log in logs[: max(1, 6000 // max(1, len(logs[0])))]:
        restore(VARIANTS, tuple(log))
        entries += len(log)
    return (time.process_time() - began) / entries * 1e6
