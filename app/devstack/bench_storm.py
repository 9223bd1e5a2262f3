"""`mj bench storm`: a node dies with all its sockets; everybody returns within seconds. How long does each return take?

A return: ticket by REST, socket, hello with what was seen last, until caught up (`sync`, or what was missed and the
prompt). With `--cut` only the lines are cut and the node lives. Exit status 1 on an error or a p99 over the limit.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import time
from dataclasses import asdict, dataclass, field
from typing import Final

from app.devstack.chaos import stores
from app.devstack.cluster import cluster
from app.devstack.crowd import Person, crowd, many_tables, quantile_ms, spread
from app.settings import Settings
from app.storage.live.link import StoreAway

LIMIT_MS: Final = 50.0
_TRIES: Final = 50


@dataclass
class Returned:
    """Milliseconds of a whole return; `again`: tries that failed before one went well; `lost`: people never back."""

    clients: int
    tables: int
    seconds: float
    p50_ms: float = 0.0
    p99_ms: float = 0.0
    worst_ms: float = 0.0
    again: int = 0
    lost: int = 0
    times_s: list[float] = field(default_factory=list, repr=False)


def main(argv: list[str]) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="mj bench storm", description="Everybody returns at once after a death.")
    parser.add_argument("--tables", type=int, default=400, help="tables of four people (400)")
    parser.add_argument("--seconds", type=float, default=5.0, help="over which everybody returns (5)")
    parser.add_argument("--cut", action="store_true", help="cut the lines only; the node lives")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    with stores() as made:
        found = asyncio.run(storm(many_tables(made.settings), given.tables, given.seconds, kill=not given.cut))
    if given.json:
        plain = {name: value for name, value in asdict(found).items() if name != "times_s"}
        print(json.dumps({name: round(value, 2) for name, value in plain.items()}))
    else:
        print(f"{found.clients} people of {found.tables} tables return within {found.seconds:g} s:", end=" ")
        print(f"p50 {found.p50_ms:.1f} ms, p99 {found.p99_ms:.1f}, worst {found.worst_ms:.1f};", end=" ")
        print(f"failed tries {found.again}, not back {found.lost}")
    return 0 if found.lost == found.again == 0 and found.p99_ms <= LIMIT_MS else 1


async def storm(settings: Settings, tables: int, seconds: float, kill: bool) -> Returned:
    """Seat everybody, kill the node (or cut the lines), let everybody return."""
    async with cluster(settings, 1) as nodes:
        node = nodes.nodes["n1"]
        async with crowd(node, tables) as people:
            found = Returned(len(people), tables, seconds)
            if kill:
                await nodes.kill("n1")
            for person in people:
                assert person.line is not None
                person.line.close()
            rng = random.Random(1)
            rng.shuffle(people)
            moments = spread(len(people), seconds, rng)
            began = time.monotonic()
            await asyncio.gather(
                *[_return(person, began + at, found) for person, at in zip(people, moments, strict=True)]
            )
    found.p50_ms, found.p99_ms = quantile_ms(found.times_s, 0.5), quantile_ms(found.times_s, 0.99)
    found.worst_ms = max(found.times_s) * 1000
    return found


async def _return(person: Person, at: float, found: Returned) -> None:
    await asyncio.sleep(at - time.monotonic())
    for _ in range(_TRIES):
        began = time.perf_counter()
        try:
            await person.sit()
        except (StoreAway, OSError):
            found.again += 1
            await asyncio.sleep(0.2)
        else:
            found.times_s.append(time.perf_counter() - began)
            return
    found.lost += 1
