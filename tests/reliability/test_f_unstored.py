"""Nobody knows an entry before it is stored: not at the table, not in the gallery, not in the lobby (F6)."""

from __future__ import annotations

import asyncio

import pytest

from app.tables import asks
from app.tables.ports import Fenced
from tests.tables.doubles import Client
from tests.tables.test_turns import plains
from tests.tables.world import NO_SECRETS, World, settle


@pytest.mark.parametrize("fails", [False, True], ids=["late", "refused"])
async def test_f6_neither_spectators_nor_who_comes_just_then_nor_the_lobby_hear_of_what_is_not_stored(
    fails: bool,
) -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"spectators": "all", "think_s": 60})
    watcher = Client("w").attach(table, role="spectator")
    clients = await world.dealt(table)
    before, shown = len(watcher.frames), dict(world.rooms.summaries)
    world.store.gate = asyncio.Event()

    async def refuse(what: str, table_id: str) -> None:
        if fails:
            raise Fenced

    world.store.before = refuse
    next(client for client in clients if client.decision is not None).play(table, -1)
    clients[1].ask(table, asks.Dissolve())
    late = Client("v").attach(table, role="spectator")
    await settle()
    assert len(watcher.frames) == before and late.frames == [] and world.rooms.summaries == shown
    world.store.gate.set()
    await settle()
    told = [bool(plains(viewer, "tile_discarded")) for viewer in (watcher, *clients)]
    if fails:
        assert not any(told) and watcher.bye == late.bye == ("moved", "fenced")
        assert late.synced is None and all(frame.kind == "error" for frame in late.frames)
    else:
        assert all(told) and watcher.match["vote"]["by"] == 1
        assert late.synced is not None and late.synced["view"]["seats"] is not None


async def test_f6_a_readiness_that_is_not_stored_is_not_on_the_board() -> None:
    world = World()
    table = await world.table()
    (client,) = await world.seated(table, 1)
    assert world.rooms.summaries["t1"].seats[1] is None
    world.store.gate = asyncio.Event()
    Client("b").attach(table)
    ref = client.ask(table, asks.Ready())
    await settle()
    assert world.rooms.summaries["t1"].seats[1] is None and client.answers(ref) == []
    world.store.gate.set()
    await settle()
    assert world.rooms.summaries["t1"].seats[1] is not None and client.answers(ref) == [("ack", None)]
