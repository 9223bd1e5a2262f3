"""`mj verify --live` (R9): what is damaged in the live store is named, table by table; a sound store is said to be."""

from __future__ import annotations

import asyncio

import pytest
from redis import Redis

from app.cli.verify.record import main
from app.settings import Settings
from app.storage.live.wire import keys
from tests.integration.nodes import QUICK, people, serving


async def test_r9_a_changed_byte_in_the_store_is_found_and_named(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    async with serving(settings) as node, people(node.url, 2) as apis:
        rooms = [str((await api.create_room("tianjin", {}, QUICK))["id"]) for api in apis]
    direct = Redis.from_url(settings.valkey_url)
    arguments = ["--live", "--valkey-url", settings.valkey_url]
    assert await _main(arguments) == 0
    assert "2 tables, 0 damages" in capsys.readouterr().out
    log = keys.log(rooms[0], int(direct.get(keys.page(rooms[0]))))
    entry = direct.lindex(log, 0)
    direct.lset(log, 0, entry.replace(b'"tianjin"', b'"tianjim"', 1))
    direct.delete(keys.page(rooms[1]))
    direct.hset(keys.page(rooms[1]), "not", "what it was")
    assert await _main(arguments) == 1
    said = capsys.readouterr().out
    assert all(f"DAMAGED  table {room}: " in said for room in rooms) and "2 tables, 2 damages" in said


async def _main(arguments: list[str]) -> int:
    return await asyncio.to_thread(main, arguments)
