"""Reads the memory, tasks, sockets, connections and keys by family of a node and its stores, and judges growth.

A key that runs out by itself counts as nothing, if its family states a lifetime (`STATED_S`).
"""

from __future__ import annotations

import asyncio
import os
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import asyncpg

from app.serving.migrate import plain as plain_url
from app.storage.live.wire import keys
from app.storage.live.wire.link import Link

STATED_S: Final = {
    "t:lease": 3_600, "code": 86_400, "visit": 86_400, "limit": 4_000, "node": 2, "inbox": 60, "reply": 30,
    "ticket": 60, "void": 10_800, "alert": 604_800, "making": 30, "repeat": 86_400, "rooms": 86_400, "seats": 86_400,
    "u:notices": 3_600, "listeners": 10,
}  # fmt: skip
"""Families of keys that run out by themselves, and after how many seconds at the latest (storage/live/README.md)."""
BOUNDED: Final = {keys.ROOM_CHANGES: 4_096}
"""Keys that stay and grow to a bound: the board remembers a fixed number of changes (storage/live/rooms/board.py)."""
_FAMILY: Final = re.compile(r"^(t|u):\{[^}]*\}:([a-z]+)|^([a-z]+):|^(.*)$")
_SIZES: Final = {b"set": "SCARD", b"hash": "HLEN", b"list": "LLEN", b"zset": "ZCARD"}
_AT_ONCE: Final = 500
_POOL: Final = 5


@dataclass
class Footprint:
    """`keys`: elements of the keys that stay, by family; `passing`: what runs out or is bounded. Memory in KB."""

    memory_kb: int
    tasks: int
    tables: int
    sockets: int
    node_sockets: int
    postgres: int
    valkey: int
    keys: Counter[str] = field(default_factory=Counter)
    passing: Counter[str] = field(default_factory=Counter)
    late: Counter[str] = field(default_factory=Counter)

    @property
    def busy(self) -> bool:
        """Is something still on its way: rounds for the archive, names for the reaper?"""
        return any(self.keys[name] for name in ("t:rounds", "t:log", "t:page", "tables", keys.ROOMS))

    def plain(self) -> dict[str, int]:
        """All figures by name; those that pass by themselves under `…, passing`."""
        numbers = {name: value for name, value in vars(self).items() if isinstance(value, int)}
        stay = {f"keys {name}": value for name, value in sorted(self.keys.items())}
        late = {f"keys {name}, too long": value for name, value in sorted(self.late.items())}
        return {**numbers, **stay, **late, **{f"{name}, passing": n for name, n in sorted(self.passing.items())}}

    def grown(self, before: Footprint, allowed: float, whole: bool) -> list[str]:
        """The figures that grew by more than `allowed` (a share). Keys that expire do not count.

        Not `whole`: after a short run, memory does not count, and pools of connections may still fill.
        """
        then, now = before.plain(), self.plain()
        names = [name for name in now if not name.endswith(", passing") and (whole or name != "memory_kb")]
        filling = {} if whole else dict.fromkeys(("node_sockets", "postgres", "valkey"), _POOL)
        return [name for name in names if now[name] > then.get(name, 0) * (1 + allowed) + filling.get(name, 0)]


async def measure(link: Link, database_url: str, pid: int, counters: dict[str, int], whole: bool) -> Footprint:
    """Everything at this moment. `counters` are the node's own; `whole`: what waits for the reaper counts as well."""
    connection = await asyncpg.connect(plain_url(database_url))
    try:
        postgres = await connection.fetchval(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    finally:
        await connection.close()
    clients = str(await link.ask("CLIENT", "LIST"), "utf-8").count("\n")
    found = Footprint(
        resident_kb(pid), counters.get("tasks", 0), counters.get("tables", 0), counters.get("sockets", 0),
        open_sockets(pid), postgres, clients,
    )  # fmt: skip
    await _count_keys(link, found, whole)
    return found


def resident_kb(pid: int) -> int:
    """Resident memory of a process (Linux)."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def open_sockets(pid: int) -> int:
    """Open sockets of a process (Linux)."""
    found = 0
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        try:
            found += os.readlink(entry).startswith("socket:")
        except FileNotFoundError:
            continue
    return found


async def _count_keys(link: Link, found: Footprint, whole: bool) -> None:
    cursor = b"0"
    while True:
        cursor, names = await link.ask("SCAN", cursor, "COUNT", _AT_ONCE)
        left = await asyncio.gather(*[link.ask("TTL", name) for name in names])
        kinds = await asyncio.gather(*[link.ask("TYPE", name) for name in names])
        for name, left_s, kind in zip(names, left, kinds, strict=True):
            family = family_of(str(name, "utf-8"))
            if left_s >= 0:
                (found.passing if left_s <= STATED_S.get(family, -1) else found.late)[family] += 1
            elif left_s == -1:
                size = await link.ask(_SIZES[kind], name) if kind in _SIZES else 1
                (found.passing if size <= BOUNDED.get(family, 0) else found.keys)[family] += size
        if cursor in (b"0", 0):
            break
    if not whole:
        found.keys["tables"] -= await _awaited(link)


async def _awaited(link: Link) -> int:
    """Names of tables that are closed and wait for the reaper's second look."""
    names = [str(name, "utf-8") for name in await link.ask("SMEMBERS", keys.TABLES)]
    tokens = await asyncio.gather(*[link.ask("GET", keys.lease(name)) for name in names])
    return sum(token is None or token.endswith(b":closed") for token in tokens)


def family_of(key: str) -> str:
    """`t:{id}:log:3` → `t:log`, `code:123456` → `code`; a key without a family is its own."""
    found = _FAMILY.match(key)
    assert found is not None
    return f"{found[1]}:{found[2]}" if found[1] else found[3] or found[4]
