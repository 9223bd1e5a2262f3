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
