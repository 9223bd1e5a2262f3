"""Rooms when it is hard: many who ask at once, a node on its way out, a log that cannot be read, no answer."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from app.lab.clients.client import Api, Plain, Refused
from app.refusal import Refusal
from app.service.rooms import LiveRooms
from app.settings import Settings
from app.storage.live.nodes.node_rpc import NodeRpc
from app.storage.live.nodes.nodes import Heartbeat, Node
from app.storage.live.rooms.codes import QUARANTINE_S
from app.storage.live.wire import keys
from app.storage.live.wire.link import StoreUnavailable
from app.tables import asks
from app.tables.outcomes import Done
from app.tables.settings import make_spec
from app.variants import VARIANTS
from tests.integration.nodes import RunningNode, people, serving
from tests.integration.test_rooms import code_of, sitting
from tests.integration.waiting import until


async def quick(api: Api) -> Plain:
    """Like a client: after the answer `busy` it asks again."""
    while True:
        try:
            return await api.call("POST", "/quick", {"variant": "tianjin"})
        except Refused as refused:
            if refused.code != "busy":
                raise


@pytest.mark.usefixtures("nobody_counts_as_dead")
async def test_fifty_who_ask_at_once_on_two_nodes_fill_thirteen_tables(settings: Settings) -> None:
    async with (
        serving(settings) as one,
        serving(settings.model_copy(update={"node": "n2"})) as two,
        people(one.url, 25) as here,
        people(two.url, 25) as there,
    ):
        apis = [*here, *there]
        for api in apis:
            api._http.timeout = 600.0  # they wait for one another, on a machine that may be busy
        asked = [quick(api) for api in apis]
        twice = [quick(api) for api in apis[::5]]
        answers = await asyncio.gather(*asked, *twice, return_exceptions=True)
        first = [answer for answer in answers[:50] if isinstance(answer, dict)]
        assert all(isinstance(answer, dict | Refused) for answer in answers), answers
        refusals = [answer.code for answer in answers if isinstance(answer, Refused)]
        assert set(refusals) <= {"conflict"} and len(refusals) <= 10, refusals
        rooms = {room["id"] for room in [*first, *[a for a in answers[50:] if isinstance(a, dict)]]}
        tables = [table for node in (one, two) for table in node.process.registry.tables()]
        assert {table.table_id for table in tables} == rooms and len(rooms) == 13
        seats = Counter(p.user for table in tables for p in table.summary().seats if p is not None)
        assert len(seats) == 50 and set(seats.values()) == {1}, "everybody sits, nobody twice"
        full = sorted(sum(p is not None for p in table.summary().seats) for table in tables)
        assert full == [2, *[4] * 12], "tables are filled before another is opened"


async def test_who_asks_for_two_rooms_at_once_gets_one_and_the_other_is_gone(node: RunningNode) -> None:
    async with people(node.url, 1) as (api,):
        asked = [api.create_room("tianjin", {}, {}) for _ in range(6)]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        rooms = [answer["id"] for answer in answers if isinstance(answer, dict)]
        assert len(rooms) == 1 and {a.code for a in answers if isinstance(a, Refused)} == {"conflict"}
        await until(lambda: [table.table_id for table in node.process.registry.tables()] == rooms)
        assert (await api.call("GET", "/me/room"))["room"]["id"] == rooms[0]


@pytest.mark.usefixtures("nobody_counts_as_dead")
async def test_a_room_asked_for_at_a_node_on_its_way_out_opens_on_the_other(settings: Settings) -> None:
    async with (
        serving(settings) as one,
        serving(settings.model_copy(update={"node": "n2"})) as two,
        people(one.url, 3) as apis,
    ):
        await one.process.registry.drain()
        await until(lambda: one.process.registry.draining)
        await one.process.live.heartbeat.beat()
        room = await apis[0].create_room("tianjin", {"rounds": 2}, {})
        assert two.process.registry.find(room["id"]) is not None
        joined = await apis[1].call("POST", f"/rooms/{room['id']}/join", {})
        assert sitting(joined["live"])[:2] == [apis[0].user, apis[1].user]
        two.process.registry.draining = True
        await two.process.live.heartbeat.beat()
        assert await code_of(apis[2], "POST", "/rooms", {"variant": "tianjin"}) == "too_many_tables"


async def test_who_leaves_a_table_that_cannot_be_read_any_more_is_free_at_once(node: RunningNode) -> None:
    async with people(node.url, 1) as (api,):
        room = (await api.create_room("tianjin", {}, {}))["id"]
        assert await node.process.registry.operate(room, asks.OrderHandOver()) == Done()
        await node.process.live.link.ask("LSET", keys.log(room, 1), 0, b"spoilt")
        assert await code_of(api, "POST", f"/rooms/{room}/leave") == ""
        assert (await api.call("GET", "/me/room"))["room"] is None


class Unanswered(NodeRpc):
    """To a node that dies with the errand in its hands."""

    async def send(self, owner: str, what: str, *args: object, patience_s: float = 0.0) -> Any:
        raise StoreUnavailable


async def test_a_room_of_which_no_answer_came_does_not_hold_its_code_for_ever(node: RunningNode) -> None:
    live, registry = node.process.live, node.process.registry

    async def never() -> None:
        raise AssertionError("it was never away")

    await Heartbeat(live.link, lambda: Node("n2", "dying", "/n/n2", 0, 10), never).beat()
    rooms = LiveRooms(live, registry, node.process.core.locator, Unanswered(live.link, live.owner))
    registry.draining = True
    code = await rooms.reserve_code("R")
    with pytest.raises(Refusal, match="try again"):
        await rooms.create(make_spec(VARIANTS["tianjin"], table_id="R", code=code, rules={}, settings={}, host=None))
    assert await rooms.room_of_code(code) is None
    assert 0 < await live.link.ask("TTL", keys.code(code)) <= QUARANTINE_S
