"""`mj chaos`: break things on purpose while tables play, and show that nothing acknowledged was lost.

Breaks: `kill` a node (-9), `freeze` one beyond its heartbeat and let it wake, `restart` one as a deploy does, `stall`
the live store. Every kind of game plays. Exit status 1 when a promise was broken.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import shutil
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.devstack.cluster import Cluster, cluster
from app.devstack.migrate import upgrade
from app.devstack.places import StartError
from app.devstack.postgres import start_postgres
from app.devstack.process import Child
from app.devstack.storm import Group, Reckoning, reckon
from app.devstack.valkey import start_valkey
from app.settings import Settings
from app.variants import VARIANTS

KINDS: Final = ("kill", "freeze", "restart", "stall")


def main(argv: list[str]) -> int:
    """Run the command. Returns 0 when every promise was kept."""
    parser = argparse.ArgumentParser(prog="mj chaos", description="Break things while tables play; count what is lost.")
    parser.add_argument("--breaks", type=int, default=200, help="how often something is broken (200)")
    parser.add_argument("--minutes", type=float, default=None, help="stop breaking after this time")
    parser.add_argument("--kinds", default="kill", help=f"comma-separated, of {', '.join(KINDS)} (kill)")
    parser.add_argument("--tables", type=int, default=12, help="tables that play all the time (12)")
    parser.add_argument("--nodes", type=int, default=2, help="server processes (2)")
    parser.add_argument("--think-ms", type=int, default=30, help="mean thinking time of the players (30)")
    parser.add_argument("--seed", type=int, default=None, help="seed of what is broken when")
    parser.add_argument("--json", action="store_true", help="print the reckoning as JSON")
    given = parser.parse_args(argv)
    kinds = [kind for kind in given.kinds.split(",") if kind]
    if not kinds or set(kinds) - set(KINDS):
        raise StartError(f"--kinds takes {', '.join(KINDS)}.")
    seed = random.randrange(2**32) if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    with stores() as made:
        found, broken = asyncio.run(_chaos(made.settings, made.valkey, kinds, given, random.Random(seed)))
    _show(found, broken, given.json)
    return 0 if found.clean else 1


@dataclass
class Stores:
    """Both stores, started, migrated, and made to be stopped and started again; settings for nodes on them."""

    folder: Path
    valkey: Child
    postgres: Child

    @property
    def settings(self) -> Settings:
        """For a node on these stores."""
        return Settings(valkey_url=self.valkey.url, database_url=self.postgres.url, data=self.folder)

    def start_valkey(self) -> None:
        """Start it again on its data, at the same address."""
        self.valkey = start_valkey(self.folder / "valkey")

    def start_postgres(self) -> None:
        """Start it again on its data, at the same address."""
        self.postgres = start_postgres(self.folder / "postgres")


@contextlib.contextmanager
def stores() -> Iterator[Stores]:
    """Embedded stores in a folder that is thrown away."""
    folder = Path(tempfile.mkdtemp(prefix="mj-chaos-"))
    folder.chmod(0o755)
    with contextlib.ExitStack() as cleanup:
        cleanup.callback(shutil.rmtree, folder, ignore_errors=True)
        valkey = start_valkey(folder / "valkey")
        cleanup.callback(valkey.stop)
        made = Stores(folder, valkey, start_postgres(folder / "postgres"))
        cleanup.callback(lambda: made.valkey.stop())
        cleanup.callback(lambda: made.postgres.stop())
        upgrade(made.postgres.url)
        yield made


async def _chaos(
    settings: Settings, valkey: Child, kinds: list[str], given: argparse.Namespace, rng: random.Random
) -> tuple[Reckoning, Counter[str]]:  # fmt: skip
    async with cluster(settings, given.nodes) as nodes:
        breaks = Breaks(nodes, valkey, rng)
        found = await storm(
            nodes.url, settings.database_url, given.tables, given.think_ms / 1000, rng,
            lambda: breaks.some(kinds, given.breaks, given.minutes),
        )  # fmt: skip
        return found, breaks.done


async def storm(
    url: str, database_url: str, tables: int, think_s: float, rng: random.Random,
    breaking: Callable[[], Awaitable[None]], rounds: int = 4,
) -> Reckoning:  # fmt: skip
    """Let tables of all games play while `breaking` goes on, to the end of their matches, and reckon."""
    games = list(VARIANTS)
    groups = [
        Group(url, games[number % len(games)], think_s, random.Random(rng.random()), rounds) for number in range(tables)
    ]
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as playing:
        for group in groups:
            playing.create_task(group.run(stop))
        for group in groups:
            await group.began.wait()
        await breaking()
        stop.set()
    return await reckon(groups, database_url)


class Breaks:
    """Breaks things one after the other, at random moments."""

    def __init__(self, nodes: Cluster, valkey: Child, rng: random.Random) -> None:
        self.done: Counter[str] = Counter()
        self._nodes = nodes
        self._valkey = valkey
        self._rng = rng

    async def some(self, kinds: list[str], count: int, minutes: float | None = None) -> None:
        """`count` breaks of these kinds, or as many as fit; the next a little after what was broken serves again."""
        began = time.monotonic()
        for number in range(count):
            if minutes is not None and time.monotonic() - began > minutes * 60:
                return
            await asyncio.sleep(self._rng.uniform(0.2, 1.5))
            kind = self._rng.choice(kinds)
            name = self._rng.choice(sorted(self._nodes.nodes))
            await self._break(kind, name)
            self.done[kind] += 1
            if (number + 1) % 10 == 0:
                print(f"  {number + 1} breaks, {time.monotonic() - began:.0f} s", flush=True)

    async def _break(self, kind: str, name: str) -> None:
        if kind == "kill":
            await self._nodes.kill(name)
        elif kind == "freeze":
            await self._nodes.freeze(name, self._rng.uniform(2.5, 5.0))
        elif kind == "restart":
            await self._nodes.restart(name)
        else:
            os.kill(self._valkey.process.pid, signal.SIGSTOP)
            await asyncio.sleep(self._rng.uniform(0.5, 8.0))
            os.kill(self._valkey.process.pid, signal.SIGCONT)


def _show(found: Reckoning, broken: Counter[str], as_json: bool) -> None:
    if as_json:
        print(json.dumps({"breaks": dict(broken), **found.plain()}))
        return
    print(", ".join(f"{count} × {kind}" for kind, count in broken.items()) or "nothing was broken")
    print(f"{found.matches} matches, {found.rounds} rounds, {found.acked} acknowledged acts,", end=" ")
    print(f"{found.reconnects} returns")
    print(f"lost {len(found.lost)}, done twice {len(found.twice)}, gaps {found.gaps}, voided rounds {found.voided},")
    print(f"rounds that are not zero-sum {len(found.uneven)}, players who did not finish {found.unfinished}")
    for line in found.lost[:10]:
        print(f"  lost: {line}")
