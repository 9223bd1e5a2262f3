"""`mj verify --archive`: everything in Postgres read once, and each round's record checked and compared with its rows.

Every page of every table is read, so a page that differs from Postgres's own checksum is named; every record is played
again (`records/verify.py`) and bound by its digest; points, lines and outcome of the rows must be those of the record.
Reads only, in one snapshot, so it may run beside a server under play; about 150 rounds a second.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Any

import asyncpg

from app.cli.running import database_of
from app.embedded.places import StartError
from app.kernel.errors import MalformedInput
from app.records.codec import Record, decode, points_of
from app.records.verify import verify
from app.serving.migrate import plain
from app.variants import VARIANTS

_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
_ROUNDS = (
    "SELECT r.id, r.round_no, r.variant, r.outcome, c.record,"
    " (SELECT array_agg(s.net ORDER BY s.seat) FROM round_seats s WHERE s.round_id = r.id) AS nets,"
    " (SELECT json_agg(json_build_array(l.payer, l.payee, l.points, l.clause) ORDER BY l.n)"
    "  FROM ledger_lines l WHERE l.round_id = r.id) AS lines"
    " FROM rounds r LEFT JOIN records c ON c.round_id = r.id ORDER BY r.id"
)


def main(argv: list[str]) -> int:
    """Print one line for each damage, and a sum. 0: all hold; 1: something is damaged."""
    parser = argparse.ArgumentParser(prog="mj verify --archive", description="check every record and row in Postgres")
    parser.add_argument("--archive", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--data", type=Path, help="data folder of the running server (default: as `mj up`)")
    parser.add_argument("--database-url", help="default: MJ_DATABASE_URL, or that of the running server")
    given = parser.parse_args(argv)
    try:
        return asyncio.run(_verify(plain(database_of(given.data, given.database_url))))
    except (OSError, asyncpg.PostgresConnectionError, asyncpg.CannotConnectNowError):
        raise StartError("Postgres does not answer.") from None


async def _verify(url: str) -> int:
    connection = await asyncpg.connect(url)
    rounds = damaged = 0
    try:
        if await connection.fetchval("SHOW data_checksums") != "on":
            print("  note: this Postgres keeps no checksums of its pages; `pg_checksums --enable` makes them")
        async for problem in _pages(connection):
            damaged += 1
            print(f"  DAMAGED  {problem}")
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            async for row in connection.cursor(_ROUNDS):
                rounds += 1
                for problem in problems(dict(row)):
                    damaged += 1
                    print(f"  DAMAGED  round {row['id']}: {problem}")
    except (asyncpg.DataCorruptedError, asyncpg.InternalServerError) as error:
        damaged += 1
        print(f"  DAMAGED  the rounds cannot be read: {error}")
    finally:
        await connection.close()
    print(f"{rounds} rounds, {damaged} damages")
    return 1 if damaged else 0


async def _pages(connection: Any) -> AsyncIterator[str]:
    """Tables with a page that cannot be read: each value is brought to text, so also what lies out of line is read."""
    for row in await connection.fetch(_TABLES):
        try:
            await connection.fetchval(f'SELECT sum(length(t::text)) FROM "{row["tablename"]}" t')
        except (asyncpg.DataError, asyncpg.DataCorruptedError, asyncpg.InternalServerError) as error:
            yield f"table {row['tablename']}: {error}"
        except asyncpg.InsufficientPrivilegeError:
            print(f"  note: table {row['tablename']} may be read by the owner only (--database-url)")


def problems(row: Mapping[str, Any]) -> Iterator[str]:
    """Faults of a round's record, and differences between it and the round's rows."""
    nets = list(row["nets"] or ())
    if sum(nets) != 0:
        yield f"the points of its seats do not add up to zero: {nets}"
    if not row["record"]:
        if row["outcome"] != "failed":
            yield "its record is missing"
        return
    try:
        record = decode(row["record"])
        checks = verify(record, VARIANTS)
    except (MalformedInput, ValueError, KeyError, TypeError, IndexError) as error:
        yield f"its record cannot be read: {error}"
        return
    for check in checks:
        if check.difference is not None:
            yield f"its record, {check.name}: {check.difference}"
    for what, said, found in _compared(row, record, nets):
        if said != found:
            yield f"its rows and its record differ in {what}: {said!r} and {found!r}"


def _compared(row: Mapping[str, Any], record: Record, nets: list[int]) -> Iterator[tuple[str, object, object]]:
    events = [event for entry in record["entries"] for event in entry["events"]]
    lines = [
        [line["source"], line["target"], line["points"], line["clause"]]
        for event in events
        if event["type"] == "points_moved"
        for line in event["lines"]
    ]
    yield "variant", row["variant"], record["variant"]
    yield "round_no", row["round_no"], record["round_no"]
    yield "outcome", row["outcome"], record["result"]["outcome"]
    yield "points", nets, points_of(record["entries"], len(nets))
    yield "lines", json.loads(row["lines"] or "[]"), lines
