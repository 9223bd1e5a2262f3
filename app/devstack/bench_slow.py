"""`mj bench slow`: people who stop reading, at tables where others act. Are the slow ones cut, do the others feel it?

Calm and disturbed spells take turns in one run, so that only their ratio is judged: others' p99 may be a tenth or 2 ms
more. A slow one stops reading, goes on asking for snapshots until he is cut at his bound, and comes back.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import time
from dataclasses import asdict, dataclass
from typing import Final

from app.devstack.chaos import stores
from app.devstack.cluster import cluster
from app.devstack.crowd import Person, crowd, many_tables, quantile_ms
from app.settings import Settings
from app.storage.live.link import StoreAway

SHARE: Final = 0.10
MORE_MS: Final = 2.0
_THINK_S: Final = 0.25
_SYNC_S: Final = 0.055
"""A little slower than a socket's allowance refills, after the burst it has."""
_BURST: Final = 70


@dataclass
class Disturbed:
    """p99 of the others' acts (stored, acknowledged) in calm and disturbed spells; how many slow ones were cut."""

    tables: int
    slow: int
    acts: int
    calm_p50_ms: float
    calm_p99_ms: float
    slow_p50_ms: float
    slow_p99_ms: float
    cut: int
    errors: int

    @property
    def good(self) -> bool:
        """Slow ones were cut, and the others' p99 is what it was."""
        unchanged = self.slow_p99_ms <= max(self.calm_p99_ms * (1 + SHARE), self.calm_p99_ms + MORE_MS)
        return self.cut >= self.slow and unchanged and not self.errors


def main(argv: list[str]) -> int:
    """Run the command. Returns 0 when nobody felt the slow ones."""
    parser = argparse.ArgumentParser(prog="mj bench slow", description="Do people who do not read disturb the others?")
    parser.add_argument("--tables", type=int, default=50, help="tables of four people (50)")
    parser.add_argument("--slow", type=int, default=5, help="people who stop reading, each at another table (5)")
    parser.add_argument("--spells", type=int, default=3, help="calm and disturbed spells, each (3)")
    parser.add_argument("--seconds", type=float, default=15.0, help="length of a spell (15)")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    with stores() as made:
        found = asyncio.run(
            slow_readers(many_tables(made.settings), given.tables, given.slow, given.spells, given.seconds)
        )
    if given.json:
        print(json.dumps({**{name: round(value, 2) for name, value in asdict(found).items()}, "good": found.good}))
    else:
        print(f"{found.acts} acts at {found.tables} tables: calm p50 {found.calm_p50_ms:.2f} ms,", end=" ")
        print(f"p99 {found.calm_p99_ms:.2f}; beside {found.slow} who do not read p50 {found.slow_p50_ms:.2f},", end=" ")
        print(f"p99 {found.slow_p99_ms:.2f}; cut {found.cut} times; errors {found.errors}")
    return 0 if found.good else 1


async def slow_readers(settings: Settings, tables: int, slow: int, spells: int, seconds: float) -> Disturbed:
    """Seat everybody; let the others act all the time, the slow ones stop reading in every second spell."""
    async with cluster(settings, 1) as nodes, crowd(nodes.nodes["n1"], tables) as people:
        readers = people[3::4][:slow]
        others = [person for person in people if person not in readers]
        acting = [asyncio.create_task(_act(person, random.Random(n))) for n, person in enumerate(others)]
        times: dict[bool, list[float]] = {False: [], True: []}
        cuts = 0
        for spell in range(2 * spells + 1):
            disturbed = spell % 2 == 1
            for person in others:
                person.took_s.clear()
            if disturbed:
                counts = await asyncio.gather(*[_stop_reading(person, seconds) for person in readers])
                cuts += sum(counts)
            else:
                await asyncio.sleep(seconds)
            if spell:  # the first one is to warm up
                times[disturbed] += [took for person in others for took in person.took_s]
        for task in acting:
            task.cancel()
        await asyncio.gather(*acting, return_exceptions=True)
        calm, beside = times[False], times[True]
        return Disturbed(
            tables, slow, len(calm) + len(beside), quantile_ms(calm, 0.5), quantile_ms(calm, 0.99),
            quantile_ms(beside, 0.5), quantile_ms(beside, 0.99), cuts, sum(len(person.errors) for person in others),
        )  # fmt: skip


async def _act(person: Person, rng: random.Random) -> None:
    """Something that is stored and shown, again and again."""
    for number in range(10**9):
        await asyncio.sleep(rng.uniform(0.5, 1.5) * _THINK_S)
        person.ask("auto_win", f"act{number}", {"on": number % 2 == 0})


async def _stop_reading(person: Person, seconds: float) -> int:
    """Be slow until cut, come back, and so on. Returns how often he was cut."""
    until, cut = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        try:
            await person.sit(little=True)
        except (StoreAway, OSError):
            await asyncio.sleep(0.2)
            continue
        line = person.line
        assert line is not None
        line.freeze()
        for number in range(10**6):
            line.say("sync", f"s{number}")
            if number >= _BURST:
                await asyncio.sleep(_SYNC_S)
            if line.lost.done() or time.monotonic() > until:
                break
        cut += line.lost.done()
        line.close()
    return cut
