"""A seat is one person's at one table, also when an owner of the table is late: its calls concern its own time only."""

import asyncio
from collections.abc import Callable

import pytest
from redis.asyncio import Redis

from app.storage.live.logs.tables import LiveTables
from app.storage.live.rooms.board import Board
from app.storage.live.rooms.codes import Codes
from app.storage.live.rooms.room_sync import RoomSync
from app.storage.live.rooms.seats import SeatClaims
from app.storage.live.wire import keys
from app.storage.live.wire.link import Link
from app.storage.live.wire.scripts import STRIKE_CLAIM
from app.tables.clocks.controllers import autoplay_choice
from app.tables.clocks.timers import CLAIMS_S
from app.tables.messages import Limits, RuntimeDeps
from app.tables.ports import Token
from app.tables.registry import Registry
from app.tables.settings import make_spec
from tests.integration.waiting import PATIENCE_S, until
from tests.laws.toy import TOY
from tests.tables.doubles import Client, FakeClock, FakeEntropy, RecordingAlerts


async def owned(link: Link, *, epochs: int) -> None:
    """Table T after this number of owners."""
    tables = LiveTables(link)
    await tables.create("T", Token(1, "n1.aa.1"), b"0")
    for epoch in range(1, epochs):
        assert await tables.acquire("T", f"{epoch}:n1.aa.{epoch}", f"n1.aa.{epoch + 1}")


def keeper(link: Link) -> RoomSync:
    return RoomSync(Board(link), Codes(link), SeatClaims(link))


@pytest.mark.parametrize("said", [
    lambda old: old.free("T", ("ann",), 1),
    lambda old: old.free("T", None, 1),
    lambda old: old.keep("T", ("bob",), 1),
])  # fmt: skip
async def test_an_owner_who_is_late_frees_nobody_whom_a_later_one_has_let_in(
    link: Link, said: Callable[[RoomSync], None]
) -> None:
    """Ann left at the old owner and came back at the new one; the old one, stopped meanwhile, wakes up only now."""
    old, new, seats = keeper(link), keeper(link), SeatClaims(link)
    await owned(link, epochs=2)
    assert await old.claim("T", "ann", 1)
    said(old)
    assert await new.claim("T", "ann", 2)
    await old.settle()
    assert await seats.table_of("ann") == "T" and "ann" in await seats.claimed("T")
    assert await seats.claim("ann", "T") is None and not await new.claim("U", "ann", 1), "she can sit nowhere else"
    new.free("T", ("ann",), 2)
    await new.settle()
    assert await seats.table_of("ann") is None and "ann" not in await seats.claimed("T")


async def test_the_list_of_claims_does_not_lose_who_came_back_between_the_two_steps_of_freeing(link: Link) -> None:
    seats = SeatClaims(link)
    await owned(link, epochs=2)
    await seats.claim("ann", "T", 2)
    where = [keys.lease("T"), keys.members("T")]
    assert await link.run(STRIKE_CLAIM, where, ["ann", 1]) == 0 and await seats.claimed("T") == {"ann"}
    assert await link.run(STRIKE_CLAIM, where, ["ann", 2]) == 1 and await seats.claimed("T") == set()


async def test_whom_a_new_owner_keeps_no_earlier_one_can_free_and_a_claim_that_got_lost_is_made_again(
    link: Link,
) -> None:
    old, new, seats = keeper(link), keeper(link), SeatClaims(link)
    await owned(link, epochs=2)
    await old.claim("T", "ann", 1)
    new.keep("T", ("ann", "bob"), 2)
    await new.settle()
    assert await seats.claimed("T") == {"ann", "bob"} and await seats.table_of("bob") == "T"
    old.free("T", None, 1)
    await old.settle()
    assert [await seats.table_of(user) for user in ("ann", "bob")] == ["T", "T"]


async def test_a_later_claim_of_an_earlier_owner_does_not_make_the_seat_his(link: Link) -> None:
    seats = SeatClaims(link)
    await owned(link, epochs=2)
    await seats.claim("ann", "T", 2)
    await seats.claim("ann", "T", 1)
    await seats.free("ann", "T", 1)
    assert await seats.table_of("ann") == "T"


async def test_nothing_of_a_claim_is_left_when_it_is_freed(link: Link, valkey: Redis) -> None:
    seats = SeatClaims(link)
    await owned(link, epochs=1)
    await seats.claim("ann", "T", 1)
    await seats.free("ann", "T", 1)
    assert not await valkey.exists(keys.seat("ann"), keys.members("T")) and not await valkey.get(keys.seat_epoch("ann"))


# a user admitted by an owner that had lost the table already


class Owner:
    """A node on the real store, with a clock of its own."""

    def __init__(self, link: Link, name: str) -> None:
        self.clock, self.rooms = FakeClock(), keeper(link)
        house = RuntimeDeps(
            LiveTables(link), self.clock, FakeEntropy(ord(name)), self.rooms, RecordingAlerts(), autoplay_choice,
            {"toy": TOY}, Limits(),
        )  # fmt: skip
        self.registry = Registry(house)

    async def stop(self) -> None:
        for task in self.registry.tasks():
            task.cancel()
        await asyncio.gather(*self.registry.tasks(), return_exceptions=True)


async def test_who_was_let_in_in_the_very_moment_the_table_was_lost_is_free_again_within_a_minute(link: Link) -> None:
    """The old owner claims the user, then its append is refused: the user sits nowhere, and no table may hold them."""
    a, b, seats = Owner(link, "a"), Owner(link, "b"), SeatClaims(link)
    table = await a.registry.create(make_spec(TOY, table_id="T", code="1", rules={}, settings={}, host="ann"))
    ann = Client("ann").attach(table)
    await until(lambda: ann.synced is not None)
    assert await b.registry.open("T") is not None
    await b.rooms.settle()
    eve = Client("eve").attach(table)
    await until(lambda: eve.bye is not None)
    assert eve.bye == ("moved", "fenced") and await seats.table_of("eve") == "T", "claimed for nothing"
    minute = b.clock.now + CLAIMS_S
    while b.clock.fire(minute):
        await asyncio.sleep(0)
    async with asyncio.timeout(PATIENCE_S):
        while await seats.table_of("eve") is not None:
            await b.rooms.settle()
    assert await seats.claimed("T") == {"ann"} and await seats.table_of("ann") == "T"
    await a.stop()
    await b.stop()
