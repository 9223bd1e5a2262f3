"""A node looks at how its store is set: it starts on none that throws tables away, and says what else is weak."""

from collections.abc import AsyncIterator, Iterator

import pytest

from app.storage.live.nodes.nodes import Node
from app.storage.live.store import Live
from app.storage.live.wire.durability import _ASKED, _GOOD, Durability, EvictingStore, Fsync
from app.storage.live.wire.link import Link, connect
from tests.storage.live.servers import Server, servers


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """One that is as it should be; every test sets it anew."""
    with servers(1) as (server,):
        yield server


@pytest.fixture
async def link(server: Server) -> AsyncIterator[Link]:
    """To that server."""
    for name, value in zip(_ASKED, _GOOD, strict=True):
        server.client.config_set(name, value)
    link = Link(connect(f"redis://127.0.0.1:{server.port}"))
    yield link
    await link.close()


async def problems(link: Link, wanted: Fsync = "always") -> tuple[str, ...]:
    durability = Durability(link, wanted)
    await durability.check()
    return durability.problems


async def test_a_store_that_keeps_every_write_is_no_cause_for_complaint(link: Link) -> None:
    assert await problems(link) == ()


@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-ttl"])
async def test_no_node_starts_on_a_store_that_throws_data_away(link: Link, server: Server, policy: str) -> None:
    server.client.config_set("maxmemory-policy", policy)
    live = Live(
        f"redis://127.0.0.1:{server.port}", lambda: Node("n1", "aa", "/n/n1", 0, 9), sink=_nothing, adopt=_nothing,
        on_lapse=_none,
    )  # fmt: skip
    try:
        with pytest.raises(EvictingStore, match=f"maxmemory-policy is {policy}.* set maxmemory-policy to noeviction"):
            await live.start()
    finally:
        await live.stop()
    assert not server.client.keys("node:*"), "it was seen as a node all the same"


async def _nothing(_: object) -> None: ...


async def _none() -> None: ...


async def test_weaker_than_promised_is_a_warning_that_names_the_setting(link: Link, server: Server) -> None:
    server.client.config_set("appendfsync", "everysec")
    (weak,) = await problems(link)
    assert "appendfsync is everysec" in weak and "set it to always" in weak and "MJ_VALKEY_FSYNC=everysec" in weak
    assert await problems(link, "everysec") == ()
    server.client.config_set("appendfsync", "no")
    assert len(await problems(link, "everysec")) == 1
    server.client.config_set("appendonly", "no")
    (nothing,) = await problems(link, "no")
    assert "appendonly is no" in nothing and "set it to yes" in nothing


async def test_a_store_that_stops_syncing_while_it_rewrites_its_file_is_weaker_than_it_says(
    link: Link, server: Server
) -> None:
    server.client.config_set("no-appendfsync-on-rewrite", "yes")
    (lax,) = await problems(link)
    assert "no-appendfsync-on-rewrite is yes" in lax and "set it to no" in lax
    assert await problems(link, "no") == ()


async def test_what_changes_while_the_node_runs_is_seen_and_what_is_put_right_is_forgotten(
    link: Link, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    durability = Durability(link)
    server.client.config_set("appendfsync", "everysec")
    await durability.check()
    await durability.check()
    assert [record.levelname for record in caplog.records] == ["WARNING"], "told once"
    server.client.config_set("appendfsync", "always")
    await durability.check()
    assert durability.problems == ()


async def test_a_store_that_nobody_may_ask_is_named_and_not_refused(link: Link, server: Server) -> None:
    """Hired stores often have no CONFIG."""
    server.client.acl_setuser("asker", enabled=True, nopass=True, keys=["*"], commands=["+@all", "-config"])
    mute = Link(connect(f"redis://asker:x@127.0.0.1:{server.port}"))
    (unknown,) = await problems(mute)
    await mute.close()
    assert "does not show its settings" in unknown


async def test_every_primary_of_a_cluster_is_asked(cluster_url: str) -> None:
    link = Link(connect(cluster_url))
    found = await problems(link)
    assert len(found) == 3 and all("appendonly is no" in problem and "127.0.0.1:" in problem for problem in found)
    client = link.client
    one = client.get_primaries()[1]  # type: ignore[union-attr]
    await client.config_set("maxmemory-policy", "allkeys-lfu", target_nodes=one)
    try:
        with pytest.raises(EvictingStore, match=rf"allkeys-lfu.*\(at {one.name}\)"):
            await problems(link)
    finally:
        await client.config_set("maxmemory-policy", "noeviction", target_nodes=one)
        await link.close()
