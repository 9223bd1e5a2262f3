"""Two nodes never both have an action accepted at one place: read from the store's file after stops and takeovers."""

import asyncio
import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from app.lab.chaos.aof_reader import Appended, appended
from app.lab.chaos.chaos import Stores, stores, storm
from app.lab.chaos.cluster import cluster
from tests.chaos.test_kills import sleep_until_robbed

pytestmark = pytest.mark.timeout(900)


@pytest.fixture
def own_stores() -> Iterator[Stores]:
    """A store whose whole life can be read."""
    with stores() as made:
        yield made


async def test_of_a_soak_of_stops_and_takeovers_every_entry_is_its_owners_at_its_place(own_stores: Stores) -> None:
    """Nodes sleep beyond their heartbeat, in turn and once together, and one is killed; who wakes has lost tables."""
    async with cluster(own_stores.settings, 2) as nodes, Redis.from_url(own_stores.valkey.url) as valkey:

        async def stops() -> None:
            for name in ("n1", "n2", "n1"):
                await sleep_until_robbed(nodes, name, valkey)
                await asyncio.sleep(0.5)
            await asyncio.gather(nodes.freeze("n1", 3.0), nodes.freeze("n2", 3.5))
            await nodes.kill("n2")

        found = await storm(nodes.url, own_stores.settings.database_url, 3, 0.05, random.Random(7), stops, rounds=2)
    assert found.clean, found
    log = appended(own_stores.folder / "valkey")
    assert log.faults == []
    assert log.entries >= found.acked > 50 and log.owners > found.matches + 3, log


def told(*words: str) -> Appended:
    found = Appended()
    for line in words:
        found.take([word.encode() for word in line.split(" ")])
    return found


def entry(n: int, token: str) -> str:
    return json.dumps({"n": n, "token": token}, separators=(",", ":"))


def test_it_would_be_seen_if_a_former_owner_got_in() -> None:
    log = told("SET t:{T}:lease 1:a", f"RPUSH t:{{T}}:log:1 {entry(0, '1:a')}", "SET t:{T}:lease 2:b",
               f"RPUSH t:{{T}}:log:1 {entry(1, '1:a')}")  # fmt: skip
    assert log.faults == ["t:{T}:log:1: entry 1 is 1:a's, the owner was 2:b"]


def test_it_would_be_seen_if_two_were_accepted_at_one_place_or_a_token_came_back() -> None:
    log = told("SET t:{T}:lease 2:a", *[f"RPUSH t:{{T}}:log:1 {entry(n, '2:a')}" for n in (0, 1, 1)])
    assert log.faults == ["t:{T}:log:1: entry 1 stands at place 2"]
    assert told("SET t:{T}:lease 2:a", "SET t:{T}:lease 1:b").faults == ["table T: 1:b came after 2:a"]


def test_a_file_that_does_not_begin_at_the_beginning_proves_nothing(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").mkdir()
    (tmp_path / "appendonlydir" / "appendonly.aof.2.incr.aof").write_bytes(b"*1\r\n$8\r\nFLUSHALL\r\n*2\r\n$3\r\nDE")
    assert len(appended(tmp_path).faults) == 1
