"""Deadlines to the millisecond, for any setting, claim of a client or step of a clock (part C, E8)."""

from __future__ import annotations

import asyncio
import gc
import json
import time
from collections import defaultdict
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from app.api.gateway.translate import read_ask
from app.kernel.errors import MalformedInput
from app.lab.chaos.load_run import run_out
from app.lab.clients.client import Plain, SeatClient, plain_choice
from app.protocol.v1.client import BadFrame, read_message
from app.tables.actor import Table
from app.tables.asks import OrderFill
from app.tables.clocks.clock import LoopClock
from app.tables.clocks.stalls import StallWatch
from app.tables.ports import Cancel
from app.tables.settings import SETTINGS_OPTIONS, parse_settings
from tests.integration.nodes import RunningNode, people, seated
from tests.integration.waiting import PATIENCE_S, eventually, until
from tests.tables.doubles import Client
from tests.tables.test_turns import place_of, plains
from tests.tables.world import ALL_CLAIM, NO_SECRETS, World, settle

EDGES = 5_000


async def test_c6_at_the_deadline_five_thousand_times_each_is_one_discard_and_one_draw() -> None:
    """The act lies in the mailbox before the clock's message, or behind it, two milliseconds about the deadline."""
    world, rng, done = World(), Random(6), 0
    table, clients = await _endless(world)
    while done < EDGES:
        if table.log.match.phase != "playing":
            table, clients = await _endless(world)
        asked = [client for client in clients if client.decision is not None]
        client = next((c for c in asked if c.decision and c.decision["clock"] == "turn"), None)
        if client is None:
            for other in asked:
                other.play(table, "pass")
            await settle()
            continue
        throw = next((n for n, o in enumerate(client.decision["options"]) if o["verb"] == "discard"), None)  # type: ignore[index]
        if throw is None:
            client.play(table, -1)
            await settle()
            continue
        due, before = world.clock.next_due(), len(table.log.entries)
        assert due is not None
        at, first = due + rng.choice((-0.002, -0.001, 0.0, 0.001, 0.002)), rng.random() < 0.5
        if first:
            world.clock.now = max(world.clock.now, at)
            client.play(table, throw)
        world.clock.fire(max(due, at))
        if not first:
            client.play(table, throw)
        page = table.log.match.round_no
        await settle()
        done += 1
        if table.log.match.round_no == page and table.log.match.phase == "playing":
            entries = [json.loads(raw) for raw in table.log.entries[before:]]
            kinds = [event["type"] for entry in entries for event in entry["events"]]
            assert kinds.count("tile_discarded") == 1 and kinds.count("tile_drawn") <= 1, kinds
        for each in clients:
            each.frames.clear()
    assert not world.alerts.alerts


async def _endless(world: World) -> tuple[Table, list[Client]]:
    settings = {"think_s": 5, "claim_s": 15, "claim_hold_ms": 0, "autoplay_after": 5}
    table = await world.table(f"t{len(world.store.history)}", rules={"secret": False, "rounds": 1}, settings=settings)
    return table, await world.dealt(table)


class CountingClock(LoopClock):
    """The loop's clock; by call: whether it was cancelled, and how often it has run."""

    def __init__(self) -> None:
        self.calls: list[list[int]] = []

    def call_later(self, delay_s: float, callback: Callable[[], None]) -> Cancel:
        if isinstance(getattr(callback, "__self__", None), StallWatch):  # the node's, it outlives the tables
            return super().call_later(delay_s, callback)
        runs: list[int] = [0]
        self.calls.append(runs)

        def run() -> None:
            runs[0] += 1
            callback()

        return CountedCancel(super().call_later(delay_s, run), runs)


class CountedCancel:
    """A cancel of a call that has run already does nothing."""

    def __init__(self, handle: Cancel, runs: list[int]) -> None:
        self._handle, self._runs = handle, runs

    def cancel(self) -> None:
        self._handle.cancel()
        if self._runs[0] == 0:
            self._runs[:] = [0, 1]


async def test_c8_under_a_full_collection_every_ten_milliseconds_every_armed_clock_runs_out_once() -> None:
    """Ten tables on the real loop, their bots moved by nothing but clocks.

    Objects of others are hidden from the collector.
    """

    async def collect() -> None:
        while True:
            gc.collect()
            await asyncio.sleep(0.01)

    clock = CountingClock()
    world = World(clock=clock)  # type: ignore[arg-type]
    gc.collect()
    gc.freeze()
    collecting = asyncio.create_task(collect())
    try:
        names = [f"t{number}" for number in range(10)]
        for name in names:
            table = await world.table(name, rules=NO_SECRETS, settings={"claim_hold_ms": 20})
            await table.operate(OrderFill())
        del table
        await until(lambda: not world.registry.tables())
    finally:
        collecting.cancel()
        gc.unfreeze()
    assert sorted(table_id for table_id, _, _ in world.rooms.gone) == sorted(names) and not world.alerts.alerts
    assert {tuple(runs) for runs in clock.calls} == {(1,), (0, 1)}, "run out once, or cancelled before it"
    assert sum(runs[0] for runs in clock.calls) > 400


