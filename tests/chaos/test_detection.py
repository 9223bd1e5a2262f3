"""A node that dies for good: how soon others have its tables, that all come back, and that nothing of it stays."""

import asyncio
import signal

from redis.asyncio import Redis

from app.lab.bench.footprint import measure
from app.lab.chaos.cluster import Cluster, cluster
from app.lab.clients.client import Api
from app.settings import Settings
from app.storage.live.nodes.nodes import owner_of
from app.storage.live.wire import keys
from app.storage.live.wire.link import Link, connect
from tests.integration.nodes import QUICK, people, serving
from tests.integration.waiting import eventually, spending
from tests.reliability.live import Tab, until

DETECTED_S = 3.0
BUSY_HOST_S = 3.0
"""For a machine that does other things as well: starting to act may be late by so much, seeing it may not. A machine
that stands still is not counted at all."""


async def owners(valkey: Redis, rooms: list[str]) -> set[str]:
    tokens = [await valkey.get(keys.lease(room)) for room in rooms]
    return {(owner_of(token.decode()) or "nobody").split(".")[0] for token in tokens}


def at(api: Api, nodes: Cluster, name: str) -> None:
    """Ask this node itself, past the front."""
    api.url = f"http://127.0.0.1:{nodes.nodes[name].backend.port}"
    api._http.base_url = f"{api.url}/v1"


async def test_d2_fifty_tables_of_a_dead_node_are_taken_over_in_time_and_leave_nothing(
    settings: Settings, valkey: Redis
) -> None:
    link = Link(connect(settings.valkey_url))
    async with cluster(settings, 2) as nodes, people(nodes.url, 50) as apis:
        baseline = await measure(link, settings.database_url, nodes.nodes["n2"].pid, {}, False)
        for api in apis:
            at(api, nodes, "n1")
        rooms = [(await api.create_room("tianjin", {}, QUICK))["id"] for api in apis]
        assert await owners(valkey, rooms) == {"n1"}
        async with spending() as spent:
            nodes.nodes["n1"].signal(signal.SIGKILL)
            await eventually(lambda: owners(valkey, rooms), lambda found: "n2" in found)
        assert spent.s <= DETECTED_S + BUSY_HOST_S, f"{spent.s:.1f} s"
        await eventually(lambda: owners(valkey, rooms), lambda found: found == {"n2"})
        for api in apis:
            at(api, nodes, "n2")
        for room, api in zip(rooms, apis, strict=True):
            await api.call("POST", f"/rooms/{room}/leave")
        n2 = nodes.nodes["n2"].pid
        after = await eventually(
            lambda: measure(link, settings.database_url, n2, {}, False),
            lambda now: not now.busy and (+now.keys - +baseline.keys).keys() <= {keys.ROOM_COUNTER},
        )
        assert not after.late, "what runs out does so as stated"
    await link.close()


async def test_a_ticket_asked_for_at_a_dead_owners_neighbour_does_not_wait_for_its_heartbeat(
    settings: Settings,
) -> None:
    async with cluster(settings, 2) as nodes, people(nodes.url, 1) as (api,):
        at(api, nodes, "n1")
        room = (await api.create_room("tianjin", {}, QUICK))["id"]
        nodes.nodes["n1"].signal(signal.SIGKILL)
        await nodes.nodes["n1"].ended()
        at(api, nodes, "n2")
        async with spending() as spent:
            while "/n/n2/" not in (await api.ticket(room))[1]:  # the owner missed no beat yet
                await asyncio.sleep(0.05)
            tab = await Tab.open(api, room)
            assert (await tab.answer("hello"))["kind"] == "ack"
        assert spent.s < 2.0 + BUSY_HOST_S, "two missed beats, not a heartbeat's life"
        tab.vanish()


async def test_a_table_taken_early_comes_back_from_a_taker_that_died(settings: Settings) -> None:
    """n2 took it over though n1 lived, and died. n1 still thinks that it runs it, and takes it anew."""
    async with serving(settings) as one, people(one.url, 1) as (api,):
        room = (await api.create_room("tianjin", {}, QUICK))["id"]
        async with serving(settings.model_copy(update={"node": "n2"})) as two:
            taken = await two.process.registry.open(room)
            stale = one.process.registry.find(room)
            assert taken is not None and stale is not None
            beat = two.process.live.heartbeat
            beat.beat = asyncio.Event().wait  # type: ignore[method-assign, assignment]
            await until(lambda: one.process.registry.find(room) not in (stale, None))
            fresh = one.process.registry.find(room)
            assert fresh is not None and fresh.token.epoch == taken.token.epoch + 1 and stale.gone == "moved"
        tab = await Tab.open(api, room)
        assert (await tab.answer("hello"))["kind"] == "ack"
        assert (await tab.answer(await tab.say("ready")))["kind"] == "ack"
        tab.vanish()
