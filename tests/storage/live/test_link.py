"""The line to the store is bad: answers are lost, the store restarts its scripts, stalls, or is away."""

import asyncio
import random
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.exceptions import ClusterDownError, ClusterError, MovedError, ResponseError

from app.storage.live.logs.tables import LiveTables
from app.storage.live.wire import keys, link
from app.storage.live.wire.line import is_plain
from app.storage.live.wire.link import Link, StoreUnavailable, connect
from app.tables.ports import Conflict, Token
from tests.integration.waiting import PATIENCE_S, spending
from tests.storage.live.bad_line import BadLine

TABLES = [f"T{number}" for number in range(20)]


@pytest.fixture
def store_url(valkey_url: str) -> str:
    """One server: the bad line leads to it."""
    return valkey_url


@pytest.fixture
async def line(valkey: Redis, valkey_url: str) -> AsyncIterator[BadLine]:
    """A connection that works until a test breaks it."""
    with tempfile.TemporaryDirectory(prefix="mj-line-") as folder:
        async with BadLine(valkey_url, Path(folder) / "s", random.Random(7)) as line:
            yield line


@pytest.fixture
async def over(line: BadLine) -> AsyncIterator[Link]:
    """A link over the bad line."""
    link = Link(connect(line.url))
    yield link
    await link.close()


async def play(tables: LiveTables, table_id: str, entries: int) -> Token:
    """Create a table and append numbered entries, each after the one before."""
    token = Token(1, f"n1.aa.{table_id}")
    await tables.create(table_id, token, b"0")
    for number in range(1, entries):
        await tables.append(table_id, token, 1, number, b"%d" % number)
    return token


async def test_every_append_is_stored_once_and_in_order_though_answers_get_lost(
    line: BadLine, over: Link, valkey: Redis
) -> None:
    line.lose_answers = 0.2
    async with asyncio.timeout(PATIENCE_S):
        await asyncio.gather(*[play(LiveTables(over), table_id, 100) for table_id in TABLES])
    assert line.lost > 3, "the test must have hit what it is about"
    for table_id in TABLES:
        assert await valkey.lrange(keys.log(table_id, 1), 0, -1) == [b"%d" % number for number in range(100)]


async def test_without_the_retry_check_a_lost_answer_looks_like_a_refusal(valkey: Redis, valkey_url: str) -> None:
    """The purpose of the third check of append: the same bytes again, and the table goes on."""
    link = Link(connect(valkey_url))
    tables = LiveTables(link)
    token = await play(tables, "T", 2)
    await tables.append("T", token, 1, 2, b"mine")
    with pytest.raises(Conflict):
        await tables.append("T", token, 1, 2, b"not the same bytes")
    await tables.append("T", token, 1, 2, b"mine")
    await link.close()


async def test_a_store_that_is_away_is_waited_for(line: BadLine, over: Link, valkey: Redis) -> None:
    tables = LiveTables(over)
    token = await play(tables, "T", 1)
    line.dead = True
    line.cut()
    waiting = asyncio.ensure_future(tables.append("T", token, 1, 1, b"one"))
    done, _ = await asyncio.wait([waiting], timeout=0.5)
    assert not done
    line.dead = False
    line.cut()
    await asyncio.wait_for(waiting, PATIENCE_S)
    assert over.failing_since is None
    assert await valkey.llen(keys.log("T", 1)) == 2


async def test_what_is_no_answer_of_a_store_leaves_all_as_unknown_as_none(
    line: BadLine, over: Link, valkey: Redis
) -> None:
    """Not our mistake: no table may be frozen for what a proxy says that finds no store behind it."""
    tables = LiveTables(over)
    token = await play(tables, "T", 3)
    line.noise = b"HTTP/1.1 503 Service Unavailable\r\n\r\n"
    async with asyncio.timeout(PATIENCE_S):
        await tables.append("T", token, 1, 3, b"3")
    assert line.noise == b"" and await valkey.lrange(keys.log("T", 1), 0, -1) == [b"0", b"1", b"2", b"3"]


async def test_who_has_no_patience_is_told_that_the_store_is_away(line: BadLine, over: Link) -> None:
    assert await over.ask("PING") in (b"PONG", True)
    line.dead = True
    with pytest.raises(StoreUnavailable):
        await over.ask("GET", "x", patience_s=0.1)
    line.dead = False


async def test_what_waits_when_we_close_is_told(line: BadLine, over: Link) -> None:
    line.dead = True
    waiting = over.ask("GET", "x", patience_s=None)
    await asyncio.sleep(0)
    await over.close()
    with pytest.raises(StoreUnavailable):
        await waiting


async def test_our_own_mistake_is_raised_and_not_repeated(over: Link, valkey: Redis) -> None:
    await valkey.set("text", "x")
    with pytest.raises(ResponseError, match="WRONGTYPE"):
        await over.ask("LPUSH", "text", "y")


