"""Rooms whose table was lost in between do not stay open for ever."""

from sqlalchemy import text

from app.storage.archive.engine import Archive
from app.storage.archive.play import rooms

THREE = """
INSERT INTO rooms (id, kind, variant, rules, settings, created_at)
SELECT id, 'public', 'tianjin', '{}', '{}', now() - age
FROM (VALUES ('orphan', interval '11 minutes'), ('played', interval '3 hours'), ('young', interval '1 minute'))
    AS room (id, age)
"""


async def test_an_old_room_without_a_table_is_closed_and_no_other(archive: Archive) -> None:
    async with archive.begin() as db:
        await db.execute(text(THREE))
    asked: list[str] = []

    async def in_use(room_id: str) -> bool:
        asked.append(room_id)
        return room_id == "played"

    assert [await rooms.close_orphans(archive, in_use) for _ in range(2)] == [1, 0]
    async with archive.read() as db:
        told = {name: (await rooms.room(db, name))["close_reason"] for name in ("orphan", "played", "young")}
    assert told == {"orphan": "failed", "played": None, "young": None} and "young" not in asked
