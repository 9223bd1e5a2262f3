"""The stores are away: play waits or goes on, nobody sees what was not stored, and everything arrives once."""

import asyncio
import json
import random
import signal
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest

from app.lab.chaos.chaos import Stores
from app.lab.chaos.cluster import cluster
from app.lab.chaos.outages import Outages, line
from app.lab.clients.client import Plain, SeatClient, bot_choice
from app.serving.migrate import plain
from app.storage.live.wire import keys
from app.storage.live.wire import link as links
from app.storage.live.wire.link import Link, connect
from app.tables.log.table_log import restore
from app.variants import VARIANTS
from tests.integration.nodes import RunningNode, insisted, people, seated, serving
from tests.integration.test_return import raw_hello
from tests.integration.waiting import FLOWS_S, PATIENCE_S, eventually, spending, until

pytestmark = pytest.mark.timeout(240)


@pytest.fixture
async def node(own_stores: Stores) -> AsyncIterator[RunningNode]:
    """A node on them."""
    async with serving(own_stores.settings) as node:
        yield node


class Frames:
    """The kinds of frames that came, and whether `saving` was among them."""

    def __init__(self, client: SeatClient) -> None:
        self.saving: list[bool] = []
        client.on_frame = self._note

    def _note(self, frame: dict[str, object]) -> None:
        if frame["kind"] == "saving":
            data = frame["data"]
            assert isinstance(data, dict)
            self.saving.append(data["on"])


async def playing(clients: list[SeatClient]) -> "asyncio.Future[list[None]]":
    """They play; returned in the moment of one of their first acts, when more are under way."""
    acts, in_play = 0, asyncio.Event()

    async def choose(client: SeatClient, decision: Plain) -> Plain:
        nonlocal acts
        acts += 1
        if acts == 12:
            in_play.set()
        return await bot_choice(client, decision)

    for client in clients:
        client.choose = choose
    running = asyncio.gather(*[client.run() for client in clients])
    await asyncio.wait_for(in_play.wait(), PATIENCE_S)
    return running


def kept_every_promise(clients: list[SeatClient]) -> None:
    for client in clients:
        assert client.match["phase"] == "ended"
        assert client.gaps == []
    assert {settled["ended"]["outcome"] for client in clients for settled in client.settled} <= {"won", "exhausted"}


async def nobody_saw_what_is_not_stored(stores: Stores, clients: list[SeatClient]) -> None:
    """The log shows how far each seat may have seen; it is read past the connection that fails."""
    direct = Link(connect(stores.valkey.url))
    table = clients[0].room_id
    page = int(await direct.ask("GET", keys.page(table)))
    course = restore(VARIANTS, tuple(await direct.ask("LRANGE", keys.log(table, page), 0, -1)))
    await direct.close()
    for client in clients:
        assert client.seat is not None and client.last is not None
        assert client.last <= course.seq(client.seat)


async def at_rest(clients: list[SeatClient]) -> list[tuple[int, int] | None]:
    """Frames that each of them has seen, once those under way at the start of the outage have arrived."""
    seen, calm = [client.last for client in clients], 0
    while calm < 50:
        await asyncio.sleep(0.005)
        before, seen = seen, [client.last for client in clients]
        calm = calm + 1 if seen == before else 0
    return seen


