"""Spectators' delayed frames obey the rule of all frames: an owner that was away confirms its token first."""

from __future__ import annotations

import asyncio

from app.tables.messages import Limits
from tests.tables.doubles import Client, FakeClock
from tests.tables.test_turns import plains
from tests.tables.world import NO_SECRETS, World, settle

_LATE_S = 30


async def _watched(world: World) -> Client:
    """A spectator who was shown nothing yet of a discard 10 s ago; no clock runs out before they are."""
    table = await world.table(rules=NO_SECRETS, settings={"spectators": "all", "think_s": 60})
    spectator = Client("w").attach(table, role="spectator")
    clients = await world.dealt(table)
    next(c for c in clients if c.decision).play(table, -1)
    await world.advance(10)
    assert not plains(spectator, "tile_discarded")
    return spectator


async def test_f4_an_owner_that_slept_and_lost_the_table_shows_spectators_nothing_more() -> None:
    clock = FakeClock()
    a = World(clock=clock, limits=Limits(spectator_delay_s=_LATE_S))
    spectator = await _watched(a)
    b = World(a.store, clock, salt=1)
    assert await b.registry.open("t1") is not None
    a.store.sure_now = False
    heard = len(spectator.frames)
    await a.advance(_LATE_S)
    assert len(spectator.frames) == heard and spectator.bye == ("moved", "fenced")


async def test_an_owner_that_slept_and_kept_the_table_confirms_it_and_shows_what_is_old_enough() -> None:
    world = World(limits=Limits(spectator_delay_s=_LATE_S))
    spectator = await _watched(world)
    world.store.sure_now = False
    confirmed = world.store.confirmed
    await world.advance(_LATE_S)
    assert world.store.confirmed > confirmed and plains(spectator, "tile_discarded") and spectator.bye is None


async def test_nothing_late_is_shown_while_the_store_does_not_say_whose_the_table_is() -> None:
    world = World(limits=Limits(spectator_delay_s=_LATE_S))
    spectator = await _watched(world)
    world.store.sure_now, world.store.gate = False, asyncio.Event()
    await world.advance(_LATE_S)
    assert not plains(spectator, "tile_discarded")
    world.store.gate.set()
    await settle()
    assert plains(spectator, "tile_discarded")
