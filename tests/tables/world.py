"""A whole node in a test: registry, doubles, and the few verbs that scenarios are written in."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from app.kernel.variant import Variant
from app.tables.actor import Table
from app.tables.asks import Ready
from app.tables.clocks.controllers import autoplay_choice
from app.tables.messages import Limits, RuntimeDeps
from app.tables.ports import Chooser
from app.tables.registry import Registry
from app.tables.settings import make_spec
from tests.laws.toy import TOY, setup_of
from tests.tables.doubles import Client, FakeClock, FakeEntropy, MemoryStore, RecordingAlerts, RecordingRooms


class World:
    """One node over a store (its own, or another node's)."""

    def __init__(
        self, store: MemoryStore | None = None, clock: FakeClock | None = None, limits: Limits | None = None,
        chooser: Chooser = autoplay_choice, variants: Mapping[str, Variant[Any]] | None = None, salt: int = 0,
    ) -> None:  # fmt: skip
        self.store = store or MemoryStore()
        self.clock = clock or FakeClock()
        self.rooms, self.alerts = RecordingRooms(), RecordingAlerts()
        self.deps = RuntimeDeps(
            self.store, self.clock, FakeEntropy(salt), self.rooms, self.alerts, chooser,
            variants or {"toy": TOY}, replace(limits or Limits(), fold_every=1),
        )  # fmt: skip
        self.registry = Registry(self.deps)

    async def table(self, table_id: str = "t1", variant: Variant[Any] = TOY, **options: Any) -> Table:
        """A fresh table; `rules`, `settings`, `host`, `circle`, `ranked` as for `make_spec`."""
        options = {"rules": {}, "settings": {}, "host": "a", **options}
        spec = make_spec(variant, table_id=table_id, code="123456", **options)
        table = await self.registry.create(spec)
        await settle()
        return table

    async def seated(self, table: Table, count: int = 4) -> list[Client]:
        """People a, b, c, d sit down in order."""
        clients = [Client(name).attach(table) for name in "abcd"[:count]]
        await settle()
        return clients

    async def dealt(self, table: Table) -> list[Client]:
        """Four people sit down and are ready: the round has begun."""
        clients = await self.seated(table)
        for client in clients:
            client.ask(table, Ready())
        await settle()
        return clients

    async def advance(self, seconds: float) -> None:
        """Let time pass; each clock that runs out on the way is handled in its moment."""
        until = self.clock.now + seconds
        await settle()
        while self.clock.fire(until):
            await settle()

    async def crash(self) -> None:
        """Kill the node: its tasks and clocks are gone, nothing is said to anybody; a new registry starts empty."""
        for task in self.registry.tasks():
            task.cancel()
        await settle()
        self.registry = Registry(self.deps)

    async def tokens(self, *names: str) -> dict[str, str]:
        """The stored tokens of these tables, as a node sees them that looks for tables nobody runs."""
        return {name: token for name in names if (token := await self.store.look(name)) is not None}

    async def until_over(self, table: Table, clients: list[Client], rng: Random, limit: int = 4000) -> None:
        """People choose at random among what they are offered until the running round has ended."""
        page = table.log.match.round_no
        for _ in range(limit):
            await settle()
            if table.gone is not None or table.log.match.round_no != page:
                return
            asked = [client for client in clients if client.decision is not None and client.bye is None]
            if asked:
                client = rng.choice(asked)
                client.play(table, rng.randrange(99))
            else:
                due = self.clock.next_due()
                assert due is not None, "nobody is asked and no clock runs"
                await self.advance(due - self.clock.now)
        raise AssertionError("the round does not end")


def scripted(hands: tuple[str, ...], rest: str) -> Variant[Any]:
    """The toy with a wall laid by hand: seat 0 deals, no secret answers (`hands` and `rest` as in `setup_of`)."""
    wall = setup_of(hands, rest).wall
    meta = replace(TOY.meta, first_dealer="owner_or_first")
    return replace(TOY, meta=meta, start=lambda setup: TOY.start(replace(setup, wall=wall)))


ALL_CLAIM = scripted(
    ("3s8s8s9s9s5z6z1s", "3s3s5z5z6z6z9s", "1s2s4s5s6s7z7z", "4s5s7s8s9s6z6z"),
    "1s2s2s1s7s8s4s5s6s7s9s2s7z5z",
)
"""Seat 0 may discard 3s; then seat 1 may pong, seats 2 and 3 may win."""
NO_SECRETS = {"secret": False, "rounds": 2}


async def settle() -> None:
    """Let every task run until nothing moves: no store was called for a while."""
    for _ in range(400):
        before = MemoryStore.activity
        for _ in range(10):
            await asyncio.sleep(0)
        if MemoryStore.activity == before:
            return
    raise AssertionError("the tables do not come to rest")
