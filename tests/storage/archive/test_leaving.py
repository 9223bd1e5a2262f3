"""Users take all their data along, and leave nothing but a pseudonym, in every table."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Final

import pytest
from sqlalchemy import Column, insert, select, text

from app.refusal import Refusal
from app.storage.archive.circles import circles, members
from app.storage.archive.engine import Archive
from app.storage.archive.operators import operators
from app.storage.archive.people import accounts, bots, leaving, people, recovery, sanctions, sessions
from app.storage.archive.people.leaving import GOES, SECTIONS, STAYS, WITHHELD
from app.storage.archive.play import history, ladder, shares
from app.storage.archive.schema import metadata, rooms, users
from tests.storage.archive.documents import NOON, finished, store_round

NAME, KEY, AVATAR = "独一无二的名字", "du yi wu er", "seed-of-mimi"
DEVICE, REFRESH, PASSWORD = b"device-of-mimi", b"refresh-of-mimi", "argon2-hash-of-mimi"

REFERENCES: Final = text(
    """
    SELECT c.conrelid::regclass::text AS its_table, a.attname AS its_column, c.confrelid::regclass::text AS to_table,
           b.attname AS to_column
    FROM pg_constraint c
    CROSS JOIN LATERAL unnest(c.conkey, c.confkey) AS pair (mine, theirs)
    JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = pair.mine
    JOIN pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = pair.theirs
    WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace
    """
)


async def _columns_that_name_a_user(archive: Archive) -> set[str]:
    """By the database's own foreign keys, also through other tables (a pair names members, who are users)."""
    async with archive.read() as db:
        edges = [tuple(row) for row in await db.execute(REFERENCES)]
    found = {"users.id"}
    while True:
        more = {f"{table}.{column}" for table, column, to, its in edges if f"{to}.{its}" in found} - found
        if not more:
            return found - {"users.id"}
        found |= more


def _names(columns: Any) -> list[str]:
    return sorted(str(column) for column in columns)


async def test_every_column_that_names_a_user_is_exported_or_withheld_for_a_reason(archive: Archive) -> None:
    told = [owner for section in SECTIONS.values() for owner in section.owners]
    assert _names([*told, *WITHHELD]) == sorted(await _columns_that_name_a_user(archive))


async def test_every_column_that_names_a_user_goes_or_stays_for_a_reason(archive: Archive) -> None:
    assert _names([*GOES, *STAYS]) == sorted(await _columns_that_name_a_user(archive))


@pytest.fixture
async def mimi(archive: Archive) -> str:
    """Somebody of whom every table knows."""
    async with archive.begin() as db:
        user = (await accounts.create_guest(db, NAME, KEY, AVATAR, DEVICE)).id
        await accounts.upgrade(db, user, NAME, KEY, PASSWORD)
        await sessions.open_session(db, user, DEVICE, REFRESH, NOON)
        ann = await circles.create(db, "ann", "安的圈子")
        await members.apply(db, ann["code"], user, NAME)
        await members.answer(db, ann["id"], user, approve=True)
        await members.set_role(db, ann["id"], user, "manager")
        await members.ban(db, ann["id"], "eve", user, "吵架")
        await circles.keep_apart(db, ann["id"], user, "ann")
        bob, cat = await circles.create(db, "bob", "一"), await circles.create(db, "cat", "二")
        await members.ban(db, bob["id"], user, "bob", "看牌")
        await members.apply(db, cat["code"], user, f"我是{NAME}")
        await bots.declare(db, user, "eve")
        await recovery.make(db, user)
        await people.block(db, user, "dan")
        await people.block(db, "dan", user)
        await people.report(db, user, "ann", "abuse", f"我{NAME}看见的", None)
        await people.report(db, "ann", user, "cheating", f"{NAME}看牌", None)
        await sanctions.impose(db, "ban", user, "试", "root", until=NOON, devices_too=True)
        await ladder.adjust(db, "tianjin", user, 5, "补", "root", NOON)
        values = {"kind": "private", "variant": "tianjin", "rules": {}, "settings": {}, "host_id": user}
        await db.execute(insert(rooms).values(id="hosted", **values))
    document = finished((user, "ann", "bob", "cat"))
    document["seats"][0]["name"] = NAME
    await store_round(archive, document)
    async with archive.begin() as db:
        await shares.share(db, "match1.1", user)
        await operators.log_call(db, "root", "user", user, "", 200, {})
    return user


