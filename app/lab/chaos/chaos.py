"""`mj chaos`: break things on purpose while tables play, and show that nothing acknowledged was lost.

Breaks: `kill` a node (-9), `freeze` one beyond its heartbeat and let it wake, `restart` one as a deploy does, `rolling`
all of them in turn; `stall` the live store, `crash` it, make a `blackhole` of the line to it, fill its memory (`full`),
step its `clock` by an hour; the faults of a whole server in `hosted.py`; or `all` of them mixed (`mixed.py`). Every
kind of game plays. Exit status 1 when a promise was broken; where nothing but restarts happened, also when a player got
no notice to return, or a player's clock ran out.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
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

from app.embedded.places import StartError
from app.embedded.postgres import as_application, start_postgres
from app.embedded.process import Child
from app.embedded.valkey import start_valkey
from app.lab.chaos import hosted, mixed, outages
from app.lab.chaos.aof_reader import Appended, appended
from app.lab.chaos.cluster import Cluster, cluster
from app.lab.chaos.load_run import Group, Reckoning, reckon
from app.serving.migrate import upgrade
from app.serving.supervise import STOP_S
from app.settings import Settings
from app.variants import VARIANTS

KINDS: Final = ("kill", "freeze", "restart", "rolling", *outages.KINDS, *hosted.KINDS)
DEPLOYS: Final = frozenset({"restart", "rolling"})


def main(argv: list[str]) -> int:
    """Run the command. Returns 0 when every promise was kept."""
    parser = argparse.ArgumentParser(prog="mj chaos", description="Break things while tables play; count what is lost.")
    parser.add_argument("--breaks", type=int, default=200, help="how often something is broken (200)")
    parser.add_argument("--minutes", type=float, default=None, help="stop breaking after this time")
    parser.add_argument("--kinds", default="kill", help=f"comma-separated, of {', '.join(KINDS)}; or all (kill)")
    parser.add_argument("--tables", type=int, default=12, help="tables that play all the time (12)")
    parser.add_argument("--nodes", type=int, default=2, help="server processes (2)")
    parser.add_argument("--think-ms", type=int, default=30, help="mean thinking time of the players (30)")
    parser.add_argument("--freeze-s", type=float, default=None, help="how long a freeze lasts (2.5 to 5 at random)")
    parser.add_argument("--outage-s", type=float, default=None, help="how long the store is away (0.5 to 8 at random)")
    parser.add_argument("--rounds", type=int, default=4, help="rounds of a match (4)")
    parser.add_argument("--seed", type=int, default=None, help="seed of what is broken when")
    parser.add_argument("--json", action="store_true", help="print the reckoning as JSON")
    given = parser.parse_args(argv)
    kinds = [kind for kind in given.kinds.split(",") if kind]
    if not kinds or (kinds != ["all"] and set(kinds) - set(KINDS)):
        raise StartError(f"--kinds takes {', '.join(KINDS)}; or all.")
    seed = random.randrange(2**32) if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    if kinds == ["all"]:
        return _mixed(given, random.Random(seed))
    if set(kinds) & set(hosted.KINDS):
        return _hosted(kinds, given, random.Random(seed))
    with stores() as made:
        found, breaks = asyncio.run(_chaos(made, kinds, given, random.Random(seed)))
        log = appended(made.folder / "valkey")
    _show(found, breaks, log, given.json)
    kept = found.unnoticed if DEPLOYS.issuperset(kinds) else found.clean
    return 0 if kept and not log.faults and all(exit.in_order for exit in breaks.exits) else 1


def _hosted(kinds: list[str], given: argparse.Namespace, rng: random.Random) -> int:
    """Faults of a whole `mj up`; they go together with each other only."""
    if set(kinds) - set(hosted.KINDS):
        raise StartError(f"{', '.join(hosted.KINDS)} cannot be mixed with the other kinds.")
    try:
        found = hosted.run(kinds, given.breaks, given.tables, given.think_ms / 1000, rng)
    except hosted.NotHealed as failed:
        print(f"not healed: {failed}", flush=True)
        return 1
    print(json.dumps(found.plain()) if given.json else found)
    return 0 if found.clean else 1


def _mixed(given: argparse.Namespace, rng: random.Random) -> int:
    """Every kind at once against a whole `mj up`."""
    found = None
    try:
        found = mixed.run(given.breaks, given.minutes, given.tables, given.think_ms / 1000, rng)
    except* hosted.NotHealed as failed:
        print(f"not healed: {failed.exceptions[0]!r}", flush=True)
    if found is None:
        return 1
    print(json.dumps(found.plain()) if given.json else found)
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
        return Settings(
            valkey_url=self.valkey.url, database_url=as_application(self.postgres.url), data=self.folder,
            address_factor=1000.0,
        )  # fmt: skip

    def start_valkey(self) -> None:
        """Start it again on its data, at the same address."""
        self.valkey = start_valkey(self.folder / "valkey", whole_life=True)

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
        valkey = start_valkey(folder / "valkey", whole_life=True)
        cleanup.callback(valkey.stop)
        made = Stores(folder, valkey, start_postgres(folder / "postgres"))
        cleanup.callback(lambda: made.valkey.stop())
        cleanup.callback(lambda: made.postgres.stop())
        upgrade(made.postgres.url, application_url=made.settings.database_url)
        yield made


async def _chaos(
    made: Stores, kinds: list[str], given: argparse.Namespace, rng: random.Random
) -> tuple[Reckoning, Breaks]:  # fmt: skip
    async with outages.line(made.valkey.url) as line:
        settings = made.settings
        if {*outages.KINDS} & {*kinds}:
            settings = settings.model_copy(update={"valkey_url": line.url})
        return await _on_line(made, settings, line, kinds, given, rng)


async def _on_line(
    made: Stores, settings: Settings, line: outages.Line, kinds: list[str], given: argparse.Namespace,
    rng: random.Random,
) -> tuple[Reckoning, Breaks]:  # fmt: skip
    async with cluster(settings, given.nodes) as nodes:
        breaks = Breaks(nodes, outages.Outages(made, line, rng, given.outage_s), rng, given.freeze_s)
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, breaks.enough)
        found = await storm(
            nodes.url, settings.database_url, given.tables, given.think_ms / 1000, rng,
            lambda: breaks.some(kinds, given.breaks, given.minutes), given.rounds, bool(DEPLOYS & {*kinds}),
        )  # fmt: skip
        return found, breaks


async def storm(
    url: str, database_url: str, tables: int, think_s: float, rng: random.Random,
    breaking: Callable[[], Awaitable[None]], rounds: int = 4, clocks: bool = False,
) -> Reckoning:  # fmt: skip
    """Let tables of all games play while `breaking` goes on, to the end of their matches, and reckon.

    `clocks`: count the clocks that ran out as well.
    """
    games = list(VARIANTS)
    groups = [
        Group(url, games[number % len(games)], think_s, random.Random(rng.random()), rounds) for number in range(tables)
    ]
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as playing:
        for group in groups:
            playing.create_task(group.run_noted(stop))
        for group in groups:
            await group.began.wait()
        await breaking()
        stop.set()
    return await reckon(groups, database_url, clocks)


@dataclass(frozen=True)
class Exit:
    """The ordered end of a node: exit status of its process and seconds it took."""

    node: str
    status: int | None
    seconds: float

    @property
    def in_order(self) -> bool:
        """By itself, within the time that a supervisor gives it?"""
        return self.status == 0 and self.seconds <= STOP_S


class Breaks:
    """Breaks things one after the other, at random moments. `exits`: exit statuses of nodes that were asked to stop."""

    def __init__(
        self, nodes: Cluster, away: outages.Outages, rng: random.Random, freeze_s: float | None = None
    ) -> None:  # fmt: skip
        self.done: Counter[str] = Counter()
        self.exits: list[Exit] = []
        self._nodes = nodes
        self._away = away
        self._rng = rng
        self._freeze_s = freeze_s
        self._enough = False

    def enough(self) -> None:
        """Ctrl-C: break nothing more, so that there is a reckoning. The next one stops at once."""
        self._enough = True
        asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)
        print("  breaking nothing more; the matches are played to their end", flush=True)

    async def some(self, kinds: list[str], count: int, minutes: float | None = None) -> None:
        """`count` breaks of these kinds, or as many as fit; the next a little after the broken part serves again."""
        began = time.monotonic()
        for number in range(count):
            if self._enough or (minutes is not None and time.monotonic() - began > minutes * 60):
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
            await self._nodes.freeze(name, self._freeze_s or self._rng.uniform(2.5, 5.0))
        elif kind == "restart":
            await self._restart(name)
        elif kind == "rolling":
            for each in sorted(self._nodes.nodes):
                await self._restart(each)
                await asyncio.sleep(1.0)
        else:
            await self._away.make(kind)

    async def _restart(self, name: str) -> None:
        """As a deploy does: SIGTERM, its end, a new process."""
        node, began = self._nodes.nodes[name], time.monotonic()
        node.signal(signal.SIGTERM)
        self.exits.append(Exit(name, await node.ended(), time.monotonic() - began))
        await node.start()


def _show(found: Reckoning, breaks: Breaks, log: Appended, as_json: bool) -> None:
    slowest = max([exit.seconds for exit in breaks.exits], default=0.0)
    if as_json:
        exits = {"slowest_s": round(slowest, 2), "in_order": all(exit.in_order for exit in breaks.exits)}
        store = {"entries": log.entries, "owners": log.owners, "faults": log.faults}
        print(json.dumps({"breaks": dict(breaks.done), "exits": exits, "log": store, **found.plain()}))
        return
    print(", ".join(f"{count} × {kind}" for kind, count in breaks.done.items()) or "nothing was broken")
    print(f"{found.matches} matches, {found.rounds} rounds, {found.acked} acknowledged acts,", end=" ")
    print(f"{found.reconnects} returns")
    print(f"lost {len(found.lost)}, done twice {len(found.twice)}, gaps {found.gaps}, voided rounds {found.voided},")
    print(f"rounds that are not zero-sum {len(found.uneven)}, players who did not finish {found.unfinished}")
    if breaks.exits:
        failed = sum(not exit.in_order for exit in breaks.exits)
        print(f"{len(breaks.exits)} exits, {failed} of them not in order, the slowest {slowest:.1f} s;", end=" ")
        print(f"told to return {dict(found.byes)}, untold {found.untold}; clocks run out {dict(found.run_out)}")
    print(f"{log.entries} entries by {log.owners} owners in the store's own file, {len(log.faults)} not by its owner")
    for fault in log.faults[:10]:
        print(f"  log: {fault}")
    for line in found.lost[:10]:
        print(f"  lost: {line}")
    for line in found.failed:
        print(f"  failed: {line}")
