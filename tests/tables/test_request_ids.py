"""A1: a request id says which request it is: the same one again gets its first answer, another one is refused."""

from __future__ import annotations

import json

from app.kernel.text.notation import read_action
from app.tables import asks
from app.tables.log.entries import read_entry, write_page
from tests.tables.test_failures import turn_of
from tests.tables.world import NO_SECRETS, World, settle


async def test_a_move_under_an_id_that_was_used_is_refused_and_not_lost_in_silence() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.dealt(table)
    mover = turn_of(clients)
    mover.ask(table, asks.AutoWin(True), ref="1")
    await settle()
    assert mover.decision is not None
    act = asks.Play(1, mover.decision["id"], read_action(mover.decision["options"][-1]))
    length = len(table.log.entries)
    mover.ask(table, act, ref="1")
    await settle()
    assert mover.answers("1") == [("ack", None), ("error", "conflict")] and len(table.log.entries) == length
    mover.ask(table, act, ref="2")
    await settle()
    assert mover.answers("2") == [("ack", None)] and len(table.log.entries) > length
    mover.ask(table, act, ref="2")
    mover.ask(table, asks.AutoWin(True), ref="1")
    await settle()
    assert mover.answers("2") == [("ack", None)] * 2, "the same again: the first answer"
    assert mover.answers("1")[-1] == ("ack", None)


async def test_requests_that_look_alike_but_are_of_two_kinds_are_two() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS)
    mover = turn_of(await world.dealt(table))
    mover.ask(table, asks.AutoWin(True), ref="1")
    mover.ask(table, asks.Autoplay(True), ref="1")
    await settle()
    assert mover.answers("1") == [("ack", None), ("error", "conflict")]


async def test_an_id_belongs_to_its_person() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS)
    one, other, *_ = await world.dealt(table)
    one.ask(table, asks.AutoWin(True), ref="1")
    other.ask(table, asks.Autoplay(True), ref="1")
    await settle()
    assert one.answers("1") == [("ack", None)] and other.answers("1") == [("ack", None)]


async def test_another_node_still_refuses_other_content_under_an_id_that_took_effect() -> None:
    """A1: what an id stood for lies in the log, in the next page too; older logs say only that it took effect."""
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.seated(table)
    for client in clients:
        client.ask(table, asks.Ready("words"), ref="1")
    await settle()
    mover = turn_of(clients)
    assert mover.decision is not None
    act = asks.Play(1, mover.decision["id"], read_action(mover.decision["options"][-1]))
    mover.ask(table, act, ref="2")
    await settle()
    await world.crash()
    again = await world.registry.open("t1")
    assert again is not None
    mover.attach(again)
    length = len(again.log.entries)
    mover.ask(again, asks.AutoWin(True), ref="2")
    mover.ask(again, asks.Ready("others"), ref="1")
    mover.ask(again, act, ref="2")
    mover.ask(again, asks.Ready("words"), ref="1")
    await settle()
    assert mover.answers("2")[-2:] == [("error", "conflict"), ("ack", None)]
    assert mover.answers("1")[-2:] == [("error", "conflict"), ("ack", None)]
    assert len(again.log.entries) == length
    first = json.loads(write_page(1, "1:x", again.log.match, again.log.remembered()).raw)
    assert first["memory"][mover.person.user] == ["1", "2"] and all(first["contents"][mover.person.user])
    del first["contents"], first["sum"], first["sealed"]
    assert read_entry(json.dumps(first).encode(), 0).memory[mover.person.user] == {"1": 0, "2": 0}
