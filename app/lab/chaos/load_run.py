"""Tables that play while something breaks, and the reckoning afterwards: is every acknowledged act there, and once?

The players are public clients; the accounting reads the archive itself and trusts no process.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import time
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

import asyncpg
import httpx

from app.kernel.errors import Rejection
from app.kernel.play.commands import TimeOut
from app.kernel.text.notation import read_command
from app.lab.clients.client import Api, Plain, Refused, SeatClient, plain_choice
from app.records.verify import setup_of
from app.serving.migrate import plain as plain_url
from app.variants import VARIANTS

_SETTLED_S = 60.0
_LONGEST = 3.0
"""Longest time to think, as a multiple of the mean: far below every clock of a person."""


@dataclass
class Reckoning:
    """The result. Every field but those of the first line must be zero or empty."""

    matches: int = 0
    rounds: int = 0
    acked: int = 0
    reconnects: int = 0
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    gaps: int = 0
    voided: int = 0
    uneven: list[str] = field(default_factory=list)
    unfinished: int = 0
    failed: list[str] = field(default_factory=list)
    untold: int = 0
    byes: Counter[int] = field(default_factory=Counter)
    run_out: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    @property
    def clean(self) -> bool:
        """Was every promise kept that holds however things break?"""
        broken = self.lost or self.twice or self.gaps or self.voided or self.uneven or self.unfinished or self.failed
        return not broken

    @property
    def unnoticed(self) -> bool:
        """True when a deploy kept its promises: each player got a time to return, and no player's clock ran out."""
        return self.clean and not self.untold and not {*self.run_out} - {"forced"}

    def plain(self) -> Plain:
        """For `--json`."""
        return {**vars(self), **{name: dict(getattr(self, name)) for name in ("refused", "byes", "run_out")}}


class Group:
    """Four people who play match after match, until `finish` ends the series after the running one."""

    def __init__(self, url: str, variant: str, think_s: float, rng: random.Random, rounds: int = 4) -> None:
        self.variant = variant
        self._rounds = rounds
        self.clients: list[SeatClient] = []
        self.played: list[SeatClient] = []
        self.began = asyncio.Event()
        self.failure: str | None = None
        self._url = url
        self._think_s = think_s
        self._rng = rng

    async def run_noted(self, stop: asyncio.Event) -> None:
        """`run`; what a player could not get over is noted for the reckoning, and the other groups play on."""
        try:
            await self.run(stop)
        except (Refused, httpx.HTTPError) as failure:
            self.failure = f"{self.variant}: {type(failure).__name__}: {failure}"
            self.began.set()

    async def run(self, stop: asyncio.Event) -> None:
        """Play until `stop`, then to the end of the match."""
        async with AsyncExitStack() as stack:
            players = VARIANTS[self.variant].meta.players[-1]
            homes = [f"10.{self._rng.randrange(256)}.{self._rng.randrange(256)}.{seat}" for seat in range(players)]
            apis = [await stack.enter_async_context(Api(self._url, home)) for home in homes]
            for api in apis:
                await insist(api.sign_in)
            while not stop.is_set():
                await self._match(apis)

    async def _match(self, apis: list[Api]) -> None:
        settings: Plain = {"claim_hold_ms": 0, "think_s": 60, "claim_s": 15, "autoplay_after": 5}
        options = {option.name for option in VARIANTS[self.variant].meta.options}
        rules: Plain = {"rounds": self._rounds} if "rounds" in options else {}
        for api in apis[1:]:
            await insist(lambda api=api: _leave(api))
        room = await insist(lambda: _create(apis[0], self.variant, rules, settings))
        for api in apis[1:]:
            await insist(lambda api=api: api.join(room["code"]))
        rng = self._rng
        self.clients = [SeatClient(api, room["id"], self._choose, random.Random(rng.random())) for api in apis]
        self.played += self.clients
        await asyncio.gather(*[client.run() for client in self.clients])
        for api in apis:  # an empty room closes at once; one that is left to itself would wait for a rematch
            with contextlib.suppress(Refused):
                await insist(lambda api=api: api.call("POST", f"/rooms/{room['id']}/leave"))

    async def _choose(self, client: SeatClient, decision: Plain) -> Plain:
        self.began.set()
        if self._think_s:
            await asyncio.sleep(min(client.rng.expovariate(1 / self._think_s), _LONGEST * self._think_s))
        return plain_choice(decision["options"], client.rng)


async def _create(api: Api, variant: str, rules: Plain, settings: Plain) -> Plain:
    """Make a room, repeatedly: a room that a broken request made is given up before the next try."""
    await _leave(api)
    return await api.create_room(variant, rules, settings)


