"""People who do not read, at every place where a server might wait for them: nobody waits, and they are gone in time.

Lines that fill up, are closed from either side, flood with pings or outlive their node; players, spectators, the lobby;
through the front of several nodes as well. `mj bench slow` measures the times of others.
"""

import asyncio
import contextlib
import json
import select
import socket
from collections.abc import Callable
from typing import Any

import pytest

from app.api.gateway.connection import Connection
from app.api.gateway.socket import FAREWELL_S, QUEUE_BYTES
from app.serving.backends import Backend
from app.tables.frames import plain_frame
from app.tables.ports import Summary
from tests.api.gateway.world import World, frame, masked, stalled_socket, world
from tests.integration.nodes import QUICK, RunningNode, people
from tests.integration.waiting import spending, until
from tests.reliability.live import Tab
from tests.serving.test_front import fronting

BIG = frame("x" * 8000)
GONE_S = FAREWELL_S + 1.0
"""The longest life of a connection after its end was decided: the time it is given, and as much again."""


class Stopped:
    """A client at table T of a bare gateway that reads nothing: its end of the connection, and the server's."""

    def __init__(self, gate: World, raw: socket.socket) -> None:
        self.raw = raw
        self.desk = gate.desk
        self.server = gate.desk.attached[-1][0]

    @classmethod
    async def at(cls, gate: World, port: int | None = None) -> "Stopped":
        """Connected (through another port, it may be) and let in."""
        before = len(gate.desk.attached)
        raw = await asyncio.to_thread(stalled_socket, port or gate.port)
        hello = {"id": "h", "kind": "hello", "data": {"ticket": gate.ticket("slow")}}
        raw.sendall(masked(json.dumps(hello)))
        await gate.desk.until(lambda: len(gate.desk.attached) > before)
        return cls(gate, raw)

    async def fill(self, share: float = 0.5) -> None:
        """Offer until the kernel and the transport take no more and this share of the queue's bound waits."""
        assert isinstance(self.server, Connection)
        line = self.server._socket
        while line._held_bytes < share * QUEUE_BYTES:
            self.server.offer(BIG)
            await asyncio.sleep(0)

    async def overflow(self) -> None:
        """One more than the limit of waiting frames."""
        await self.fill()
        while self.server not in self.desk.detached:
            self.server.offer(BIG)
            await asyncio.sleep(0)

    @property
    def knows(self) -> bool:
        """Whether the client's system knows that the connection is cut, though the client reads nothing."""
        poll = select.poll()
        poll.register(self.raw, 0)  # errors and hang-ups are always reported
        return bool(poll.poll(0))

    async def gone_in(self) -> float:
        """The time until the server has freed the connection."""
        return await until(lambda: self.server in self.desk.detached)


@pytest.fixture
async def gate() -> Any:
    """A gateway with table T behind it, and no store."""
    async with world() as made:
        yield made


async def test_g1_who_overflows_is_told_at_once_and_the_kernel_keeps_nothing_for_him(gate: World) -> None:
    slow = await Stopped.at(gate)
    await slow.overflow()
    assert await until(lambda: slow.knows) < 1.0, "a mere close would wait for the client to read"
    slow.raw.close()


async def _closes(slow: Stopped) -> None:
    slow.raw.sendall(b"\x88\x80\x00\x00\x00\x00")


async def _agrees(slow: Stopped) -> None:
    slow.server.farewell("replaced", "")
    slow.raw.sendall(b"\x88\x82\x00\x00\x00\x00\x0f\xa1")


async def _breaks_the_protocol(slow: Stopped) -> None:
    slow.raw.sendall(b"\x8f\x80\x00\x00\x00\x00")


async def _ends_his_side(slow: Stopped) -> None:
    slow.raw.shutdown(socket.SHUT_WR)


@pytest.mark.parametrize("end", [_closes, _agrees, _breaks_the_protocol, _ends_his_side])
async def test_g1_however_a_full_line_is_closed_it_is_gone_within_two_seconds(
    gate: World, end: Callable[[Stopped], Any]
) -> None:
    slow = await Stopped.at(gate)
    await slow.fill()
    await end(slow)
    assert await slow.gone_in() < GONE_S and len(gate.gateway) == 0
    slow.raw.close()


async def test_g1_pings_of_one_who_does_not_read_fill_no_memory(gate: World) -> None:
    slow = await Stopped.at(gate)
    assert isinstance(slow.server, Connection)
    transport, pings = slow.server._socket.transport, (b"\x89\xfd\x00\x00\x00\x00" + b"p" * 125) * 200
    slow.raw.setblocking(False)
    sent = 0
    while sent < 4 * 1024 * 1024:
        with contextlib.suppress(BlockingIOError):
            sent += slow.raw.send(pings[sent % 131 :])
        await asyncio.sleep(0)
        if slow.server in slow.desk.detached:
            break
        assert transport.get_write_buffer_size() < 2 * QUEUE_BYTES
    slow.raw.close()