async def test_the_export_has_something_of_everything(archive: Archive, mimi: str) -> None:
    async with archive.read() as db:
        told = await leaving.export(db, mimi)
    assert told["profile"] | {"created_at": None} == {
        "id": mimi, "name": NAME, "avatar": AVATAR, "registered": True, "created_at": None,
    }  # fmt: skip
    assert set(told) == {"profile", "cut_off", *SECTIONS} and told["cut_off"] == []
    assert [name for name in SECTIONS if not told[name]] == []
    assert [len(told[name]) for name in ("circles", "applications", "rounds", "ladder", "blocks")] == [1, 1, 1, 2, 1]
    assert told["rounds"][0]["net"] == 18 and told["reports"][0]["text"] == f"我{NAME}看见的"
    for secret in (PASSWORD, DEVICE, REFRESH, f"{NAME}看牌"):
        assert str(secret) not in str(told)


async def test_of_very_much_the_export_has_the_newest_and_says_so(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in (1, 2, 3):
        await store_round(archive, finished(("ann", "bob", "cat", "dan"), round_no=n))
    monkeypatch.setattr(leaving, "EXPORTED_ROWS", 2)
    async with archive.read() as db:
        told = await leaving.export(db, "ann")
    assert (len(told["rounds"]), told["cut_off"]) == (2, ["rounds"])


async def _whole_archive(archive: Archive) -> str:
    """Every value of every row, the log of operators' calls excepted: nobody rewrites it."""
    async with archive.read() as db:
        told = [
            str([dict(row) for row in (await db.execute(select(table))).mappings()])
            for table in metadata.sorted_tables
            if table.name != "audit_log"
        ]
    return "\n".join(told)


async def test_nothing_of_him_stays_but_a_pseudonym(archive: Archive, mimi: str) -> None:
    traces = [NAME, KEY, AVATAR, PASSWORD, str(DEVICE), str(REFRESH)]
    before = await _whole_archive(archive)
    assert [trace for trace in traces if trace not in before] == []
    async with archive.begin() as db:
        await leaving.forget(db, mimi, NOON)
    after = await _whole_archive(archive)
    assert [trace for trace in traces if trace in after] == []
    async with archive.read() as db:
        for column in (*GOES, *STAYS):
            assert await _rows(db, column, mimi) == (column in STAYS), str(column)
        assert (await operators.open_reports(db, None, 10))[0][0]["reporter"] == f"已注销{mimi[-4:]}"


async def _rows(db: Any, column: Column[Any], user: str) -> bool:
    return (await db.execute(select(column).where(column == user).limit(1))).first() is not None


async def test_deleting_the_account_does_not_lift_a_ban_of_the_device(archive: Archive, mimi: str) -> None:
    async with archive.begin() as db:
        await sanctions.impose(db, "ban", mimi, "试", "root", until=None, devices_too=True)
        await leaving.forget(db, mimi, NOON)
        with pytest.raises(Refusal, match="banned"):
            await accounts.refuse_banned(db, "somebody else", DEVICE, NOON)


async def test_whoever_goes_while_others_let_him_in_and_store_his_rounds_is_gone(archive: Archive) -> None:
    """All at once, many times: in any order no row and no name of the user is left."""

    async def go(user: str) -> None:
        async with archive.begin() as db:
            await leaving.forget(db, user, NOON)

    async def let_in(circle: str, user: str) -> None:
        with suppress(Refusal):
            async with archive.begin() as db:
                await circles.require_permission(db, circle, "ann", "approve", change=True)
                await members.answer(db, circle, user, approve=True)

    async def sign_in(device: bytes) -> None:
        async with archive.begin() as db:
            user = await accounts.person_of_device(db, device)
            if user is not None:
                await sessions.open_session(db, user.id, device, b"r" + device, NOON)

    for n in range(8):
        device = b"device %d" % n
        async with archive.begin() as db:
            user = (await accounts.create_guest(db, f"客{n}", f"ke{n}", "", device)).id
            circle = await circles.create(db, "ann", "安的圈子")
            await members.apply(db, circle["code"], user, "")
        document = finished((user, "ann", "bob", "cat"), match=f"m{n}", table=f"t{n}")
        await asyncio.gather(store_round(archive, document), let_in(circle["id"], user), go(user), sign_in(device))
        async with archive.read() as db:
            assert [str(column) for column in GOES if await _rows(db, column, user)] == []
            told = await history.round_detail(db, f"m{n}.1", "ann")
            assert told["seats"][0]["name"] == f"已注销{user[-4:]}"
            names = text("SELECT name FROM round_seats WHERE user_id = :user")
            assert list((await db.execute(names, {"user": user})).scalars()) == [f"已注销{user[-4:]}"]


async def test_whoever_owns_a_circle_stays_until_he_handed_it_over(archive: Archive) -> None:
    async with archive.begin() as db:
        await circles.create(db, "ann", "安的圈子")
    with pytest.raises(Refusal, match="hand over"):
        async with archive.begin() as db:
            await leaving.forget(db, "ann", NOON)
    async with archive.read() as db:
        assert (await db.execute(select(users.c.name).where(users.c.id == "ann"))).scalar_one() == "Ann"
