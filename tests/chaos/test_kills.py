"""Nodes are killed, stopped, and replaced while people play all games over real sockets: nothing acknowledged is lost.

The short form of `mj chaos`; see there for the long one.
"""

import asyncio
import json
import random
import signal

import asyncpg
import pytest
from redis.asyncio import Redis

from app.kernel.text.notation import read_command
from app.lab.chaos.chaos import storm
from app.lab.chaos.cluster import Cluster, cluster
from app.lab.chaos.load_run import Reckoning
from app.lab.laws.invariants import first_violation
from app.lab.laws.rounds import started, taken
from app.records.verify import setup_of, verify
from app.serving.migrate import plain
from app.settings import Settings
from app.storage.live.nodes.nodes import TTL_S, owner_of
from app.storage.live.wire import keys
from app.variants import VARIANTS
from tests.integration.waiting import eventually

KILLS = 12
pytestmark = pytest.mark.timeout(900)


async def sleep_until_robbed(nodes: Cluster, name: str, valkey: Redis) -> None:
    """SIGSTOP until others have all its tables, whenever they find out that it does not answer."""
    node = nodes.nodes[name]
    node.signal(signal.SIGSTOP)
    node.backend.up = False
    await asyncio.sleep(TTL_S)
    await eventually(lambda: tables_of(name, valkey), lambda tables: not tables)
    node.signal(signal.SIGCONT)
    node.backend.up = True


async def tables_of(name: str, valkey: Redis) -> list[bytes]:
    """The open tables whose owner is a process of this name."""
    tables = await valkey.smembers(keys.TABLES)
    tokens = {table: str(await valkey.get(keys.lease(table.decode())) or b"", "utf-8") for table in tables}
    owners = {table: owner_of(token) or "" for table, token in tokens.items() if not token.endswith(":closed")}
    return [table for table, owner in owners.items() if owner.split(".")[0] == name]


async def play(nodes: Cluster, settings: Settings, tables: int, breaking: object) -> Reckoning:
    found = await storm(
        nodes.url,
        settings.database_url,
        tables,
        0.05,
        random.Random(5),
        breaking,
        rounds=2,  # type: ignore[arg-type]
    )
    assert found.acked > 50 and found.reconnects > 0, found
    assert found.clean, found
    assert await invariants(settings) >= found.rounds > 0
    return found


async def invariants(settings: Settings) -> int:
    """Every stored round plays again, from its wall and commands, to the same events, and all laws hold on the way:
    tiles conserved, points zero-sum, views as the faces that were sent. Returns the number of rounds."""
    connection = await asyncpg.connect(plain(settings.database_url))
    try:
        rows = await connection.fetch("SELECT round_id, record FROM records")
    finally:
        await connection.close()
    games = set()
    for row in rows:
        record = json.loads(row["record"])
        game = VARIANTS[record["variant"]]
        games.add(record["variant"])
        assert [check for check in verify(record, VARIANTS) if check.difference or check.skipped] == [], row["round_id"]
        trace = [started(game, setup_of(record, game))]
        for entry in record["entries"][1:]:
            following = taken(game, trace[-1], read_command(entry["command"]))
            assert following is not None, row["round_id"]
            trace.append(following)
        players = len(record["seats"])
        assert first_violation(game, trace, players) is None, row["round_id"]
    assert games == set(VARIANTS), "every game was played"
    return len(rows)


async def test_a_dozen_kills_of_two_nodes_lose_nothing(settings: Settings) -> None:
    async with cluster(settings, 2) as nodes:

        async def kill_one(name: str) -> None:
            for _ in range(KILLS // 2):
                await nodes.kill(name)

        async def kills() -> None:
            """Each node on its own, so that now and then both are dead at once."""
            await asyncio.gather(kill_one("n1"), kill_one("n2"))

        await play(nodes, settings, 3, kills)


async def test_a_node_that_slept_beyond_its_heartbeat_wakes_and_harms_nothing(
    settings: Settings, valkey: Redis
) -> None:
    async with cluster(settings, 2) as nodes:

        async def freezes() -> None:
            for name in ("n1", "n2"):
                await sleep_until_robbed(nodes, name, valkey)

        await play(nodes, settings, 4, freezes)


async def test_a_rolling_restart_loses_nothing_and_ends_in_order(settings: Settings) -> None:
    async with cluster(settings, 2) as nodes:

        async def restarts() -> None:
            for name in ("n1", "n2"):
                assert await nodes.restart(name) == 0

        await play(nodes, settings, 4, restarts)
