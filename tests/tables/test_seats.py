"""One player, one seat: returns to a seat after the match, or after a bot has played for the player."""

from __future__ import annotations

from random import Random

from app.tables import asks
from tests.tables.doubles import Client
from tests.tables.world import NO_SECRETS, World, settle


async def test_a_rematch_is_only_for_whom_no_other_table_has_by_now() -> None:
    world = World()
    table = await world.table(rules={"secret": False, "rounds": 1})
    clients = await world.dealt(table)
    world.rooms.claimed.clear()
    await world.until_over(table, clients, Random(1))
    await settle()
    assert table.log.match.phase == "ended" and not world.rooms.claimed
    world.rooms.elsewhere.add("a")
    refs = [client.ask(table, asks.Ready()) for client in clients]
    await settle()
    assert clients[0].answers(refs[0]) == [("error", "conflict")]
    assert clients[1].answers(refs[1]) == [("ack", None)]
    assert world.rooms.claimed[1] == ("t1", "b") and table.log.match.phase == "ended"
    world.rooms.elsewhere.clear()
    clients[0].ask(table, asks.Ready())
    await settle()
    assert table.log.match.phase == "playing"


async def test_the_summary_names_whose_seat_a_bot_keeps() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"fill_with_bots": True})
    clients = await world.dealt(table)
    clients[1].ask(table, asks.Leave())
    await world.until_over(table, [clients[0], *clients[2:]], Random(2))
    assert table.summary().parted == (), "the seat is still the player's own"
    await world.advance(121)
    assert table.summary().bots[1] and table.summary().parted == ("b",)
    Client("b").attach(table)
    await settle()
    assert table.summary().parted == () and table.log.match.seat_of("b") == 1


async def test_what_the_old_holder_of_a_seat_said_binds_no_new_one() -> None:
    world = World()
    table = await world.table(host="z")
    clients = await world.seated(table)
    clients[0].ask(table, asks.Dissolve())
    clients[1].ask(table, asks.Vote(True))
    await settle()
    clients[1].ask(table, asks.Leave())
    await settle()
    late = Client("e").attach(table)
    await settle()
    ref = late.ask(table, asks.Vote(False))
    await settle()
    assert late.answers(ref) == [("ack", None)] and table.log.match.vote is None


async def test_changing_seats_does_not_shorten_the_wait_after_a_vote() -> None:
    world = World()
    table = await world.table(host="z")
    clients = await world.seated(table, 3)
    clients[0].ask(table, asks.Dissolve())
    clients[1].ask(table, asks.Vote(False))
    clients[0].ask(table, asks.ChangeSeat(3))
    await settle()
    again = clients[0].ask(table, asks.Dissolve())
    await settle()
    assert clients[0].answers(again) == [("error", "not_now")]
    await world.advance(121)
    again = clients[0].ask(table, asks.Dissolve())
    await settle()
    assert clients[0].answers(again) == [("ack", None)] and table.log.match.vote is not None


async def test_a_timed_mute_ends_at_the_same_table() -> None:
    world = World()
    table = await world.table()
    clients = await world.seated(table)
    await table.operate(asks.OrderMute("a", True, 60.0))
    muted = clients[0].ask(table, asks.Phrase("hello"))
    await settle()
    await world.advance(61)
    heard = clients[0].ask(table, asks.Phrase("hello"))
    await settle()
    assert clients[0].answers(muted) == [("error", "muted")]
    assert clients[0].answers(heard) == [("ack", None)]
