"""Ranked tables and people who share an address, a device or a circle (S15)."""

from __future__ import annotations

import json
from typing import Any

from app.refusal import ErrorCode
from app.tables import asks
from app.tables.actor import Table
from app.tables.match.decide import Refused
from app.tables.match.marks import kinds, mark
from app.tables.outcomes import Done
from tests.tables.doubles import Client
from tests.tables.world import ALL_CLAIM, NO_SECRETS, World, settle

SCHOOL, HOME, PHONE, CIRCLE = [
    mark("secret", kind, what)
    for kind, what in (("address", "10.0.0.1"), ("address", "10.0.0.2"), ("device", "ab"), ("circle", "c1"))
]


async def reserve(table: Table, user: str, *marks: str, company: asks.Company = "any") -> Any:
    return await table.operate(asks.OrderReserve(user, user.upper(), marks=marks, company=company))


async def ranked(world: World) -> Table:
    return await world.table(variant=ALL_CLAIM, rules=NO_SECRETS, host=None, ranked=True)


async def test_a_table_is_taken_only_with_the_company_that_was_asked_for() -> None:
    table = await ranked(World())
    assert await reserve(table, "a", SCHOOL, PHONE, company="own") == Done(), "an empty table suits everybody"
    full = Refused(ErrorCode.ROOM_FULL)
    assert await reserve(table, "b", SCHOOL, company="apart") == full
    assert await reserve(table, "b", PHONE, company="apart") == full
    assert await reserve(table, "b", HOME, company="own") == full
    assert await reserve(table, "b", HOME, company="apart") == Done()
    assert await reserve(table, "c", HOME, company="own") == full, "a would play an unranked round for c's sake"
    assert await reserve(table, "c", HOME) == Done()


async def test_a_table_of_linked_people_says_that_it_does_not_count_until_one_of_them_leaves() -> None:
    world = World()
    table = await ranked(world)
    await reserve(table, "a", SCHOOL)
    a = Client("a").attach(table)
    await settle()
    assert a.match["unranked"] is False
    await reserve(table, "b", SCHOOL, CIRCLE)
    await settle()
    assert a.match["unranked"] is True
    await table.operate(asks.OrderRemove("b"))
    await settle()
    assert a.match["unranked"] is False


async def test_rounds_of_linked_people_do_not_count_and_say_who_shares_what_to_the_archive_only() -> None:
    world = World()
    table = await ranked(world)
    for user, mine in zip("abcd", ((SCHOOL,), (HOME, CIRCLE), (SCHOOL, CIRCLE), ()), strict=True):
        await reserve(table, user, *mine)
    clients = await world.dealt(table)
    await world.crash()
    again = await world.registry.open("t1")
    assert again is not None
    table = again
    for client in clients:
        client.attach(table)
    await settle()
    assert clients[0].match["unranked"] is True, "the next owner knows it too"
    await table.operate(asks.OrderDissolve("test"))
    await settle()
    [finished] = world.store.queue
    assert finished["ranked"] is False
    assert finished["linked"] == [
        {"seat": 0, "other": 2, "shares": ["address"]}, {"seat": 1, "other": 2, "shares": ["circle"]},
    ]  # fmt: skip
    sent = json.dumps([frame.face.data for client in clients for frame in client.frames])
    assert not any(word in sent for word in (SCHOOL, HOME, CIRCLE)), "no viewer is sent a mark"


def test_a_mark_tells_its_kind_and_nothing_else() -> None:
    assert kinds([PHONE, SCHOOL, CIRCLE, HOME]) == ["address", "circle", "device"]
    assert mark("secret", "address", "10.0.0.1") == SCHOOL != mark("other", "address", "10.0.0.1")
    assert "10.0.0.1" not in SCHOOL and len(SCHOOL) == 17
