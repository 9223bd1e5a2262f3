"""Coming back from any number, at any step of a commit, to any owner: nothing missed, nothing twice (B1, B2, B4, B6).

A fake clock, whole rounds of all games. The tests over real sockets are in `test_returns.py`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import pytest

from app.kernel.seats import SPECTATOR
from app.kernel.text.notation import read_action
from app.tables import asks
from app.tables.actor import Table
from app.tables.messages import Limits
from app.tables.viewers import channel
from app.variants import VARIANTS
from tests.laws.toy import TOY
from tests.reliability.folding import GAMES, Folder, Had, begun, choose, everything, step
from tests.tables.world import World, settle

SHORT = 12
"""A ring that forgets soon."""


@pytest.mark.parametrize("ring", [channel.RING, SHORT])
@pytest.mark.parametrize("slug", list(VARIANTS))
async def test_b1_from_every_number_every_seat_gets_what_was_sent_to_it_and_nothing_else(
    slug: str, ring: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the numbers that the ring holds, from those it does not hold any more, and from those of a round before."""
    monkeypatch.setattr(channel, "RING", ring)
    world, rng = World(variants=VARIANTS), Random(f"{slug}{ring}")
    table, clients = await begun(world, VARIANTS[slug])
    past: list[dict[tuple[int, int], Had]] = [{} for _ in clients]
    sent: list[dict[tuple[int, int], Any]] = [{} for _ in clients]
    gaps = syncs = 0
    for number in range(90):
        if not await step(world, table, clients, rng):
            continue
        for place, client in enumerate(clients):
            past[place][client.seq] = client.had
            sent[place] |= client.events
        for place, now in enumerate(clients if number % 6 == 0 else ()):
            for had in past[place].values():
                back = clients[place] = Folder.come(table, "abcd"[place], had)
                await settle()
                assert back.had == now.had, "what one has who never was away"
                assert back.view == everything(table, place) and back.decision == now.decision
                assert back.events.items() <= sent[place].items()
                gaps, syncs = gaps + (back.synced is None), syncs + (back.synced is not None)
    assert gaps > 100 and (syncs > 200 or ring != SHORT), (gaps, syncs)


@pytest.mark.parametrize("delay_s", [0.0, 30.0])
@pytest.mark.parametrize("slug", list(VARIANTS))
async def test_b6_whoever_watches_from_whenever_has_the_projection_of_his_number(slug: str, delay_s: float) -> None:
    world, rng = World(variants=VARIANTS, limits=Limits(spectator_delay_s=delay_s)), Random(slug)
    table, clients = await begun(world, VARIANTS[slug], spectators="all", think_s=15)
    public: dict[tuple[int, int], Any] = {}
    watchers: list[Folder] = []
    compared = 0

    async def note(*_: str) -> None:
        public[table.log.seq(SPECTATOR)] = everything(table, SPECTATOR)

    world.store.before = note
    for number in range(120):
        await step(world, table, clients, rng)
        await note()
        if number % 5 == 0:
            watchers.append(Folder.come(table, f"w{number}", role="spectator"))
        await world.advance(rng.choice((0.0, 0.5, 2.0)))
        await note()
        for watcher in watchers:
            if public.get(watcher.seq) is not None and watcher.view is not None:
                assert watcher.view == public[watcher.seq], (number, watcher.seq)
                compared += 1
    assert compared > 500 and len(public) > 100, (compared, len(public))
    last = table.log.seq(SPECTATOR)
    await world.advance(delay_s)
    assert all(watcher.seq >= last for watcher in watchers), "late, and all of it"


async def who_may_discard(world: World, table: Table, clients: list[Folder], rng: Random) -> tuple[int, int]:
    """Play on until a player may discard: their seat, and the place of a discard among their options."""
    for _ in range(200):
        for place, client in enumerate(clients):
            verbs = [option["verb"] for option in client.decision["options"]] if client.decision else []
            if "discard" in verbs:
                return place, rng.choice([n for n, verb in enumerate(verbs) if verb == "discard"])
        await step(world, table, clients, rng)
    raise AssertionError("nobody may ever discard")


