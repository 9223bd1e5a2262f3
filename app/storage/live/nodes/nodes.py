"""Nodes: who is alive, and which of them should run a table that nobody runs.

Liveness only decides when a takeover is polite; what makes it safe is the token checked in every append. Nothing here
touches a table.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
from asyncio import gather
from collections.abc import Awaitable, Callable, Iterable
from typing import Final, NamedTuple

import msgspec

from app.storage.live.wire import keys
from app.storage.live.wire.link import Link, StoreUnavailable
from app.storage.live.wire.scripts import ENLIST

log = logging.getLogger(__name__)

BEAT_S: Final = 0.5
TTL_S: Final = 2.0
LOOK_S: Final = 0.75
"""A node is given up when its heartbeat was missing at two looks this far apart."""
MISSED_S: Final = 1.3
"""After this long without a heartbeat another node may have taken our tables (`placement.py`)."""


class Node(msgspec.Struct, frozen=True):
    """A server process.

    `path` is the prefix of `/v1/ws` for clients (`/n/<name>`), `tables` the load, `room` the number of further tables
    that it takes. If two processes have one name, the later one counts (the store numbers them).
    """

    name: str
    incarnation: str
    path: str
    tables: int
    room: int
    draining: bool = False

    @property
    def owner(self) -> str:
        """The name in the tokens of this node's tables."""
        return f"{self.name}.{self.incarnation}"


def incarnation() -> str:
    """A name for this process's life; no two are alike."""
    return secrets.token_hex(8)


def owner_of(token: str) -> str | None:
    """The node that holds a table, from its token `epoch:name.incarnation.nonce`; None: no node does."""
    signed = token.partition(":")[2]
    return signed.rpartition(".")[0] or None


def rendezvous_node(table: str, nodes: Iterable[Node]) -> Node | None:
    """The node for a table without an owner: rendezvous hashing over the nodes that take tables. None: nowhere."""
    takers = [node for node in nodes if not node.draining and node.room > 0]
    return max(takers, key=lambda n: hashlib.sha256(f"{n.name}/{table}".encode()).digest(), default=None)


class Heartbeat:
    """Keeps this node's key alive. `facts()` describes the node as it is now.

    `on_lapse` is awaited when the key had run out or we did not beat for `MISSED_S`: another node may have taken tables
    meanwhile, so the owner confirms its tokens before it sends anything more (see `sure`).
    """

    def __init__(
        self, link: Link, facts: Callable[[], Node], on_lapse: Callable[[], Awaitable[None]],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._link = link
        self._facts = facts
        self._on_lapse = on_lapse
        self._monotonic = monotonic
        self._last = float("-inf")
        self._born = 0
        self._later = 0

    @property
    def lease_is_valid(self) -> bool:
        """Did we beat so lately that nobody can have found us missing, and has no later process taken our name?"""
        return not self._later and self._monotonic() - self._last < MISSED_S

    async def run(self) -> None:
        """Beat until cancelled. A store that does not answer is no reason to stop."""
        while True:
            try:
                await self.beat()
            except StoreUnavailable:
                log.warning("no heartbeat: the live store does not answer")
            await asyncio.sleep(BEAT_S)

    async def beat(self) -> None:
        """Renew the key once; confirm the tokens first when we were not seen for a while. Raises StoreUnavailable."""
        node, before = self._facts(), self._monotonic()
        first = self._last == float("-inf")
        late = before - self._last >= MISSED_S
        key, value = keys.node(node.name, node.incarnation), msgspec.json.encode(node)
        process = f"{node.name}:{node.incarnation}"
        born = self._link.run(ENLIST, [keys.BIRTHS], [process, self._born], patience_s=TTL_S)
        seen = self._link.ask("SET", key, value, "PX", int(TTL_S * 1000), "GET", patience_s=TTL_S)
        self._born, self._later = await born
        stood = await seen
        if not first and (late or stood is None or self._later):
            log.warning("this node missed heartbeats; confirming its tables")
            await self._on_lapse()
        self._last = before

    async def stop(self) -> None:
        """Say that this node is gone, so that nobody has to wait for its key to run out."""
        node = self._facts()
        gone = self._link.ask("ZREM", keys.BIRTHS, f"{node.name}:{node.incarnation}")
        await self._link.ask("DEL", keys.node(node.name, node.incarnation))
        await gone


class Seen(NamedTuple):
    """One look at the nodes, by owner name. `alive` beat within the TTL; `quiet_s` is how long ago each of them did.

    `silent` are listed but did not; so is one whose key would live longer than it may: the store's clock stepped back
    after its last beat. A process that a later one of its name replaced is in neither.
    """

    alive: dict[str, Node]
    quiet_s: dict[str, float]
    silent: set[str]


class Nodes:
    """Reads who is there."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def look(self) -> Seen:
        """Look once. Raises StoreUnavailable."""
        listed = [str(name, "utf-8") for name in await self._link.ask("ZRANGE", keys.BIRTHS, 0, -1)]
        where = [keys.node(*name.split(":", 1)) for name in listed]
        values = [self._link.ask("GET", key) for key in where]
        left_ms = [self._link.ask("PTTL", key) for key in where]
        newest = {name.partition(":")[0]: name for name in listed}  # they come in the order of their starts
        seen = Seen({}, {}, set())
        for name, value, left in zip(listed, await gather(*values), await gather(*left_ms), strict=True):
            owner = name.replace(":", ".", 1)
            if newest[name.partition(":")[0]] != name:
                continue
            if value is None or left > TTL_S * 1000:
                seen.silent.add(owner)
            else:
                seen.alive[owner] = msgspec.json.decode(value, type=Node)
                seen.quiet_s[owner] = TTL_S - left / 1000
        return seen

    async def forget(self, owner: str) -> None:
        """A dead node has no tables any more: strike it off the list. Raises StoreUnavailable."""
        await self._link.ask("ZREM", keys.BIRTHS, owner.replace(".", ":", 1))

    async def strike(self, name: str) -> None:
        """Every process of this name has ended, as its parent knows: nobody need wait until its key runs out.

        Raises StoreUnavailable.
        """
        for listed in [str(process, "utf-8") for process in await self._link.ask("ZRANGE", keys.BIRTHS, 0, -1)]:
            if listed.partition(":")[0] == name:
                gone = self._link.ask("ZREM", keys.BIRTHS, listed)
                await self._link.ask("DEL", keys.node(*listed.split(":", 1)))
                await gone

    async def listed(self) -> set[str]:
        """Owner names of all on the list, dead or alive. Raises StoreUnavailable."""
        listed = await self._link.ask("ZRANGE", keys.BIRTHS, 0, -1)
        return {str(name, "utf-8").replace(":", ".", 1) for name in listed}
