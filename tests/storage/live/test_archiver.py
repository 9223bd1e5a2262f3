"""Finished rounds reach the archive: all of them, also when a process dies or a store is away in between."""

import asyncio
from collections import Counter

import pytest
from redis.asyncio import Redis

from app.storage.live.logs import archiver as module
from app.storage.live.logs.archiver import Archiver
from app.storage.live.logs.refused import RefusedDocuments
from app.storage.live.logs.tables import LiveTables
from app.storage.live.wire import keys
from app.storage.live.wire.link import Link
from app.tables.log.documents import UnacceptableDocument
from app.tables.ports import Token
from tests.integration.waiting import PATIENCE_S, until


class Shelf:
    """An archive that may be away, or refuse, and counts what it is given."""

    def __init__(self) -> None:
        self.given: Counter[bytes] = Counter()
        self.away = False
        self.poison: set[bytes] = set()

    async def store(self, finished: bytes) -> None:
        if self.away:
            raise ConnectionError("away")
        if finished in self.poison:
            raise UnacceptableDocument("not ours")
        self.given[finished] += 1


async def finish(link: Link, table: str, rounds: int, archiver: Archiver | None = None) -> None:
    """A table that plays `rounds` rounds and closes with one more."""
    tables = LiveTables(link, queued=archiver.nudge if archiver else lambda table_id: None)
    token = Token(1, f"n1.aa.{table}")
    await tables.create(table, token, b"match")
    for number in range(1, rounds + 1):
        await tables.turn_page(table, token, number, 1, b"%b/%d" % (table.encode(), number), b"next")
    await tables.close(table, token, b"%b/last" % table.encode(), b"%b/end" % table.encode())


async def test_every_round_is_written_once_and_leaves_the_store(link: Link, valkey: Redis) -> None:
    shelf = Shelf()
    archiver = Archiver(link, shelf.store)
    running = asyncio.create_task(archiver.run())
    await asyncio.gather(*[finish(link, f"T{number}", 3, archiver) for number in range(10)])
    await until(lambda: len(shelf.given) == 50)
    await until(lambda: not archiver.behind)
    assert set(shelf.given.values()) == {1}
    assert [key async for key in valkey.scan_iter("t:*:rounds")] == []
    running.cancel()


async def test_a12_only_rounds_count_as_rounds_written(link: Link) -> None:
    """A12: the counter `rounds_written` leaves out the ends of matches and rooms, and what the archive refused."""
    shelf = Shelf()
    archiver = Archiver(link, shelf.store)
    tables, token = LiveTables(link, queued=archiver.nudge), Token(1, "n1.aa.T")
    await tables.create("T", token, b"match")
    for number in (1, 2, 3):
        played = b'{"kind":"round","round_no":%d}' % number
        await tables.turn_page("T", token, number, 1, played, b"next")
    shelf.poison.add(b'{"kind":"round","round_no":3}')
    await tables.close("T", token, b'{"kind":"match"}', b'{"kind":"end"}')
    assert await archiver.drain()
    assert len(shelf.given) == 4 and archiver.rounds_written == 2


