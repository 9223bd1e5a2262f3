"""The way to Postgres when Postgres says nothing any more."""

from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url

from app.devstack.outages import line
from app.storage.archive.engine import AWAY, Archive


async def test_a_postgres_that_answers_nothing_holds_nobody_up_and_is_used_again_afterwards(one_database: str) -> None:
    url = make_url(one_database)
    folder, port = str(url.query["host"]), url.query.get("port", "5432")
    async with line(str(Path(folder) / f".s.PGSQL.{port}"), f".s.PGSQL.{port}") as way:
        by_line = url.set(query={**url.query, "host": str(Path(way.url.removeprefix("unix://")).parent)})
        archive = Archive.at(by_line.render_as_string(hide_password=False), connections=1, patience_s=1.0)
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
