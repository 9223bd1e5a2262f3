"""`mj bench ladder`: how fast the store answers "my rank" and "the top 100" with a million players on the board.

Works in a schema of its own making: a fresh database on an embedded Postgres that is thrown away afterwards.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

import asyncpg

from app.embedded.postgres import start_postgres
from app.serving.migrate import plain, upgrade
from app.storage.archive.engine import Archive
from app.storage.archive.play import ladder
from app.storage.archive.play.seasons import TOTAL

LIMIT_MS = 10.0
_VARIANT = "tianjin"


async def fill(database_url: str, players: int) -> float:
    """Put `players` on the board of totals, with points as they spread: most near zero, few far out. Seconds taken."""
    started = time.perf_counter()
    connection = await asyncpg.connect(plain(database_url))
    try:
        await connection.execute(
            "INSERT INTO users (id, name, name_key, avatar)"
            " SELECT 'p' || n, 'p' || n, 'p' || n, '' FROM generate_series(1, $1) n",
            players,
        )
        await connection.execute(
            "INSERT INTO ladder (variant, season, user_id, points)"
            " SELECT $1, $2, 'p' || n, ((random() ^ 6) * 3000000 - (random() ^ 3) * 5000)::bigint"
            " FROM generate_series(1, $3) n",
            _VARIANT, TOTAL, players,
        )  # fmt: skip
        await connection.execute("VACUUM ANALYZE")  # as a database is that has been running for a while
    finally:
        await connection.close()
    return time.perf_counter() - started


async def measure(archive: Archive, players: int, times: int) -> dict[str, list[float]]:
    """Milliseconds of each question, asked for players picked at random."""
    chance = random.Random(1)
    asked = [f"p{chance.randrange(1, players + 1)}" for _ in range(times)]

    async def mine(user: str) -> None:
        async with archive.read() as db:
            assert await ladder.neighbours(db, _VARIANT, TOTAL, user, 0)

    async def near(user: str) -> None:
        async with archive.read() as db:
            assert await ladder.neighbours(db, _VARIANT, TOTAL, user, 5)

    async def best(_user: str) -> None:
        async with archive.read() as db:
            await ladder.top(db, _VARIANT, TOTAL, 100)

    async def round_stored(user: str) -> None:
        async with archive.begin() as db:
            four = {user: 30, "p1": -10, "p2": -10, "p3": -10}
            await ladder.move(db, _VARIANT, four, datetime(2026, 11, 30, tzinfo=UTC))

    questions: dict[str, Callable[[str], Awaitable[None]]] = {
        "my rank": mine, "my neighbours": near, "top 100": best, "a round's points": round_stored,
    }  # fmt: skip
    taken: dict[str, list[float]] = {}
    for name, question in questions.items():
        await question(asked[0])
        taken[name] = []
        for user in asked:
            started = time.perf_counter()
            await question(user)
            taken[name].append((time.perf_counter() - started) * 1000)
    return taken


async def right(archive: Archive, players: int) -> bool:
    """Do ranks agree with a plain count, for a handful of players?"""
    chance = random.Random(2)
    async with archive.read() as db:
        for user in [f"p{chance.randrange(1, players + 1)}" for _ in range(5)]:
            [told] = await ladder.neighbours(db, _VARIANT, TOTAL, user, 0)
            if told["rank"] != await ladder.counted_rank(db, _VARIANT, TOTAL, told["points"]):
                return False
    return True


def main(argv: list[str]) -> int:
    """Run the benchmark. Exit status 1 when a read's median is over the limit, or a rank is wrong."""
    parser = argparse.ArgumentParser(prog="mj bench ladder", description="Rank and top 100 with many players.")
    parser.add_argument("--players", type=int, default=1_000_000)
    parser.add_argument("--times", type=int, default=500, help="how often each question is asked")
    given = parser.parse_args(argv)
    folder = Path(tempfile.mkdtemp(prefix="mj-bench-"))
    folder.chmod(0o755)
    try:
        child = start_postgres(folder / "postgres", durable=False)
        try:
            upgrade(child.url)
            return asyncio.run(_report(child.url, given.players, given.times))
        finally:
            child.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


async def _report(database_url: str, players: int, times: int) -> int:
    filled_s = await fill(database_url, players)
    print(f"{players:,} players put on the board in {filled_s:.1f} s")
    archive = Archive.at(database_url, connections=2)
    try:
        correct = await right(archive, players)
        taken = await measure(archive, players, times)
    finally:
        await archive.close()
    print(f"ranks agree with a plain count: {'yes' if correct else 'NO'}")
    slow = False
    for name, times_ms in taken.items():
        middle, late = statistics.median(times_ms), statistics.quantiles(times_ms, n=100)[98]
        print(f"{name:<18} best {min(times_ms):6.2f} ms   p50 {middle:6.2f} ms   p99 {late:6.2f} ms")
        slow = slow or middle > LIMIT_MS
    return int(slow or not correct)
