"""`mj bench flood`: a hostile machine beside people who play. Does the node stay up, do the others feel it, is it over?

Calm and flooded spells take turns; others' p99 may be a tenth or 2 ms more. Afterwards the node's memory must not have
grown by more than a tenth and 10 MB. `half`: 10,000 half-open handshakes; `silent`: 1,000 lines that say nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from app.embedded.places import ROOT
from app.lab.bench.footprint import resident_kb
from app.lab.bench.slow import MORE_MS, SHARE, act_on
from app.lab.chaos.chaos import stores
from app.lab.chaos.cluster import NodeChild, cluster
from app.lab.clients.floods import KINDS
from app.lab.clients.load_clients import crowd, many_tables, quantile_ms, rest
from app.settings import Settings

COUNTS: Final = {"silent": 1_000, "half": 10_000, "body": 1_000, "pings": 20, "fragments": 20}
"""Lines of each kind at a time."""
_WARM_S: Final = 3.0
_MEMORY_KB: Final = 10 * 1024
_AFTER_S: Final = 12.0
"""The longest deadline of a line, and a little."""


@dataclass
class Flooded:
    """Others' acts in calm and flooded spells (medians of the spells), the flood's ends, the node's memory."""

    kind: str
    lines: int
    acts: int = 0
    calm_p99_ms: float = 0.0
    flood_p99_ms: float = 0.0
    before_kb: int = 0
    after_kb: int = 0
    up: bool = False
    lost: int = 0
    ends: Counter[str] = field(default_factory=Counter)

    @property
    def good(self) -> bool:
        """The node serves, nobody else lost their line or felt it, and memory came back."""
        unchanged = self.flood_p99_ms <= max(self.calm_p99_ms * (1 + SHARE), self.calm_p99_ms + MORE_MS)
        returned = self.after_kb <= self.before_kb * 1.1 + _MEMORY_KB
        return self.up and not self.lost and unchanged and returned


def main(argv: list[str]) -> int:
    """Run the command. Returns 0 when the floods of all kinds asked for were felt by nobody."""
    parser = argparse.ArgumentParser(prog="mj bench flood", description="Does a hostile machine disturb the others?")
    parser.add_argument("--kinds", nargs="+", choices=sorted(KINDS), default=sorted(KINDS))
    parser.add_argument("--tables", type=int, default=25, help="tables of four people (25)")
    parser.add_argument("--spells", type=int, default=2, help="calm and flooded spells, each (2)")
    parser.add_argument("--seconds", type=float, default=10.0, help="length of a spell (10)")
    parser.add_argument("--scale", type=float, default=1.0, help="multiplies the number of hostile lines (1)")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    good = True
    with stores() as made:
        for kind in given.kinds:
            lines = max(1, round(COUNTS[kind] * given.scale))
            settings = many_tables(made.settings)
            found = asyncio.run(flooded(settings, kind, lines, given.tables, given.spells, given.seconds))
            good &= found.good
            if given.json:
                print(json.dumps({**vars(found), "good": found.good}), flush=True)
            else:
                print(
                    f"{kind} × {lines}: p99 {found.calm_p99_ms:.2f} → {found.flood_p99_ms:.2f} ms, memory "
                    f"{found.before_kb // 1024} → {found.after_kb // 1024} MB, up {found.up}, lost {found.lost}, "
                    f"lines {dict(found.ends)}: {'good' if found.good else 'NOT GOOD'}", flush=True,
                )  # fmt: skip
    return 0 if good else 1


async def flooded(settings: Settings, kind: str, lines: int, tables: int, spells: int, seconds: float) -> Flooded:
    """Seat people, let them act, flood the node in every second spell."""
    found = Flooded(kind, lines)
    async with cluster(settings, 1) as nodes, crowd(node := nodes.nodes["n1"], tables) as people:
        acting = [asyncio.create_task(act_on(person, random.Random(n))) for n, person in enumerate(people)]
        await asyncio.sleep(min(_WARM_S, seconds))
        found.before_kb = resident_kb(node.pid)
        times: dict[bool, list[list[float]]] = {False: [], True: []}
        for number in range(2 * spells):
            hostile = number % 4 in (1, 2)  # calm, flood, flood, calm …: what drifts harms both alike
            for person in people:
                person.took_s.clear()
            if hostile:
                found.ends += await _hostile_machine(kind, node, lines, seconds)
            else:
                await asyncio.sleep(seconds)
            times[hostile].append([took for person in people for took in person.took_s])
        await asyncio.sleep(min(_AFTER_S, 2 * seconds))
        found.after_kb = resident_kb(node.pid)
        found.lost = sum(person.line is None or person.line.lost.done() for person in people)
        found.up = bool(await rest(node.backend.port, "POST", "/v1/guests", {}))
        for task in acting:
            task.cancel()
        await asyncio.gather(*acting, return_exceptions=True)
    found.acts = sum(map(len, times[False] + times[True]))
    found.calm_p99_ms, found.flood_p99_ms = [
        statistics.median([quantile_ms(spell, 0.99) for spell in times[hostile]]) for hostile in (False, True)
    ]
    return found


async def _hostile_machine(kind: str, node: NodeChild, lines: int, seconds: float) -> Counter[str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "app.lab.clients.floods", kind, str(node.backend.port), str(lines), str(seconds),
        cwd=ROOT, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    said, _ = await process.communicate()
    return Counter(json.loads(said or b"{}"))
