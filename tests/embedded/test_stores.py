"""The embedded stores, as the tests themselves use them."""

import asyncpg
from redis.asyncio import Redis

from app.serving.migrate import plain


async def test_each_test_gets_an_empty_valkey(valkey: Redis) -> None:
    assert await valkey.dbsize() == 0
    await valkey.set("left", "behind")


async def test_what_the_last_test_left_is_gone(valkey: Redis) -> None:
    assert await valkey.get("left") is None


async def test_each_test_gets_a_fresh_database(database_url: str) -> None:
    connection = await asyncpg.connect(plain(database_url))
    assert await connection.fetchval("SELECT to_regclass('left_behind')") is None
    await connection.execute("CREATE TABLE left_behind (n int)")
    await connection.close()


async def test_tables_of_the_last_test_are_gone(database_url: str) -> None:
    connection = await asyncpg.connect(plain(database_url))
    assert await connection.fetchval("SELECT to_regclass('left_behind')") is None
    await connection.close()
