"""`mj verify --live`: every table's log in the live store, entry by entry against its checksums, and folded anew.

Also the ended rounds that wait for the archive: their records. Reads only, so it may run beside a server under play.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

from app.cli.running import live_store_of
from app.embedded.places import StartError
from app.kernel.errors import MalformedInput
from app.records.codec import decode
from app.records.verify import verify
from app.storage.live.wire import keys
from app.storage.live.wire.link import Link, StoreUnavailable, connect
from app.tables.log.entries import Unreadable
from app.tables.log.table_log import restore
from app.variants import VARIANTS

_AGAIN: int = 3


def main(argv: list[str]) -> int:
    """Print one line for each table that is damaged, and a sum. 0: all hold; 1: something is damaged."""
    parser = argparse.ArgumentParser(prog="mj verify --live", description="check every log in the live store")
    parser.add_argument("--live", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--data", type=Path, help="data folder of the running server (default: as `mj up`)")
    parser.add_argument("--valkey-url", help="default: MJ_VALKEY_URL, or that of the running server")
    given = parser.parse_args(argv)
    try:
        return asyncio.run(_verify(live_store_of(given.data, given.valkey_url)))
    except StoreUnavailable:
        raise StartError("The live store does not answer.") from None


async def _verify(url: str) -> int:
    link = Link(connect(url))
    tables = damaged = 0
    try:
        names = sorted(str(name, "utf-8") for name in await link.ask("SMEMBERS", keys.TABLES))
        for name in names:
            tables += 1
            async for problem in _problems(link, name):
                damaged += 1
                print(f"  DAMAGED  table {name}: {problem}")
    finally:
        await link.close()
    print(f"{tables} tables, {damaged} damages")
    return 1 if damaged else 0


async def _problems(link: Link, table_id: str) -> AsyncIterator[str]:
    """The faults of a table. One that turns its page or closes while it is read is read once more."""
    problem = ""
    for _ in range(_AGAIN):
        try:
            page = await link.ask("GET", keys.page(table_id))
            if page is None:
                break  # closed just now
            entries = tuple(await link.ask("LRANGE", keys.log(table_id, int(page)), 0, -1))
            if page != await link.ask("GET", keys.page(table_id)):
                continue
            restore(VARIANTS, entries, table_id, int(page))
            problem = ""
            break
        except Unreadable as error:
            problem = str(error)
        except StoreUnavailable:
            raise
        except Exception as error:  # whatever a damaged key or entry leads to
            problem = repr(error)
    if problem:
        yield problem
    async for each in _waiting(link, table_id):
        yield each


async def _waiting(link: Link, table_id: str) -> AsyncIterator[str]:
    """Ended rounds that the archive has not taken yet."""
    try:
        what = [str(name, "utf-8") for name in await link.ask("HKEYS", keys.rounds(table_id))]
    except StoreUnavailable:
        raise
    except Exception as error:
        yield f"its ended rounds cannot be read: {error!r}"
        return
    for name in what:
        raw = await link.ask("HGET", keys.rounds(table_id), name)
        try:
            record = json.loads(raw)["record"] if raw is not None and name.isdigit() else None
            differences = [] if record is None else verify(decode(json.dumps(record).encode()), VARIANTS)
        except (ValueError, KeyError, TypeError, MalformedInput) as error:
            yield f"ended round {name}: {error}"
            continue
        for check in differences:
            if check.difference is not None:
                yield f"ended round {name}: {check.name}: {check.difference}"
