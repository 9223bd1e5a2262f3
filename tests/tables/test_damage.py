"""A damaged log (R9): an entry that is changed, missing, doubled or misplaced quarantines that one table, with an
alert.
"""

from __future__ import annotations

import json
from random import Random

import pytest

from app.refusal import ErrorCode
from app.tables import asks
from app.tables.log.chain import Chain, is_sealed
from app.tables.log.entries import Unreadable
from app.tables.log.table_log import restore
from app.tables.match.decide import Refused
from app.tables.registry import Unplayable
from tests.laws.toy import TOY
from tests.tables.world import NO_SECRETS, World, settle

VARIANTS = {"toy": TOY}


async def played(world: World, table_id: str = "t1") -> list[bytes]:
    """The stored log of a table in mid-round."""
    table = await world.table(table_id, rules=NO_SECRETS)
    clients = await world.dealt(table)
    for _ in range(12):
        for client in clients:
            if client.decision is not None:
                client.play(table, 0)
                await settle()
    return list(world.store.tables[table_id].log)


def refused(log: list[bytes], table_id: str = "t1", round_no: int = 1) -> str:
    """The alert about a log that must not be read."""
    with pytest.raises(Unreadable) as said:
        restore(VARIANTS, tuple(log), table_id, round_no)
    return str(said.value)


async def test_every_entry_has_a_checksum() -> None:
    log = await played(World())
    assert len(log) > 10 and all(is_sealed(raw) for raw in log)
    assert restore(VARIANTS, tuple(log), "t1", 1).entries == log


async def test_no_changed_byte_is_read_over() -> None:
    log = await played(World())
    rng = Random(9)
    for n, raw in enumerate(log):
        for at in {*rng.sample(range(len(raw)), min(60, len(raw))), *range(len(raw) - 28, len(raw))}:
            changed = bytearray(raw)
            changed[at] ^= 1 << rng.randrange(7)
            refused([*log[:n], bytes(changed), *log[n + 1 :]])


async def test_no_renamed_key_and_no_changed_tile_is_read_over() -> None:
    log = await played(World())
    for n, raw in enumerate(log):
        for key in json.loads(raw):
            refused([*log[:n], raw.replace(f'"{key}":'.encode(), f'"{key}_":'.encode(), 1), *log[n + 1 :]])


async def test_no_missing_doubled_moved_or_cut_entry_is_read_over() -> None:
    log = await played(World())
    for n in range(len(log) - 1):
        refused([*log[:n], *log[n + 1 :]])
        refused([*log[: n + 1], log[n], *log[n + 1 :]])
        refused([*log[:n], log[n + 1], log[n], *log[n + 2 :]])
        refused([*log[:n], log[n][:-1], *log[n + 1 :]])
    refused([])


async def test_an_entry_of_another_table_or_round_is_not_taken_for_ours() -> None:
    one, two = await played(World()), await played(World(), "t2")
    assert "table t2" in refused(two)
    assert "round 1" in refused(one, round_no=2)
    for n in range(1, min(len(one), len(two))):
        refused([*one[:n], two[n], *one[n + 1 :]])


async def test_a_damaged_table_is_put_aside_and_told_once_and_the_others_play() -> None:
    world = World()
    await played(world)
    await played(world, "t2")
    await world.crash()
    stored = world.store.tables["t1"]
    stored.log[3] = stored.log[3].replace(b'"at_ms":', b'"at_mS":')
    assert await world.registry.adopt(await world.tokens("t1", "t2")) == 1
    for _ in range(3):
        with pytest.raises(Unplayable):
            await world.registry.open("t1")
    assert await world.registry.operate("t1", asks.OrderAnnounce("hello")) == Refused(ErrorCode.FROZEN)
    ((table_id, what, text),) = world.alerts.alerts
    assert (table_id, what) == ("t1", "corrupt") and "entry 3" in text


async def test_a_log_without_checksums_is_read_and_goes_on_with_them() -> None:
    world = World()
    log = await played(world)
    await world.crash()
    old = []
    for raw in log:
        plain = {key: value for key, value in json.loads(raw).items() if key not in ("sum", "sealed")}
        old.append(json.dumps(plain, separators=(",", ":"), ensure_ascii=False).encode())
    world.store.tables["t1"].log = list(old)
    table = await world.registry.open("t1")
    assert table is not None
    clients = await world.seated(table)
    while len(mixed := list(world.store.tables["t1"].log)) == len(old):
        await world.advance(1.0)
    assert len(mixed) > len(old) and is_sealed(mixed[-1]) and clients
    assert restore(VARIANTS, tuple(mixed), "t1", 1).length == len(mixed)
    refused([*mixed[:2], mixed[2].replace(b'"at_ms":1', b'"at_ms":2', 1), *mixed[3:]])


def test_a_seal_binds_what_it_says() -> None:
    chain = Chain("t", 1)
    first = chain.seal(b'{"n":0}')
    assert first == chain.seal(b'{"n":0}') and first.startswith(b'{"n":0,"sum":"')
    assert Chain("t", 2).seal(b'{"n":0}') != first != Chain("u", 1).seal(b'{"n":0}')
    chain.accept(first)
    assert chain.seal(b'{"n":0}') != first, "another place in the log"
