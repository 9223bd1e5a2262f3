"""After a recovery every clock is fresh, and a repeated request of any kind has no second effect (F1, F3).

The same with a real `kill -9`: `tests/chaos/test_remembered.py`; here time is a fake clock's.
"""

from __future__ import annotations

from app.tables import asks
from app.tables.clocks.deadlines import GRACE_S
from app.tables.match.timers import VOTE_S
from tests.tables.doubles import Client
from tests.tables.world import NO_SECRETS, World, settle


async def test_f3_a_vote_that_was_nearly_over_when_its_node_died_has_all_of_its_time_again() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"think_s": 60})
    clients = await world.dealt(table)
    clients[1].ask(table, asks.Dissolve())
    clients[2].ask(table, asks.Vote(True))
    await world.advance(VOTE_S - 10)
    await world.crash()
    world.clock.now += 30
    again = await world.registry.open("t1")
    assert again is not None
    back = Client("d").attach(again)
    await settle()
    vote = back.match["vote"]
    assert vote["by"] == 1 and vote["answers"] == [None, True, True, None]
    assert vote["left_ms"] == (VOTE_S + GRACE_S) * 1000
    await world.advance(VOTE_S + GRACE_S - 1)
    assert again.log.match.vote is not None and again.gone is None
    ref = back.ask(again, asks.Vote(False))
    await settle()
    assert back.answers(ref) == [("ack", None)] and back.match["vote"] is None


async def test_a_request_that_changed_nothing_changes_nothing_either_when_it_comes_again_later() -> None:
    """A line that repeats an old frame: what was so already when it was asked for may not be so by now."""
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"think_s": 60})
    clients = await world.dealt(table)
    clients[1].ask(table, asks.AutoWin(False), ref="old")
    clients[1].ask(table, asks.Autoplay(False), ref="older")
    clients[1].ask(table, asks.AutoWin(True), ref="new")
    clients[1].ask(table, asks.Autoplay(True), ref="newer")
    await settle()
    length = len(table.log.entries)
    for ref, ask in (("old", asks.AutoWin(False)), ("older", asks.Autoplay(False))):
        clients[1].ask(table, ask, ref=ref)
    await settle()
    seat = table.log.match.seats[1]
    assert seat.auto_win and seat.autoplay and len(table.log.entries) == length
    assert clients[1].answers("old") == clients[1].answers("older") == [("ack", None)] * 2


async def test_a_phrase_that_comes_again_is_said_once() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.seated(table)
    for _ in range(3):
        clients[1].ask(table, asks.Phrase("hi"), ref="same")
        await world.advance(2)
    assert [said["code"] for said in clients[0].kinds("chat")] == ["hi"]
    assert clients[1].answers("same") == [("ack", None)] * 3
