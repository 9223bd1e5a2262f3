"""Ownership of a table when two nodes want it at once, while a node drains, and when the owner does not run it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from app.kernel.table import TableState
from app.kernel.variant import Variant
from app.refusal import ErrorCode
from app.tables import asks
from app.tables.match.decide import Refused
from app.tables.outcomes import Done
from app.tables.ports import Token
from app.tables.registry import Draining, Unplayable
from app.tables.settings import make_spec
from tests.laws.toy import TOY
from tests.tables.doubles import Client, FakeClock
from tests.tables.world import NO_SECRETS, World, settle


def spec_of(table_id: str) -> Any:
    return make_spec(TOY, table_id=table_id, code="1", rules={}, settings={})


async def test_an_order_for_a_table_that_another_node_was_quicker_to_take_is_not_answered_as_if_it_were_gone() -> None:
    """Else a player who gives up a seat gets a good answer, and the table knows nothing of it."""
    store, clock = World().store, FakeClock()
    a, b = World(store, clock), World(store, clock, salt=1)
    await a.seated(await a.table())
    await a.crash()

    async def quicker(what: str, table_id: str) -> None:
        store.before = None
        store.tables[table_id].token = "9:of somebody else"

    store.before = quicker
    assert await b.registry.operate("t1", asks.OrderRemove("a")) == Refused(ErrorCode.MOVED)
    assert await b.registry.operate("t0", asks.OrderRemove("a")) == Refused(ErrorCode.NO_SUCH_ROOM)


@pytest.mark.parametrize("way", ["created", "opened"])
async def test_a_table_that_was_on_its_way_when_the_drain_began_is_handed_over_too(way: str) -> None:
    store, clock = World().store, FakeClock()
    a, b = World(store, clock), World(store, clock, salt=1)
    if way == "opened":
        await b.table()
        await b.crash()
    store.gate = asyncio.Event()
    coming = asyncio.ensure_future(a.registry.create(spec_of("t1")) if way == "created" else a.registry.open("t1"))
    await settle()
    await a.registry.drain(limit_s=0.01)
    store.gate.set()
    table = await coming
    await settle()
    assert table is not None and table.gone == "restart" and a.registry.tables() == ()
    assert store.tables["t1"].token.endswith(":free")
    assert await b.registry.open("t1") is not None


async def test_what_a_drained_node_could_not_hand_over_it_lets_go_of_once_it_is_told_that_nobody_runs_it() -> None:
    """The store was away when an operator drained the node, and the node lives on: it would own the table for ever."""
    store, clock = World().store, FakeClock()
    a, b = World(store, clock), World(store, clock, salt=1)
    await a.seated(await a.table())
    assert a.registry.is_responsible_for("t1")
    store.gate = asyncio.Event()
    await a.registry.drain(limit_s=0.01)
    await settle()
    store.gate = None
    assert not a.registry.is_responsible_for("t1") and store.tables["t1"].token.startswith("1:n")
    assert await a.registry.adopt(await a.tokens("t1")) == 0
    assert store.tables["t1"].token == "1:free"
    taken = await b.registry.open("t1")
    assert await a.registry.adopt({"t1": "1:free"}) == 0 and taken is not None
    assert store.tables["t1"].token == str(taken.token), "an owned table stays with its owner"
    with pytest.raises(Draining):
        await a.registry.open("t1")


async def test_a_node_minds_what_runs_here_or_is_on_its_way_and_what_is_put_aside_until_it_drains() -> None:
    world = World()
    store, registry = world.store, world.registry
    store.gate = asyncio.Event()
    making = asyncio.ensure_future(registry.create(spec_of("t1")))
    await settle()
    assert registry.is_responsible_for("t1")
    making.cancel()
    await settle()
    assert not registry.is_responsible_for("t1"), "whoever wanted it has gone: what the store makes of it is nobody's"
    store.gate = None
    await world.table("t2")
    await world.crash()
    registry = world.registry
    store.tables["t2"].log[0] = b"{}"
    with pytest.raises(Unplayable):
        await registry.open("t2")
    assert registry.is_responsible_for("t2") and not registry.is_responsible_for("t3")
    registry.draining = True
    assert not registry.is_responsible_for("t2")
    assert await registry.adopt(await world.tokens("t2")) == 0
    assert store.tables["t2"].token == "2:free" and registry.counters()["quarantine"] == 0


async def test_what_is_put_aside_is_minded_until_its_end_is_stored() -> None:
    """Else it would be taken up again in the middle of being dissolved."""
    world = World()
    await world.table()
    await world.crash()
    registry = world.registry
    world.store.tables["t1"].log[0] = b"{}"
    with pytest.raises(Unplayable):
        await registry.open("t1")
    world.store.gate = asyncio.Event()
    dissolving = asyncio.ensure_future(registry.operate("t1", asks.OrderDissolve("away with it", "operator")))
    await settle()
    assert registry.is_responsible_for("t1") and not dissolving.done()
    world.store.gate.set()
    assert await dissolving == Done() and not registry.is_responsible_for("t1") and world.store.tables == {}


async def test_f10_a_table_that_can_be_folded_but_not_shown_is_put_aside_too() -> None:
    """A bug in the rules: nobody may be left with a table that this node owns and does not run."""

    def broken(state: Any) -> TableState:
        raise ZeroDivisionError

    class Hidden:
        """A round whose table nobody can look at."""

        def __init__(self, state: Any) -> None:
            self.state = state

        @property
        def table(self) -> TableState:
            return broken(self.state)

    def evolve(state: Any, event: Any) -> Any:
        return Hidden(TOY.evolve(state.state if state else None, event))

    spoilt: Variant[Any] = replace(TOY, evolve=evolve, decisions=lambda state: ())
    store, clock = World().store, FakeClock()
    a, b = World(store, clock), World(store, clock, variants={"toy": spoilt}, salt=1)
    await a.dealt(await a.table(rules=NO_SECRETS))
    await a.crash()
    with pytest.raises(Unplayable):
        await b.registry.open("t1")
    assert [(t, what) for t, what, _ in b.alerts.alerts] == [("t1", "corrupt")]
    assert b.rooms.freed == [("t1", None)] and b.registry.is_responsible_for("t1")


async def test_a_claim_that_took_long_is_followed_by_nothing_before_the_token_is_confirmed() -> None:
    """While the store was away another node may have taken the table and played on, unknown to this one."""
    store, clock = World().store, FakeClock()
    a = World(store, clock)
    table = await a.table(rules=NO_SECRETS)
    *clients, left = await a.dealt(table)
    left.ask(table, asks.Leave())
    await settle()
    a.rooms.gate = asyncio.Event()
    Client("d").attach(table)
    await settle()
    await a.advance(1.5)
    before = [len([f for f in c.frames if f.kind != "saving"]) for c in clients]
    store.tables["t1"].token = str(Token(2, "of somebody else"))
    a.rooms.gate.set()
    await settle()
    assert [c.bye for c in clients] == [("moved", "fenced")] * 3
    assert [len([f for f in c.frames if f.kind != "saving"]) for c in clients] == before


async def test_who_is_refused_for_what_he_asked_holds_no_seat_for_it() -> None:
    """After a match everybody is free; being ready for another holds one's seat, asking for nonsense does not."""
    world = World()
    table = await world.table(rules={**NO_SECRETS, "rounds": 1})
    clients = await world.seated(table, 1)
    await table.operate(asks.OrderFill())
    clients[0].ask(table, asks.Ready())
    await settle()
    while table.log.match.phase != "ended":
        due = world.clock.next_due()
        assert due is not None
        await world.advance(due - world.clock.now)
    world.rooms.claimed.clear()
    ref = clients[0].ask(table, asks.Ready("x" * 65))
    await settle()
    assert clients[0].answers(ref) == [("error", "malformed")] and world.rooms.claimed == []
    ref = clients[0].ask(table, asks.Ready())
    await settle()
    assert clients[0].answers(ref) == [("ack", None)] and world.rooms.claimed == [("t1", "a")]
