"""`mj bench slow`: people who stop reading, at tables where others act. Are the slow ones cut, do the others feel it?

Calm and disturbed spells take turns in one run, so that only their difference is judged: others' p99 may be a tenth or
2 ms more. The same people ask for the same snapshots at the same pace in both, and come back as often: in calm ones of
their own accord, in disturbed ones, where they read nothing, because they are cut.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from typing import Final

from app.lab.chaos.chaos import stores
from app.lab.chaos.cluster import cluster
from app.lab.clients.load_clients import Person, crowd, many_tables, quantile_ms
from app.lab.clients.stalled_clients import CUT_S, Reader, Slow
from app.settings import Settings

SHARE: Final = 0.10
MORE_MS: Final = 2.0
_THINK_S: Final = 0.5
_WARM_S: Final = 3.0
_LATE_S: Final = 0.15
"""One begins after the other, so that they do not come back all at once."""
_ALIVE_S: Final = 5.0


@dataclass
class Disturbed:
    """Others' acts (stored, acknowledged) in calm and disturbed spells, medians of the spells; the slow ones' end.

    `errors`: refused acts of others, and others who were cut as well.
    """

    tables: int
    slow: int
    acts: int
    calm_p50_ms: float
    calm_p99_ms: float
    slow_p50_ms: float
    slow_p99_ms: float
    cut: int
    cut_after_s: float
    early: int
    errors: int

    @property
    def good(self) -> bool:
        """Slow ones were cut, in time and not sooner than they deserve, and the others' p99 did not change."""
        unchanged = self.slow_p99_ms <= max(self.calm_p99_ms * (1 + SHARE), self.calm_p99_ms + MORE_MS)
        return self.cut >= self.slow and self.cut_after_s <= CUT_S and unchanged and not self.early + self.errors


def main(argv: list[str]) -> int:
    """Run the command. Returns 0 when nobody felt the slow ones."""
    parser = argparse.ArgumentParser(prog="mj bench slow", description="Do people who do not read disturb the others?")
    parser.add_argument("--tables", type=int, default=50, help="tables of four people (50)")
    parser.add_argument("--slow", type=int, default=5, help="people who stop reading, each at another table (5)")
    parser.add_argument("--spells", type=int, default=4, help="calm and disturbed spells, each (4)")
    parser.add_argument("--seconds", type=float, default=7.0, help="length of a spell; one is cut after 6 (7)")
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
        print(f"p99 {found.slow_p99_ms:.2f}; cut {found.cut} times, at most {found.cut_after_s:.2f} s after", end=" ")
        print(f"the overflow; cut too early {found.early}; errors {found.errors}")
    return 0 if found.good else 1


async def slow_readers(settings: Settings, tables: int, slow: int, spells: int, seconds: float) -> Disturbed:
    """Seat everybody; let the others act all the time, the slow ones stop reading in every second spell."""
    async with _seated(settings, tables) as people:
        stopping = people[3::4][:slow]
        others = [person for person in people if person not in stopping]
        readers = [Reader(person.port, person.token, person.room, person.last) for person in stopping]
        kernel = await readers[0].what_the_kernel_takes()
        acting = [asyncio.create_task(act_on(person, random.Random(n))) for n, person in enumerate(others)]
        await asyncio.sleep(min(_WARM_S, seconds))
        times: dict[bool, list[list[float]]] = {False: [], True: []}
        ends = Slow()
        for number in range(2 * spells):
            disturbed = number % 4 in (1, 2)  # calm, slow, slow, calm …: what drifts harms both alike
            for person in others:
                person.took_s.clear()
            await asyncio.gather(*[
                reader.spend(n * _LATE_S, seconds, not disturbed, kernel, ends) for n, reader in enumerate(readers)
            ])  # fmt: skip
            times[disturbed].append([took for person in others for took in person.took_s])
            _tell(disturbed, times[disturbed][-1], ends)
        for task in acting:
            task.cancel()
        await asyncio.gather(*acting, return_exceptions=True)
        errors = Counter(error for person in others for error in (*person.errors, *["cut"] * _away(person)))
        if errors:
            print(f"errors of others: {dict(errors)}", file=sys.stderr)
        calm, beside = times[False], times[True]
        return Disturbed(
            tables, slow, sum(map(len, calm + beside)), _middle(calm, 0.5), _middle(calm, 0.99),
            _middle(beside, 0.5), _middle(beside, 0.99), len(ends.after_s), max(ends.after_s, default=0.0),
            ends.early, errors.total(),
        )  # fmt: skip


@asynccontextmanager
async def _seated(settings: Settings, tables: int) -> AsyncIterator[list[Person]]:
    """One node, and people at its tables; meanwhile sends pings."""

    async def alive() -> None:
        began = time.monotonic()
        while True:
            print(f"seating {4 * tables} people, {time.monotonic() - began:.0f} s …", file=sys.stderr, flush=True)
            await asyncio.sleep(_ALIVE_S)

    telling = asyncio.create_task(alive())
    try:
        async with cluster(settings, 1) as nodes, crowd(nodes.nodes["n1"], tables) as people:
            telling.cancel()
            yield people
    finally:
        telling.cancel()


def _away(person: Person) -> bool:
    return person.line is None or person.line.lost.done()


async def act_on(person: Person, rng: random.Random) -> None:
    """Something that is stored and shown, again and again."""
    for number in range(10**9):
        await asyncio.sleep(rng.uniform(0.5, 1.5) * _THINK_S)
        person.ask("auto_win", f"act{number}", {"on": number % 2 == 0})


def _middle(spells: list[list[float]], share: float) -> float:
    """The median over the spells of the time within which this share of the acts was done, in ms."""
    return statistics.median([quantile_ms(times, share) for times in spells])


def _tell(disturbed: bool, times: list[float], ends: Slow) -> None:
    """A spell is over."""
    name, p50, p99 = "slow" if disturbed else "calm", quantile_ms(times, 0.5), quantile_ms(times, 0.99)
    said = f"{name}: {len(times)} acts, p50 {p50:.2f} ms, p99 {p99:.2f} ms; cut so far {len(ends.after_s)}"
    print(said, file=sys.stderr, flush=True)
