"""`mj bench server`: one node on one core under tables that are played as fast as it answers, or at a human pace.

Stores and players have the other core. The figure to compare is CPU µs an entry (a log entry that somebody was sent):
it depends little on what else runs, where entries a second and times depend on it much. `BENCHMARKS.md` has figures.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from app.lab.bench.footprint import resident_kb
from app.lab.bench.socket import cpu_s
from app.lab.chaos.chaos import stores
from app.lab.chaos.cluster import NodeChild, cluster
from app.lab.clients.load_clients import Person, many_tables, quantile_ms, rest, unhalted
from app.settings import Settings
from app.variants import VARIANTS

_SETTLE_S: Final = 2.0
_SILENT: Final = ("answered", "marked")
"""Events that may be told to their own seat alone."""


@dataclass
class Measured:
    """The figures of one window. `us_entry`, `us_act`: CPU of the node. Times: from an act to its own ack."""

    variant: str
    tables: int
    think_s: float
    entries_per_s: float
    acts_per_s: float
    us_entry: float
    us_act: float
    p50_ms: float
    p99_ms: float
    cpu_share: float
    rss_mb: float
    errors: int


@dataclass
class Player(Person):
    """Answers every question with its last discard, else with a pass. Counts the entries that fall to it."""

    seat: int = 0
    think_s: float = 0.0
    entries: int = 0
    _decision: str = ""
    _moment: str = ""
    _number: int = 0

    def hear(self, text: bytes) -> None:
        """Note what a frame says, and answer it."""
        super().hear(text)
        kind = text[15:21]
        if kind == b"events":
            self.entries += self._counts(text)
        elif kind[:4] not in (b"prom", b"sync"):
            return
        if b'"match":{' in text:
            self._match(text)
        if kind != b"events" and b'"decision":{' in text:
            data = json.loads(text)["data"]
            self._asked(data.get("prompt", data)["decision"])

    def _counts(self, text: bytes) -> bool:
        """An entry that all are told of counts at seat 0, one for a single seat at that seat."""
        if b'"match":{' in text:
            return self.seat == 0
        shared = any(
            event["type"] not in _SILENT or (event["type"] == "marked" and not event.get("private"))
            for event in json.loads(text)["data"]["events"]
        )
        return not shared or self.seat == 0

    def _match(self, text: bytes) -> None:
        match = json.loads(text)["data"]["match"]
        moment = f"{match['phase']}{match['round_no']}"
        if match["phase"] in ("waiting", "between", "ended") and moment != self._moment:
            self._moment = moment
            self._say("ready", {"entropy": moment})

    def _asked(self, decision: dict[str, Any]) -> None:
        if decision["id"] == self._decision:
            return
        self._decision = decision["id"]
        verbs = [option["verb"] for option in decision["options"]]
        wanted = "discard" if "discard" in verbs else "pass"
        action = decision["options"][len(verbs) - 1 - verbs[::-1].index(wanted) if wanted in verbs else 0]
        act = {"round": (self.last or [1])[0], "decision": decision["id"], "action": action}
        if self.think_s <= 0:
            self._say("act", act)
        else:
            asyncio.get_running_loop().call_later(self.think_s * random.uniform(0.5, 1.5), self._say, "act", act)

    def _say(self, kind: str, data: dict[str, Any]) -> None:
        self._number += 1
        self.ask(kind, f"{self.seat}{self.token[-6:]}{self._number}", data)


def main(argv: list[str]) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="mj bench server", description="One node on one core under playing tables.")
    parser.add_argument("--variant", choices=list(VARIANTS), default="tianjin")
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--think", type=float, default=0.0, help="mean thinking time in seconds (0: answer at once)")
    parser.add_argument("--seconds", type=float, default=5.0, help="length of one window")
    parser.add_argument("--runs", type=int, default=3, help="windows; the medians are told")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    with stores() as made:
        found = asyncio.run(_measure(made.settings, given))
    if given.json:
        print(json.dumps({name: round(v, 2) if isinstance(v, float) else v for name, v in asdict(found).items()}))
    else:
        for name, value in asdict(found).items():
            print(f"{name:<14} {value:.2f}" if isinstance(value, float) else f"{name:<14} {value}")
    return 0


async def _measure(settings: Settings, given: argparse.Namespace) -> Measured:
    async with cluster(many_tables(settings), 1) as nodes:
        node = nodes.nodes["n1"]
        _apart(node.pid)
        async with _playing(node, given.variant, given.tables, given.think) as players:
            await asyncio.sleep(_SETTLE_S + 2 * given.think)
            with unhalted():
                windows = [await _window(node, players, given) for _ in range(given.runs)]
    medians = {name: statistics.median([getattr(window, name) for window in windows]) for name in _FIGURES}
    return replace(windows[0], **medians, errors=sum(window.errors for window in windows))


_FIGURES: Final = (
    "entries_per_s", "acts_per_s", "us_entry", "us_act", "p50_ms", "p99_ms", "cpu_share", "rss_mb",
)  # fmt: skip


async def _window(node: NodeChild, players: list[Player], given: argparse.Namespace) -> Measured:
    for player in players:
        player.entries, player.took_s, player.errors = 0, [], []
    cpu, began = cpu_s(node), time.monotonic()
    await asyncio.sleep(given.seconds)
    cpu, took = cpu_s(node) - cpu, time.monotonic() - began
    times = [seconds for player in players for seconds in player.took_s]
    entries = max(1, sum(player.entries for player in players))
    return Measured(
        given.variant, given.tables, given.think, entries / took, len(times) / took, cpu / entries * 1e6,
        cpu / max(1, len(times)) * 1e6, quantile_ms(times, 0.5), quantile_ms(times, 0.99), cpu / took,
        resident_kb(node.pid) / 1024, sum(len(player.errors) for player in players),
    )  # fmt: skip


def _apart(node: int) -> None:
    """The node has one core for itself; we, with all that we started, have the others."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        os.sched_setaffinity(node, {cores[0]})
        os.sched_setaffinity(0, set(cores[1:]))


@asynccontextmanager
async def _playing(node: NodeChild, variant: str, tables: int, think_s: float) -> AsyncIterator[list[Player]]:
    """Tables of one game with four players each, who play from the moment when they sit."""
    port, players = node.backend.port, list[Player]()
    settings = {"think_s": 60, "claim_s": 15, "claim_hold_ms": 0, "autoplay_after": 5}
    for number in range(tables):
        here = [await _guest(port, number, seat, think_s) for seat in range(4)]
        room = await here[0].call("POST", "/v1/rooms", {"variant": variant, "rules": {}, "settings": settings})
        for player in here:
            player.room = room["id"]
            if player is not here[0]:
                await player.call("POST", f"/v1/rooms/{room['id']}/join", {})
            await player.sit()
        players += here
    try:
        yield players
    finally:
        for player in players:
            if player.line is not None:
                player.line.close()


async def _guest(port: int, table: int, seat: int, think_s: float) -> Player:
    signed = await rest(port, "POST", "/v1/guests", {}, caller=f"10.{table // 250}.{table % 250}.{seat + 1}")
    return Player(port, signed["access_token"], seat=seat, think_s=think_s)