async def test_g1_a_lobby_follower_who_does_not_read_is_cut_and_the_others_hear_on(gate: World) -> None:
    rooms = [Summary(f"r{n}", "", "tianjin", "waiting", 1, 0, 4, None, (), (), (), False, 0) for n in range(200)]
    for room in rooms:
        gate.doubles.change(room.table_id, room)
    raw = await asyncio.to_thread(stalled_socket, gate.port)
    raw.sendall(masked(json.dumps({"id": "h", "kind": "hello", "data": {"ticket": gate.ticket("slow", "lobby")}})))
    raw.sendall(masked('{"id":"w","kind":"watch","data":{"lobby":true}}'))
    await until(lambda: len(gate.lobby._followers) == 1)
    async with gate.socket() as good:
        await good.hello(gate.ticket("ann", "lobby"))
        await good.say("watch", {"lobby": True})
        for kind in ("ack", "lobby"):
            assert (await good.hear())["kind"] == kind
        looks = 0
        while len(gate.lobby._followers) == 2:
            for room in rooms:
                gate.doubles.change(room.table_id, room)
            await gate.lobby.look()
            assert len((await good.hear())["data"]["rooms"]) == 200
            looks += 1
            assert looks < 100, "he is never cut"
        assert len(gate.gateway) == 1
    raw.close()


async def test_g1_behind_the_front_too_who_overflows_is_cut_and_nothing_is_kept_of_him(gate: World) -> None:
    async with fronting(Backend("n1", gate.port)) as port:
        slow = await Stopped.at(gate, port)
        await slow.overflow()
        async with spending() as spent:
            with contextlib.suppress(OSError):
                while not slow.knows and spent.s < 5.0:
                    slow.raw.sendall(masked('{"id":"p","kind":"ping","data":{"t":1}}'))
                    await asyncio.sleep(0.05)
        assert spent.s < 2.0, "as soon as the client sends something"
        slow.raw.close()


async def test_g1_g5_a_node_full_of_people_who_do_not_read_stops_in_time_and_tells_the_others(
    node: RunningNode,
) -> None:
    async with people(node.url, 4) as (host, guest, watcher, visitor):
        room = (await host.create_room("tianjin", {"rounds": 2}, {**QUICK, "spectators": "all"}))["id"]
        await guest.join((await host.call("GET", f"/rooms/{room}"))["code"])
        good = await Tab.open(host, room)
        slow = [await Tab.open(api, room, tiny=True) for api in (guest, watcher)]
        lobby = await Tab.lobby(visitor)
        for tab in (good, lobby, *slow):
            await tab.answer("hello")
        for tab in (lobby, *slow):
            tab.freeze()
        _fill_all(node, but=host.user)
        async with spending() as spent:
            stopping = asyncio.ensure_future(node.stop())
            assert await good.ended() in (1012, 4002)
            assert spent.s < 2.0, "nobody waits for those who do not read"
            await stopping
        assert spent.s < FAREWELL_S + 3.0
        for tab in (lobby, *slow):
            tab.vanish()


@pytest.mark.parametrize("role", ["player", "spectator"])
async def test_a1_who_comes_anew_is_in_at_once_and_his_full_old_line_is_freed(node: RunningNode, role: str) -> None:
    async with people(node.url, 2) as (host, other):
        room = (await host.create_room("tianjin", {"rounds": 2}, {**QUICK, "spectators": "all"}))["id"]
        good = await Tab.open(host, room)
        await good.answer("hello")
        if role == "player":
            await other.join((await host.call("GET", f"/rooms/{room}"))["code"])
        old = await Tab.open(other, room, tiny=True)
        await old.answer("hello")
        old.freeze()
        _fill_all(node, but=host.user)
        async with spending() as spent:
            fresh = await Tab.open(other, room)
            await fresh.answer("hello")
        assert spent.s < 1.0, "the newest wins at once"
        assert await until(lambda: len(node.process.gateway) == 2) < GONE_S
        assert (await fresh.answer(await fresh.say("sync")))["kind"] == "ack"
        assert (await good.answer(await good.say("sync")))["kind"] == "ack"
        for tab in (good, fresh, old):
            tab.vanish()


async def test_g1_spectators_who_do_not_read_are_cut_one_by_one_and_the_table_plays_on(node: RunningNode) -> None:
    async with people(node.url, 3) as (host, *watchers):
        room = (await host.create_room("tianjin", {"rounds": 2}, {**QUICK, "spectators": "all"}))["id"]
        good = await Tab.open(host, room)
        await good.answer("hello")
        tabs = [await Tab.open(api, room, tiny=True) for api in watchers]
        for tab in tabs:
            await tab.answer("hello")
            tab.freeze()
        table = node.process.registry.find(room)
        assert table is not None
        gallery, said = table.viewers.spectators, plain_frame("notice", text="x" * 4000)
        rounds = 0
        while len(gallery):
            for _ in range(10):
                gallery.say(said)
            assert (await good.answer(await good.say("auto_win", {"on": rounds % 2 == 0})))["kind"] == "ack"
            rounds += 1
            assert rounds < 100, "they are never cut"
        assert await until(lambda: len(node.process.gateway) == 1) < 1.0
        for tab in (good, *tabs):
            tab.vanish()


def _fill_all(node: RunningNode, but: str) -> None:
    """Offer everybody but one client frames that they do not read: half of the limit."""
    for connection in node.process.gateway._connections:
        line = connection._socket
        while connection.user != but and line._held_bytes < QUEUE_BYTES / 2:
            connection.offer(BIG)
