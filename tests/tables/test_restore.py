"""A table restored from its log at every entry of a match equals the one that ran, and goes on from there (F1, F9).

People do everything they can at random: play, run out of time, leave, return, vote, pause, switch, drop their sockets.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from app.kernel.seats import SPECTATOR
from app.kernel.text.notation import plain_view
from app.kernel.variant import Variant
from app.kernel.views import view
from app.records.codec import decode
from app.records.verify import verify
from app.tables import asks
from app.tables.actor import Table
from app.tables.log.table_log import TableLog, restore
from app.tables.registry import Registry
from app.variants import VARIANTS
from tests.laws.toy import TOY
from tests.tables.doubles import Client
from tests.tables.world import World, settle

SERIES = replace(TOY, meta=replace(TOY.meta, auto_ready_s=15, new_series_on_leave=True, first_dealer="owner_or_first"))
USERS = ("a", "b", "c", "d", "e")


def state(log: TableLog) -> dict[str, Any]:
    """Everything that must come back: match, round, questions, numbers, answers to repeated ids."""
    return {
        "match": log.match, "round": log.round, "open": log.open, "log": list(log.entries),
        "seqs": [log.seq(viewer) for viewer in (*range(log.match.spec.players), SPECTATOR)],
        "memory": {user: list(refs) for user, refs in log.memory.items() if refs},
    }  # fmt: skip


class Crowd:
    """Five people with minds of their own around one table."""

    def __init__(self, world: World, rng: Random, restless: float) -> None:
        self.world, self.rng, self.restless = world, rng, restless
        self.clients: dict[str, Client] = {}
        self.everybody: list[Client] = []
        self.plays: set[str] = set()

    def step(self, table: Table) -> None:
        user = self.rng.choice(USERS)
        client = self.clients.get(user)
        scene = self.rng.random()
        if scene < 0.02:
            for other in self.clients.values():
                if other.bye is None:
                    other.ask(table, asks.Pause())
        elif scene < 0.03:
            table.operate(self.rng.choice((asks.OrderFreeze("look"), asks.OrderRelease(), asks.OrderRelease())))
        if client is None or client.bye is not None:
            self.come(table, user)
        elif client.decision is not None and self.rng.random() < 0.8:
            self.plays.add(client.play(table, self.rng.randrange(99)))
        elif self.rng.random() < 0.35:
            client.ask(table, self.wish(client))
        elif self.rng.random() < 0.05:
            del self.clients[user]
            table.detach(client)
        else:
            client.ask(table, asks.Ready(entropy=f"{user}{self.rng.randrange(9)}"))

    def come(self, table: Table, user: str) -> None:
        old = self.clients.get(user)
        client = self.clients[user] = Client(user)
        self.everybody.append(client)
        if old is not None and self.rng.random() < 0.5:
            client.seq, client.table, client.match = old.seq, old.table, old.match
        client.attach(table, last=client.seq if client.seq != (0, 0) else None)

    def acked(self) -> list[str]:
        """The plays that were acknowledged."""
        return [frame.face.data["ref"] for c in self.everybody for frame in c.frames
                if frame.kind == "ack" and frame.face.data["ref"] in self.plays]  # fmt: skip

    def wish(self, client: Client) -> asks.Ask:
        return self.rng.choice(
            (
                asks.Autoplay(True),
                asks.Autoplay(False),
                asks.AutoWin(True),
                asks.AutoWin(False),
                asks.Vote(False),
                asks.Dissolve() if self.rng.random() < 0.1 else asks.Unready(),
                asks.Pause(),
                asks.Unpause(),
                asks.Leave() if self.rng.random() < self.restless else asks.Sync(),
                asks.ChangeSeat(self.rng.randrange(-1, 5)),
                asks.ChangeSeat(3),
                asks.Hints(),
                asks.Fill(),
                asks.Phrase("hi"),
                asks.Kick(self.rng.randrange(4)) if self.rng.random() < 0.1 else asks.Unready(),
            )
        )


async def run_match(seed: int, crash_every: int = 0, game: Variant[Any] = SERIES) -> tuple[World, int]:
    rng = Random(seed)
    world = World(variants={game.meta.slug: game})
    options = {"think_s": 5, "claim_hold_ms": rng.choice((0, 300, 300)), "fill_with_bots": rng.random() < 0.5,
               "spectators": "all"}  # fmt: skip
    table = await world.table(variant=game, settings=options, rules={"rounds": 2})
    crowd = Crowd(world, rng, 0.9 if seed % 3 == 0 else 0.1)
    live: dict[tuple[int, int], dict[str, Any]] = {}
    pages: dict[int, list[bytes]] = {}
    here = [table]

    async def snapshot(what: str, table_id: str) -> None:
        if what in ("append", "turn_page", "close"):
            log = here[0].log
            live[log.match.round_no, len(log.entries)] = state(log)
            pages[log.match.round_no] = list(log.entries)

    world.store.before = snapshot
    for step in range(700):
        crowd.step(here[0])
        if rng.random() < 0.4:
            await world.advance(rng.choice((0.1, 0.5, 1.0, 3.0)))
        if rng.random() < 0.006:
            await world.advance(130)
        await settle()
        if here[0].gone is not None:
            break
        if crash_every and step % crash_every == crash_every - 1:
            here[0] = await crash(world, crowd, here[0])
    assert not world.alerts.alerts, world.alerts.dumps[0].decode()[:3000]
    stored = Counter(ref for _, _, raw in world.store.history if (ref := json.loads(raw).get("ref")))
    assert set(crowd.acked()) <= stored.keys(), "every acknowledged play is in the log"
    assert set(stored.values()) <= {1}, "and nothing is there twice"
    for document in world.store.queue:
        if document.get("record") is not None:
            record = decode(json.dumps(document["record"]))
            assert [c for c in verify(record, world.deps.variants) if c.difference] == [], "re-decides to the same"
    compared = 0
    for (page, length), expected in live.items():
        restored = restore(world.deps.variants, tuple(pages[page][:length]))
        assert state(restored) == expected
        compared += 1
    return world, compared


async def crash(world: World, crowd: Crowd, table: Table) -> Table:
    """The node dies at this moment; another one takes the table, and everybody comes back with their own state."""
    for client in crowd.clients.values():
        client.bye = client.bye or ("moved", "crash")
    await world.crash()
    again = await world.registry.open(table.table_id)
    assert again is not None
    world.registry.tables()
    for user in list(crowd.clients):
        crowd.come(again, user)
    await settle()
    return again


@pytest.mark.parametrize("seed", range(12))
async def test_every_prefix_of_the_log_folds_to_what_ran(seed: int) -> None:
    world, compared = await run_match(seed)
    assert compared > 30 or world.rooms.gone, "the match went on for a while"


@pytest.mark.parametrize("seed", range(100, 106))
async def test_a_table_goes_on_on_another_node_again_and_again(seed: int) -> None:
    _, compared = await run_match(seed, crash_every=40)
    assert compared > 40


@pytest.mark.parametrize("slug", list(VARIANTS))
async def test_every_real_variant_is_restored_and_goes_on(slug: str) -> None:
    _, compared = await run_match(200, crash_every=150, game=VARIANTS[slug])
    assert compared > 40


async def test_what_clients_folded_is_what_the_table_shows() -> None:
    """B1, B4: after every round each fold of what was sent equals the projection for that seat."""
    for seed in range(5):
        world = World()
        table = await world.table(settings={"claim_hold_ms": 0}, rules={"rounds": 64})
        clients = await world.dealt(table)
        rng = Random(seed)
        for _ in range(60):
            asked = [client for client in clients if client.decision is not None]
            if not asked:
                break
            rng.choice(asked).play(table, rng.randrange(99))
            await settle()
            await world.advance(0)
            if table.log.round is None:
                break
            for place, client in enumerate(clients):
                assert client.view == plain_view(view(table.log.round.table, place))
                assert client.seq == table.log.seq(place)


async def test_who_took_a_table_meanwhile_keeps_it_from_one_who_saw_it_ownerless_before() -> None:
    """Looking for tables that nobody runs, and taking them one after the other, takes seconds after a death."""
    world = World()
    await world.table()
    await world.table("t2")
    await world.crash()
    seen, slow = await world.tokens("t1", "t2"), Registry(world.deps)
    quick = await world.registry.open("t1")
    assert quick is not None
    assert await slow.adopt(seen) == 1 and slow.find("t1") is None and slow.find("t2") is not None
    assert quick.gone is None and (await world.tokens("t1"))["t1"] == str(quick.token)
    assert await slow.open("t1") is not None, "whoever is asked for it takes it all the same"
