"""A link to the real store, and tables on it."""

from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from app.storage.live.link import Link, connect
from app.storage.live.tables import LiveTables


@pytest.fixture
async def link(valkey: Redis, valkey_url: str) -> AsyncIterator[Link]:
    """A link of its own to the emptied store."""
    link = Link(connect(valkey_url))
    yield link
    await link.close()


@pytest.fixture
def tables(link: Link) -> LiveTables:
    """The port under test."""
    return LiveTables(link)
