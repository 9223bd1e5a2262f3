"""A cluster whose shards have replicas: a write counts once the replicas of *its* shard have it, failover or not."""

import asyncio
import contextlib
import itertools
import time
from collections.abc import Callable, Iterator

import pytest
from redis.crc import key_slot

from app.storage.live.logs.tables import LiveTables
from app.storage.live.wire import keys
from app.storage.live.wire.link import Link, StoreUnavailable, connect
from app.tables.ports import Token
from tests.integration.waiting import PATIENCE_S
from tests.storage.live.servers import Server, servers

TOKEN = Token(1, "n1.aa.x")
BOUNDS = (0, 5461, 10923, 16384)
pytestmark = pytest.mark.timeout(180)


def table_of_shard(number: int) -> str:
    """A table that lies on this shard."""
    names = (f"T{n}" for n in itertools.count())
    return next(n for n in names if BOUNDS[number] <= key_slot(keys.lease(n).encode()) < BOUNDS[number + 1])


@contextlib.contextmanager
def cluster_with_one_replica(dead_after_s: float = PATIENCE_S) -> Iterator[tuple[list[Server], str]]:
    """Three primaries; the fourth server has all that the first one has. The address leads to the second one."""
    dead = ("--cluster-node-timeout", str(round(dead_after_s * 1000)))
    options = ("--cluster-enabled", "yes", *dead, "--repl-diskless-sync-delay", "0")
    with servers(4, *options) as nodes:
        for node, low, high in zip(nodes, BOUNDS, BOUNDS[1:], strict=False):
            node.client.execute_command("CLUSTER", "ADDSLOTSRANGE", low, high - 1)
        for node in nodes[1:]:
            node.client.execute_command("CLUSTER", "MEET", "127.0.0.1", nodes[0].port)
        first = str(nodes[0].client.execute_command("CLUSTER", "MYID"), "utf-8")
        wait_until(lambda: all(len(node.client.execute_command("CLUSTER NODES")) == 4 for node in nodes))
        nodes[3].client.execute_command("CLUSTER", "REPLICATE", first)
        wait_until(lambda: nodes[3].client.info("replication")["role"] == "slave")
        wait_until(lambda: nodes[3].client.info("replication")["master_link_status"] == "up")
        wait_until(lambda: all(_settled(node) for node in nodes))
        yield nodes, f"redis://127.0.0.1:{nodes[1].port}/?cluster=true"


def _settled(node: Server) -> bool:
    known = node.client.execute_command("CLUSTER NODES")
    return sum("slave" in str(seen["flags"]) for seen in known.values()) == 1 and "ok" in str(
        node.client.execute_command("CLUSTER INFO")["cluster_state"]
    )


def wait_until(condition: Callable[[], bool], limit_s: float = PATIENCE_S) -> None:
    end = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


async def play(tables: LiveTables, table: str, acked: list[int]) -> None:
    """Append numbered entries one after the other; `acked` has those that the store said it has."""
    for place in itertools.count(len(acked)):
        await tables.append(table, TOKEN, 1, place, b"%d" % place)
        acked.append(place)


async def beyond(count: int, acked: list[int], playing: "asyncio.Future[None]") -> None:
    async with asyncio.timeout(PATIENCE_S):
        while len(acked) < count and not playing.done():
            await asyncio.sleep(0.01)
    assert len(acked) >= count, playing


def held(server: Server, table: str) -> list[bytes]:
    """A server's part of a table's log."""
    server.client.execute_command("READONLY")
    return server.client.lrange(keys.log(table, 1), 0, -1)  # type: ignore[return-value]


async def test_a_write_counts_once_its_own_shard_has_a_copy_and_other_shards_do_not_wait_for_that() -> None:
    with cluster_with_one_replica() as (nodes, url):
        link, copied, alone = Link(connect(url), replicas=1), table_of_shard(0), table_of_shard(1)
        both = [
            link.ask("SET", keys.lease(table), "1:n1.aa.x", patience_s=None if table == copied else 3.0)
            for table in (copied, alone)
        ]
        assert await asyncio.wait_for(both[0], 20)
        with pytest.raises(StoreUnavailable):
            await both[1]
        await link.close()
        assert nodes[3].client.ping()


async def played_for_a_while(url: str) -> tuple[Link, str, list[int], asyncio.Future[None]]:
    """A table of the shard that has a replica, its entries acknowledged so far, and the play that goes on."""
    link, table, acked = Link(connect(url), replicas=1), table_of_shard(0), [0]
    await link.ask("SET", keys.lease(table), str(TOKEN))
    await link.ask("RPUSH", keys.log(table, 1), b"0")
    playing = asyncio.ensure_future(play(LiveTables(link), table, acked))
    await beyond(50, acked, playing)
    return link, table, acked, playing


async def test_a_shard_changes_hands_and_play_goes_on_with_every_entry_in_two_places() -> None:
    """The replica takes over in good order; the old primary is its replica then, and WAIT asks *that* one."""
    with cluster_with_one_replica() as (nodes, url):
        link, table, acked, playing = await played_for_a_while(url)
        nodes[3].client.execute_command("CLUSTER", "FAILOVER")
        await asyncio.to_thread(wait_until, lambda: nodes[3].client.info("replication")["role"] == "master")
        await beyond(len(acked) + 50, acked, playing)
        playing.cancel()
        for server in (nodes[0], nodes[3]):
            assert held(server, table)[: len(acked)] == [b"%d" % place for place in acked]
        await link.close()


async def test_a_shard_s_primary_dies_and_what_was_acknowledged_is_on_its_replica() -> None:
    with cluster_with_one_replica(dead_after_s=1.5) as (nodes, url):
        link, table, acked, playing = await played_for_a_while(url)
        nodes[0].kill()
        await asyncio.to_thread(wait_until, lambda: nodes[3].client.info("replication")["role"] == "master")
        stopped = len(acked)
        await asyncio.sleep(2.0)
        assert len(acked) == stopped, "nothing counts while its shard has no copy"
        link.replicas = 0  # the operator's decision: there is no second replica to wait for
        await beyond(stopped + 50, acked, playing)
        playing.cancel()
        assert held(nodes[3], table)[: len(acked)] == [b"%d" % place for place in acked]
        await link.close()