async def _leave(api: Api) -> None:
    """A room that a broken request left behind must not hold anybody."""
    room = (await api.call("GET", "/me/room"))["room"]
    if room is not None:
        await api.call("POST", f"/rooms/{room['id']}/leave")


async def insist(work: Any) -> Any:
    """Do it until there is an answer: nodes may be away just now."""
    until = time.monotonic() + 120.0
    while True:
        try:
            return await work()
        except (httpx.TransportError, json.JSONDecodeError):
            if time.monotonic() > until:
                raise
        except Refused as refused:
            if (refused.status < 500 and refused.code != "conflict") or time.monotonic() > until:
                raise
        await asyncio.sleep(0.2)


async def reckon(groups: list[Group], database_url: str, clocks: bool = False) -> Reckoning:
    """Compare the clients' accounts with the archive, once every round has arrived there.

    `clocks`: also play every round again and count the clocks that ran out under a person.
    """
    found = Reckoning(
        matches=len({client.room_id for group in groups for client in group.played}),
        failed=[group.failure for group in groups if group.failure is not None],
    )
    clients = [client for group in groups for client in group.played]
    for client in clients:
        found.reconnects += client.reconnects
        found.gaps += len(client.gaps)
        found.unfinished += client.match.get("phase") != "ended"
        found.refused.update(error["code"] for error in client.refused)
        found.untold += client.untold
        found.byes.update(bye["code"] for bye in client.byes)
    acked = {ref: client.room_id for client in clients for ref in client.acts if ref in client.acked}
    found.acked = len(acked)
    rooms = {client.room_id for client in clients}
    stored, rounds, records = await _stored(database_url, rooms, acked, keep=clocks)
    found.rounds = len(rounds)
    for record in records:
        found.run_out.update(run_out(record))
    found.lost = [f"{ref} of room {room}" for ref, room in acked.items() if not stored[ref]]
    found.twice = [ref for ref, times in stored.items() if times > 1]
    found.voided = sum(outcome in ("void", "failed") for outcome, _ in rounds)
    found.uneven = [str(nets) for _, nets in rounds if sum(nets) != 0]
    return found


def run_out(record: Plain) -> Counter[str]:
    """The players' clocks that ran out in a stored round, by name; holds, which nobody answers, do not count."""
    variant, found = VARIANTS[record["variant"]], Counter[str]()
    step = variant.start(setup_of(record, variant))
    for entry in record["entries"][1:]:
        command, open_ = read_command(entry["command"]), variant.decisions(step.state)
        if isinstance(command, TimeOut):
            asked = [decision for decision in open_ if decision.id == command.decision_id and decision.seat is not None]
            found.update(decision.clock for decision in asked)
        decided = variant.decide(step.state, open_, command)
        if isinstance(decided, Rejection):
            raise RuntimeError(f"entry {entry['n']} of a stored round is refused when played again: {decided.code}")
        step = decided
    return found


async def _stored(
    database_url: str, rooms: set[str], wanted: dict[str, str], keep: bool
) -> tuple[Counter[str], list[Any], list[Plain]]:
    """Count of each request in the records of these rooms; each round's outcome and nets; the records, if to `keep`."""
    connection = await asyncpg.connect(plain_url(database_url))
    try:
        until = time.monotonic() + _SETTLED_S
        while True:
            refs, rows, records = await _read(connection, rooms, keep)
            if all(refs[ref] for ref in wanted) or time.monotonic() > until:
                break
            await asyncio.sleep(0.5)
        nets = await connection.fetch(
            "SELECT round_id, array_agg(net ORDER BY seat) AS nets FROM round_seats WHERE round_id = ANY($1)"
            " GROUP BY round_id",
            [row["id"] for row in rows],
        )
        by_round = {row["round_id"]: list(row["nets"]) for row in nets}
        return refs, [(row["outcome"], by_round.get(row["id"], [])) for row in rows], records
    finally:
        await connection.close()


async def _read(connection: Any, rooms: set[str], keep: bool) -> tuple[Counter[str], list[Any], list[Plain]]:
    """One look at the rounds of these rooms, a record at a time: a long run has gigabytes of them."""
    refs, rows, records = Counter[str](), [], []
    async with connection.transaction():
        async for row in connection.cursor(
            "SELECT r.id, r.outcome, c.record FROM rounds r JOIN matches m ON m.id = r.match_id"
            " LEFT JOIN records c ON c.round_id = r.id WHERE m.room_id = ANY($1)",
            sorted(rooms),
        ):
            rows.append({"id": row["id"], "outcome": row["outcome"]})
            if not row["record"]:
                continue
            record = json.loads(row["record"])
            refs.update(entry["ref"] for entry in record["entries"] if entry.get("ref"))
            if keep:
                records.append(record)
    return refs, rows, records
