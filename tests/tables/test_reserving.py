"""A place taken over REST and not connected yet: seen by all, kickable, free again after a minute, on any node."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from app.refusal import ErrorCode
from app.tables import asks
from app.tables.actor import Table
from app.tables.match.decide import Refused
from app.tables.match.timers import HELD_S
from app.tables.outcomes import Done
from tests.laws.toy import META, TOY
from tests.tables.doubles import Client, MemoryStore
from tests.tables.world import NO_SECRETS, World, settle


async def reserve(table: Table, user: str, seat: int | None = None) -> Any:
    return await table.operate(asks.OrderReserve(user, user.upper(), seat=seat))


def people(table: Table) -> list[str | None]:
    return [person and person.user for person in table.summary().seats]


async def test_a_reserved_seat_is_seen_with_name_and_time_and_others_sit_beside_it() -> None:
    world = World()
    table = await world.table()
    host = Client("a").attach(table)
    await settle()
    assert await reserve(table, "g", seat=2) == Done()
    seen = host.match["seats"][2]
    assert (seen["name"], seen["online"], seen["reserved_ms"]) == ("G", False, 60_000)
    assert host.match["seats"][0]["reserved_ms"] is None
    assert [f for f in host.kinds("countdown") if f["what"] == "seat"] == [
        {"what": "seat", "seat": 2, "left_ms": 60_000}
    ]
    summary = table.summary()
    assert people(table) == ["a", None, "g", None] and summary.reserved == (None, None, world.clock.wall_ms(), None)
    assert world.rooms.claimed == [("t1", "a"), ("t1", "g")]
    await reserve(table, "b")
    assert await reserve(table, "c") == Done() and await reserve(table, "c") == Done()
    assert await reserve(table, "d") == Refused(ErrorCode.ROOM_FULL)
    assert people(table) == ["a", "b", "g", "c"]


async def test_who_does_not_come_within_a_minute_makes_room_and_is_free() -> None:
    world = World()
    table = await world.table()
    host = Client("a").attach(table)
    await settle()
    await reserve(table, "g", seat=1)
    await world.advance(HELD_S - 1)
    assert host.match["seats"][1] is not None
    await world.advance(2)
    assert host.match["seats"][1] is None and world.rooms.freed == [("t1", ("g",))]
    assert await reserve(table, "h", seat=1) == Done()


async def test_who_connects_keeps_his_seat_for_good() -> None:
    world = World()
    table = await world.table()
    host = Client("a").attach(table)
    await settle()
    await reserve(table, "g", seat=3)
    guest = Client("g").attach(table)
    await world.advance(HELD_S + 5)
    assert host.match["seats"][3]["reserved_ms"] is None and guest.bye is None
    table.detach(guest)
    await world.advance(HELD_S + 5)
    assert host.match["seats"][3]["online"] is False, "a lost connection is no empty chair"


async def test_the_host_sends_a_reserved_seat_away() -> None:
    world = World()
    table = await world.table()
    host = Client("a").attach(table)
    await settle()
    await reserve(table, "g", seat=1)
    host.ask(table, asks.Kick(1))
    await settle()
    assert people(table) == ["a", None, None, None] and world.rooms.freed == [("t1", ("g",))]


async def test_nobody_is_seated_whose_seat_is_elsewhere() -> None:
    world = World()
    table = await world.table()
    world.rooms.elsewhere |= {"g", "h"}
    assert await reserve(table, "g") == Refused(ErrorCode.CONFLICT)
    late = Client("h").attach(table, ref="old-ticket")
    await settle()
    assert late.answers("old-ticket") == [("error", "conflict")] and late.bye == ("closed", "conflict")
    assert people(table) == [None] * 4


async def test_a_room_into_which_nobody_came_closes_and_another_host_is_found_else() -> None:
    world = World()
    empty = await world.table("t1")
    await reserve(empty, "a")
    await world.advance(HELD_S + 1)
    assert empty.gone == "closed" and world.rooms.gone == [("t1", "123456", "left")]
    table = await world.table("t2")
    await reserve(table, "a")
    await reserve(table, "b")
    friend = Client("c").attach(table)
    await world.advance(HELD_S + 1)
    assert table.gone is None and people(table) == [None, None, "c", None]
    assert friend.match["host"] == 2


async def test_a_vote_does_not_wait_for_one_who_was_never_here() -> None:
    world = World()
    table = await world.table(host="z")
    clients = [Client(name).attach(table) for name in "ab"]
    await settle()
    await reserve(table, "g")
    clients[0].ask(table, asks.Dissolve())
    await settle()
    assert clients[1].match["vote"]["answers"] == [True, None, True, True]
    clients[1].ask(table, asks.Vote(True))
    await settle()
    assert table.gone == "closed" and clients[0].bye == ("closed", "voted")


async def test_tj_1_5_the_last_one_is_made_ready_only_when_he_is_here() -> None:
    quick = replace(TOY, meta=replace(META, auto_ready_s=15))
    world = World(variants={"toy": quick})
    table = await world.table(variant=quick, rules=NO_SECRETS)
    clients = await world.seated(table, 3)
    await reserve(table, "d")
    for client in clients:
        client.ask(table, asks.Ready())
    await world.advance(30)
    assert table.log.match.phase == "waiting", "nobody plays against an empty chair"
    Client("d").attach(table)
    await world.advance(16)
    assert table.log.match.phase == "playing"


async def test_another_node_takes_the_reservation_over_and_frees_whom_the_first_forgot() -> None:
    world = World()
    table = await world.table()
    Client("a").attach(table)
    await settle()
    await reserve(table, "g", seat=1)
    await world.advance(30)
    await world.crash()
    taken = await world.registry.open("t1")
    assert taken is not None
    await settle()
    assert world.rooms.kept == [("t1", ("a", "g"))]
    back = Client("a").attach(taken)
    await settle()
    assert back.match["seats"][1]["reserved_ms"] == 63_000, "a clock that starts afresh, with grace"
    await world.advance(HELD_S + 5)
    assert back.match["seats"][1] is None and world.rooms.freed[-1] == ("t1", ("g",))


async def test_while_a_match_runs_there_is_nothing_to_reserve() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.dealt(table)
    assert await reserve(table, "e") == Refused(ErrorCode.NOT_NOW)
    assert await table.operate(asks.OrderFreeze("look")) == Done()
    assert await reserve(table, "e") == Refused(ErrorCode.FROZEN)
    assert people(table) == [client.person.user for client in clients]


@pytest.mark.parametrize("comes", [True, False])
async def test_who_says_he_returns_has_a_minute_for_it_and_his_seat_is_not_touched(comes: bool) -> None:
    world = World()
    table = await world.table(rules={"secret": False, "rounds": 4}, settings={"fill_with_bots": True, "think_s": 60})
    clients = await world.dealt(table)
    clients[1].ask(table, asks.Leave())
    await world.until_over(table, [clients[0], *clients[2:]], Random(3))
    await world.advance(121)
    assert table.summary().bots[1]
    freed = len(world.rooms.freed)
    assert await reserve(table, "b") == Done()
    assert table.summary().bots[1] and world.rooms.claimed[-1] == ("t1", "b"), "a bot plays until they connect"
    if comes:
        Client("b").attach(table)
    await world.advance(HELD_S + 1)
    assert world.rooms.freed[freed:] == ([] if comes else [("t1", ("b",))])
    assert people(table)[1] == ("b" if comes else None)


async def who_left_wants_to_return() -> tuple[World, Table]:
    """ "b" left in mid-round and announced their return over REST."""
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.dealt(table)
    clients[1].ask(table, asks.Leave())
    await settle()
    await reserve(table, "b")
    return world, table


async def test_who_did_not_return_is_free_also_when_the_node_slept() -> None:
    world, _ = await who_left_wants_to_return()
    world.clock.now += 10 * HELD_S
    await world.advance(0)
    assert world.rooms.freed == [("t1", ("b",)), ("t1", ("b",))]


async def test_a_new_owner_after_a_match_keeps_only_those_who_want_another_one() -> None:
    """The end of the match freed everybody; that note may have died with the old owner."""
    world = World()
    table = await world.table(rules={"secret": False, "rounds": 1}, settings={"claim_hold_ms": 0, "autoplay_after": 5})
    clients = await world.dealt(table)
    while table.log.match.phase != "ended":
        await world.advance(1)
    clients[2].ask(table, asks.Ready())
    clients[3].ask(table, asks.Leave())
    await settle()
    await reserve(table, "g")
    await world.crash()
    await world.registry.open("t1")
    await settle()
    assert world.rooms.kept == [("t1", ("c", "g"))]


async def test_who_gave_his_return_up_is_free() -> None:
    world, table = await who_left_wants_to_return()
    assert await table.operate(asks.OrderRemove("b")) == Done()
    assert world.rooms.freed == [("t1", ("b",)), ("t1", ("b",))]


async def test_d1_a_place_asked_for_while_the_room_closes_is_refused_and_leaves_no_claim() -> None:
    world = World()
    table = await world.table()
    clients = await world.seated(table, 2)
    gate, reached = asyncio.Event(), asyncio.Event()

    async def hold(what: str, table_id: str) -> None:
        if what == "close":
            reached.set()
            await gate.wait()

    world.store.before = hold
    clients[0].ask(table, asks.Dissolve())
    await reached.wait()
    asked = table.operate(asks.OrderReserve("g", "G"))
    late = Client("h").attach(table, ref="hello")
    gate.set()
    await settle()
    assert await asked == Refused(ErrorCode.ROOM_CLOSED)
    assert late.answers("hello") == [("error", "room_closed")] and late.bye == ("closed", "host")
    assert {user for _, user in world.rooms.claimed} == {"a", "b"} and ("t1", None) in world.rooms.freed
    assert await reserve(table, "g") == Refused(ErrorCode.ROOM_CLOSED)
    assert MemoryStore.activity and world.store.tables == {}


@pytest.mark.parametrize("seed", range(12))
async def test_whatever_comes_in_one_moment_no_chair_has_two_people_and_nobody_two_chairs(seed: int) -> None:
    """Two who think they are host, joins, kicks, leaves, fills, seat changes, lapsing places: in any order."""
    rng = Random(seed)
    world = World()
    table = await world.table(settings={"fill_with_bots": True})
    clients = await world.seated(table, 2)
    for _ in range(25):
        for _ in range(rng.randrange(1, 6)):
            here = [client for client in clients if client.bye is None]
            one = rng.choice(here) if here else None
            deed = rng.randrange(8)
            if deed < 3 or one is None:
                user = rng.choice("abcdefg")
                table.operate(asks.OrderReserve(user, user.upper(), seat=rng.choice([None, 3])))
            elif deed == 3:
                clients.append(Client(rng.choice("abcdefg")).attach(table))
            else:
                table.request(one, f"r{rng.random()}", rng.choice(
                    [asks.Kick(rng.randrange(4)), asks.Leave(), asks.Fill(), asks.ChangeSeat(rng.randrange(4))]
                ))  # fmt: skip
        await world.advance(rng.choice([0, 0, 1, 40]))
        if table.gone is not None:
            break
        sitting = [user for user in people(table) if user is not None]
        assert len(sitting) == len(set(sitting))
        for place, channel in enumerate(table.viewers.channels):
            if channel.connection is not None:
                assert isinstance(channel.connection, Client) and channel.connection.bye is None
                assert people(table)[place] == channel.connection.person.user
        freed = {user for _, users in world.rooms.freed for user in users or ()}
        assert {user for _, user in world.rooms.claimed} - freed <= set(sitting)


async def ended(world: World) -> tuple[Table, list[Client]]:
    """A table whose match has just ended, with its four players connected."""
    table = await world.table(rules={"secret": False, "rounds": 1}, settings={"claim_hold_ms": 0, "autoplay_after": 5})
    clients = await world.dealt(table)
    while table.log.match.phase != "ended":
        await world.advance(1)
    return table, clients


async def test_a6_a_return_to_a_finished_room_holds_nobody() -> None:
    """A6: a player who looks at the final ranking again may open a new room at once, connected or not."""
    world = World()
    table, clients = await ended(world)
    world.rooms.claimed.clear()
    table.detach(clients[0])
    await settle()
    assert await reserve(table, "a") == Done()
    back = Client("a").attach(table)
    await settle()
    assert back.match["phase"] == "ended" and people(table)[0] == "a" and world.rooms.claimed == []


async def test_a6_a_rematch_is_asked_for_only_as_long_as_the_player_is_connected() -> None:
    """A6: with the socket goes the wish for a rematch, and the player may sit elsewhere at once."""
    world = World()
    table, clients = await ended(world)
    clients[1].ask(table, asks.Ready())
    await settle()
    assert world.rooms.claimed[-1] == ("t1", "b") and clients[0].match["seats"][1]["ready"]
    freed = len(world.rooms.freed)
    newer = Client("b").attach(table)
    table.detach(clients[1])
    await settle()
    assert len(world.rooms.freed) == freed and clients[0].match["seats"][1]["ready"], "a newer socket has the seat"
    table.detach(newer)
    await settle()
    assert world.rooms.freed[freed:] == [("t1", ("b",))]
    assert people(table)[1] == "b" and not clients[0].match["seats"][1]["ready"]


async def test_a6_a_newcomer_to_a_finished_room_is_free_when_the_socket_closes() -> None:
    """A6: the others of the kind: somebody who took a free chair after the match."""
    world = World()
    table, clients = await ended(world)
    clients[3].ask(table, asks.Leave())
    await settle()
    guest = Client("g").attach(table)
    await settle()
    table.detach(guest)
    await settle()
    assert world.rooms.claimed[-1] == ("t1", "g") and world.rooms.freed[-1] == ("t1", ("g",))


async def test_a6_a_new_owner_frees_those_who_asked_for_a_rematch_and_do_not_come_back() -> None:
    """A6: nobody saw their sockets close, as the old owner died."""
    world = World()
    table, clients = await ended(world)
    for client in clients[1:3]:
        client.ask(table, asks.Ready())
    await settle()
    await world.crash()
    taken = await world.registry.open("t1")
    assert taken is not None
    Client("b").attach(taken)
    await world.advance(61)
    assert world.rooms.kept[-1] == ("t1", ("b",)) and ("t1", ("a", "c", "d")) in world.rooms.freed
    assert [seat.ready for seat in taken.log.match.seats] == [False, True, False, False]


async def test_a6_before_the_match_a_lost_connection_frees_nobody() -> None:
    """A6: only what is over is over: before a match, and in it, the seat waits for its player."""
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.seated(table)
    table.detach(clients[0])
    await settle()
    assert world.rooms.freed == [] and people(table)[0] == "a"