@pytest.mark.parametrize("hundred", range(10))
async def test_b4_a_thousand_drops_between_commit_and_broadcast_of_my_own_discard(hundred: int) -> None:
    """The discard is stored, and then the player's connection is cut, or the node dies, before any frame is sent."""
    for seed in range(100 * hundred, 100 * hundred + 100):
        rng = Random(seed)
        slug = rng.choice(list(GAMES))
        world = World(variants=GAMES, salt=seed)
        table, clients = await begun(world, GAMES[slug])
        for _ in range(rng.randrange(8)):
            await step(world, table, clients, rng)
        place, throw = await who_may_discard(world, table, clients, rng)
        mine = clients[place]
        assert mine.decision is not None
        had = mine.had
        ask = asks.Play(had[0][0], mine.decision["id"], read_action(mine.decision["options"][throw]))
        if seed % 3:
            mine.ask(table, ask, "mine")
            table.detach(mine)
        else:
            world.store.append = never_answers(world.store.append)  # type: ignore[method-assign]
            mine.ask(table, ask, "mine")
            await settle()
            assert mine.had == had and not mine.answers("mine"), "nobody was told"
            await world.crash()
            del world.store.append  # type: ignore[method-assign]
            taken = await world.registry.open("t1")
            assert taken is not None
            table = taken
        back = Folder.come(table, mine.person.user, had)
        await settle()
        assert table.log.round is not None
        assert back.view == everything(table, place) and back.seq == table.log.seq(place) > had[0]
        back.ask(table, ask, "mine")
        await settle()
        assert back.answers("mine") == [("ack", None)], "the repeated request was done"
        stored = [entry for _, _, raw in world.store.history if (entry := json.loads(raw)).get("ref") == "mine"]
        assert [[event["type"] for event in entry["events"]].count("tile_discarded") for entry in stored] == [1]


def never_answers(call: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    """A store that carries out a write, and whose answer is lost."""

    async def stores(*args: Any) -> None:
        await call(*args)
        await asyncio.Event().wait()

    return stores


@pytest.mark.parametrize(
    ("waits_for", "left"), [("confirm", False), ("confirm", True), ("claim", True), ("append", True)]
)
async def test_b2_whatever_is_played_at_each_step_of_a_return_comes_once(waits_for: str, left: bool) -> None:
    """The return waits for the store: for our token, for the player's one seat, for the entry.

    Meanwhile another plays.
    """
    world, rng = World(variants=GAMES), Random(2)
    table, clients = await begun(world, TOY)
    turn, _ = await who_may_discard(world, table, clients, rng)
    other = (turn + 2) % 4
    away = clients[other]
    if left:
        away.ask(table, asks.Leave())
    else:
        table.detach(away)
    await settle()
    reached, go_on = asyncio.Event(), asyncio.Event()

    async def held(what: str, _: str) -> None:
        if what == waits_for and not reached.is_set():
            reached.set()
            await go_on.wait()

    world.store.before = held
    world.store.sure_now = waits_for != "confirm"
    if waits_for == "claim":
        world.rooms.gate = go_on
    back = Folder.come(table, away.person.user, away.had)
    await settle()
    ref = choose(clients[turn], table, rng)
    await settle()
    assert reached.is_set() == (waits_for != "claim") and not back.frames, "the player is not in yet"
    world.store.sure_now = True
    go_on.set()
    await settle()
    await world.advance(0)
    assert clients[turn].answers(ref) == [("ack", None)]
    clients[other] = back
    assert [client.view for client in clients] == [everything(table, place) for place in range(4)]
    assert [client.seq for client in clients] == [table.log.seq(place) for place in range(4)]