async def test_calls_of_one_turn_share_a_pipeline(over: Link, valkey: Redis) -> None:
    before = (await valkey.info("stats"))["total_reads_processed"]
    await asyncio.gather(*[over.ask("SET", f"k{number}", number) for number in range(500)])
    reads = (await valkey.info("stats"))["total_reads_processed"] - before
    assert reads < 60, f"{reads} reads for 500 commands"


async def test_an_append_counts_only_once_the_replicas_asked_for_have_it(valkey: Redis, valkey_url: str) -> None:
    """No replica is there, so with `replicas=1` no write is ever definite, and no caller gets an answer."""
    strict = Link(connect(valkey_url), replicas=1)
    waiting = asyncio.ensure_future(strict.ask("SET", "x", 1, patience_s=None))
    done, _ = await asyncio.wait([waiting], timeout=0.3)
    assert not done
    waiting.cancel()
    await strict.close()


async def test_with_memory_full_reads_go_on_and_the_trouble_is_told_once(
    valkey: Redis, valkey_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A connection that still works must not count as the end of the trouble, or the log fills up."""
    own = Link(connect(valkey_url))
    await valkey.config_set("maxmemory", 1)
    try:
        waiting = own.ask("SET", "x", 1, patience_s=None)
        async with asyncio.timeout(PATIENCE_S):
            while own.failing_since is None:
                await asyncio.sleep(0)
            for _ in range(4):
                assert await own.ask("GET", "x") is None
        assert own.failing_since is not None and not waiting.done()
    finally:
        await valkey.config_set("maxmemory", 0)
    await asyncio.wait_for(waiting, PATIENCE_S)
    assert own.failing_since is None
    assert [record.message[:34] for record in caplog.records] == [
        "the live store does not answer as ", "the live store answers again",
    ]  # fmt: skip
    await own.close()


async def test_lanes_that_fail_one_after_the_other_do_not_put_the_next_try_off(
    line: BadLine, over: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store that answers again is used again within one answer's time and the longest pause."""
    monkeypatch.setattr(link, "_PAUSES_S", (0.3,))
    over.client = connect(line.url + "?socket_timeout=0.3")
    await over.ask("PING")
    line.dead = True
    asked = []
    for _ in range(8):
        asked.append(over.ask("GET", "x", patience_s=None))
        await asyncio.sleep(0.07)
    line.dead = False
    line.cut()
    async with spending() as spent:
        await asyncio.wait_for(asyncio.gather(*asked), PATIENCE_S)
    assert spent.s < 1.0


@pytest.mark.parametrize("error", [ClusterError("TTL exhausted."), MovedError("7000 host:1"), ClusterDownError("x")])
def test_slots_that_are_passed_to_and_fro_are_no_mistake_of_ours(error: Exception) -> None:
    """The client gives up after a number of redirections: then a table waits, and is not frozen."""
    assert isinstance(error, link._LOST) or link._passes(error)


def test_the_limits_keep_what_is_promised() -> None:
    """After an outage everything flows within 5 s: an answer lost at the last moment, then the longest pause."""
    assert link.REPLY_S >= 1.0 and link.REPLY_S + max(link._PAUSES_S) <= 4.0
    assert 1 <= link.LANES <= 16 and link.WAIT_S < link.REPLY_S


@pytest.mark.parametrize("url", ["redis://store:6379/0", "rediss://store:6379/0", "unix:///store.sock"])
def test_the_client_sets_no_clock_of_its_own_for_every_answer(url: str) -> None:
    """The link limits the wait (the tests above); 5 s is the client's default."""
    assert connect(url).connection_pool.make_connection().socket_timeout is None


@pytest.mark.parametrize(
    ("url", "plain"),
    [
        ("redis://store:6379/0", True),
        ("unix:///store.sock", True),
        ("rediss://store:6379/0", False),
        ("redis+sentinel://one:26379,two:26379/main", False),
    ],
)
def test_encryption_and_sentinels_stay_with_the_library(url: str, plain: bool) -> None:
    client = connect(url)
    assert isinstance(client, Redis) and is_plain(client) is plain


async def test_a_line_that_the_store_has_cut_while_it_was_idle_is_not_used_again(
    valkey: Redis, valkey_url: str
) -> None:
    over = Link(connect(valkey_url))
    assert await over.ask("PING") == b"PONG"
    assert await valkey.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
    async with asyncio.timeout(PATIENCE_S):
        assert await over.ask("PING") == b"PONG"
    await over.close()


async def test_a_line_goes_to_the_numbered_database_of_its_address(valkey: Redis, valkey_url: str) -> None:
    over = Link(connect(f"{valkey_url}{'&' if '?' in valkey_url else '?'}db=3"))
    await over.ask("SET", "here", "yes")
    assert await over.ask("GET", "here") == b"yes" and await valkey.get("here") is None
    await over.ask("FLUSHDB")
    await over.close()
