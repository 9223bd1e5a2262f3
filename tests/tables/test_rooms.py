"""The life and end of rooms: votes, hosts, operators, deserted rooms, spectators."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import msgspec
import pytest

from app.tables import asks
from app.tables.actor import Table
from app.tables.outcomes import Done, plain_outcome
from tests.laws.toy import TOY
from tests.tables.doubles import Client
from tests.tables.test_turns import claim_table
from tests.tables.world import NO_SECRETS, World, settle


async def phase_of(world: World, table: Table, phase: str) -> list[Client]:
    """Bring a table of four people into a phase."""
    clients = await world.seated(table)
    if phase == "waiting":
        return clients
    for client in clients:
        client.ask(table, asks.Ready())
    await settle()
    if phase == "answers":
        return clients
    for client in clients:
        if client.decision and client.decision["clock"] == "answer":
            client.play(table, 0)
    await settle()
    if phase == "claim":
        next(c for c in clients if c.decision).play(table, -1)
        await settle()
    if phase == "vote":
        clients[1].ask(table, asks.Dissolve())
        await settle()
    if phase in ("between", "paused", "ended"):
        await world.until_over(table, clients, Random(1))
    while phase == "ended" and table.log.match.phase != "ended":
        for client in clients:
            client.ask(table, asks.Ready())
        await world.until_over(table, clients, Random(2))
    for client in clients if phase == "paused" else ():
        client.ask(table, asks.Pause())
    await settle()
    match = table.log.match
    names = {"waiting": "waiting", "between": "between", "paused": "between", "ended": "ended"}
    assert match.phase == names.get(phase, "playing")
    assert (match.vote is not None, match.paused) == (phase == "vote", phase == "paused")
    return clients


PHASES = ("waiting", "answers", "turn", "claim", "vote", "between", "paused", "ended")


@pytest.mark.parametrize("phase", PHASES)
async def test_d8_an_operator_dissolves_twice_in_any_phase_with_a_claim_and_a_timeout_in_the_same_tick(
    phase: str,
) -> None:
    world = World()
    other = await world.table("t2", rules=NO_SECRETS)
    others = [Client(f"{name}2").attach(other) for name in "abcd"]
    table = await world.table(settings={"claim_hold_ms": 300, "autoplay_after": 5}, rules={"rounds": 2})
    clients = await phase_of(world, table, phase)
    queued = len(world.store.queue)
    asked = next((c for c in clients if c.decision), None)
    if asked is not None:
        assert asked.decision is not None
        world.clock.now += asked.decision["left_ms"] / 1000
        asked.play(table, -1)
    orders = [table.operate(asks.OrderDissolve("test")), table.operate(asks.OrderDissolve("test"))]
    while world.clock.fire(world.clock.now):
        pass
    clients[2].ask(table, asks.Dissolve())
    await settle()
    assert [await order for order in orders] == [Done(), Done()]
    assert table.gone == "closed" and "t1" not in world.store.tables
    assert all(client.match["ended"]["note"] == "test" for client in clients), "W17: they are told why"
    assert all(client.bye == ("closed", "operator") for client in clients)
    assert ("t1", None) in world.rooms.freed and world.rooms.gone == [("t1", "123456", "operator")]
    void = [q for q in world.store.queue[queued:] if q["kind"] == "round"]
    if phase in ("answers", "turn", "claim", "vote"):
        assert [q["outcome"] for q in void] == ["void"] and void[0]["nets"] == [0, 0, 0, 0]
        assert void[0]["match_over"]["reason"] == "operator"
    else:
        assert not void
    assert other.gone is None and all(c.bye is None for c in others)
    assert not world.alerts.alerts


async def test_d1_joins_and_acts_during_the_closing_end_in_success_or_gone() -> None:
    """The close step waits for the store: a client that comes then learns that the room is gone; no key remains."""
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.dealt(table)
    for what in ("append", "close"):
        reached, go_on = asyncio.Event(), asyncio.Event()

        async def pause(now: str, table_id: str, what: str = what, r: Any = reached, g: Any = go_on) -> None:
            if now == what:
                r.set()
                await g.wait()

        world.store.before = pause
        if what == "append":
            table.operate(asks.OrderDissolve("test"))
        await reached.wait()
        late = Client(f"late-{what}").attach(table)
        again = Client("a").attach(table)
        clients[1].ask(table, asks.Sync())
        go_on.set()
        if what == "append":
            continue
        await settle()
        assert late.bye is not None and late.bye[0] == "closed"
        assert again.bye is not None and again.bye[0] == "closed"
    world.store.before = None
    await settle()
    assert world.store.tables == {} and table.attach(Client("x"), Client("x").person) == "room_closed"
    assert world.registry.find("t1") is None and world.clock.pending == 0


async def test_d3_four_people_drop_for_ever_and_the_room_ends_with_its_rounds_stored_once() -> None:
    world = World()
    table = await world.table(rules={"rounds": 64}, settings={"think_s": 5, "claim_s": 1})
    clients = await world.dealt(table)
    for client in clients:
        table.detach(client)
    await world.advance(900)
    assert table.gone == "closed"
    assert world.rooms.gone == [("t1", "123456", "deserted")]
    numbers = [q["round_no"] for q in world.store.queue if q["kind"] == "round"]
    assert numbers == list(range(1, len(numbers) + 1)) and world.store.queue[-1]["match_over"]["reason"] == "deserted"
    assert world.clock.pending == 0 and not world.registry.tables()


async def test_d3_that_nobody_is_there_is_noticed_also_by_a_node_that_slept_through_it() -> None:
    world = World()
    table = await world.table(rules={"rounds": 64}, settings={"think_s": 5, "claim_s": 1})
    clients = await world.dealt(table)
    await table.operate(asks.OrderFreeze("look"))
    for client in clients:
        table.detach(client)
    await settle()
    world.clock.now += 700
    await world.advance(0)
    await table.operate(asks.OrderRelease())
    await world.advance(900)
    assert world.rooms.gone == [("t1", "123456", "deserted")]


@pytest.mark.parametrize("phase", PHASES)
async def test_d5_spectators_come_and_go_and_the_table_does_not_notice(phase: str) -> None:
    world = World()
    table = await world.table(settings={"spectators": "all"}, rules={"rounds": 2})
    clients = await phase_of(world, table, phase)
    clocks = {name: table.timers.clocks.left_ms(name) for name in table.timers.clocks.names()}
    before = (table.log.match, table.log.round, list(table.log.entries), [len(c.frames) for c in clients])
    watchers = [Client(f"w{i}").attach(table, role="spectator") for i in range(3)]
    await settle()
    assert all(w.synced is not None and w.synced["me"] == {"seat": None} for w in watchers)
    ref = watchers[0].ask(table, asks.Leave())
    table.detach(watchers[1])
    await table.operate(asks.OrderRemove("w2", kicked=True))
    refused = Client("w3").attach(table, role="spectator")
    await settle()
    no = refused.ask(table, asks.Dissolve())
    await settle()
    assert watchers[0].answers(ref) == [("ack", None)] and watchers[0].bye is not None
    assert watchers[2].bye == ("kicked", "operator")
    assert refused.answers(no) == [("error", "not_seated")]
    match = msgspec.structs.replace(table.log.match, kicked=())  # the kick lasts (S8), and changes nothing else
    assert (match, table.log.round, list(table.log.entries)[:-1]) == before[:3]
    assert clocks == {name: table.timers.clocks.left_ms(name) for name in table.timers.clocks.names()}
    assert [len(c.frames) for c in clients] == before[3]


@pytest.mark.parametrize(("allowed", "member", "let_in"), [
    ("off", True, False), ("members", False, False), ("members", True, True), ("all", False, True),
])  # fmt: skip
async def test_who_may_watch_is_the_rooms_choice(allowed: str, member: bool, let_in: bool) -> None:
    world = World()
    table = await world.table(settings={"spectators": allowed})
    watcher = Client("w").attach(table, role="spectator", member=member)
    await settle()
    assert (watcher.synced is not None) == let_in
    assert watcher.bye == (None if let_in else ("closed", "not_allowed"))


async def voting_without(gone: int) -> tuple[World, Table, list[Client]]:
    """A vote that the first of four has opened in mid-round; `gone` players are away, the others agree."""
    world = World()
    table = await world.table(settings={"think_s": 60}, rules=NO_SECRETS)
    clients = await world.dealt(table)
    clients[0].ask(table, asks.Dissolve())
    await settle()
    for client in clients[1 : 1 + gone]:
        table.detach(client)
    for client in clients[1 + gone :]:
        client.ask(table, asks.Vote(True))
    return world, table, clients


@pytest.mark.parametrize("gone", [1, 2, 3])
async def test_d6_a_vote_ends_by_its_deadline_and_who_returns_sees_it_and_can_answer(gone: int) -> None:
    for answers in (True, False):
        world, table, _ = await voting_without(gone)
        await world.advance(30)
        assert table.gone is None, "an absent voter has the whole time"
        back = Client("b").attach(table)
        await settle()
        assert back.match["vote"]["by"] == 0 and 29_000 <= back.match["vote"]["left_ms"] <= 30_000
        assert [f for f in back.kinds("countdown") if f["what"] == "vote"]
        if answers:
            back.ask(table, asks.Vote(False))
            await settle()
            assert back.match["vote"] is None and table.gone is None
        else:
            await world.advance(30)
            assert table.gone == "closed" and world.rooms.gone[0][2] == "voted"
            assert [q["outcome"] for q in world.store.queue] == ["void"]


async def test_one_no_cancels_and_the_initiator_waits_two_minutes() -> None:
    world = World()
    table = await world.table(settings={"think_s": 60}, rules=NO_SECRETS)
    clients = await world.dealt(table)
    clients[0].ask(table, asks.Dissolve())
    clients[2].ask(table, asks.Vote(False))
    await settle()
    again = clients[0].ask(table, asks.Dissolve())
    await settle()
    assert clients[0].answers(again) == [("error", "not_now")]
    other = clients[1].ask(table, asks.Dissolve())
    await settle()
    assert clients[1].answers(other) == [("ack", None)], "the others may"
    clients[3].ask(table, asks.Vote(False))
    await world.advance(121)
    again = clients[0].ask(table, asks.Dissolve())
    await settle()
    assert clients[0].answers(again) == [("ack", None)]


async def test_all_yes_dissolves_at_once_and_bots_count_as_yes() -> None:
    world = World()
    table = await world.table(settings={"fill_with_bots": True, "claim_hold_ms": 800}, rules=NO_SECRETS)
    clients = await world.seated(table, 2)
    clients[0].ask(table, asks.Fill())
    for client in clients:
        client.ask(table, asks.Ready())
    await settle()
    assert table.log.match.phase == "playing"
    clients[1].ask(table, asks.Dissolve())
    await settle()
    assert table.gone is None
    clients[0].ask(table, asks.Vote(True))
    await settle()
    assert table.gone == "closed" and clients[0].bye == ("closed", "voted")


async def test_the_host_dissolves_before_the_first_round_and_only_then() -> None:
    world = World()
    table = await world.table()
    clients = await world.seated(table)
    clients[1].ask(table, asks.Dissolve())
    await settle()
    assert table.gone is None and clients[0].match["vote"]["by"] == 1, "anybody else asks the others"
    clients[0].ask(table, asks.Dissolve())
    await settle()
    assert table.gone == "closed" and clients[1].bye == ("closed", "host")
    assert world.store.queue == [], "nothing was played"
    running = await world.table("t2", rules=NO_SECRETS)
    clients = await world.dealt(running)
    clients[0].ask(running, asks.Dissolve())
    await settle()
    assert running.gone is None and clients[1].match["vote"]["by"] == 0


@pytest.mark.parametrize(("phase", "seconds", "reason"), [
    ("waiting", 1800, "not_started"), ("ended", 600, "no_rematch"),
])  # fmt: skip
async def test_rooms_that_nobody_uses_close_with_a_message(phase: str, seconds: int, reason: str) -> None:
    world = World()
    table = await world.table(rules={"secret": False, "rounds": 1}, settings={"claim_hold_ms": 0})
    clients = await world.seated(table, 4 if phase == "ended" else 2)
    if phase == "ended":
        for client in clients:
            client.ask(table, asks.Ready())
        while table.log.match.phase != "ended":
            await world.advance(1)
        assert world.rooms.freed[-1] == ("t1", ("a", "b", "c", "d")), "a match that is over holds nobody"
    await world.advance(seconds - 2)
    assert table.gone is None
    await world.advance(2)
    assert table.gone == "closed" and clients[0].bye == ("closed", reason)


async def test_a_rematch_starts_a_new_match_on_the_same_table() -> None:
    world = World()
    table = await world.table(rules={"secret": False, "rounds": 1}, settings={"claim_hold_ms": 0, "autoplay_after": 5})
    clients = await world.dealt(table)
    while table.log.match.phase != "ended":
        await world.advance(1)
    first = table.log.match
    assert clients[0].match["ended"]["reason"] == "finished" and len(clients[0].match["ended"]["ranking"]) == 4
    for client in clients:
        client.ask(table, asks.Ready())
    await settle()
    second = table.log.match
    assert second.phase == "playing" and second.match_id == "t1.2" and first.match_id == "t1.1"
    assert second.round_no == first.round_no and second.totals == (0, 0, 0, 0) and second.played == 0


async def test_host_kicks_before_the_start_and_members_are_free_at_once() -> None:
    world = World()
    table = await world.table()
    clients = await world.seated(table)
    no = clients[1].ask(table, asks.Kick(2))
    clients[0].ask(table, asks.Kick(2))
    clients[3].ask(table, asks.Leave())
    await settle()
    assert clients[1].answers(no) == [("error", "not_host")]
    assert clients[2].bye == ("kicked", "host") and clients[3].bye == ("closed", "left")
    assert world.rooms.freed == [("t1", ("c",)), ("t1", ("d",))]
    assert [s and s["user"] for s in clients[0].match["seats"]] == ["a", "b", None, None]


async def test_seats_change_before_the_start_and_the_connection_follows() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.seated(table, 3)
    clients[1].ask(table, asks.ChangeSeat(3))
    taken = clients[2].ask(table, asks.ChangeSeat(0))
    await settle()
    assert clients[2].answers(taken) == [("error", "seat_taken")]
    assert clients[1].synced is not None and clients[1].synced["me"]["seat"] == 3
    assert [s and s["user"] for s in clients[0].match["seats"]] == ["a", None, "c", "b"]
    await table.operate(asks.OrderReserve("d", "D", seat=1))
    late = Client("d").attach(table)
    await settle()
    for client in (*clients, late):
        client.ask(table, asks.Ready())
    await settle()
    hands = [e for data in clients[1].kinds("events") for e in data["events"] if e["type"] == "hand_dealt"]
    assert [e["seat"] for e in hands if e.get("tiles")] == [3], "the mover sees the new seat's tiles and no others"


async def test_phrases_are_passed_on_limited_and_muted() -> None:
    world = World()
    table = await world.table()
    clients = await world.seated(table)
    clients[0].ask(table, asks.Phrase("hello"))
    fast = clients[0].ask(table, asks.Phrase("hello"))
    await settle()
    assert clients[0].answers(fast) == [("error", "rate_limited")]
    await table.operate(asks.OrderMute("a", True))
    await world.advance(2)
    muted = clients[0].ask(table, asks.Phrase("hello"))
    await settle()
    assert clients[0].answers(muted) == [("error", "muted")]
    assert clients[1].kinds("chat") == [{"seat": 0, "code": "hello"}]


async def test_an_operator_sees_no_hidden_tiles_unless_he_says_so() -> None:
    _, table, _ = await claim_table()
    plain, every = [
        plain_outcome(await table.operate(asks.OrderInspect(everything=everything))) for everything in (False, True)
    ]
    assert [seat["hand"] for seat in plain["view"]["seats"]] == [None] * 4
    assert every["view"]["seats"][1]["hand"] == "3s3s9s5z5z6z6z"
    table.operate(asks.OrderAnnounce("maintenance"))
    assert TOY.meta.slug == plain["summary"]["variant"]


async def test_freeze_stops_everything_and_release_gives_full_time() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"think_s": 5})
    clients = await world.dealt(table)
    asked = next(c for c in clients if c.decision)
    await world.advance(4)
    assert await table.operate(asks.OrderFreeze("look")) == Done()
    assert asked.match["frozen"] and table.summary().frozen
    assert asked.match["frozen_note"] == "look", "W17: they are told why"
    ref = asked.play(table, -1)
    await world.advance(100)
    assert asked.answers(ref) == [("error", "frozen")]
    assert await table.operate(asks.OrderRelease()) == Done()
    await settle()
    assert asked.decision is not None and asked.decision["left_ms"] == 8000 and not asked.match["frozen"]
    ref = asked.play(table, -1)
    await settle()
    assert asked.answers(ref) == [("ack", None)]
