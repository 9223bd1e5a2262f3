"""`mj bench storm`: a node dies with all its sockets; everybody returns within seconds. It measures the time of each
return.

A *return* is all of it: a ticket by REST on a fresh connection, a socket, the hello with the last number seen,
until the client has caught up (`sync`, or the missed frames and the prompt). The limit is for that, and the returns
of the first second, while tables are taken over, count like any other. Two parts are shown as well: the *ticket* and
the *resume* (hello sent → caught up); the rest is the socket's handshake.

The clock of a return starts when it was due, so a measuring side that is late makes its figures worse, not better.
After a kill the first return is due as soon as the new process serves; with `--cut` only the lines are cut and the node
lives. Exit status 1 on a failed try, a client that does not return, or a p99 over the limit.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import uvloop

from app.lab.bench.socket import cpu_s
from app.lab.chaos.chaos import stores
from app.lab.chaos.cluster import NodeChild, cluster
from app.lab.clients.load_clients import Person, Sat, crowd, many_tables, quantile_ms, spread, unhalted
from app.settings import Settings
from app.storage.live.wire.link import StoreUnavailable

LIMIT_MS: Final = 50.0
EARLY_S: Final = 1.0
"""Returns due in this first while meet a node that still takes its tables over."""
_TRIES: Final = 50


class Came(NamedTuple):
    """One return: when it was due after the first could be, how long all of it took, and its parts, in seconds."""

    due_s: float
    whole_s: float
    parts: Sat


@dataclass
class Returned:
    """`again`: tries that failed before one went well; `lost`: people never back; `cpu_us`: the node's per return."""

    clients: int
    tables: int
    seconds: float
    again: int = 0
    lost: int = 0
    cpu_us: float = 0.0
    came: list[Came] = field(default_factory=list, repr=False)

    def figures(self) -> dict[str, float]:
        """The figures that are printed; milliseconds by `p50`, `p99` and `worst`."""
        parts: dict[str, Callable[[Came], float]] = {
            "": lambda one: one.whole_s, "ticket_": lambda one: one.parts.ticket_s,
            "resume_": lambda one: one.parts.resume_s,
        }  # fmt: skip
        found: dict[str, float] = {"clients": self.clients, "tables": self.tables, "seconds": self.seconds}
        for name, part in parts.items():
            times_s = [part(one) for one in self.came]
            for share, word in ((0.5, "p50"), (0.99, "p99"), (1.0, "worst")):
                found[f"{name}{word}_ms"] = quantile_ms(times_s, share)
        early = [one.whole_s for one in self.came if one.due_s < EARLY_S]
        later = [one.whole_s for one in self.came if one.due_s >= EARLY_S]
        found |= {"first_second_p99_ms": quantile_ms(early, 0.99), "later_p99_ms": quantile_ms(later, 0.99)}
        return found | {"node_cpu_us": self.cpu_us, "again": self.again, "lost": self.lost}

    @property
    def good(self) -> bool:
        """Nobody lost, nothing failed, and the p99 of whole returns within the limit."""
        return self.lost == self.again == 0 and self.figures()["p99_ms"] <= LIMIT_MS


def main(argv: list[str]) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="mj bench storm", description="Everybody returns at once after a death.")
    parser.add_argument("--tables", type=int, default=400, help="tables of four people (400)")
    parser.add_argument("--seconds", type=float, default=5.0, help="over which everybody returns (5)")
    parser.add_argument("--cut", action="store_true", help="cut the lines only; the node lives")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    with stores() as made, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        found = runner.run(storm(many_tables(made.settings), given.tables, given.seconds, kill=not given.cut))
    told = {name: round(value, 2) for name, value in found.figures().items()}
    if given.json:
        print(json.dumps({**told, "good": found.good}))
    else:
        print(f"{found.clients} people of {found.tables} tables return within {found.seconds:g} s:")
        print("\n".join([f"{name:>20} {value:g}" for name, value in told.items()]))
    return 0 if found.good else 1


async def storm(settings: Settings, tables: int, seconds: float, kill: bool) -> Returned:
    """Seat everybody, kill the node (or cut the lines), let everybody return."""
    async with cluster(settings, 1) as nodes:
        node = nodes.nodes["n1"]
        async with crowd(node, tables) as people:
            found, rng = Returned(len(people), tables, seconds), random.Random(1)
            moments = spread(len(people), seconds, rng)
            with unhalted():
                if kill:
                    await nodes.kill("n1")
                await _cut(people)
                rng.shuffle(people)
                began, spent = time.perf_counter(), _cpu_s(node)
                async with asyncio.TaskGroup() as returning:
                    for person, at in zip(people, moments, strict=True):
                        await asyncio.sleep(began + at - time.perf_counter())
                        returning.create_task(_return(person, began, at, found))
            found.cpu_us = (_cpu_s(node) - spent) / len(people) * 1e6
    return found


async def _cut(people: list[Person]) -> None:
    """Cut all lines. Over when ours are gone; the node still has to get over it."""
    lines = [person.line for person in people if person.line is not None]
    for line in lines:
        line.close()
    await asyncio.gather(*[line.lost for line in lines])


async def _return(person: Person, began: float, at: float, found: Returned) -> None:
    due = began + at
    for _ in range(_TRIES):
        try:
            parts = await person.sit()
        except (StoreUnavailable, OSError):
            found.again += 1
            await asyncio.sleep(0.2)
        else:
            found.came.append(Came(at, time.perf_counter() - due, parts))
            return
    found.lost += 1


def _cpu_s(node: NodeChild) -> float:
    """CPU time of the node so far, where the system shows it in files (Linux); else 0."""
    with contextlib.suppress(OSError):
        return cpu_s(node)
    return 0.0