async def test_rounds_wait_while_the_archive_is_away_and_come_when_it_is_back(
    link: Link, valkey: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PAUSES_S", (0.02,))
    shelf = Shelf()
    shelf.away = True
    archiver = Archiver(link, shelf.store)
    running = asyncio.create_task(archiver.run())
    await finish(link, "T", 3, archiver)
    await until(lambda: archiver.behind)
    assert await valkey.hlen(keys.rounds("T")) == 5
    shelf.away = False
    await until(lambda: not archiver.behind)
    assert list(shelf.given.items()) == [(what, 1) for what in (b"T/1", b"T/2", b"T/3", b"T/last", b"T/end")]
    running.cancel()


async def test_however_often_the_archive_was_away_it_is_asked_again(
    link: Link, valkey: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Postgres away for minutes is a hundred vain tries: the longest pause is short, and never the last one."""
    assert max(module._PAUSES_S) <= 5.0
    monkeypatch.setattr(module, "_PAUSES_S", (0.0,) * len(module._PAUSES_S))
    shelf, tries = Shelf(), 0

    async def store(finished: bytes) -> None:
        nonlocal tries
        tries += 1
        if tries <= 100:
            raise ConnectionError("away")
        await shelf.store(finished)

    archiver = Archiver(link, store)
    running = asyncio.create_task(archiver.run())
    await finish(link, "T", 2, archiver)
    await until(lambda: len(shelf.given) == 4 and not archiver.behind)
    assert tries == 104 and set(shelf.given.values()) == {1}
    assert not await valkey.exists(keys.rounds("T"))
    running.cancel()


async def test_a_table_whose_writing_takes_long_holds_up_no_other_and_its_rounds_keep_their_order(link: Link) -> None:
    shelf, go_on = Shelf(), asyncio.Event()

    async def store(finished: bytes) -> None:
        if finished == b"T0/1":
            await go_on.wait()
        await shelf.store(finished)

    for number in range(6):
        await finish(link, f"T{number}", 1)
    running = asyncio.create_task(Archiver(link, store).run())
    await until(lambda: len(shelf.given) == 15)
    assert not any(what.startswith(b"T0") for what in shelf.given)
    go_on.set()
    await until(lambda: len(shelf.given) == 18)
    assert list(shelf.given)[15:] == [b"T0/1", b"T0/last", b"T0/end"] and set(shelf.given.values()) == {1}
    running.cancel()


async def test_rounds_of_a_node_that_died_are_found_by_another(link: Link, valkey: Redis) -> None:
    shelf = Shelf()
    await finish(link, "T", 2)  # and then its node was no more
    running = asyncio.create_task(Archiver(link, shelf.store, scan_s=0.02).run())
    await until(lambda: len(shelf.given) == 4)
    running.cancel()


async def test_a_death_between_commit_and_strike_gives_the_round_again_and_loses_none(
    link: Link, valkey: Redis
) -> None:
    """At least once; the archive's unique key makes it once."""
    shelf = Shelf()
    await finish(link, "T", 1)

    async def store(finished: bytes) -> None:
        await shelf.store(finished)
        await asyncio.Event().wait()  # committed; and then its node was no more

    first = Archiver(link, store)
    first.nudge("T")
    committing = asyncio.create_task(first.drain())
    await until(lambda: shelf.given[b"T/1"] == 1)
    committing.cancel()
    second = Archiver(link, shelf.store)
    second.nudge("T")
    assert await second.drain()
    assert shelf.given == {b"T/1": 2, b"T/last": 1, b"T/end": 1}
    assert not await valkey.exists(keys.rounds("T"))


async def test_a_round_that_is_never_taken_is_put_aside_and_holds_up_nobody(link: Link, valkey: Redis) -> None:
    shelf = Shelf()
    shelf.poison.add(b"T/1")
    told: list[tuple[str, str]] = []
    archiver = Archiver(link, shelf.store, on_refusal=lambda table, what: told.append((table, what)))
    await finish(link, "T", 2, archiver)
    await finish(link, "U", 1, archiver)
    assert await archiver.drain()
    assert set(shelf.given) == {b"T/2", b"T/last", b"T/end", b"U/1", b"U/last", b"U/end"}
    assert await valkey.hgetall(keys.refused("T")) == {b"1": b"T/1"}
    assert told == [("T", "1")] and archiver.refused == 1


async def test_once_the_bug_is_mended_a_refused_round_is_handed_over_again(link: Link, valkey: Redis) -> None:
    """A16."""
    shelf = Shelf()
    shelf.poison.add(b"T/1")
    archiver = Archiver(link, shelf.store)
    await finish(link, "T", 1, archiver)
    assert await archiver.drain()
    aside = RefusedDocuments(link)
    assert await aside.all() == {"T": ["1"]} and await aside.one("T", "1") == b"T/1"
    shelf.poison.clear()
    assert await aside.queue_again("T") == 1 and await aside.queue_again("T") == 0
    assert await valkey.sismember(keys.TABLES, "T")
    archiver.nudge("T")
    assert await archiver.drain() and shelf.given[b"T/1"] == 1
    assert await aside.all() == {} and await aside.one("T", "1") is None


async def test_one_table_in_trouble_does_not_hold_up_the_others(link: Link) -> None:
    shelf = Shelf()

    async def store(finished: bytes) -> None:
        if finished.startswith(b"T"):
            raise ConnectionError("odd")
        await shelf.store(finished)

    archiver = Archiver(link, store)
    await finish(link, "T", 1, archiver)
    await finish(link, "U", 1, archiver)
    assert not await archiver.drain()
    assert set(shelf.given) == {b"U/1", b"U/last", b"U/end"} and archiver.behind


async def test_an_archive_that_swallows_every_word_holds_us_up_for_a_while_only(
    link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SINK_S", 0.05)
    shelf = Shelf()

    async def store(finished: bytes) -> None:
        if not shelf.given and finished.startswith(b"T"):
            await asyncio.Event().wait()
        await shelf.store(finished)

    archiver = Archiver(link, store)
    await finish(link, "T", 1, archiver)
    await finish(link, "U", 1, archiver)
    assert not await archiver.drain()
    assert set(shelf.given) == {b"U/1", b"U/last", b"U/end"}
    assert await archiver.drain() and len(shelf.given) == 6


async def test_it_stops_when_it_is_told_to_also_just_as_a_commit_is_done(link: Link) -> None:
    """Else its node would never end."""
    shelf = Shelf()

    async def store(finished: bytes) -> None:
        await shelf.store(finished)
        running.cancel()

    archiver = Archiver(link, store)
    running = asyncio.create_task(archiver.run())
    await finish(link, "T", 1, archiver)
    await asyncio.wait([running], timeout=PATIENCE_S)
    assert running.cancelled() and shelf.given == {b"T/1": 1}


async def test_it_stops_when_it_is_told_to_also_just_as_something_comes(link: Link) -> None:
    archiver = Archiver(link, Shelf().store)
    running = asyncio.create_task(archiver.run())
    await link.ask("PING")
    for _ in range(100):  # it has looked through all tables, and waits
        await asyncio.sleep(0)
    archiver.nudge("T")
    running.cancel()
    await asyncio.wait([running], timeout=PATIENCE_S)
    assert running.cancelled()
