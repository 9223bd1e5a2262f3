"""Stores that stall or refuse, owners that lost their table, rules that raise: nothing unstored is sent (part F)."""

from __future__ import annotations

import asyncio
import gc
import weakref

import pytest

from app.kernel.text.notation import read_action
from app.tables import asks
from app.tables.actor import Table
from app.tables.messages import Limits
from app.tables.outcomes import Done
from app.tables.ports import Conflict, Fenced, StoreLost
from app.tables.registry import Draining, TooMany
from app.tables.settings import make_spec
from tests.laws.toy import TOY
from tests.tables.doubles import Client, FakeClock
from tests.tables.test_turns import plains
from tests.tables.world import NO_SECRETS, World, settle


def turn_of(clients: list[Client]) -> Client:
    return next(c for c in clients if c.decision and c.decision["clock"] == "turn")


async def test_f6_nobody_sees_an_entry_that_is_not_stored_yet() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.dealt(table)
    before = [len(c.frames) for c in clients]
    world.store.gate = asyncio.Event()
    ref = turn_of(clients).play(table, -1)
    await settle()
    assert [len(c.frames) for c in clients] == before
    world.store.gate.set()
    await settle()
    assert all(plains(c, "tile_discarded") for c in clients)
    assert [("ack", None)] in [c.answers(ref) for c in clients]


async def test_f6_an_entry_that_was_refused_by_the_store_is_never_told() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.dealt(table)
    before = [len(c.frames) for c in clients]

    async def fail(what: str, table_id: str) -> None:
        raise Fenced

    world.store.before = fail
    turn_of(clients).play(table, -1)
    await settle()
    assert [len(c.frames) for c in clients] == before
    assert [c.bye for c in clients] == [("moved", "fenced")] * 4
    assert table.gone == "moved" and world.registry.find("t1") is None
    assert world.rooms.gone == [] and world.clock.pending == 0


async def test_f4_an_owner_that_was_stopped_writes_nothing_over_the_new_one() -> None:
    store, clock = World().store, FakeClock()
    a, b = World(store, clock), World(store, clock, salt=1)
    table = await a.table(rules=NO_SECRETS)
    clients = await a.dealt(table)
    taken = await b.registry.open("t1")
    assert taken is not None
    log = list(store.tables["t1"].log)
    turn_of(clients).play(table, -1)
    await settle()
    assert store.tables["t1"].log == log and table.gone == "moved"
    assert all(c.bye == ("moved", "fenced") for c in clients)
    back = [Client(name).attach(taken) for name in "abcd"]
    await settle()
    turn_of(back).play(taken, -1)
    await settle()
    assert len(store.tables["t1"].log) > len(log)


async def test_f4_after_a_long_pause_nothing_is_sent_before_the_token_is_confirmed() -> None:
    store, clock = World().store, FakeClock()
    a, b = World(store, clock), World(store, clock, salt=1)
    table = await a.table(rules=NO_SECRETS)
    clients = await a.dealt(table)
    assert await b.registry.open("t1") is not None
    store.sure_now = False
    late = Client("a").attach(table)
    await settle()
    assert [f.face.data["code"] for f in late.frames] == ["moved"] and late.bye == ("moved", "fenced")
    assert all(c.bye == ("moved", "fenced") for c in clients)


async def test_an_owner_whose_heartbeat_lapsed_goes_on_when_its_token_is_still_there() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.dealt(table)
    world.store.sure_now = False
    ref = turn_of(clients).play(table, -1)
    await settle()
    assert world.store.confirmed > 0 and [("ack", None)] in [c.answers(ref) for c in clients]


async def test_f3_an_outage_during_a_turn_costs_nobody_time() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"think_s": 5})
    clients = await world.dealt(table)
    asked = turn_of(clients)
    seat = clients.index(asked)
    await world.advance(4.5)
    await world.crash()
    world.clock.now += 30
    table = await world.registry.open("t1")  # type: ignore[assignment]
    back = Client(asked.person.user).attach(table)
    await settle()
    assert back.decision is not None and back.decision["left_ms"] == back.decision["total_ms"] == 8000
    await world.advance(7.9)
    assert table.log.match.seats[seat].timeouts == 0 and not plains(back, "tile_discarded")
    await world.advance(0.2)
    assert table.log.match.seats[seat].timeouts == 1


async def test_f3_a_stalled_store_says_saving_and_every_clock_starts_afresh() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"think_s": 5, "claim_hold_ms": 800})
    clients = await world.dealt(table)
    asked = turn_of(clients)
    world.store.gate = asyncio.Event()
    asked.ask(table, asks.AutoWin(True))
    await world.advance(20)
    assert clients[0].kinds("saving") == [{"on": True}]
    assert not plains(clients[0], "tile_discarded")
    world.store.gate.set()
    world.store.gate = None
    await settle()
    assert clients[0].kinds("saving") == [{"on": True}, {"on": False}]
    assert asked.decision is not None and asked.decision["left_ms"] == 8000
    assert table.log.match.seats[clients.index(asked)].timeouts == 0


async def test_f3_a_store_that_stalls_while_somebody_comes_back_says_saving_too() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"think_s": 5})
    clients = await world.dealt(table)
    asked = turn_of(clients)
    gone, *others = [client for client in clients if client is not asked]
    gone.ask(table, asks.Leave())
    await settle()
    world.rooms.gate = asyncio.Event()
    Client(gone.person.user).attach(table)
    await world.advance(20)
    assert others[0].kinds("saving") == [{"on": True}]
    world.rooms.gate.set()
    await settle()
    assert others[0].kinds("saving") == [{"on": True}, {"on": False}]
    assert asked.decision is not None and asked.decision["left_ms"] == 8000