@pytest.mark.parametrize("drop", [False, True], ids=["stays", "drops"])
async def test_c10_every_setting_of_the_clocks_lasts_what_it_says(drop: bool) -> None:
    """All values of both clocks; who drops and returns on the way has neither more nor less."""
    bounds = {option.name: (option.low, option.high) for option in SETTINGS_OPTIONS}
    turns = [*range(bounds["think_s"][0] or 0, (bounds["think_s"][1] or 0) + 1)]
    claims = [*range(bounds["claim_s"][0] or 0, (bounds["claim_s"][1] or 0) + 1)]
    assert min(turns) > 0 and min(claims) > 0, "no clock is over before it began"
    for number, think_s in enumerate(turns):
        claim_s = claims[number % len(claims)]
        world = World(variants={"toy": ALL_CLAIM})
        settings = {"think_s": think_s, "claim_s": claim_s, "claim_hold_ms": 0}
        table = await world.table(variant=ALL_CLAIM, rules=NO_SECRETS, settings=settings)
        clients = await world.dealt(table)
        await _lasts(world, table, clients, 0, "turn", think_s, drop)
        clients[0].play(table, place_of(clients[0], "discard", "3s"))
        await settle()
        await _lasts(world, table, clients, 1, "claim", claim_s, drop)
        await _ends(world)
        await _lasts(world, table, clients, 1, "turn", think_s, drop)
        await _ends(world)
        assert [plain["seat"] for plain in plains(clients[2], "tile_discarded")] == [0, 1], (think_s, claim_s)


async def _ends(world: World) -> None:
    """An open decision runs out a tenth of a second from now, and not a millisecond later."""
    due = world.clock.next_due()
    assert due is not None and abs(due - world.clock.now - 0.1) < 0.001
    while world.clock.fire(due):
        await settle()


async def _lasts(
    world: World, table: Table, clients: list[Client], seat: int, clock: str, seconds: int, drop: bool
) -> None:
    """Up to 100 ms before its end the question is open; the time left is sent in milliseconds all the time."""
    thrown = len(plains(clients[2], "tile_discarded"))
    asked = clients[seat].decision
    assert asked is not None and asked["clock"] == clock
    assert asked["left_ms"] == asked["total_ms"] == seconds * 1000
    await world.advance(seconds / 2)
    if drop:
        table.detach(clients[seat])
        clients[seat] = Client(clients[seat].person.user).attach(table)
        await settle()
        again = clients[seat].decision
        assert again is not None and again["id"] == asked["id"]
        assert abs(again["left_ms"] - seconds * 500) <= 1 and again["total_ms"] == seconds * 1000
    await world.advance(seconds / 2 - 0.1)
    open_ = clients[seat].decision
    assert open_ is not None and open_["id"] == asked["id"]
    assert len(plains(clients[2], "tile_discarded")) == thrown


@pytest.mark.parametrize(("name", "value"), [("think_s", 0), ("claim_s", 0), ("think_s", -1), ("claim_s", 0.5)])
def test_c10_a_clock_of_no_length_cannot_be_set(name: str, value: Any) -> None:
    with pytest.raises(MalformedInput, match=name):
        parse_settings({name: value})


FORGED: list[dict[str, Any]] = [
    {"lag": 9000}, {"lag_ms": 9000}, {"at_ms": 0}, {"sent_at": -1}, {"left_ms": 10**9}, {"t": 2**40}, {"clock": "free"},
]  # fmt: skip


