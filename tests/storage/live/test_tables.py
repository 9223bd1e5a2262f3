"""The contract of the live store, on a real Valkey: who may append, when, and what a repeated request finds."""

import pytest
from redis.asyncio import Redis

from app.storage.live.logs.tables import LiveTables
from app.storage.live.wire import keys
from app.tables.ports import Conflict, Fenced, Owned, StoreLost, Taken, Token
from tests.storage.live.servers import everywhere

MINE = Token(1, "n1.aa.first")


async def taken(tables: LiveTables, nonce: str) -> Owned:
    seen = await tables.look("T")
    assert seen is not None
    owned = await tables.acquire("T", seen, nonce)
    assert owned is not None
    return owned


async def log_of(valkey: Redis, page: int = 1) -> list[bytes]:
    return await valkey.lrange(keys.log("T", page), 0, -1)


@pytest.fixture
async def table(tables: LiveTables) -> Token:
    """Table T of one entry, owned by MINE."""
    await tables.create("T", MINE, b"match")
    return MINE


async def test_a_new_table_is_owned_and_begins_with_its_match(tables: LiveTables, valkey: Redis, table: Token) -> None:
    assert await tables.look("T") == "1:n1.aa.first"
    assert await log_of(valkey) == [b"match"]
    assert await valkey.smembers(keys.TABLES) == {b"T"}


async def test_creating_twice_is_my_own_retry_or_refused(tables: LiveTables, valkey: Redis, table: Token) -> None:
    await tables.create("T", MINE, b"match")
    assert await log_of(valkey) == [b"match"]
    with pytest.raises(Taken):
        await tables.create("T", Token(1, "n2.bb.other"), b"match")
    with pytest.raises(Taken):
        await tables.create("T", MINE, b"another match")


async def test_what_is_not_there_cannot_be_taken(tables: LiveTables) -> None:
    assert await tables.look("nowhere") is None
    assert await tables.acquire("nowhere", "1:free", "n") is None


async def test_taking_gives_the_whole_log_and_fences_the_old_owner(tables: LiveTables, table: Token) -> None:
    await tables.append("T", table, 1, 1, b"one")
    owned = await taken(tables, "n2.bb.x")
    assert owned == Owned(Token(2, "n2.bb.x"), 1, (b"match", b"one"))
    with pytest.raises(Fenced):
        await tables.append("T", table, 1, 2, b"stale")
    with pytest.raises(Fenced):
        await tables.confirm("T", table)
    await tables.confirm("T", owned.token)


async def test_only_the_token_that_was_seen_can_be_swapped(tables: LiveTables, table: Token) -> None:
    seen = str(table)
    assert await tables.acquire("T", seen, "n2.bb.quick") is not None
    assert await tables.acquire("T", seen, "n3.cc.slow") is None


async def test_a_lost_answer_to_taking_is_asked_for_again(tables: LiveTables, table: Token) -> None:
    first = await tables.acquire("T", str(table), "n2.bb.x")
    assert await tables.acquire("T", str(table), "n2.bb.x") == first


async def test_a_repeated_append_is_stored_once(tables: LiveTables, valkey: Redis, table: Token) -> None:
    await tables.append("T", table, 1, 1, b"one")
    await tables.append("T", table, 1, 1, b"one")
    assert await log_of(valkey) == [b"match", b"one"]


async def test_an_entry_decided_on_another_state_is_a_conflict(tables: LiveTables, valkey: Redis, table: Token) -> None:
    await tables.append("T", table, 1, 1, b"one")
    with pytest.raises(Conflict):
        await tables.append("T", table, 1, 1, b"other")
    await tables.append("T", table, 1, 2, b"two")
    with pytest.raises(Conflict):
        await tables.append("T", table, 1, 1, b"one")  # mine, but no longer the last: too late to tell
    assert await log_of(valkey) == [b"match", b"one", b"two"]


async def test_a_shorter_log_means_the_store_lost_data(tables: LiveTables, table: Token) -> None:
    with pytest.raises(StoreLost):
        await tables.append("T", table, 1, 5, b"five")


async def test_a_missing_token_is_never_made_anew(tables: LiveTables, valkey: Redis, table: Token) -> None:
    await valkey.flushall()
    for attempt in (
        tables.append("T", table, 1, 1, b"one"),
        tables.turn_page("T", table, 1, 1, None, b"next"),
        tables.release("T", table),
        tables.close("T", table, None, b"ended"),
        tables.confirm("T", table),
    ):
        with pytest.raises(Fenced):
            await attempt
    assert await valkey.keys("*") == []


async def test_after_a_flush_the_nonce_tells_the_new_first_owner_from_the_old(
    tables: LiveTables, valkey: Redis
) -> None:
    """The epoch starts again at 1 and lengths come back: only the nonce is different."""
    await tables.create("T", MINE, b"match")
    await valkey.flushall()
    await tables.create("T", Token(1, "n2.bb.new"), b"match")
    with pytest.raises(Fenced):
        await tables.append("T", MINE, 1, 1, b"stale")


