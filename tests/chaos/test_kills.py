"""Nodes are killed, stopped, and replaced while people play all games over real sockets: nothing acknowledged is lost.

The short form of `mj chaos`; see there for the long one.
"""

import asyncio
import random

import pytest

from app.devstack.chaos import storm
from app.devstack.cluster import Cluster, cluster
from app.devstack.storm import Reckoning
from app.settings import Settings

KILLS = 12
pytestmark = pytest.mark.timeout(420)


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
    return found


async def test_a_dozen_kills_of_two_nodes_lose_nothing(settings: Settings) -> None:
    async with cluster(settings, 2) as nodes:

        async def kill_one(name: str) -> None:
            for _ in range(KILLS // 2):
                await nodes.kill(name)

        async def kills() -> None:
            """Each node on its own, so that now and then both are dead at once."""
            await asyncio.gather(kill_one("n1"), kill_one("n2"))

        await play(nodes, settings, 3, kills)


async def test_a_node_that_slept_beyond_its_heartbeat_wakes_and_harms_nothing(settings: Settings) -> None:
    async with cluster(settings, 2) as nodes:

        async def freezes() -> None:
            for name in ("n1", "n2"):
                await nodes.freeze(name, 4.0)

        await play(nodes, settings, 4, freezes)


async def test_a_rolling_restart_loses_nothing_and_ends_in_order(settings: Settings) -> None:
    async with cluster(settings, 2) as nodes:

        async def restarts() -> None:
            for name in ("n1", "n2"):
                assert await nodes.restart(name) == 0

        await play(nodes, settings, 4, restarts)
