"""Lines that freeze, vanish, come back all at once, or talk nonsense: real sockets, a real node (parts A, B, G)."""

import asyncio
import contextlib
import itertools
import json
import os
import random
import resource
import threading
import time
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from app.api.gateway import connection as gateway_connection
from app.api.gateway.connection import SILENT_S
from app.api.gateway.gateway import _SWEEP_S as SWEEP_S
from app.api.gateway.socket import FAREWELL_S
from app.lab.clients.client import Api
from app.protocol.v1 import client as protocol
from app.settings import Settings
from tests.api.gateway.world import masked, stalled_socket, world
from tests.integration.nodes import QUICK, RunningNode, people, serving
from tests.integration.waiting import spending
from tests.reliability.live import Tab, falls_silent, gone, until

MESSY: list[Any] = [
    None, True, -1, 2**63, 1e308, "", "x" * 3000, "\u0000\ud7ff", [], [[]], {}, {"__proto__": {"a": 1}},
    {"constructor": {"prototype": {}}}, [0] * 400, {"a": {"b": {"c": {"d": [1]}}}},
]  # fmt: skip


async def room_of(api: Api, *guests: Api, **settings: Any) -> str:
    room = await api.create_room("tianjin", {"rounds": 2}, {**QUICK, **settings})
    for guest in guests:
        await guest.join(room["code"])
    return str(room["id"])


async def test_a1_a_frozen_socket_neither_blocks_the_new_one_nor_stays(node: RunningNode) -> None:
    async with people(node.url, 1) as (api,):
        room = await room_of(api)
        frozen = await Tab.open(api, room, tiny=True)
        await frozen.answer("hello")
        frozen.freeze()
        async with spending() as spent:
            fresh = await Tab.open(api, room)
            assert (await fresh.answer("hello"))["data"]["seat"] == 0
        assert spent.s < 1.0
        assert len(node.process.gateway) <= 2
        assert await until(lambda: len(node.process.gateway) == 1) < 2.0
        assert (await fresh.answer(await fresh.say("sync")))["kind"] == "ack"
        frozen.wire.transport.resume_reading()
        assert await frozen.ended() == 4001, "and when it wakes it reads why"
        await fresh.wire.close()


async def test_a2_the_first_of_two_tabs_is_told_and_they_do_not_fight(node: RunningNode) -> None:
    async with people(node.url, 1) as (api,):
        room = await room_of(api)
        first = await Tab.open(api, room)
        await first.answer("hello")
        second = await Tab.open(api, room)
        await second.answer("hello")
        with contextlib.suppress(ConnectionClosed):
            await first.say("ready")
        assert await first.ended() == 4001
        assert not [frame for frame in first.frames if frame["kind"] == "error"], "never a generic error"
        table = node.process.registry.find(room)
        assert table is not None and table.log.match.seats[0].ready is False, "what the old tab said has no effect"
        await second.wire.close()


async def test_a4_fifty_drops_of_a_real_socket_leave_no_ghost(node: RunningNode) -> None:
    async with people(node.url, 2) as (host, guest):
        room = await room_of(host, guest)
        watching = await Tab.open(host, room)
        await watching.answer("hello")
        for _ in range(50):
            tab = await Tab.open(guest, room)
            await tab.answer("hello")
            tab.vanish()
        table = node.process.registry.find(room)
        assert table is not None
        await until(lambda: table.viewers.online == [True, False, False, False])
        assert [seat.person and seat.person.user for seat in table.log.match.seats[:3]] == [
            host.user, guest.user, None,
        ]  # fmt: skip
        await until(lambda: len(node.process.gateway) == 1)
        await watching.answer(await watching.say("sync"))
        seen = [f["data"]["online"] for f in watching.frames if f["kind"] == "presence" and f["data"]["seat"] == 1]
        changes = [now for before, now in itertools.pairwise([False, *seen]) if before != now]
        assert seen == changes and sum(seen) <= 50, "at most one pair a drop, never twice the same"
        await watching.wire.close()


async def test_a5_who_hears_nothing_is_offline_in_time_and_catches_up(node: RunningNode) -> None:
    assert SILENT_S + SWEEP_S + FAREWELL_S <= 20.0, "the limit, the second between two looks, the farewell's"
    async with people(node.url, 2) as (host, guest):
        room = await room_of(host, guest)
        watching, lost = await Tab.open(host, room), await Tab.open(guest, room, tiny=True)
        await watching.answer("hello")
        await lost.answer("hello")
        lost.freeze()
        falls_silent(node, guest)
        async with spending() as spent:
            await watching.until(gone(1))
        assert spent.s < SWEEP_S + FAREWELL_S + 1.0
        back = await Tab.open(guest, room)
        sync = await back.until(lambda f: f["kind"] == "sync")
        assert sync["data"]["me"]["seat"] == 1 and sync["data"]["match"]["seats"][1]["online"]
        await back.wire.close()
        await watching.wire.close()