async def test_c14_a_process_that_was_stopped_charges_nobody() -> None:
    """All timers are late at once when a process goes on after a SIGSTOP: that was our outage, not the players'."""
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"think_s": 5})
    clients = await world.dealt(table)
    world.clock.now += 60
    await world.advance(0)
    assert not plains(clients[0], "tile_discarded")
    assert turn_of(clients).decision["left_ms"] == 8000  # type: ignore[index]


async def test_a_conflict_is_answered_by_acquiring_again_and_a_sync_for_everybody() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"spectators": "all"})
    clients = await world.dealt(table)
    watcher = Client("w").attach(table, role="spectator")
    await settle()
    failures = [Conflict()]

    async def once(what: str, table_id: str) -> None:
        if what == "append" and failures:
            raise failures.pop()

    world.store.before = once
    token = world.store.tables["t1"].token
    ref = turn_of(clients).play(table, -1)
    syncs = [len(c.kinds("sync")) for c in clients]
    await settle()
    assert world.store.tables["t1"].token != token
    assert [len(c.kinds("sync")) for c in clients] == [n + 1 for n in syncs] and len(watcher.kinds("sync")) == 2
    assert [("ack", None)] in [c.answers(ref) for c in clients], "the act is judged on the log as it is, and done once"
    assert [len(plains(c, "tile_discarded")) for c in clients] == [1] * 4


async def test_a_store_that_lost_entries_stops_the_table_and_alerts() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.dealt(table)

    async def lost(what: str, table_id: str) -> None:
        raise StoreLost

    world.store.before = lost
    ref = turn_of(clients).play(table, -1)
    await settle()
    assert [(t, what) for t, what, _ in world.alerts.alerts] == [("t1", "store_lost")]
    assert [("error", "frozen")] in [c.answers(ref) for c in clients] and table.summary().frozen


async def test_drain_hands_every_table_over_and_no_clock_runs_out_because_of_it() -> None:
    store, clock = World().store, FakeClock()
    a, b = World(store, clock), World(store, clock, salt=1)
    table = await a.table(rules=NO_SECRETS, settings={"think_s": 5})
    clients = await a.dealt(table)
    await a.advance(4.9)
    await a.registry.drain()
    assert all(c.bye == ("restart", "drain") for c in clients) and a.registry.tables() == ()
    assert store.tables["t1"].token.endswith(":free") and clock.pending == 0
    with pytest.raises(Draining):
        await a.registry.create(make_spec(TOY, table_id="t9", code="1", rules={}, settings={}))
    await b.advance(3)
    taken = await b.registry.open("t1")
    assert taken is not None and taken.token.epoch == 2
    back = [Client(name).attach(taken) for name in "abcd"]
    await settle()
    assert turn_of(back).decision["left_ms"] == 8000  # type: ignore[index]


async def test_drain_gives_up_on_a_store_that_does_not_answer() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.dealt(table)
    world.store.gate = asyncio.Event()
    turn_of(clients).play(table, -1)
    await settle()
    await world.registry.drain(limit_s=0.01)
    assert clients[0].bye == ("restart", "drain") and world.registry.tables() == ()


async def test_a_node_takes_no_more_tables_than_it_may() -> None:
    world = World(limits=Limits(max_tables=2))
    await world.table("t1")
    await world.table("t2")
    with pytest.raises(TooMany):
        await world.table("t3")


async def test_the_same_table_is_opened_once_however_many_ask() -> None:
    world = World()
    await world.table()
    await world.crash()
    opened = await asyncio.gather(*[world.registry.open("t1") for _ in range(10)])
    assert len({id(table) for table in opened}) == 1 and opened[0] is not None
    assert opened[0].token.epoch == 2
    assert await world.registry.open("unknown") is None


async def test_a_repeated_request_gets_its_first_answer_on_another_node() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.dealt(table)
    asked = turn_of(clients)
    assert asked.decision is not None
    act = asks.Play(1, asked.decision["id"], read_action(asked.decision["options"][-1]))
    asked.ask(table, act, ref="mine")
    await settle()
    await world.crash()
    again: Table | None = await world.registry.open("t1")
    assert again is not None
    back = Client(asked.person.user).attach(again)
    await settle()
    length = len(again.log.entries)
    back.ask(again, act, ref="mine")
    await settle()
    assert back.answers("mine") == [("ack", None)] and len(again.log.entries) == length


async def test_request_ids_are_remembered_over_the_turn_of_a_page_and_on_another_node() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"claim_hold_ms": 0, "autoplay_after": 5})
    clients = await world.seated(table)
    clients[0].ask(table, asks.AutoWin(True), ref="first")
    clients[0].ask(table, asks.AutoWin(False), ref="second")
    for client in clients:
        client.ask(table, asks.Ready())
    while table.log.match.round_no == 1:
        await world.advance(1)
    await world.crash()
    again = await world.registry.open("t1")
    assert again is not None and again.log.match.phase == "between"
    back = Client("a").attach(again)
    await settle()
    back.ask(again, asks.AutoWin(True), ref="first")
    await settle()
    assert back.answers("first") == [("ack", None)] and not again.log.match.seats[0].auto_win


async def test_d13_a_table_that_is_over_is_free_at_once_though_its_sockets_stay_for_a_while() -> None:
    world = World()
    table = await world.table()
    clients = await world.dealt(table)
    gone = weakref.ref(table)
    gc.collect()
    gc.disable()
    try:
        assert await table.operate(asks.OrderDissolve("test")) == Done()
        await settle()
        del table
        assert gone() is None and all(client.bye == ("closed", "operator") for client in clients)
    finally:
        gc.enable()
