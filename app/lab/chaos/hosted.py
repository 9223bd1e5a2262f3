"""Faults of a whole `mj up` under play, which it must get over by itself: kinds of `mj chaos`.

`store-kill`: kill -9 of Valkey or Postgres. `postgres-recovers`: REST while Postgres recovers answers or is busy, never
fails. `disk-full`: no room for 15 s on the data folder (a small tmpfs; needs root on Linux). `bad-birth`: a node that
dies at every start is left out. `half-data`: a start without the archive's folder is refused, and works with it.
Kills only processes that the server of its own names in its `run.json`.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Final

import httpx

from app.embedded.places import StartError
from app.lab.chaos.as_players_see import next_acts, seated
from app.lab.chaos.load_run import Group, Reckoning, reckon
from app.lab.chaos.running import Running, own_server
from app.variants import VARIANTS

KINDS: Final = ("store-kill", "disk-full", "half-data", "bad-birth", "postgres-recovers")
_FULL_S: Final = 15.0
_DISK_MB: Final = 300
_DEATHS: Final = 5
_RECOVERY_S: Final = 30.0


class NotHealed(Exception):
    """The server did not get over a fault by itself; the text says what was seen."""


def run(kinds: list[str], breaks: int, tables: int, think_s: float, rng: random.Random) -> Reckoning:
    """Make so many faults of these kinds, each healed before the next; play to the end, reckon. Raises NotHealed."""
    with tempfile.TemporaryDirectory(prefix="mj-hosted-") as name, contextlib.ExitStack() as disk:
        folder = Path(name)
        folder.chmod(0o755)
        if "disk-full" in kinds:
            disk.enter_context(small_disk(folder))
        with own_server(nodes=2, folder=folder) as server:
            found = asyncio.run(_play(server, kinds, breaks, tables, think_s, rng))
        if "half-data" in kinds:
            half_data(folder)
    return found


async def _play(
    server: Running, kinds: list[str], breaks: int, tables: int, think_s: float, rng: random.Random
) -> Reckoning:  # fmt: skip
    games, stop = list(VARIANTS), asyncio.Event()
    groups = [
        Group(server.url, games[number % len(games)], think_s, random.Random(rng.random())) for number in range(tables)
    ]
    faults: dict[str, Callable[[Running, random.Random], Awaitable[None]]] = {
        "store-kill": store_kill, "disk-full": disk_full, "bad-birth": bad_birth,
        "postgres-recovers": postgres_recovers,
    }  # fmt: skip
    asked = [kind for kind in kinds if kind in faults]
    playing = [asyncio.create_task(group.run_noted(stop)) for group in groups]
    try:
        await asyncio.gather(*[group.began.wait() for group in groups])
        for _ in range(breaks if asked else 0):
            await faults[rng.choice(asked)](server, rng)
            met = seated(groups)
            if max(await next_acts(met, time.monotonic()), default=0.0) > _RECOVERY_S:
                raise NotHealed("a table did not go on by itself")
        stop.set()
        await asyncio.gather(*playing)
    finally:
        for task in playing:
            task.cancel()
    return await reckon(groups, str(server.facts()["database_url"]), False)


async def store_kill(server: Running, rng: random.Random) -> None:
    """Kill a store; the supervisor must have started it again in time."""
    name = rng.choice(("Valkey", "Postgres"))
    before = server.kill_store(name)
    await wait_until(lambda: server.facts()["stores"][name] != before, f"{name} was not started again")


async def postgres_recovers(server: Running, rng: random.Random) -> None:
    """Sign-in during the recovery answers, or is busy and says when to ask again."""
    server.kill_store("Postgres")
    until = time.monotonic() + _RECOVERY_S
    async with httpx.AsyncClient(base_url=server.url, timeout=8.0) as http:
        while time.monotonic() < until:
            home = f"10.{rng.randrange(256)}.{rng.randrange(256)}.{rng.randrange(256)}"
            answer = await http.post("/v1/guests", json={}, headers={"X-Forwarded-For": home})
            if answer.status_code == 200:
                return
            if answer.status_code != 503 or "Retry-After" not in answer.headers:
                raise NotHealed(f"sign-in answered {answer.status_code} while Postgres recovered")
            await asyncio.sleep(0.05)
    raise NotHealed("Postgres did not come back")


async def disk_full(server: Running, rng: random.Random) -> None:
    """No room for anything more, for a quarter of a minute."""
    filler = server.folder / "filler"
    until = time.monotonic() + _FULL_S
    while time.monotonic() < until:
        with contextlib.suppress(OSError), filler.open("ab", buffering=0) as file:
            while True:
                file.write(bytes(1 << 16))
        with contextlib.suppress(OSError), filler.open("ab", buffering=0) as file:
            while True:
                file.write(bytes(512))
        await asyncio.sleep(0.2)
    filler.unlink()


async def bad_birth(server: Running, rng: random.Random) -> None:
    """Kill a node whenever a new process of it is there; the other one serves all the while."""
    node = rng.choice(sorted(server.facts()["nodes"]))
    before = 0
    async with httpx.AsyncClient(base_url=server.url, timeout=8.0) as http:
        for _ in range(_DEATHS):
            await wait_until(lambda: server.facts()["nodes"][node] != before, f"{node} was not tried again")  # noqa: B023
            before = server.kill(node)
            if (await http.get("/healthz")).status_code != 200:
                raise NotHealed(f"the other node does not serve while {node} dies")
        states = (await http.get("/readyz")).json()["nodes"]
        if states[node] != "left out":
            raise NotHealed(f"/readyz says {states} though {node} died {_DEATHS} times at birth")
        until = time.monotonic() + _RECOVERY_S
        while (await http.get("/readyz")).json()["nodes"][node] != "up":
            if time.monotonic() > until:
                raise NotHealed(f"{node} did not come back")
            await asyncio.sleep(0.1)


def half_data(folder: Path) -> None:
    """Start without the archive's folder, then with it. Raises NotHealed unless the first is refused in a sentence."""
    away = folder / "postgres.away"
    (folder / "postgres").rename(away)
    try:
        with own_server(folder=folder):
            raise NotHealed("a server started without its archive")
    except StartError as refused:
        if "is missing" not in str(refused) or "--accept-data" not in str(refused):
            raise NotHealed(f"the refusal does not say what to do: {refused}") from None
    away.rename(folder / "postgres")
    with own_server(folder=folder):
        pass


async def wait_until(holds: Callable[[], bool], else_: str, patience_s: float = _RECOVERY_S) -> None:
    """Wait until it holds; a file that cannot be read just now counts as no. Raises NotHealed with `else_`."""
    late = time.monotonic() + patience_s
    while True:
        with contextlib.suppress(OSError, ValueError):  # the file is replaced just now, or there is no room for it
            if holds():
                return
        if time.monotonic() > late:
            raise NotHealed(else_)
        await asyncio.sleep(0.01)


@contextlib.contextmanager
def small_disk(folder: Path, megabytes: int = _DISK_MB) -> Iterator[None]:
    """A disk of its own for a folder, for the length of a block. Raises StartError where we may not make one."""
    if sys.platform != "linux" or os.geteuid() != 0:
        raise StartError("the kind disk-full needs root on Linux: it mounts a small disk.")
    options = f"size={megabytes}m,mode=755"
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True, text=True, check=False
    )
    if made.returncode != 0:
        raise StartError(f"a small disk cannot be mounted here: {made.stderr.strip()}.")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=False)
