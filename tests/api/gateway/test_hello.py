"""Coming in: tickets, the right node, the right version, the right origin; and who says nothing is sent away."""

import asyncio
import socket
from contextlib import AsyncExitStack

import pytest
from websockets.exceptions import InvalidStatus

from app.api.gateway.connection import HELLO_S, SILENT_S
from app.storage.live.nodes.placement import Place
from app.tables.ports import Connection, Person
from tests.api.gateway.world import ME, OTHER, Desk, World, world


async def test_a_good_ticket_leads_to_its_table(gate: World) -> None:
    async with gate.socket() as client:
        ticket = gate.ticket("ann", member=True)
        assert await client.hello(ticket, [3, 7]) == {"v": 1, "kind": "ack", "data": {"ref": "hello", "seat": 0}}
        _, person, how = gate.desk.attached[0]
        assert person == Person("ann", "Ann", "")
        assert how == {"role": "player", "member": True, "last": (3, 7)}
    await gate.desk.until(lambda: len(gate.desk.detached) == 1)


@pytest.mark.parametrize("code", ["bad_ticket", "expired_ticket"])
async def test_a_bad_ticket_is_refused_and_the_socket_closed(gate: World, code: str) -> None:
    async with gate.socket() as client:
        ticket = gate.ticket()
        gate.doubles.tickets[ticket] = code
        answer = await client.hello(ticket)
        assert (answer["kind"], answer["data"]["code"], answer["data"]["ref"]) == ("error", code, "hello")
        assert (await client.code())[0] == 4003


async def test_a_ticket_works_once(gate: World) -> None:
    ticket = gate.ticket()
    async with gate.socket() as first, gate.socket() as second:
        assert (await first.hello(ticket))["kind"] == "ack"
        assert (await second.hello(ticket))["data"]["code"] == "bad_ticket"


async def test_a_socket_at_the_wrong_node_is_told_where_to_go(gate: World) -> None:
    gate.doubles.places["U"] = Place(OTHER, owned=True)
    async with gate.socket() as client:
        answer = await client.hello(gate.ticket(scope="room:U"))
        assert answer["data"]["code"] == "moved"
        code, bye = await client.code()
        assert code == 4002
        assert bye is not None and bye["path"] == "/n/n2/v1/ws"


async def test_a_table_that_nobody_runs_is_opened_here(gate: World) -> None:
    gate.doubles.places["U"] = Place(OTHER, owned=False)
    desk = gate.doubles.openable["U"] = Desk()
    async with gate.socket() as client:
        assert (await client.hello(gate.ticket(scope="room:U")))["kind"] == "ack"
        assert len(desk.attached) == 1


async def test_a_room_that_is_gone_is_said_to_be(gate: World) -> None:
    async with gate.socket() as client:
        assert (await client.hello(gate.ticket(scope="room:gone")))["data"]["code"] == "no_such_room"
        assert (await client.code())[0] == 4004


async def test_a_table_that_does_not_let_him_in_says_why(gate: World) -> None:
    gate.desk.refuse = "room_closed"
    async with gate.socket() as client:
        assert (await client.hello(gate.ticket()))["data"]["code"] == "room_closed"
        assert (await client.code())[0] == 4004


async def test_the_first_frame_must_be_a_hello(gate: World) -> None:
    async with gate.socket() as client:
        await client.say("sync")
        assert (await client.hear())["data"]["code"] == "no_hello"
        assert (await client.code())[0] == 4000


async def test_requests_sent_along_with_the_hello_wait_for_it(gate: World) -> None:
    async with gate.socket() as client:
        await client.say("hello", {"ticket": gate.ticket()}, "r0")
        for number in range(1, 4):
            await client.say("sync", ref=f"r{number}")
        assert [(await client.hear())["data"]["ref"] for _ in range(4)] == ["r0", "r1", "r2", "r3"]


async def test_a_second_hello_is_refused_and_changes_nothing(gate: World) -> None:
    async with gate.seated() as client:
        assert (await client.hello(gate.ticket()))["data"]["code"] == "not_allowed"
        await client.say("sync", ref="r2")
        assert (await client.hear())["kind"] == "ack"


async def test_another_version_is_told_apart_from_a_broken_client(gate: World) -> None:
    async with gate.socket(speaks=None) as client:
        assert (await client.code())[0] == 4008


async def test_pages_of_other_origins_may_not_open_a_socket() -> None:
    async with world(origins=["https://friend.example"], public_url="https://mj.example") as gate:
        for origin in ("https://friend.example", "https://mj.example", f"http://127.0.0.1:{gate.port}", None):
            async with gate.socket(origin=origin) as client:
                assert (await client.hello(gate.ticket()))["kind"] == "ack"
        with pytest.raises(InvalidStatus):
            async with gate.socket(origin="https://evil.example"):
                pass


async def test_who_says_no_hello_is_sent_away(gate: World) -> None:
    async with gate.socket() as client:
        (connection,) = gate.gateway._connections
        gate.gateway.sweep(connection.since + HELLO_S - 0.5, 0.0)
        assert len(gate.gateway) == 1
        gate.gateway.sweep(connection.since + HELLO_S + 0.5, 0.0)
        assert (await client.hear())["data"]["code"] == "no_hello"
        assert (await client.code())[0] == 4000