@pytest.mark.parametrize("kind", ["stall", "blackhole", "full", "crash"])
async def test_while_the_live_store_is_away_nobody_sees_what_is_not_stored_and_play_resumes_by_itself(
    own_stores: Stores, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The short form of `mj chaos --kinds stall,blackhole,full,crash --outage-s 20`."""
    monkeypatch.setattr(links, "REPLY_S", 0.5)
    async with (
        line(own_stores.valkey.url) as way,
        serving(own_stores.settings.model_copy(update={"valkey_url": way.url})) as node,
        people(node.url, 4) as apis,
    ):
        clients = await seated(apis, "tianjin", {"rounds": 2}, {"think_s": 60})
        frames = Frames(clients[0])
        running = await playing(clients)
        outages = Outages(own_stores, way, random.Random(1))
        if kind == "crash":
            await outages.make(kind)
            seen = [client.last for client in clients]
        else:
            async with outages.during(kind):
                await until(lambda: frames.saving[-1:] == [True])
                seen = await at_rest(clients)
                if kind != "stall":
                    await nobody_saw_what_is_not_stored(own_stores, clients)
                await asyncio.sleep(0.7)
                assert [client.last for client in clients] == seen, "nothing moves without the store"
        assert await until(lambda: [client.last for client in clients] != seen) < FLOWS_S
        await asyncio.wait_for(running, 2 * PATIENCE_S)
        kept_every_promise(clients)
        if kind != "crash":
            assert frames.saving[:2] == [True, False]


@pytest.mark.usefixtures("nobody_counts_as_dead")  # the two find the store again up to a second apart
async def test_what_nodes_tell_each_other_flows_again_within_the_time_that_is_promised(
    own_stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F7: nothing subscribes, so nothing goes silent: orders between nodes, and the lobby's news, are asked for."""
    monkeypatch.setattr(links, "REPLY_S", 0.5)
    async with line(own_stores.valkey.url) as way:
        settings = own_stores.settings.model_copy(update={"valkey_url": way.url})
        async with (
            serving(settings) as one,
            serving(settings.model_copy(update={"node": "n2"})) as two,
            people(one.url, 1) as apis,
        ):
            room = (await apis[0].create_room("tianjin", {}, {}))["id"]
            number, _, _ = await two.process.live.board.news(0)
            async with way.swallowing():
                await asyncio.sleep(3.0)
            async with spending() as spent:
                await insisted(two, room)
                table = one.process.registry.find(room)
                assert table is not None, "it was not taken from its owner meanwhile"
                one.process.live.rooms.changed(table.summary())
                await eventually(lambda: two.process.live.board.news(number), lambda found: room in found[2])
            assert spent.s < FLOWS_S


async def test_play_goes_on_without_the_archive_and_rounds_arrive_once_when_it_is_back(
    node: RunningNode, own_stores: Stores
) -> None:
    """Players also enter and return: their tickets do not need the archive."""
    async with people(node.url, 4) as apis:
        clients = await seated(apis, "tianjin", {"rounds": 2})
        await asyncio.to_thread(own_stores.postgres.stop)
        await asyncio.wait_for(await playing(clients), 2 * PATIENCE_S)
        kept_every_promise(clients)
        assert node.process.live.archiver.rounds_written == 0
        await asyncio.to_thread(own_stores.start_postgres)
        await until(lambda: node.process.live.archiver.rounds_written >= 2)
    assert (await archived(own_stores, clients[0].room_id))[0] == [(1, 1), (2, 1)]


async def archived(stores: Stores, room: str) -> tuple[list[tuple[int, int]], Any]:
    """Rounds of a room with how often each is there; and the room's row."""
    connection = await asyncpg.connect(plain(stores.settings.database_url))
    try:
        rows = await connection.fetch(
            "SELECT r.round_no, count(*) AS times FROM rounds r JOIN matches m ON m.id = r.match_id"
            " WHERE m.room_id = $1 GROUP BY r.round_no ORDER BY r.round_no",
            room,
        )
        return [tuple(row) for row in rows], await connection.fetchrow("SELECT * FROM rooms WHERE id = $1", room)
    finally:
        await connection.close()


async def test_what_ended_while_the_archive_was_away_survives_the_death_of_its_node_and_is_written_once(
    own_stores: Stores,
) -> None:
    """Two rounds and the end of the room, noted by processes that were killed before the archive came back; the one
    that began meanwhile let everybody in again."""
    async with cluster(own_stores.settings, 1) as nodes, people(nodes.url, 4) as apis:
        clients = await seated(apis, "tianjin", {"rounds": 2})
        later = await kept(own_stores, await apis[0].ticket(clients[0].room_id))
        await asyncio.to_thread(own_stores.postgres.stop)
        play = await playing(clients)
        await nodes.kill("n1")
        await asyncio.wait_for(play, 2 * PATIENCE_S)
        apis[0].ticket = later  # type: ignore[method-assign]
        assert all(client.reconnects for client in clients)
        socket = await raw_hello(clients[0])
        await socket.send(json.dumps({"id": "end", "kind": "dissolve", "data": {}}))
        async with asyncio.timeout(PATIENCE_S):
            async for text in socket:
                if json.loads(text)["kind"] == "bye":
                    break
        nodes.nodes["n1"].signal(signal.SIGKILL)
        await nodes.nodes["n1"].ended()
        await asyncio.to_thread(own_stores.start_postgres)
        await nodes.nodes["n1"].start()
        found = await eventually(lambda: archived(own_stores, clients[0].room_id), lambda rows: rows[1]["closed_at"])
        assert found[0] == [(1, 1), (2, 1)]
        assert found[1]["close_reason"] == "host"


async def kept(stores: Stores, ticket: tuple[str, str]) -> Any:
    """Gives this ticket, which is good for as long as a test takes: after a match the archive is asked for one."""
    direct = Link(connect(stores.valkey.url))
    assert await direct.ask("EXPIRE", keys.ticket(ticket[0].split(".")[1], ticket[0]), 600)
    await direct.close()

    async def ticket_again(room_id: str) -> tuple[str, str]:
        return ticket

    return ticket_again