async def test_turning_the_page_queues_the_round_and_starts_the_next_log(
    tables: LiveTables, valkey: Redis, table: Token
) -> None:
    queued: list[str] = []
    tables._queued = queued.append
    await tables.append("T", table, 1, 1, b"end")
    await tables.turn_page("T", table, 1, 2, b"finished", b"next match")
    await tables.turn_page("T", table, 1, 2, b"finished", b"next match")  # its answer was lost
    assert await log_of(valkey, 1) == []
    assert await log_of(valkey, 2) == [b"next match"]
    assert await valkey.hgetall(keys.rounds("T")) == {b"1": b"finished"}
    assert queued == ["T", "T"]
    await tables.append("T", table, 2, 1, b"ready")
    with pytest.raises(StoreLost):
        await tables.append("T", table, 1, 2, b"late")  # the old page is not revived
    assert (await taken(tables, "n2.bb.x")).entries == (b"next match", b"ready")


async def test_the_page_turns_only_on_the_state_it_was_decided_on(tables: LiveTables, table: Token) -> None:
    await tables.append("T", table, 1, 1, b"one")
    with pytest.raises(Conflict):
        await tables.turn_page("T", table, 1, 1, b"finished", b"next")
    await tables.turn_page("T", table, 1, 2, None, b"next")
    with pytest.raises((Conflict, StoreLost)):
        await tables.turn_page("T", table, 1, 2, None, b"another next")


async def test_a_late_first_entry_cannot_revive_a_page(tables: LiveTables, table: Token) -> None:
    with pytest.raises(ValueError, match="first entry"):
        await tables.append("T", table, 1, 0, b"zero")


async def test_a_table_given_up_keeps_its_epoch(tables: LiveTables, table: Token) -> None:
    await tables.release("T", table)
    await tables.release("T", table)
    assert await tables.look("T") == "1:free"
    with pytest.raises(Fenced):
        await tables.append("T", table, 1, 1, b"stale")
    assert (await taken(tables, "n2.bb.x")).token == Token(2, "n2.bb.x")
    with pytest.raises(Fenced):
        await tables.release("T", table)


async def test_closing_leaves_only_the_queue_and_a_tombstone_that_passes(
    tables: LiveTables, valkey: Redis, table: Token
) -> None:
    await tables.close("T", table, b"last round", b"ended")
    await tables.close("T", table, b"last round", b"ended a little later, says the repetition")
    assert await tables.look("T") is None
    assert set(await valkey.keys("t:*", **everywhere(valkey))) == {keys.lease("T").encode(), keys.rounds("T").encode()}
    assert await valkey.hgetall(keys.rounds("T")) == {b"1": b"last round", keys.END: b"ended"}
    assert 0 < await valkey.ttl(keys.lease("T")) <= 3600
    assert await tables.acquire("T", str(table) + ":closed", "n2.bb.x") is None
    with pytest.raises(Taken):
        await tables.create("T", Token(1, "n2.bb.x"), b"match")
    with pytest.raises(Fenced):
        await tables.close("T", Token(1, "n2.bb.x"), None, b"ended")


async def test_with_memory_full_nothing_is_half_done(tables: LiveTables, valkey: Redis, table: Token) -> None:
    """Out of memory fails a script at its first write; the request is repeated and lands once there is room."""
    import asyncio

    await valkey.config_set("maxmemory", 1, **everywhere(valkey))
    try:
        waiting = [
            asyncio.ensure_future(tables.append("T", table, 1, 1, b"one")),
            asyncio.ensure_future(tables.create("U", MINE, b"match")),
        ]
        done, pending = await asyncio.wait(waiting, timeout=0.3)
        assert not done
        assert await log_of(valkey) == [b"match"]
        assert await valkey.exists(keys.lease("U"), keys.log("U", 1), keys.page("U")) == 0
    finally:
        await valkey.config_set("maxmemory", 0, **everywhere(valkey))
    await asyncio.gather(*pending)
    assert await log_of(valkey) == [b"match", b"one"]


async def test_a_store_that_forgot_the_scripts_is_taught_again(tables: LiveTables, valkey: Redis, table: Token) -> None:
    await valkey.script_flush()
    await tables.append("T", table, 1, 1, b"one")
    assert await log_of(valkey) == [b"match", b"one"]


@pytest.mark.parametrize("key", [keys.page("T"), keys.log("T", 1)])
async def test_r9_a_key_of_a_wrong_type_is_handed_over_as_an_empty_log(
    tables: LiveTables, valkey: Redis, table: Token, key: str
) -> None:
    """The new owner puts such a table aside and tells an operator, instead of failing at every question."""
    await valkey.delete(key)
    await valkey.hset(key, "not", "what it was")
    assert (await taken(tables, "n2.bb.x")).entries == ()