async def test_who_falls_silent_is_sent_away_but_not_who_pings(gate: World) -> None:
    async with gate.seated("ann") as silent, gate.seated("bob") as pings:
        loop = asyncio.get_running_loop()
        start = loop.time()
        for connection, _, _ in gate.desk.attached:
            connection.heard = start - SILENT_S - 1  # type: ignore[attr-defined]
        await pings.say("ping", {"t": 7})
        assert (await pings.hear())["data"] == {"t": 7}
        gate.gateway.sweep(loop.time(), 0.0)
        assert (await silent.code())[0] == 4007
        await pings.say("sync", ref="r2")
        assert (await pings.hear())["kind"] == "ack"


async def test_after_a_long_computation_nobody_is_called_silent(gate: World) -> None:
    """Input that came meanwhile lies unread: a client that seems quiet only to us keeps its socket (A11)."""
    async with gate.seated() as client:
        now = asyncio.get_running_loop().time()
        gate.gateway.sweep(now + 25.0, 25.0)
        await client.say("sync", ref="r2")
        assert (await client.hear())["kind"] == "ack"


async def test_a_node_that_is_late_at_every_look_notices_who_is_silent_all_the_same(gate: World) -> None:
    async with gate.seated("ann") as silent:
        (connection,) = gate.gateway._connections
        heard, late_s = connection.heard, 0.5
        for look in range(1, int(SILENT_S)):
            gate.gateway.sweep(heard + look * (1.0 + late_s), late_s)
        assert len(gate.gateway) == 1, "so long nobody is called silent"
        for look in range(int(SILENT_S), int(SILENT_S) + 2):
            gate.gateway.sweep(heard + look * (1.0 + late_s), late_s)
        assert (await silent.code())[0] == 4007


async def test_a_line_that_is_dead_towards_the_client_is_given_up_by_the_kernel(gate: World) -> None:
    async with gate.seated():
        (connection,) = gate.gateway._connections
        raw = connection._socket.transport.get_extra_info("socket")
        assert raw.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 20_000


async def test_of_many_lines_that_are_cut_at_once_the_table_hears_each_and_who_comes_in_between_gets_in(
    gate: World,
) -> None:
    async with AsyncExitStack() as stack:
        people = [await stack.enter_async_context(gate.seated(f"user{number}")) for number in range(40)]
        there = [connection for connection, _, _ in gate.desk.attached]
        for client in people:
            client.socket.transport.abort()
        async with gate.seated("ann"):
            await gate.desk.until(lambda: len(gate.desk.detached) == len(people))
            assert set(gate.desk.detached) == set(there) and len(gate.gateway) == 1


class _Sick(Desk):
    """A table that has a bug: the first line it hears of as cut is too much for it."""

    def detach(self, connection: Connection) -> None:
        super().detach(connection)
        if len(self.detached) == 1:
            raise ZeroDivisionError


async def test_a_bug_met_in_the_parting_from_one_line_keeps_no_other_line_online_for_ever(gate: World) -> None:
    gate.doubles.desks["T"] = gate.desk = _Sick()
    complaints: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context.get("exception")))
    async with AsyncExitStack() as stack:
        people = [await stack.enter_async_context(gate.seated(f"user{number}")) for number in range(20)]
        for client in people:
            client.socket.transport.abort()
        await gate.desk.until(lambda: len(gate.desk.detached) == len(people))
    assert [type(error) for error in complaints] == [ZeroDivisionError] and len(gate.gateway) == 0


async def test_a_node_that_goes_sends_everybody_away_with_a_jitter(gate: World) -> None:
    async with gate.seated("ann") as ann, gate.seated("bob") as bob:
        gate.gateway.send_away()
        byes = [await client.code() for client in (ann, bob)]
        assert [code for code, _ in byes] == [1012, 1012]
        waits = [bye["retry_ms"] for _, bye in byes if bye is not None]
        assert len(waits) == 2 and all(300 <= wait <= 3000 for wait in waits)
    async with gate.socket() as late:
        assert (await late.code())[0] == 1012


async def test_a_node_that_goes_says_who_goes_on_if_it_knows(gate: World) -> None:
    async with gate.seated("ann") as ann, gate.seated("bob") as bob, gate.socket() as lobby:
        await lobby.hello(gate.ticket("eve", scope="lobby"))
        gate.desk.attached[0][0].farewell("restart", "drain")
        _, bye = await ann.code()
        assert bye is not None and "path" not in bye, "nobody else is there: the known address"
        gate.gateway.successors = (OTHER,)
        gate.desk.attached[1][0].farewell("restart", "drain")
        gate.gateway.send_away()
        for client in (bob, lobby):
            code, bye = await client.code()
            assert code == 1012 and bye is not None and bye["path"] == "/n/n2/v1/ws"


async def test_a_user_is_disconnected_everywhere(gate: World) -> None:
    async with gate.seated("ann") as one, gate.seated("ann") as two, gate.seated("bob") as bob:
        gate.gateway.disconnect("ann", "banned")
        assert [(await one.code())[0], (await two.code())[0]] == [4005, 4005]
        await bob.say("sync", ref="r2")
        assert (await bob.hear())["kind"] == "ack"


def test_the_places_are_told_apart() -> None:
    assert ME != OTHER
