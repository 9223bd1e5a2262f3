"""The same on a Valkey Cluster of three: keys that change together share a slot, so every script works there."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from app.storage.live.board import Board
from app.storage.live.codes import Codes
from app.storage.live.link import Link, connect
from app.storage.live.nodes import Heartbeat, Node, Nodes
from app.storage.live.placement import Placement, Watch
from app.storage.live.seats import SeatClaims
from app.storage.live.tables import LiveTables
from app.storage.live.tickets import Ticket, Tickets
from app.tables.ports import Conflict, Fenced, Taken, Token
from tests.storage.live.servers import cluster_of_three
from tests.storage.live.test_around import ROOM


@pytest.fixture(scope="module")
def cluster_url() -> Iterator[str]:
    """A cluster of three, for this file."""
    with cluster_of_three() as url:
        yield url


@pytest.fixture
async def link(cluster_url: str) -> AsyncIterator[Link]:
    """A link to it."""
    link = Link(connect(cluster_url))
    yield link
    await link.close()


async def test_tables_live_and_die_on_a_cluster(link: Link) -> None:
    tables = LiveTables(link)

    async def life(number: int) -> None:
        table, token = f"T{number}", Token(1, f"n1.aa.{number}")
        await tables.create(table, token, b"match")
        with pytest.raises(Taken):
            await tables.create(table, Token(1, "other"), b"match")
        for place in range(1, 6):
            await tables.append(table, token, 1, place, b"%d" % place)
            await tables.append(table, token, 1, place, b"%d" % place)
        with pytest.raises(Conflict):
            await tables.append(table, token, 1, 5, b"other")
        await tables.turn_page(table, token, 1, 6, b"finished", b"next")
        owned = await tables.acquire(table, str(token), "n2.bb.x")
        assert owned is not None and owned.entries == (b"next",) and owned.round_no == 2
        with pytest.raises(Fenced):
            await tables.append(table, token, 2, 1, b"stale")
        await tables.close(table, owned.token, b"last")
        assert await tables.look(table) is None

    await asyncio.gather(*[life(number) for number in range(30)])


async def test_what_lies_around_tables_works_on_a_cluster(link: Link) -> None:
    tables, codes, seats, tickets, board = LiveTables(link), Codes(link), SeatClaims(link), Tickets(link), Board(link)
    await tables.create("U", Token(1, "n1.aa.U"), b"match")
    code = await codes.reserve("U")
    assert await codes.room_of(code, "ann") == "U"
    assert await seats.claim("ann", "U", 4) is None
    assert await seats.table_of("ann") == "U"
    await seats.free_all("U", None)
    assert isinstance(await tickets.redeem(await tickets.issue(Ticket("ann", "Ann", "", "room:U"))), Ticket)
    await board.show(ROOM)
    assert (await board.news(0))[2] == {"T": ROOM}
    assert await board.get(["T"]) == [ROOM] == await board.all()
    await codes.retire(code, "U")


async def test_nodes_find_each_other_and_orphans_on_a_cluster(link: Link) -> None:
    node = Node("n1", "000a", "/n/n1", 0, 10)

    async def nothing() -> None:
        return None

    taken: list[str] = []

    async def adopt(names: list[str]) -> None:
        taken.extend(names)

    await Heartbeat(link, lambda: node, nothing).beat()
    assert set((await Nodes(link).look()).alive) == {node.owner}
    await LiveTables(link).create("V", Token(1, "gone.000a.x"), b"match")
    place = await Placement(link, lambda: node).place("V")
    assert place is not None and (place.node, place.owned) == (node, False)
    await Watch(link, lambda: node, adopt).look()
    assert "V" in taken
