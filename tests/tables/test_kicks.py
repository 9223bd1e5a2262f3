"""A kick by the host lasts for the room."""

from __future__ import annotations

import msgspec

from app.refusal import ErrorCode
from app.tables import asks
from app.tables.match.decide import Refused
from app.tables.match.events import MatchEmptied, MatchEvent
from app.tables.outcomes import Done
from tests.tables.doubles import Client
from tests.tables.world import World, settle


async def test_s8_a_kick_by_the_host_lasts_for_the_room() -> None:
    """S8: a kicked player can neither reserve, sit down nor watch again, on any node; another room is open to them."""
    world = World()
    table = await world.table(settings={"spectators": "all"})
    clients = await world.seated(table, 3)
    clients[0].ask(table, asks.Kick(2))
    clients[1].ask(table, asks.Leave())
    await settle()
    assert clients[2].bye == ("kicked", "host")
    for _ in range(2):
        assert await table.operate(asks.OrderReserve("c", "C")) == Refused(ErrorCode.ROOM_FULL)
        sitting, watching = Client("c").attach(table), Client("c").attach(table, role="spectator")
        await settle()
        assert sitting.bye == ("closed", "room_full") and watching.bye == ("closed", "not_allowed")
        await world.crash()
        again = await world.registry.open("t1")
        assert again is not None
        table = again
    assert await table.operate(asks.OrderReserve("b", "B")) == Done(), "a player who left may come back"
    other = await world.table("t2")
    assert await other.operate(asks.OrderReserve("c", "C")) == Done()


async def test_s8_a_kicked_bot_bars_nobody() -> None:
    """S8: a bot has no user; the seat is free for anybody."""
    world = World()
    table = await world.table(settings={"fill_with_bots": True})
    clients = await world.seated(table, 1)
    clients[0].ask(table, asks.Fill())
    clients[0].ask(table, asks.Kick(2))
    await settle()
    assert table.log.match.kicked == () and await table.operate(asks.OrderReserve("c", "C")) == Done()


def test_s8_older_logs_know_no_kicks_and_a_leave_is_written_as_before() -> None:
    """S8: the kick is a field that older entries lack; theirs bar nobody."""
    old = b'{"type":"match_emptied","seat":2}'
    event = msgspec.json.decode(old, type=MatchEvent)
    assert event == MatchEmptied(2) and msgspec.json.encode(event) == old


async def test_s8_the_host_lets_a_kicked_player_in_again_on_any_node() -> None:
    """S8: the host sees whom they sent away and takes it back; nobody else may, and only a kick can be taken back."""
    world = World()
    table = await world.table()
    clients = await world.seated(table, 3)
    clients[0].ask(table, asks.Kick(2))
    await settle()
    assert clients[0].match["kicked"] == [{"user": "c", "name": "C"}]
    await world.crash()
    again = await world.registry.open("t1")
    assert again is not None
    host, guest = Client("a").attach(again), Client("b").attach(again)
    guest.ask(again, asks.Readmit("c"), ref="1")
    host.ask(again, asks.Readmit("b"), ref="2")
    host.ask(again, asks.Readmit("c"), ref="3")
    await settle()
    assert guest.answers("1") == [("error", "not_host")]
    assert host.answers("2") == [("error", "not_now")] and host.answers("3") == [("ack", None)]
    assert host.match["kicked"] == [] and again.log.match.kicked == ()
    assert await again.operate(asks.OrderReserve("c", "C")) == Done()


async def test_s8_an_operators_kick_lasts_and_the_host_cannot_lift_it() -> None:
    """S8: neither the seat of a running match nor the room is open to them until an operator lets them in."""
    world = World()
    table = await world.table(settings={"spectators": "all"})
    clients = await world.dealt(table)
    await table.operate(asks.OrderRemove("c", kicked=True))
    await settle()
    assert clients[2].bye == ("kicked", "operator") and clients[0].match["kicked"] == []
    for client in (Client("c").attach(table), Client("c").attach(table, role="spectator")):
        await settle()
        assert client.bye in (("closed", "room_full"), ("closed", "not_allowed"))
    assert await table.operate(asks.OrderReserve("c", "C")) == Refused(ErrorCode.ROOM_FULL)
    clients[0].ask(table, asks.Readmit("c"), ref="1")
    await settle()
    assert clients[0].answers("1") == [("error", "not_now")]
    assert await table.operate(asks.OrderReadmit("c")) == Done()
    back = Client("c").attach(table)
    await settle()
    assert back.bye is None and table.log.match.seats[2].left is False, "their own seat"


async def test_s8_a_spectator_whom_an_operator_kicks_neither_watches_nor_sits_again() -> None:
    """S8: a kick needs no seat, and tells the players nothing."""
    world = World()
    table = await world.table(settings={"spectators": "all"})
    [host] = await world.seated(table, 1)
    watcher = Client("w").attach(table, role="spectator")
    await settle()
    heard = len(host.frames)
    await table.operate(asks.OrderRemove("w", kicked=True))
    await settle()
    assert watcher.bye == ("kicked", "operator") and len(host.frames) == heard
    again = Client("w").attach(table, role="spectator")
    await settle()
    assert again.bye == ("closed", "not_allowed")
    assert await table.operate(asks.OrderReserve("w", "W")) == Refused(ErrorCode.ROOM_FULL)
