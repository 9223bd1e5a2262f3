"""A link to the real store, and tables on it; everything here runs on one server and on a cluster of three."""

from collections.abc import AsyncIterator, Iterator

import pytest
from redis.asyncio import Redis
from redis.asyncio.cluster import RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from app.storage.live.logs.tables import LiveTables
from app.storage.live.wire.link import Link, connect
from tests.storage.live.servers import cluster_of_three


@pytest.fixture(scope="session")
def cluster_url() -> Iterator[str]:
    """A Valkey Cluster of three, started once."""
    with cluster_of_three() as url:
        yield url


@pytest.fixture(params=["one server", "cluster"])
def store_url(request: pytest.FixtureRequest) -> str:
    """The store's address."""
    return str(request.getfixturevalue("valkey_url" if request.param == "one server" else "cluster_url"))


@pytest.fixture
async def valkey(store_url: str) -> AsyncIterator[Redis | RedisCluster]:
    """A client of the emptied store, for a look behind the scenes."""
    retry = Retry(NoBackoff(), 0)
    if "cluster=true" in store_url:
        client: Redis | RedisCluster = RedisCluster.from_url(store_url.split("?")[0], retry=retry)
    else:
        client = Redis.from_url(store_url, retry=retry)
    await client.flushall()
    yield client
    await client.aclose()


@pytest.fixture
async def link(valkey: Redis, store_url: str) -> AsyncIterator[Link]:
    """A link of its own to the emptied store."""
    link = Link(connect(store_url))
    yield link
    await link.close()


@pytest.fixture
def tables(link: Link) -> LiveTables:
    """The port under test."""
    return LiveTables(link)