@pytest.mark.parametrize("forged", FORGED, ids=lambda one: next(iter(one)))
async def test_c12_a_request_that_claims_a_time_is_refused_and_moves_no_deadline(forged: dict[str, Any]) -> None:
    world = World(variants={"toy": ALL_CLAIM})
    table = await world.table(variant=ALL_CLAIM, rules=NO_SECRETS, settings={"think_s": 10})
    clients = await world.dealt(table)
    decision = clients[0].decision
    assert decision is not None
    await world.advance(4)
    due = world.clock.next_due()
    act = {"round": clients[0].seq[0], "decision": decision["id"], "action": decision["options"][0]}
    honest = {"id": "x", "kind": "act", "data": act}
    for frame in (
        {**honest, **forged}, {**honest, "data": {**act, **forged}},
        {**honest, "data": {**act, "action": {**decision["options"][0], **forged}}},
        {"id": "y", "kind": "sync", "data": forged}, {"id": "z", "kind": "ready", "data": forged},
        {"id": "h", "kind": "hello", "data": {"ticket": "t", **forged}},
    ):  # fmt: skip
        with pytest.raises(BadFrame) as refused:
            clients[0].ask(table, read_ask(read_message(json.dumps(frame))))
        assert refused.value.code == "malformed"
    await settle()
    assert world.clock.next_due() == due and len(table.log.entries) and not plains(clients[0], "tile_discarded")
    clients[0].ask(table, read_ask(read_message(json.dumps(honest))), ref="honest")
    await settle()
    assert clients[0].answers("honest") == [("ack", None)]


async def test_c14_the_machines_clock_steps_an_hour_forth_and_back_under_a_match(
    node: RunningNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole process, sockets and stores: no clock runs out, none stands still, the match goes on to its end."""
    step = {"s": 0.0}
    real, real_ns = time.time, time.time_ns
    monkeypatch.setattr(time, "time", lambda: real() + step["s"])
    monkeypatch.setattr(time, "time_ns", lambda: real_ns() + int(step["s"] * 1e9))
    acts, asked = 0, []

    def hear(frame: Plain) -> None:
        if frame["kind"] == "sync" and (decision := frame["data"]["prompt"]["decision"]) is not None:
            asked.append(decision)

    async def choose(client: SeatClient, decision: Plain) -> Plain:
        nonlocal acts
        acts += 1
        step["s"] = (0.0, 3600.0, -3600.0, 0.0)[acts // 5 % 4]
        await client.send("sync")
        return plain_choice(decision["options"], client.rng)

    async with people(node.url, 4) as apis:
        clients = await seated(apis, "tianjin", {"rounds": 2}, {"think_s": 60, "claim_s": 15})
        for client in clients:
            client.choose, client.on_frame = choose, hear
        async with asyncio.timeout(2 * PATIENCE_S):
            await asyncio.gather(*[client.run() for client in clients])
        assert acts > 20, "every step was made"
        assert len(asked) > 5 and all(0 < decision["left_ms"] <= decision["total_ms"] for decision in asked)
        assert [client.reconnects for client in clients] == [0] * 4
        step["s"] = 0.0
        mine = await eventually(lambda: apis[0].call("GET", "/me/rounds"), lambda found: len(found["items"]) == 2)
        for played in mine["items"]:
            record = (await apis[0].call("GET", f"/records/{played['id']}"))["record"]
            assert not run_out(record), "no clock ran out under anybody"
    await until(lambda: not node.process.live.failing_s)


async def test_e8_the_pause_after_a_discard_is_the_same_whether_or_not_somebody_could_claim() -> None:
    """Whole rounds of people who answer within the pause: one length of pause in both cases, to the millisecond."""
    hold_s, rng = 0.8, Random(8)
    pauses: dict[bool, list[int]] = defaultdict(list)
    for number in range(8):
        world = World(salt=number)
        table = await world.table(rules={"secret": False, "rounds": 2}, settings={"claim_hold_ms": 800, "think_s": 60})
        clients = await world.dealt(table)
        for _ in range(40):
            turn = next((c for c in clients if c.decision and c.decision["clock"] == "turn"), None)
            if turn is None or table.log.match.phase != "playing":
                break
            throw = next((n for n, o in enumerate(turn.decision["options"]) if o["verb"] == "discard"), 0)  # type: ignore[index]
            turn.play(table, throw)
            await settle()
            began, drawn = world.clock.now, len(plains(clients[0], "tile_drawn"))
            asked = [c for c in clients if c.decision and c.decision["clock"] == "claim"]
            for client in asked:
                await world.advance(rng.uniform(0, hold_s / 4))
                client.play(table, "pass")
                await settle()
            while len(plains(clients[0], "tile_drawn")) == drawn and table.log.match.phase == "playing":
                due = world.clock.next_due()
                assert due is not None and len(plains(clients[0], "tile_drawn")) == drawn
                await world.advance(due - world.clock.now)
            if table.log.match.phase == "playing":
                pauses[bool(asked)].append(round((world.clock.now - began) * 1000))
    assert len(pauses[True]) > 5 and len(pauses[False]) > 5
    assert set(pauses[True]) == set(pauses[False]) == {800}
