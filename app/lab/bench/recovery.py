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
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import asyncpg
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Subprotocol

from app.lab.bench.midround import OWNER, make_tables
from app.lab.bench.socket import cpu_s
from app.lab.chaos.accounting import Page, lost
from app.lab.chaos.chaos import stores
from app.lab.chaos.cluster import NodeChild
from app.lab.clients.client import plain_choice
from app.serving.forks.spawn import ForkServer
from app.serving.migrate import plain as plain_url
from app.settings import Settings
from app.storage.live.nodes.nodes import owner_of
from app.storage.live.rooms.tickets import Ticket, Tickets
from app.storage.live.wire import keys
from app.storage.live.wire.link import Link
from app.storage.live.wire.link import connect as open_store
from app.tables.log.table_log import restore
from app.variants import VARIANTS


@dataclass
class Recovered:
    """Seconds from the first acquire; µs of folding per entry; `lost`: see `kept.lost`, and tables that never played.

    `cpu_s`: what the node's process spent between the first acquire and the last act; `turned`: tables whose round
    was over before the end, and which are looked up in the archive.
    """

    tables: int
    entries: int
    first_s: float = 0.0
    half_s: float = 0.0
    all_s: float = 0.0
    fold_us: float = 0.0
    lost: int = 0
    turned: int = 0
    start_s: float = 0.0
    cpu_s: float = 0.0
    acts: dict[str, str] = field(default_factory=dict, repr=False)


def main(argv: list[str]) -> int:
    """Run the command. Returns 1 when something was lost or a goal was missed."""
    parser = argparse.ArgumentParser(prog="mj bench recovery", description="How soon do tables of a dead node play?")
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--entries", type=int, default=75, help="entries in each running round, at least (75)")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    with stores() as made:
        settings = made.settings.model_copy(update={"max_tables": 100_000, "address_factor": 1000.0})
        found = asyncio.run(recovery(settings, given.tables, given.entries))
    if given.json:
        plain = {name: value for name, value in asdict(found).items() if name != "acts"}
        print(json.dumps({name: round(value, 3) for name, value in plain.items()}))
    else:
        print(f"{found.tables} tables, {found.entries} entries; folding {found.fold_us:.1f} µs an entry")
        print(f"from the first acquire: first {found.first_s:.2f} s, half {found.half_s:.2f}, all {found.all_s:.2f}")
        print(f"CPU of the node meanwhile {found.cpu_s:.2f} s")
        print(f"lost: {found.lost}; start of the process until the first acquire {found.start_s:.2f} s")
    return 0 if found.lost == 0 and found.first_s <= 1.0 and found.all_s <= 3.0 else 1


async def recovery(settings: Settings, tables: int, entries: int) -> Recovered:
    """Make the tables, start a node that takes them over, let one person come back to each."""
    link = Link(open_store(settings.valkey_url))
    made = await make_tables(link, tables, entries)
    before = await _pages(link, made)
    logs = [page.log for page in before.values()]
    found = Recovered(tables, sum(map(len, logs)))
    found.fold_us = _fold_us(logs)
    await _measure(settings, link, made, found)
    await _count(link, settings, before, found)
    await link.close()
    return found


async def _count(link: Link, settings: Settings, before: dict[str, Page], found: Recovered) -> None:
    """Compare what was stored before, and every act that was acknowledged since, with all that is stored now."""
    after = await _pages(link, before)
    waiting = await asyncio.gather(*[link.ask("HGETALL", keys.rounds(name)) for name in before])
    finished: dict[str, dict[int, Any]] = {
        name: {int(number): _record(raw) for number, raw in zip(rounds[::2], rounds[1::2], strict=True)}
        for name, rounds in zip(before, map(_flat, waiting), strict=True)
    }
    for name, number, record in await _archived(settings, list(before)):
        finished[name][number] = json.loads(record)["entries"]
    for name, page in before.items():
        acked = [found.acts[name]] if name in found.acts else []
        found.lost += lost(page, acked, after[name], finished[name])
        found.turned += after[name].number != page.number
    found.lost += found.tables - len(found.acts)


