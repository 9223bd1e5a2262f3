"""The lobby's feed: followers of a list are sent its changes, and only members see a circle's rooms."""

import contextlib
import dataclasses
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from websockets.exceptions import InvalidStatus

from app.api.gateway.gateway import WATCHING
from app.tables.ports import Person, Summary
from tests.api.gateway.world import Client, World, world

ROOM = Summary(
    "R1", "123456", "tianjin", "waiting", 1, 0, 8, None, (Person("ann", "Ann"), None), (False, False), (True, False),
    False, 0, None,
)  # fmt: skip
OURS = dataclasses.replace(ROOM, table_id="R2", host="bob", circle="C")
PRIVATE = dataclasses.replace(ROOM, table_id="R3", host="bob")


async def test_followers_of_the_public_list_see_public_rooms_come_and_go(gate: World) -> None:
    gate.doubles.change("R1", ROOM)
    gate.doubles.change("R3", PRIVATE)
    async with gate.socket() as client:
        assert (await client.hello(gate.ticket(scope="lobby")))["kind"] == "ack"
        await client.say("watch", {"lobby": True})
        assert (await client.hear())["kind"] == "ack"
        first = (await client.hear())["data"]
        assert first["all"] and [room["id"] for room in first["rooms"]] == ["R1"]
        assert first["rooms"][0]["seats"] == [{"user": "ann", "name": "Ann", "avatar": "", "bot_account": False}, None]
        gate.doubles.change("R1", dataclasses.replace(ROOM, phase="playing"))
        gate.doubles.change("R4", dataclasses.replace(ROOM, table_id="R4"))
        await gate.lobby.look()
        news = (await client.hear())["data"]
        assert {room["id"]: room["phase"] for room in news["rooms"]} == {"R1": "playing", "R4": "waiting"}
        gate.doubles.change("R1", None)
        await gate.lobby.look()
        assert (await client.hear())["data"] == {"all": False, "rooms": [], "gone": ["R1"]}


async def test_a_circles_rooms_are_for_its_members(gate: World) -> None:
    gate.doubles.change("R2", OURS)
    gate.doubles.members.add(("ann", "C"))
    async with gate.socket() as ann, gate.socket() as eve:
        await ann.hello(gate.ticket("ann", "lobby"))
        await eve.hello(gate.ticket("eve", "lobby"))
        await ann.say("watch", {"circle": "C"})
        assert (await ann.hear())["kind"] == "ack"
        assert [room["id"] for room in (await ann.hear())["data"]["rooms"]] == ["R2"]
        await eve.say("watch", {"circle": "C"})
        assert (await eve.hear())["data"]["code"] == "not_allowed"
        await eve.say("watch", {"lobby": True})
        assert [(await eve.hear())["kind"], (await eve.hear())["data"]["rooms"]] == ["ack", []]
        gate.doubles.change("R2", dataclasses.replace(OURS, phase="playing"))
        await gate.lobby.look()
        assert (await ann.hear())["data"]["rooms"][0]["phase"] == "playing"
        await eve.say("ping", {"t": 1})
        assert (await eve.hear())["kind"] == "pong"


@asynccontextmanager
async def ann_watching(gate: World) -> AsyncIterator[Client]:
    """A member who follows the one room of her circle."""
    gate.doubles.change("R2", OURS)
    gate.doubles.members.add(("ann", "C"))
    async with gate.socket() as ann:
        await ann.hello(gate.ticket("ann", "lobby"))
        await ann.say("watch", {"circle": "C"})
        assert [(await ann.hear())["kind"], (await ann.hear())["kind"]] == ["ack", "lobby"]
        yield ann


async def test_who_is_removed_from_a_circle_is_told_nothing_more_of_it(gate: World) -> None:
    async with ann_watching(gate) as ann:
        gate.doubles.members.clear()
        for phase in ("playing", "between"):
            gate.doubles.change("R2", dataclasses.replace(OURS, phase=phase))
            await gate.lobby.look()
        assert (await ann.hear())["data"] == {"all": True, "rooms": [], "gone": []}
        await ann.say("ping", {"t": 1})
        assert (await ann.hear())["kind"] == "pong"


