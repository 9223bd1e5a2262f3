"""`mj verify --audit`: every row of the audit log against the hash that binds it to the row before (S13).

Reads only. The last line names the end of the log: whoever notes it elsewhere can give it as `--anchor` later.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from app.cli.running import database_of
from app.embedded.places import StartError
from app.storage.archive.engine import AWAY, Archive
from app.storage.archive.operators.chain import Chain, check


def main(argv: list[str]) -> int:
    """Print what was found. 0: all rows hold; 1: the first that does not is named. Raises StartError: no database."""
    parser = argparse.ArgumentParser(prog="mj verify --audit", description="check the chain of the audit log")
    parser.add_argument("--audit", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--data", type=Path, help="data folder of the running server (default: as `mj up`)")
    parser.add_argument("--database-url", help="default: MJ_DATABASE_URL, or that of the running server")
    parser.add_argument(
        "--anchor", metavar="ROW:HASH", type=_noted, help="the end of the log as an earlier check printed it"
    )
    given = parser.parse_args(argv)
    try:
        found = asyncio.run(_check(database_of(given.data, given.database_url), given.anchor))
    except AWAY as error:
        raise StartError(f"Postgres cannot be reached: {error}.") from None
    if found.broken is not None:
        print(f"  BROKEN   {found.broken}")
    print(f"{found.rows} rows hold; the last is {found.last}:{found.hash or '-'}")
    return 0 if found.broken is None else 1


def _noted(text: str) -> tuple[int, str]:
    row, _, row_hash = text.partition(":")
    if not (row.isascii() and row.isdigit() and len(row_hash) == 64):
        raise argparse.ArgumentTypeError("expected ROW:HASH, as an earlier check printed it")
    return int(row), row_hash.lower()


async def _check(url: str, anchor: tuple[int, str] | None) -> Chain:
    archive = Archive.at(url, connections=1, patience_s=600)
    try:
        async with archive.read() as db:
            return await check(await db.execution_options(isolation_level="REPEATABLE READ"), anchor)
    finally:
        await archive.close()
