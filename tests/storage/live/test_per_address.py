"""The open rooms and held seats of one address on a real store: bounded by number, on all nodes together (D4)."""

import asyncio

import pytest

from app.storage.live.logs.tables import LiveTables
from app.storage.live.rooms.per_address import most_rooms, most_seats, rooms_of_address, seats_of_address
from app.storage.live.rooms.seats import SeatClaims
from app.storage.live.wire import keys
from app.storage.live.wire.link import Link
from app.tables.ports import Token


async def opened(link: Link, address: str, room: str, most: int) -> bool:
    """Make a room as a node does: count it, then create its table."""
    if not await rooms_of_address(link, most).take(address, room):
        return False
    await LiveTables(link).create(room, Token(1, f"n1.aa.{room}"), b"match")
    return True


async def test_d4_an_address_has_a_number_of_open_rooms_and_others_are_not_affected(link: Link) -> None:
    """D4: with its number of rooms open an address makes no more until one is over; another address makes its own."""
    assert [await opened(link, "192.0.2.1", f"T{number}", 5) for number in range(7)] == [True] * 5 + [False] * 2
    assert await opened(link, "192.0.2.2", "U", 5)
    await LiveTables(link).close("T3", Token(1, "n1.aa.T3"), None, b"end")
    assert await opened(link, "192.0.2.1", "T8", 5)
    assert not await opened(link, "192.0.2.1", "T9", 5)


async def test_d4_a_subscriber_of_ipv6_is_one_address(link: Link) -> None:
    """D4: the addresses of a /64 belong to one subscriber."""
    assert await opened(link, "2001:db8::1", "T1", 1)
    assert not await opened(link, "2001:db8::2", "T2", 1)
    assert await opened(link, "2001:db8:0:1::1", "T3", 1)


async def test_d4_rooms_made_at_the_same_moment_do_not_pass_the_number(link: Link) -> None:
    """D4: twenty guests of one address ask at once, as in the attack that filled a node."""
    taken = await asyncio.gather(*[opened(link, "192.0.2.1", f"T{number}", 5) for number in range(20)])
    assert sum(taken) <= 5


@pytest.mark.parametrize(
    ("per_address", "max_tables", "factor", "most"),
    [(64, 400, 1, 64), (64, 20, 1, 5), (64, 1, 1, 4), (64, 400, 4, 256), (2, 400, 1, 2), (1, 400, 0.1, 1)],
)
def test_d4_the_number_of_an_address(per_address: int, max_tables: int, factor: float, most: int) -> None:
    """D4: 20 tables, 5 rooms of one address: it fills a quarter of a node."""
    assert most_rooms(per_address, max_tables, factor) == most


async def seated(link: Link, address: str, user: str, most: int) -> bool:
    """Take a seat as a node does: count it, then claim it for a table."""
    if not await seats_of_address(link, most).take(address, user):
        return False
    assert await SeatClaims(link).claim(user, "T") is None
    return True


async def test_d4_an_address_holds_a_number_of_seats_until_one_is_free(link: Link) -> None:
    """D4: the people of one address hold so many seats and no more; returning to one's own seat counts once."""
    assert [await seated(link, "192.0.2.1", f"u{number}", 5) for number in range(7)] == [True] * 5 + [False] * 2
    assert await seated(link, "192.0.2.1", "u2", 5), "their own seat again"
    assert await seated(link, "192.0.2.2", "v", 5)
    await SeatClaims(link).free("u3", "T")
    await link.ask("DEL", keys.making("u3"))
    assert await seated(link, "192.0.2.1", "u8", 5)
    assert not await seated(link, "192.0.2.1", "u9", 5)


async def test_d4_seats_taken_at_the_same_moment_do_not_pass_the_number(link: Link) -> None:
    """D4: reservations count before they are held."""
    taken = await asyncio.gather(*[seated(link, "2001:db8::1", f"u{number}", 5) for number in range(20)])
    assert sum(taken) <= 5


def test_d4_the_seats_of_an_address() -> None:
    """D4: a school of 1,000 fits; the factor widens it as all that an address may do."""
    assert most_seats(1200, 1) == 1200 and most_seats(1200, 4) == 4800 and most_seats(4, 0.1) == 1
