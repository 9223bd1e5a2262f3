"""Records of an older format: kept as they were written, read in the present one."""

from functools import partial
from typing import Any

import pytest

from app.kernel.errors import MalformedInput
from app.records.upcast import upcast
from app.storage.archive.engine import Archive
from app.storage.archive.play import history
from tests.storage.archive.documents import finished, store_round

FOUR = ("ann", "bob", "cat", "dan")


async def test_a_record_of_the_format_before_is_read_in_the_present_one(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store_round(archive, finished(FOUR))

    def to_two(record: dict[str, Any]) -> dict[str, Any]:
        return {**record, "lifted": record["round_no"]}

    monkeypatch.setattr(history, "upcast", partial(upcast, lifts={1: to_two}, newest=2))
    async with archive.read() as db:
        kept = await history.record(db, "match1.1", "bob")
    assert (kept["format"], kept["lifted"], kept["rules"]) == (2, 1, {"base": 1})


async def test_a_record_of_a_newer_program_is_named_as_such(archive: Archive) -> None:
    newer = finished(FOUR)
    newer["record"] = {**newer["record"], "format": 9}
    await store_round(archive, newer)
    async with archive.read() as db:
        with pytest.raises(MalformedInput, match="format: 9 is unknown to this program, which reads 1 to 2"):
            await history.record(db, "match1.1", "bob")
