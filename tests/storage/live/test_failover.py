"""The primary's machine is lost and its replica takes over: what is kept without WAIT, and with it."""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping

import pytest

from app.storage.live.logs.tables import LiveTables
from app.storage.live.rooms.codes import Codes
from app.storage.live.wire.link import Link, connect
from app.tables.ports import StoreLost, Token
from tests.integration.waiting import until
from tests.storage.live.servers import Server, sentinel, servers

TOKEN = Token(1, "n1.aa.x")
pytestmark = pytest.mark.timeout(300)
LIMIT_S = 100.0
"""A sentinel that was held up for two seconds trusts nobody for thirty, itself included."""


def copied(primary: Server, replica: Server) -> bool:
    state = replica.client.info("replication")
    return bool(state["master_link_status"] == "up" and primary.client.info("replication")["connected_slaves"] == 1)


@contextlib.contextmanager
def pair() -> Iterator[tuple[Server, Server, str]]:
    """A primary, its replica that has everything, and the address of a sentinel over both."""
    with servers(2, "--repl-diskless-sync-delay", "0") as (primary, replica):
        replica.client.replicaof("127.0.0.1", str(primary.port))
        latest = time.monotonic() + LIMIT_S
        while not copied(primary, replica):
            assert time.monotonic() < latest
            time.sleep(0.02)
        with sentinel(primary.port) as url:
            yield primary, replica, url


async def play(tables: LiveTables, acked: list[int], end: int) -> None:
    """Append numbered entries one after the other; `acked` has those that the store said it has."""
    for place in range(len(acked), end):
        await tables.append("T", TOKEN, 1, place, b"%d" % place)
        acked.append(place)


async def beyond(count: int, acked: list[int], playing: "asyncio.Future[None]") -> None:
    async with asyncio.timeout(LIMIT_S):
        while len(acked) < count and not playing.done():
            await asyncio.sleep(0.005)
    assert len(acked) >= count, playing.exception()


async def test_with_wait_an_owner_plays_on_through_a_failover_and_nothing_acknowledged_is_lost() -> None:
    """The very same link: the sentinel names the new primary, and what was under way is sent again there."""
    with pair() as (primary, replica, url):
        link = Link(connect(url), replicas=1)
        tables, acked = LiveTables(link), [0]
        await tables.create("T", TOKEN, b"0")
        playing = asyncio.ensure_future(play(tables, acked, 1_000_000))
        await beyond(50, acked, playing)
        primary.kill()
        before = len(acked)
        async with asyncio.timeout(LIMIT_S):
            while (await asyncio.to_thread(replica.client.info, "replication"))["role"] != "master":
                await asyncio.sleep(0.1)
        link.replicas = 0  # the operator's decision: there is no second replica to wait for
        await beyond(before + 50, acked, playing)
        playing.cancel()
        entries = await asyncio.to_thread(replica.client.lrange, "t:{T}:log:1", 0, -1)
        assert entries[: len(acked)] == [b"%d" % place for place in range(len(acked))]
        await link.close()


async def test_with_wait_nothing_counts_as_kept_while_no_replica_is_there() -> None:
    """A primary that is cut off from its replica acknowledges nothing, so a failover takes nothing back."""
    with pair() as (primary, replica, url):
        link = Link(connect(url), replicas=1)
        tables, acked = LiveTables(link), [0]
        await tables.create("T", TOKEN, b"0")
        await play(tables, acked, 10)
        replica.client.replicaof("NO", "ONE")  # cut off, as by a broken network
        playing = asyncio.ensure_future(play(tables, acked, 20))
        done, _ = await asyncio.wait([playing], timeout=1.5)
        assert not done and acked == list(range(10))
        primary.kill()
        playing.cancel()
        assert await asyncio.to_thread(replica.client.lrange, "t:{T}:log:1", 0, -1) == [b"%d" % n for n in acked]
        await link.close()


_RETRIED: Mapping[str, Callable[[LiveTables, Codes], Awaitable[object]]] = {
    "create": lambda tables, _: tables.create("T", TOKEN, b"0"),
    "acquire": lambda tables, _: tables.acquire("U", "1:free", "n1.aa.y"),
    "append": lambda tables, _: tables.append("V", TOKEN, 1, 1, b"1"),
    "turn_page": lambda tables, _: tables.turn_page("W", TOKEN, 1, 1, b"round", b"next"),
    "release": lambda tables, _: tables.release("X", TOKEN),
    "close": lambda tables, _: tables.close("Y", TOKEN, b"round", b"ended"),
    "code": lambda _, codes: codes.reserve("Z"),
}


async def test_with_wait_a_repeated_request_counts_no_sooner_than_its_first_try_would_have() -> None:
    """WAIT speaks of its own connection: on a new one it would be content at once with what the old one had written."""
    with pair() as (primary, replica, _):
        url = f"redis://127.0.0.1:{primary.port}/"
        links = [Link(connect(url), replicas=0 if name == "" else 1) for name in ("", *_RETRIED)]
        (tables, codes), *others = [(LiveTables(link), Codes(link, draw=lambda _: 7)) for link in links]
        for table in "UVWXY":
            await tables.create(table, TOKEN, b"0")
        await tables.release("U", TOKEN)
        pid = int((await asyncio.to_thread(replica.client.info, "server"))["process_id"])
        os.kill(pid, signal.SIGSTOP)  # it is there still, but has nothing of what comes now
        try:
            for ask in _RETRIED.values():
                await ask(tables, codes)
            again = [asyncio.ensure_future(ask(*other)) for ask, other in zip(_RETRIED.values(), others, strict=True)]
            await asyncio.wait(again, timeout=1.0)
            assert [name for name, one in zip(_RETRIED, again, strict=True) if one.done()] == []
        finally:
            os.kill(pid, signal.SIGCONT)
        async with asyncio.timeout(LIMIT_S):
            await asyncio.gather(*again)
        for link in links:
            await link.close()


async def test_without_wait_a_failover_may_lose_the_last_entries_and_the_owner_notices() -> None:
    """Replication is asynchronous: entries that the replica had not got are lost. The owner is refused, and stops."""
    with pair() as (primary, replica, _):
        link = Link(connect(f"redis://127.0.0.1:{primary.port}/"))
        tables, acked = LiveTables(link), [0]
        await tables.create("T", TOKEN, b"0")
        await play(tables, acked, 2)
        while replica.client.llen("t:{T}:log:1") < 2:
            time.sleep(0.01)
        replica.client.replicaof("NO", "ONE")
        await play(tables, acked, 3)  # acknowledged by the primary alone
        primary.kill()
        await link.close()
        after = Link(connect(f"redis://127.0.0.1:{replica.port}/"))
        with pytest.raises(StoreLost):
            await LiveTables(after).append("T", TOKEN, 1, 3, b"3")
        await after.close()


async def test_a_former_primary_that_is_a_replica_now_is_left_at_once() -> None:
    """READONLY, and WAIT refused: both mean that nothing was done, and that the address leads elsewhere."""
    with servers(2, "--repl-diskless-sync-delay", "0") as (old, new):
        link = Link(connect(f"redis://127.0.0.1:{old.port}/"), replicas=1)
        old.client.replicaof("127.0.0.1", str(new.port))
        waiting = link.ask("SET", "x", 1, patience_s=None)
        await until(lambda: link.failing_since is not None)
        done, _ = await asyncio.wait([waiting], timeout=0.5)
        assert not done
        waiting.cancel()
        await link.close()
