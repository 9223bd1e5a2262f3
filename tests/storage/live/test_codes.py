"""Room codes on a real store: given out once, in quarantine after use and out of it again, slow to guess (D10, D11)."""

import asyncio
import random

import pytest
from redis.asyncio import Redis

from app.storage.live.rooms.board import Board
from app.storage.live.rooms.codes import (
    QUARANTINE_S,
    RESERVED_S,
    Codes,
    NoFreeCode,
)
from app.storage.live.rooms.room_sync import RoomSync
from app.storage.live.rooms.seats import SeatClaims
from app.storage.live.wire import keys
from app.storage.live.wire.link import Link
from app.tables.ports import Summary
from tests.integration.waiting import eventually


async def test_a_code_leads_to_its_room_and_after_it_nowhere_for_a_day(link: Link, valkey: Redis) -> None:
    codes = Codes(link)
    code = await codes.reserve("T")
    assert len(code) == 6 and code.isdigit()
    assert await codes.room_of(code) == "T"
    await codes.retire(code, "T")
    await codes.retire(code, "T")
    assert await codes.room_of(code) is None
    assert QUARANTINE_S - 600 < await valkey.ttl(keys.code(code)) <= QUARANTINE_S
    with pytest.raises(NoFreeCode):
        await Codes(link, draw=lambda _: int(code)).reserve("U")


async def test_a_code_comes_out_of_quarantine_and_then_leads_to_its_next_room_only(link: Link, valkey: Redis) -> None:
    """A holder of the first room's code, or a late retirement of that room, does not touch the second."""
    codes = Codes(link, draw=lambda _: 7)
    code = await codes.reserve("T")
    await codes.retire(code, "T")
    with pytest.raises(NoFreeCode):
        await codes.reserve("U")
    assert await valkey.pexpire(keys.code(code), 1), "a day goes by"
    await eventually(lambda: valkey.exists(keys.code(code)), lambda there: not there)
    assert await codes.reserve("U") == code and await codes.room_of(code) == "U"
    await codes.keep(code, "T")
    assert 0 < await valkey.ttl(keys.code(code)) <= RESERVED_S
    await codes.keep(code, "U")
    assert await valkey.ttl(keys.code(code)) == -1, "for as long as its room lives"
    await codes.retire(code, "T")
    assert await codes.room_of(code) == "U"


async def test_a_thousand_rooms_at_once_in_a_tiny_space_overwrite_nothing(link: Link) -> None:
    codes = Codes(link, digits=2, draw=random.Random(3).randrange)
    got = await asyncio.gather(*[codes.reserve(f"R{number}") for number in range(1000)], return_exceptions=True)
    given = {code: f"R{number}" for number, code in enumerate(got) if isinstance(code, str)}
    assert all(isinstance(answer, str | NoFreeCode) for answer in got)
    assert len(given) == sum(isinstance(code, str) for code in got) <= 100
    assert len(given) > 95
    for code, room in given.items():
        assert await codes.room_of(code) == room


async def test_a_code_is_retired_by_its_own_room_only(link: Link) -> None:
    codes = Codes(link)
    code = await codes.reserve("T")
    await codes.retire(code, "another")
    assert await codes.room_of(code) == "T"


async def test_a_code_of_a_room_that_never_was_is_free_at_once(link: Link, valkey: Redis) -> None:
    codes = Codes(link, draw=lambda _: 7)
    code = await codes.reserve("T")
    for _ in range(2):
        await codes.give_back(code, "T")
        assert not await valkey.exists(keys.code(code))
    assert await codes.reserve("U") == code == "000007"


async def test_a_code_whose_room_was_never_made_because_its_node_died_is_free_again_by_itself(
    link: Link, valkey: Redis
) -> None:
    """Once the room has shown itself the code is kept; a room that ended meanwhile does not get it back."""
    codes = Codes(link)
    never, lives, ended = [await codes.reserve(room) for room in ("N", "L", "E")]
    await codes.retire(ended, "E")
    keeper = RoomSync(Board(link), codes, SeatClaims(link))
    for room, code in (("L", lives), ("E", ended)):
        keeper.changed(Summary(room, code, "tianjin", "playing", 1, 0, 8, None, (), (), (), False, 0))
    await keeper.settle()
    assert 0 < await valkey.ttl(keys.code(never)) <= RESERVED_S
    assert await valkey.ttl(keys.code(lives)) == -1 and await codes.room_of(lives) == "L"
    assert await valkey.ttl(keys.code(ended)) > RESERVED_S and await codes.room_of(ended) is None
