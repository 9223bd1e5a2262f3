"""The stores are away: play waits or goes on, nobody sees what was not stored, and everything arrives once."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator

import asyncpg
import pytest

from app.devstack.chaos import Stores, stores
from app.devstack.client import SeatClient
from app.devstack.migrate import plain
from tests.integration.nodes import RunningNode, people, seated, serving

pytestmark = pytest.mark.timeout(240)


@pytest.fixture(scope="module")
def own_stores() -> Iterator[Stores]:
    """Stores of our own, to be stopped."""
    with stores() as made:
        yield made


@pytest.fixture
async def node(own_stores: Stores) -> AsyncIterator[RunningNode]:
    """A node on them."""
    async with serving(own_stores.settings) as node:
        yield node


class Frames:
    """What kinds of frames came, and whether `saving` was said."""

    def __init__(self, client: SeatClient) -> None:
        self.saving: list[bool] = []
        client.on_frame = self._note

    def _note(self, frame: dict[str, object]) -> None:
        if frame["kind"] == "saving":
            data = frame["data"]
            assert isinstance(data, dict)
            self.saving.append(data["on"])


async def playing(clients: list[SeatClient]) -> "asyncio.Future[list[None]]":
    running = asyncio.gather(*[client.run() for client in clients])
    async with asyncio.timeout(30):
        while clients[0].match.get("phase") != "playing":
            await asyncio.sleep(0.01)
    return running


def kept_every_promise(clients: list[SeatClient]) -> None:
    for client in clients:
        assert client.match["phase"] == "ended"
        assert client.gaps == []
    assert {settled["ended"]["outcome"] for client in clients for settled in client.settled} <= {"won", "exhausted"}


async def test_a_stalled_live_store_is_waited_for_and_said_to_be(node: RunningNode, own_stores: Stores) -> None:
    async with people(node.url, 4) as apis:
        clients = await seated(apis, "tianjin", {"rounds": 2})
        frames = Frames(clients[0])
        running = await playing(clients)
        os.kill(own_stores.valkey.process.pid, signal.SIGSTOP)
        seen = [client.last for client in clients]
        await asyncio.sleep(4.0)
        still = [client.last for client in clients]
        os.kill(own_stores.valkey.process.pid, signal.SIGCONT)
        assert all(now is None or then is None or now[1] - then[1] <= 2 for now, then in zip(still, seen, strict=True))
        await asyncio.wait_for(running, 90)
        kept_every_promise(clients)
        assert frames.saving[:2] == [True, False]


async def test_a_live_store_that_is_killed_and_started_again_lost_nothing(
    node: RunningNode, own_stores: Stores
) -> None:
    async with people(node.url, 4) as apis:
        clients = await seated(apis, "tianjin", {"rounds": 2})
        running = await playing(clients)
        own_stores.valkey.process.kill()
        await asyncio.to_thread(own_stores.valkey.stop)
        await asyncio.to_thread(own_stores.start_valkey)
        await asyncio.wait_for(running, 90)
        kept_every_promise(clients)


async def test_play_goes_on_without_the_archive_and_rounds_arrive_once_when_it_is_back(
    node: RunningNode, own_stores: Stores
) -> None:
    async with people(node.url, 4) as apis:
        clients = await seated(apis, "tianjin", {"rounds": 2})
        tickets = {client: await client.api.ticket(client.room_id) for client in clients}
        for client, given in tickets.items():
            client.api.ticket = _given(given)  # type: ignore[method-assign]
        await asyncio.to_thread(own_stores.postgres.stop)
        await asyncio.wait_for(await playing(clients), 90)
        kept_every_promise(clients)
        assert node.process.live.archiver.written == 0
        await asyncio.to_thread(own_stores.start_postgres)
        async with asyncio.timeout(60):
            while node.process.live.archiver.written < 2:
                await asyncio.sleep(0.05)
    connection = await asyncpg.connect(plain(own_stores.settings.database_url))
    try:
        rows = await connection.fetch(
            "SELECT r.round_no, count(*) AS times FROM rounds r JOIN matches m ON m.id = r.match_id"
            " WHERE m.room_id = $1 GROUP BY r.round_no ORDER BY r.round_no",
            clients[0].room_id,
        )
    finally:
        await connection.close()
    assert [tuple(row) for row in rows] == [(1, 1), (2, 1)]


def _given(ticket: tuple[str, str]) -> object:
    async def ticket_again(room_id: str) -> tuple[str, str]:
        return ticket

    return ticket_again
