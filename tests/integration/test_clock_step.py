"""C14: the system clock steps an hour forward and back under two nodes and their store, and nothing happens.

A node asks for the time of day in the places patched here; the store's clock shows in the lives of its keys only.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
from redis.asyncio import Redis

from app import main
from app.lab.chaos.outages import step_clock
from app.lab.clients.client import Plain, SeatClient, bot_choice
from app.settings import Settings
from app.storage.live.nodes.nodes import LOOK_S
from app.storage.live.wire import keys
from app.tables.ports import Person
from tests.integration.nodes import RunningNode, people, seated, serving, without_a_win
from tests.integration.waiting import PATIENCE_S, eventually, until

HOUR_S = 3600.0


class WallClock:
    """The time of day of this process and of its store."""

    def __init__(self, store_url: str, patch: pytest.MonkeyPatch) -> None:
        self.off_s = 0.0
        self._store_url = store_url
        real, real_ns = time.time, time.time_ns
        patch.setattr(time, "time", lambda: real() + self.off_s)
        patch.setattr(time, "time_ns", lambda: real_ns() + int(self.off_s * 1e9))
        patch.setattr(main, "_now", lambda: datetime.now(UTC) + timedelta(seconds=self.off_s))

    async def step(self, seconds: float) -> None:
        """Set it."""
        self.off_s += seconds
        await step_clock(self._store_url, seconds)


@pytest.fixture
async def clock(valkey_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WallClock]:
    """Before any node is made."""
    yield WallClock(valkey_url, monkeypatch)


@pytest.fixture
async def pair(
    clock: WallClock, nobody_counts_as_dead: None, settings: Settings
) -> AsyncIterator[tuple[RunningNode, RunningNode]]:
    """Nodes n1 and n2 on the same stores."""
    async with serving(settings) as one, serving(settings.model_copy(update={"node": "n2"})) as two:
        yield one, two


async def test_the_clock_steps_an_hour_and_back_and_play_goes_on_as_if_nothing_were(
    clock: WallClock, pair: tuple[RunningNode, RunningNode], valkey: Redis
) -> None:
    one, two = pair
    async with people(one.url, 4) as apis:
        clients = await seated(apis, "tianjin", {"rounds": 2}, {"think_s": 5})
        room = clients[0].room_id
        over = asyncio.Event()

        async def slowly(client: SeatClient, decision: Plain) -> Plain:
            if over.is_set():
                return await bot_choice(client, decision)
            await asyncio.sleep(0.25)
            return await without_a_win(client, decision)

        for client in clients:
            client.choose = slowly
        running = asyncio.gather(*[client.run() for client in clients])
        await until(lambda: clients[0].match.get("phase") == "playing")
        token = await valkey.get(keys.lease(room))
        for seconds in (HOUR_S, -HOUR_S, -HOUR_S, HOUR_S):
            await clock.step(seconds)
            asked = await two.process.rooms.ticket(f"room:{room}", Person(apis[0].user, "x"), session="")
            assert asked.ws_path == "/n/n1/v1/ws", "the owner is still the owner"
            assert not isinstance(await one.process.live.tickets.redeem(asked.ticket), str), "and its tickets are good"
            assert (await apis[1].call("GET", "/me/room"))["room"]["id"] == room, "who is signed in stays so"
            await asyncio.sleep(3 * LOOK_S)
        over.set()
        await asyncio.wait_for(running, PATIENCE_S)
        assert await valkey.get(keys.lease(room)) == token, "nobody took it"
        for client in clients:
            assert client.match["phase"] == "ended" and client.gaps == [] and client.reconnects == 0
        assert {settled["ended"]["outcome"] for client in clients for settled in client.settled} <= {"won", "exhausted"}
        await eventually(lambda: apis[0].call("GET", "/me/rounds"), lambda found: len(found["items"]) == 2)


async def test_a_process_that_starts_after_the_clock_was_set_back_replaces_the_one_before(
    clock: WallClock, settings: Settings, valkey: Redis
) -> None:
    """The new process counts as the later one, and takes the tables over, though the old heartbeat seems to beat."""
    async with serving(settings) as old, people(old.url, 1) as apis:
        room = (await apis[0].create_room("tianjin", {}, {}))["id"]
        for task in old.process.live._tasks:  # its heart stops, as at a kill; the rest of it does not matter here
            task.cancel()
        await valkey.pexpire(f"node:n1:{old.process.core.facts().incarnation}", 60_000)
        await clock.step(-HOUR_S)
        assert 0 < await valkey.pttl(f"node:n1:{old.process.core.facts().incarnation}") > HOUR_S * 1000
        async with serving(settings) as new:
            await until(lambda: new.process.registry.find(room) is not None)
            assert (
                await new.process.rooms.ticket(f"room:{room}", Person(apis[0].user, "x"), session="")
            ).ws_path == "/n/n1/v1/ws"


async def test_a_node_that_died_just_before_the_clock_was_set_back_is_not_believed_alive_for_an_hour(
    clock: WallClock, pair: tuple[RunningNode, RunningNode], valkey: Redis
) -> None:
    one, two = pair
    async with people(one.url, 1) as apis:
        room = (await apis[0].create_room("tianjin", {}, {}))["id"]
        assert one.process.registry.find(room) is not None
        for task in one.process.live._tasks:
            task.cancel()
        await valkey.pexpire(f"node:n1:{one.process.core.facts().incarnation}", 60_000)
        await clock.step(-HOUR_S)
        await until(lambda: two.process.registry.find(room) is not None)
