"""The live store is killed and started again, or answers nothing: messages between nodes flow again (F7). Nothing
subscribes to anything, so nothing can go silent; and a follower by number misses no change made meanwhile. With 20 s of
each: `mj chaos --kinds crash,blackhole,stall,full --outage-s 20`.
"""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from app.api.gateway import connection
from app.lab.chaos.chaos import Stores
from app.lab.chaos.outages import Outages, line
from app.storage.live.nodes import nodes, placement
from app.storage.live.wire import link as links
from app.tables.ports import Summary
from tests.integration.nodes import RunningNode, insisted, people, serving
from tests.integration.waiting import FLOWS_S, PATIENCE_S, spending, until
from tests.reliability.live import Tab

pytestmark = pytest.mark.timeout(240)


class Lobby:
    """One room as a client in a node's lobby sees it, from its frames and nothing else."""

    def __init__(self, tab: Tab, room: str) -> None:
        self._tab = tab
        self._room = room
        self.line: dict[str, Any] = {}

    async def follow(self) -> None:
        """Read until cancelled."""
        while True:
            frame = await self._tab.hear(10 * PATIENCE_S)
            if frame["kind"] == "lobby":
                self.line = next((one for one in frame["data"]["rooms"] if one["id"] == self._room), self.line)


@pytest.mark.parametrize("kind", ["crash", "blackhole"])
async def test_f7_what_happens_while_the_store_is_away_is_known_on_other_nodes_as_soon_as_it_is_back(
    own_stores: Stores, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links, "REPLY_S", 0.5)
    monkeypatch.setattr(connection, "SILENT_S", 600.0)
    monkeypatch.setattr(nodes, "TTL_S", 60.0)  # whose table it is, and that a node is dead, is not the matter here
    monkeypatch.setattr(nodes, "MISSED_S", 60.0)
    monkeypatch.setattr(placement, "_QUIET_S", 30.0)
    async with line(own_stores.valkey.url) as way:
        settings = own_stores.settings.model_copy(update={"valkey_url": way.url})
        async with (
            serving(settings) as one,
            serving(settings.model_copy(update={"node": "n2"})) as two,
            people(one.url, 1) as (player,),
            people(two.url, 1) as (watcher,),
        ):
            room = str((await player.call("POST", "/quick", {"variant": "tianjin"}))["id"])
            tab = await Tab.open(player, room)
            await tab.answer("hello")
            lobby = Lobby(await Tab.lobby(watcher), room)
            await lobby._tab.answer("hello")
            await lobby._tab.say("watch", {"lobby": True})
            following = asyncio.create_task(lobby.follow())
            await until(lambda: any(lobby.line.get("online", ())))
            outages = Outages(own_stores, way, random.Random(7))
            if kind == "crash":
                tab.vanish()
                await outages.make(kind)
            else:
                async with outages.during(kind):
                    tab.vanish()
                    await until(lambda: one.process.live.failing_s > 1.0 and two.process.live.failing_s > 1.0)
            async with spending() as spent:
                await until(lambda: not any(lobby.line["online"]))
                await insisted(two, room)
            assert spent.s < FLOWS_S, f"{spent.s:.1f} s"
            assert isinstance(_shown(one, room), Summary), "it was not taken from its owner meanwhile"
            following.cancel()
            lobby._tab.vanish()


def _shown(node: RunningNode, room: str) -> Summary | None:
    table = node.process.registry.find(room)
    return None if table is None else table.summary()
