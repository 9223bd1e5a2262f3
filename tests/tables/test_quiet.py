"""What somebody does in secret shows in nothing that the others are sent, nor in when (S1)."""

from __future__ import annotations

import asyncio

from app.tables import asks
from app.tables.messages import Limits
from tests.tables.doubles import Client
from tests.tables.test_turns import claim_table, plains
from tests.tables.world import NO_SECRETS, World, settle


async def test_s1_a_store_that_stalls_over_a_secret_answer_tells_only_its_seat() -> None:
    """S1: `saving` said to all that somebody had answered a claim."""
    world, table, clients = await claim_table(claim_hold_ms=5000)
    watched = [[(frame.kind, frame.face.encoded) for frame in client.frames] for client in clients]
    world.store.gate = asyncio.Event()
    clients[1].play(table, "pass")
    await world.advance(3)
    assert clients[1].kinds("saving") == [{"on": True}]
    for place in (0, 2, 3):
        assert [(frame.kind, frame.face.encoded) for frame in clients[place].frames] == watched[place]
    world.store.gate.set()
    world.store.gate = None
    await settle()
    assert clients[1].kinds("saving") == [{"on": True}, {"on": False}]
    assert not any(clients[place].kinds("saving") for place in (0, 2, 3))


async def test_s1_a_store_that_stalls_over_what_all_will_see_tells_all() -> None:
    """S1: a discard that waits for the store is everybody's outage."""
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.dealt(table)
    world.store.gate = asyncio.Event()
    next(client for client in clients if client.decision is not None).play(table, 0)
    await world.advance(3)
    assert all(client.kinds("saving") == [{"on": True}] for client in clients)
    world.store.gate.set()
    world.store.gate = None
    await settle()


async def test_s1_an_answer_to_a_claim_does_not_end_autoplay_for_all_to_see() -> None:
    """S1: a player on 托管 who passed a claim ended it, and so everybody saw that they had been asked."""
    _, table, clients = await claim_table(claim_hold_ms=5000)
    clients[1].ask(table, asks.Autoplay(True))
    await settle()
    heard = [len(client.frames) for client in clients]
    ref = clients[1].play(table, "pass")
    await settle()
    assert clients[1].answers(ref) == [("ack", None)] and table.log.match.seats[1].autoplay
    assert [len(clients[place].frames) - heard[place] for place in (0, 2, 3)] == [0, 0, 0]


async def test_s1_a_late_spectator_hears_countdowns_phrases_and_presence_as_late_as_the_play() -> None:
    """S1: a countdown told at once that the round was over, while the spectator still saw it played."""
    world = World(limits=Limits(spectator_delay_s=30))
    table = await world.table(rules=NO_SECRETS, settings={"spectators": "all"})
    clients = await world.seated(table)
    await world.advance(31)
    watcher = Client("w").attach(table, role="spectator")
    await settle()
    clients[3].ask(table, asks.Dissolve())
    clients[1].ask(table, asks.Phrase("hello"))
    table.detach(clients[2])
    await table.operate(asks.OrderAnnounce("notice"))
    await settle()
    assert clients[1].kinds("countdown") and clients[0].kinds("chat") and clients[0].kinds("presence")
    assert [frame.kind for frame in watcher.frames] == ["sync", "notice"], "the server speaks at once, the play late"
    await world.advance(29)
    assert len(watcher.frames) == 2
    await world.advance(2)
    later = [frame.kind for frame in watcher.frames[2:]]
    assert {"chat", "presence"} <= set(later) and not plains(watcher, "tile_drawn")