def _flat(answer: Any) -> list[bytes]:
    """HGETALL's answer, whichever way the client gives it."""
    return [part for pair in answer.items() for part in pair] if isinstance(answer, dict) else list(answer)


def _record(finished: bytes) -> Any:
    record = json.loads(finished)["record"]
    return [] if record is None else record["entries"]


async def _archived(settings: Settings, names: list[str]) -> list[Any]:
    connection = await asyncpg.connect(plain_url(settings.database_url))
    try:
        rows: list[Any] = await connection.fetch(
            "SELECT m.room_id, r.round_no, k.record FROM rounds r JOIN matches m ON m.id = r.match_id"
            " JOIN records k ON k.round_id = r.id WHERE m.room_id = ANY($1)",
            names,
        )
        return rows
    finally:
        await connection.close()


async def _measure(settings: Settings, link: Link, made: dict[str, str], found: Recovered) -> None:
    forks = ForkServer()
    node = NodeChild(settings, "n1", forks)
    starting = asyncio.create_task(node.start())
    began = time.monotonic()
    tickets = Tickets(link)
    people = [asyncio.create_task(_come_back(node, tickets, name, user)) for name, user in made.items()]
    try:
        first = await _first_acquire(link, list(made))
        cpu = cpu_s(node)
        found.start_s = first - began
        done = await asyncio.wait_for(asyncio.gather(*people), 120)
        found.cpu_s = cpu_s(node) - cpu
        await starting
    finally:
        await node.close()
        forks.close()
    found.acts = {name: ref for name, (_, ref) in zip(made, done, strict=True)}
    times_s = sorted(at - first for at, _ in done)
    found.first_s, found.half_s, found.all_s = times_s[0], times_s[len(done) // 2], times_s[-1]


async def _first_acquire(link: Link, names: list[str]) -> float:
    """A moment when the node had not acquired any table yet, the last such that was seen: times are never too good."""
    leases, before = [keys.lease(name) for name in names], time.monotonic()
    while True:
        asked = time.monotonic()
        owners = await link.ask("MGET", *leases)
        if any(owner_of(str(owner, "utf-8")) != OWNER for owner in owners if owner is not None):
            return before
        before = asked
        await asyncio.sleep(0.01)


async def _come_back(node: NodeChild, tickets: Tickets, table_id: str, user: str) -> tuple[float, str]:
    """One person: connect, say hello, answer the open question; try again until that was acknowledged."""
    rng = random.Random(table_id)
    while True:
        with contextlib.suppress(OSError, InvalidHandshake, ConnectionClosed, TimeoutError, EOFError):
            async with asyncio.timeout(60):
                return await _answer(node, tickets, table_id, user, rng)
        await asyncio.sleep(0.05 + rng.random() * 0.1)


async def _answer(node: NodeChild, tickets: Tickets, table_id: str, user: str, rng: random.Random) -> tuple[float, str]:
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
                return time.monotonic(), frame["data"]["ref"]


def _open_decision(frame: dict[str, Any]) -> dict[str, Any] | None:
    """The decision in a `sync` or a `prompt`."""
    data = {"sync": lambda: frame["data"]["prompt"], "prompt": lambda: frame["data"]}.get(frame["kind"], dict)()
    decision: dict[str, Any] | None = data.get("decision")
    return decision


async def _pages(link: Link, made: Iterable[str]) -> dict[str, Page]:
    """The running page of each table."""
    names = list(made)
    pages = [int(page) for page in await asyncio.gather(*[link.ask("GET", keys.page(name)) for name in names])]
    asked = [link.ask("LRANGE", keys.log(name, page), 0, -1) for name, page in zip(names, pages, strict=True)]
    return dict(zip(names, map(Page, pages, await asyncio.gather(*asked)), strict=True))


def _fold_us(logs: list[Sequence[bytes]]) -> float:
    began, entries = time.process_time(), 0
    for log in logs:
        restore(VARIANTS, tuple(log))
        entries += len(log)
    return (time.process_time() - began) / entries * 1e6