async def test_a8_ids_that_a_client_chooses_open_nothing_of_others(node: RunningNode) -> None:
    async with people(node.url, 3) as (host, guest, stranger):
        room = await room_of(host, guest)
        own = await room_of(stranger)
        tab, other = await Tab.open(host, room), await Tab.open(guest, room)
        await tab.answer("hello")
        await other.answer("hello")
        assert (await tab.answer(await tab.say("ready", ref="same")))["kind"] == "ack"
        assert (await other.answer(await other.say("ready", ref="same")))["kind"] == "ack"
        table = node.process.registry.find(room)
        assert table is not None
        assert [seat.ready for seat in table.log.match.seats[:2]] == [True, True], "ids of others mean nothing"
        given = stranger.ticket

        async def at_their_path(_room: str) -> tuple[str, str]:
            ticket, url = await given(own)
            return ticket, f"{url}?room={room}&user={host.user}&connection=1"

        stranger.ticket = at_their_path  # type: ignore[method-assign]
        astray = await Tab.open(stranger, own)
        sync = await astray.until(lambda f: f["kind"] == "sync")
        assert sync["data"]["room"]["id"] == own and sync["data"]["me"]["user"] == stranger.user
        assert table.viewers.online[:2] == [True, True]
        for each in (tab, other, astray):
            await each.wire.close()


