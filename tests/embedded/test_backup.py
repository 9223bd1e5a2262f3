"""A backup brings a server back after everything is lost: tables play on, accounts and rounds are there."""

import asyncio
import json
import os
import stat
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from app.cli.hosting import backup, restore
from app.embedded.places import StartError
from app.lab.chaos.running import own_server
from app.lab.clients.client import Api, SeatClient
from tests.integration.nodes import people, seated
from tests.integration.waiting import eventually, until

Seq = tuple[int, int]


async def _saved(folder: Path, file: Path) -> None:
    assert await asyncio.to_thread(backup.main, [str(file), "--data", str(folder)]) == 0


def _at(api: Api, url: str) -> None:
    api.url = url
    api._http.base_url = f"{url}/v1"


@pytest.mark.timeout(400)
async def test_after_the_loss_of_everything_tables_play_on_where_the_backup_left_them(folder: Path) -> None:
    """Backed up while people play; brought back once whole, and once with an archive that is older than the tables."""
    lost, early, late = folder / "lost", folder / "early.tar", folder / "late.tar"
    with own_server(folder=lost) as server:
        await _saved(lost, early)  # before there is anybody
        async with people(server.url, 4) as apis:
            clients = await seated(apis, "tianjin", {"rounds": 2})
            playing = [asyncio.create_task(client.run()) for client in clients]
            await until(lambda: clients[0].match and len(clients[0].acked) > 8)
            reached = [client.last for client in clients]
            await _saved(lost, late)
            server.process.kill()
            server.process.wait()
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            for name, arguments in (("whole", []), ("older", ["--archive-from", str(early)])):
                assert await asyncio.to_thread(restore.main, [str(late), "--data", str(folder / name), *arguments]) == 0
                assert stat.S_IMODE((folder / name / "secret").stat().st_mode) == 0o600
                await _plays_on(folder / name, clients, reached)


async def _plays_on(folder: Path, clients: list[SeatClient], reached: list[Seq | None]) -> None:
    """The same people, with the tokens that they had, play their match to its end."""
    with own_server(folder=folder) as server:
        again = [SeatClient(client.api, client.room_id) for client in clients]
        first: dict[SeatClient, Seq] = {}
        for client in again:
            _at(client.api, server.url)
            client.on_frame = _first_sync(first, client)
        async with asyncio.timeout(120):
            await asyncio.gather(*[client.run() for client in again])
        assert all(client.match["phase"] == "ended" and sum(client.match["totals"]) == 0 for client in again)
        assert all(first[client] >= (seen or (0, 0)) for client, seen in zip(again, reached, strict=True))
        database = await asyncpg.connect(
            json.loads((folder / "run.json").read_text())["database_url"].replace("+asyncpg", "")
        )
        stored = "SELECT count(*) FROM round_seats WHERE round_id LIKE $1 AND user_id = $2"
        mine = f"{again[0].room_id}.1.%", again[0].match["seats"][again[0].seat]["user"]
        await eventually(lambda: database.fetchval(stored, *mine), lambda found: found == 2)
        await database.close()


def _first_sync(first: dict[SeatClient, Seq], client: SeatClient) -> Callable[[dict[str, Any]], None]:
    """Notes where a client found its table when it came back."""

    def seen(frame: dict[str, Any]) -> None:
        if frame["kind"] == "sync" and frame.get("seq") is not None:
            first.setdefault(client, tuple(frame["seq"]))

    return seen


def test_a_damaged_backup_a_foreign_file_and_a_folder_in_use_are_refused_in_a_sentence(folder: Path) -> None:
    parts = folder / "parts"
    parts.mkdir()
    (parts / "valkey.rdb").write_bytes(b"tables")
    (parts / "postgres.dump").write_bytes(b"rounds")
    sums = {"valkey.rdb": "0" * 64, "postgres.dump": "0" * 64}
    (parts / "manifest.json").write_text(json.dumps({"format": 1, "version": "1", "at": "now", "sha256": sums}))
    with tarfile.open(folder / "damaged.tar", "w") as tar:
        for part in sorted(parts.iterdir()):
            tar.add(part, part.name)
    for file, sentence in (
        (folder / "damaged.tar", "is damaged: "),
        (parts / "valkey.rdb", "no backup that can be read"),
    ):
        with pytest.raises(StartError, match=sentence):
            restore.main([str(file), "--data", str(folder / "new")])
    (folder / "old" / "valkey").mkdir(parents=True)
    with pytest.raises(StartError, match="is there already: restore into an empty data folder"):
        restore.main([str(folder / "damaged.tar"), "--data", str(folder / "old")])
    with pytest.raises(StartError, match="no data folder with both stores"):
        backup.main([str(folder / "x.tar"), "--data", str(folder / "old")])
    assert not (folder / "x.tar").exists() and os.listdir(folder / "new") in ([], ["lock"])