async def test_nothing_is_left_of_who_goes_while_his_membership_is_looked_at(gate: World) -> None:
    async with ann_watching(gate) as ann:
        (connection,) = gate.lobby._followers

        async def goes(user: str, circle: str) -> bool:
            gate.lobby.leave(connection)
            return True

        gate.lobby._looked_at.clear()
        gate.lobby._may_watch = goes
        gate.doubles.change("R2", dataclasses.replace(OURS, phase="playing"))
        await gate.lobby.look()
        assert not gate.lobby._looked_at and not gate.lobby._followers
        await ann.say("ping", {"t": 1})
        assert (await ann.hear())["kind"] == "pong", "and nothing more was sent"


async def test_a_watch_must_name_one_list(gate: World) -> None:
    async with gate.socket() as client:
        await client.hello(gate.ticket(scope="lobby"))
        for data in ({}, {"lobby": True, "circle": "C"}):
            await client.say("watch", data)
            assert (await client.hear())["data"]["code"] == "malformed"


async def test_table_requests_have_no_place_in_the_lobby(gate: World) -> None:
    async with gate.socket() as client:
        await client.hello(gate.ticket(scope="lobby"))
        await client.say("leave")
        assert (await client.hear())["data"]["code"] == "unknown_kind"


async def test_who_looks_at_a_circle_hears_that_it_changed(gate: World) -> None:
    """W12: an application appears while the page of the circle is open, and nobody else hears of it."""
    gate.doubles.members.update({("ann", "C"), ("bob", "D")})
    async with gate.socket() as ann, gate.socket() as bob:
        for client, name, circle in ((ann, "ann", "C"), (bob, "bob", "D")):
            await client.hello(gate.ticket(name, "lobby"))
            await client.say("watch", {"circle": circle})
            assert [(await client.hear())["kind"], (await client.hear())["data"]["all"]] == ["ack", True]
        await gate.lobby.circle_changed("C")
        assert (await ann.hear())["data"] == {"all": False, "rooms": [], "gone": [], "changed": True}
        await bob.say("ping", {"t": 1})
        assert (await bob.hear())["kind"] == "pong"


async def test_rooms_say_who_may_watch_them(gate: World) -> None:
    """W19: a page offers to watch only where that works."""
    gate.doubles.change("R1", dataclasses.replace(ROOM, watched_by="members"))
    async with gate.socket() as client:
        await client.hello(gate.ticket(scope="lobby"))
        await client.say("watch", {"lobby": True})
        assert (await client.hear())["kind"] == "ack"
        assert (await client.hear())["data"]["rooms"][0]["watched_by"] == "members"


async def test_somebody_who_opens_ever_more_lobbies_keeps_the_newest(gate: World) -> None:
    """D5: 150 lobby sockets of one guest were all accepted."""
    async with contextlib.AsyncExitStack() as stack:
        held = []
        for _ in range(WATCHING + 2):
            client = await stack.enter_async_context(gate.socket())
            assert (await client.hello(gate.ticket("ann", scope="lobby")))["kind"] == "ack"
            held.append(client)
        assert [(await client.code())[0] for client in held[:2]] == [4001, 4001]
        async with gate.seated("ann") as player, gate.socket() as other:
            assert (await other.hello(gate.ticket("bob", scope="lobby")))["kind"] == "ack"
            await held[-1].say("ping", {"t": 1})
            assert (await held[-1].hear())["kind"] == "pong"
            await player.say("sync", ref="r2")
            assert (await player.hear())["kind"] == "ack"


async def test_an_address_has_a_bound_of_sockets() -> None:
    """D5: of a user and of an address."""
    async with world(per_address=2) as gate, gate.socket(), gate.socket() as leaves:
        with pytest.raises(InvalidStatus):
            async with gate.socket():
                pass
        await leaves.socket.close()
        await gate.gone(1)
        async with gate.socket() as client:
            assert (await client.hello(gate.ticket()))["kind"] == "ack"