async def test_b12_everybody_returns_at_once_after_a_restart(node: RunningNode, settings: Settings) -> None:
    async with people(node.url, 40) as apis:
        rooms = [await room_of(*apis[at : at + 4]) for at in range(0, 40, 4)]
        tabs = await asyncio.gather(*[Tab.open(api, rooms[at // 4]) for at, api in enumerate(apis)])
        seats = [ack["data"]["seat"] for ack in await asyncio.gather(*[tab.answer("hello") for tab in tabs])]
        async with spending() as spent:
            stopping = asyncio.ensure_future(node.stop())
            codes = await asyncio.gather(*[tab.ended() for tab in tabs])
            await stopping
        assert spent.s < 8.0
        assert set(codes) == {1012}, "told to come back (G5)"
        byes = [tab.frames[-1] for tab in tabs]
        assert all(bye["kind"] == "bye" and 300 <= bye["data"]["retry_ms"] <= 3000 for bye in byes)
        async with serving(settings.model_copy(update={"node": "n2"})) as next_node:
            for api in apis:
                api.url = next_node.url
                api._http.base_url = f"{next_node.url}/v1"
            back = await asyncio.gather(*[Tab.open(api, rooms[at // 4]) for at, api in enumerate(apis)])
            acks = await asyncio.gather(*[tab.answer("hello") for tab in back])
            assert [ack["data"]["seat"] for ack in acks] == seats, "no table and no seat is lost"
            for tab in back:
                tab.vanish()


async def test_g1_one_reader_who_stops_is_cut_and_the_others_do_not_feel_it(node: RunningNode) -> None:
    async with people(node.url, 2) as (host, guest):
        room = await room_of(host, guest)
        good, slow = await Tab.open(host, room), await Tab.open(guest, room, tiny=True)
        await good.answer("hello")
        await slow.answer("hello")
        slow.freeze()
        table = node.process.registry.find(room)
        assert table is not None
        stopped = table.viewers.channels[1].connection
        assert stopped is not None
        trips = beside = 0
        while not stopped.closing and stopped in [c.connection for c in table.viewers.channels]:  # type: ignore[attr-defined]
            taken = [stopped.offer(table.viewers.sync(1)) for _ in range(20)]
            await good.answer(await good.say("hints"))
            trips, beside = trips + 1, beside + (not taken[-1])
            assert trips < 1000, "he is never cut"
        assert beside > 1, "the other was answered while his frames waited"
        assert await until(lambda: table.viewers.online[1] is False) < 1.0
        await good.wire.close()


async def test_a11_a_node_that_computed_for_long_throws_nobody_out_and_says_how_late_it_was(
    node: RunningNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loop stands still for three times the limit of silence while clients go on pinging from outside.

    (25 s and the real limit: `mj chaos --kinds freeze --freeze-s 25 --nodes 1`.)
    """
    looks = _looks(node, monkeypatch)
    async with people(node.url, 2) as (host, guest):
        room = await room_of(host, guest)
        tabs = [await Tab.open(api, room) for api in (host, guest)]
        for tab in tabs:
            await tab.answer("hello")
        raw = [tab.wire.transport.get_extra_info("socket") for tab in tabs]
        ping = masked('{"id":"p","kind":"ping","data":{"t":1}}')
        stop = threading.Event()

        def pinging() -> None:
            while not stop.wait(0.2):
                for one in raw:
                    os.write(one.fileno(), ping)

        monkeypatch.setattr(gateway_connection, "SILENT_S", 1.5)  # not sooner: to come in may take longer than that
        thread = threading.Thread(target=pinging)
        thread.start()
        try:
            time.sleep(4.5)  # on purpose: the loop itself is what must not run
            seen = len(looks)
            await until(lambda: len(looks) > seen + 2)
        finally:
            stop.set()
            thread.join()
        assert len(node.process.gateway) == 2 and all(tab.wire.close_code is None for tab in tabs)
        counters = await node.process.cluster.counters()
        assert counters["loop_lag_ms"] >= 3_400 and counters["tasks"] > 0, counters
        await until(lambda: len(node.process.gateway) == 0)  # now they are silent indeed
        for tab in tabs:
            tab.vanish()


def _looks(node: RunningNode, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The delay of each look at the sockets, as they come."""
    late: list[float] = []
    sweep = node.process.gateway.sweep

    def noted(now: float, late_s: float) -> None:
        late.append(late_s)
        sweep(now, late_s)

    monkeypatch.setattr(node.process.gateway, "sweep", noted)
    return late


async def test_g3_two_thousand_idle_sockets_cost_less_than_forty_kilobytes_each() -> None:
    """Both ends of the line live in this process, so that a node alone needs less."""

    def resident() -> int:
        with open("/proc/self/statm") as found:
            return int(found.read().split()[1]) * 4096

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 8192)), hard))
    async with world() as gate:
        raw = [await asyncio.to_thread(stalled_socket, gate.port) for _ in range(50)]
        before = resident()
        for _ in range(20):
            raw += await asyncio.to_thread(lambda: [stalled_socket(gate.port) for _ in range(100)])
        each = (resident() - before) / 2000
        assert len(gate.gateway) >= 2000
        assert each < 40 * 1024, f"{each / 1024:.1f} KB a socket"
        for one in raw:
            one.close()


async def test_g4_five_hundred_open_sockets_hold_no_database_connection_and_slow_no_request(
    node: RunningNode,
) -> None:
    async with people(node.url, 60) as apis:  # each may follow the lobby on eight sockets
        pool: Any = node.process.archive._engine.pool

        async def work_s() -> float:
            """The cost of requests at both ends of the connection, with the steady work of this process: the least of
            three, because an occasional full collection costs more than all of them.
            """
            spent = []
            for _ in range(3):
                began = time.process_time()
                for number in range(60):
                    await apis[number % 20].call("GET", "/me/room")
                spent.append(time.process_time() - began)
            return min(spent)

        calm = await work_s()
        rooms = [await room_of(api) for api in apis[:20]]
        tabs = await asyncio.gather(*[Tab.open(api, room) for api, room in zip(apis, rooms, strict=False)])
        await asyncio.gather(*[tab.answer("hello") for tab in tabs])
        for _ in range(8):
            lobby = await asyncio.gather(*[Tab.lobby(api) for api in apis])
            await asyncio.gather(*[tab.answer("hello") for tab in lobby])
            tabs += lobby
        assert len(node.process.gateway) == 500
        await until(lambda: pool.checkedout() == 0)
        assert await work_s() < calm * 3
        await until(lambda: pool.checkedout() == 0)
        for tab in tabs:
            tab.vanish()


async def test_g8_whatever_one_client_sends_only_his_socket_suffers(
    node: RunningNode, caplog: pytest.LogCaptureFixture
) -> None:
    rng = random.Random(8)
    async with people(node.url, 2) as (host, guest):
        room = await room_of(host, guest)
        good = await Tab.open(host, room)
        await good.answer("hello")
        kinds = sorted({*protocol.ROOM_KINDS, *protocol.LOBBY_KINDS, "__proto__", ""} - {"leave", "kick", "dissolve"})
        for kind in kinds:
            tab = await Tab.open(guest, room)
            await tab.answer("hello")
            with contextlib.suppress(ConnectionClosed):
                for value in [*MESSY, *[_nonsense(rng) for _ in range(10)]]:
                    await tab.wire.send(json.dumps({"id": f"f{rng.random()}", "kind": kind, "data": value}))
                await tab.wire.send(b"\x00\xff" * 50)
                await tab.wire.send("[" * 5000)
                await tab.wire.send("x" * 20_000)
            tab.vanish()
            assert (await good.answer(await good.say("sync")))["kind"] == "ack", kind
        table = node.process.registry.find(room)
        assert table is not None and table.facts().broken is None and table.log.match.frozen is None
        assert "Traceback" not in caplog.text
        await good.wire.close()


def _nonsense(rng: random.Random) -> dict[str, Any]:
    names = ("ticket", "last", "round", "decision", "action", "seat", "on", "yes", "code", "t", "entropy", "lag", "at")
    return {name: rng.choice(MESSY) for name in rng.sample(names, rng.randint(1, 5))}
