"""`mj verify --archive` (R9): what differs between a round's record and its rows, or within the record, is named."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Callable
from typing import Any

import asyncpg
import pytest

from app.cli.verify.archive import problems
from app.cli.verify.record import main
from app.records.codec import encode, points_of
from app.serving.migrate import plain
from app.settings import Settings
from app.variants import VARIANTS
from tests.records.rounds import record_of


def _row(seed: int) -> dict[str, Any]:
    record = record_of(seed, VARIANTS["tianjin"], 4)
    lines = [
        [line["source"], line["target"], line["points"], line["clause"]]
        for entry in record["entries"]
        for event in entry["events"]
        if event["type"] == "points_moved"
        for line in event["lines"]
    ]
    return {
        "id": "m.1", "round_no": record["round_no"], "variant": "tianjin", "outcome": record["result"]["outcome"],
        "record": encode(record).decode(), "nets": points_of(record["entries"], 4), "lines": json.dumps(lines),
    }  # fmt: skip


def test_sound_rounds_have_no_problems() -> None:
    for seed in range(3):
        assert list(problems(_row(seed))) == []


_DAMAGES: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "a bit of the record": (lambda row: row.update(record=row["record"].replace('"at_ms":', '"at_mt":', 1)), "record"),
    "a time in the record": (lambda row: row.update(record=row["record"].replace('"n":3', '"n":2', 1)), "record"),
    "no record": (lambda row: row.update(record=None), "its record is missing"),
    "points": (lambda row: row.update(nets=[row["nets"][0] + 8, row["nets"][1] - 8, *row["nets"][2:]]), "in points"),
    "points of one": (lambda row: row.update(nets=[row["nets"][0] + 1, *row["nets"][1:]]), "do not add up"),
    "a line": (lambda row: row.update(lines=json.dumps([[0, 1, 2, "TJ-9.9"]])), "in lines"),
    "outcome": (lambda row: row.update(outcome="void"), "in outcome"),
}


@pytest.mark.parametrize("name", _DAMAGES)
def test_r9_damage_to_a_round_is_named(name: str) -> None:
    row = copy.deepcopy(_row(1))
    _DAMAGES[name][0](row)
    assert any(_DAMAGES[name][1] in problem for problem in problems(row)), list(problems(row))


async def test_a_sound_archive_is_said_to_be_and_its_pages_have_checksums(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await asyncio.to_thread(main, ["--archive", "--database-url", settings.database_url]) == 0
    assert ", 0 damages" in capsys.readouterr().out
    connection = await asyncpg.connect(plain(settings.database_url))
    try:
        assert await connection.fetchval("SHOW data_checksums") == "on", "each page has a checksum of its own"
    finally:
        await connection.close()
