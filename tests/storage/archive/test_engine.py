"""The way to Postgres when Postgres says nothing any more, or cuts the line; questions without a transaction."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import Integer, String, bindparam, cast, func, select, text
from sqlalchemy.engine import make_url

from app.lab.chaos.outages import line
from app.storage.archive.engine import AWAY, Archive, Question
from tests.integration.waiting import PATIENCE_S, eventually

ECHO = Question(select(cast(bindparam("said", type_=String), String).label("said"), cast(7, Integer).label("seven")))
SLOW = Question(select(func.pg_sleep(bindparam("seconds"))))


async def test_a_postgres_that_answers_nothing_holds_nobody_up_and_is_used_again_afterwards(one_database: str) -> None:
    url = make_url(one_database)
    folder, port = str(url.query["host"]), url.query.get("port", "5432")
    async with line(str(Path(folder) / f".s.PGSQL.{port}"), f".s.PGSQL.{port}") as way:
        by_line = url.set(query={**url.query, "host": str(Path(way.url.removeprefix("unix://")).parent)})
        archive = Archive.at(by_line.render_as_string(hide_password=False), connections=1, patience_s=2.5)
        try:
            async with archive.read() as db:
                assert await db.scalar(text("SELECT 1")) == 1
            way.swallows = True
            for _ in range(2):
                with pytest.raises(AWAY):
                    async with archive.begin() as db:
                        await db.scalar(text("SELECT 2"))
            way.swallows = False
            async with archive.read() as db:
                assert await db.scalar(text("SELECT 3")) == 3
        finally:
            await archive.close()


async def test_questions_are_answered_many_at_a_time_each_with_its_own_answer(one_database: str) -> None:
    archive = Archive.at(one_database)
    try:
        answers = await asyncio.gather(*[archive.ask(ECHO, said=f"word {number}") for number in range(50)])
        assert [tuple(*rows) for rows in answers] == [(f"word {number}", 7) for number in range(50)]
    finally:
        await archive.close()


async def test_a_question_whose_line_was_cut_is_asked_again(one_database: str) -> None:
    archive = Archive.at(one_database)
    others = ("FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database() "
              "AND backend_type = 'client backend'")  # fmt: skip

    async def connected() -> int:
        async with archive.begin() as db:
            return int(await db.scalar(text(f"SELECT count(*) {others}")) or 0)

    try:
        await eventually(connected, lambda count: count == 0)  # those of the test before have said good-bye, not gone
        await asyncio.gather(*[archive.ask(ECHO, said="") for _ in range(3)])
        async with archive.begin() as db:
            assert await db.scalar(text(f"SELECT count(pg_terminate_backend(pid)) {others}")) == 3
        assert (await archive.ask(ECHO, said="a"))[0]["said"] == "a"
        answers = await asyncio.gather(*[archive.ask(ECHO, said=word) for word in "bcd"])
        assert [rows[0]["said"] for rows in answers] == ["b", "c", "d"]
    finally:
        await archive.close()


async def test_an_answer_nobody_waited_for_is_not_taken_for_the_next_ones(one_database: str) -> None:
    archive = Archive.at(one_database, patience_s=0.3)
    try:
        with pytest.raises(AWAY):
            await archive.ask(SLOW, seconds=600.0)
        archive._patience_s = PATIENCE_S
        assert (await archive.ask(ECHO, said="next"))[0]["said"] == "next"
    finally:
        await archive.close()


async def test_without_postgres_a_question_says_so(tmp_path: Path) -> None:
    archive = Archive.at(f"postgresql+asyncpg://nobody@/nothing?host={tmp_path}")
    with pytest.raises(AWAY):
        await archive.ask(ECHO, said="anybody there?")
    await archive.close()
