"""Connections: the newest wins, a resume leaves no gap, everybody can go on from any number seen (parts A and B)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from app.kernel.text.notation import plain_view
from app.kernel.views import view
from app.tables import asks
from tests.tables.doubles import Client
from tests.tables.test_turns import claim_table, plains
from tests.tables.world import NO_SECRETS, World, settle


async def test_a1_the_newest_socket_owns_the_seat_at_once_and_the_old_one_is_told() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.dealt(table)
    old = clients[1]
    new = Client("b").attach(table)
    await settle()
    assert old.bye == ("replaced", "")
    assert new.synced is not None and new.synced["me"]["seat"] == 1
    table.detach(old)
    await settle()
    assert table.summary().online == (True,) * 4, "the old socket's clean-up does not mark the new one offline"
    assert not [p for p in clients[0].kinds("presence") if not p["online"]]


async def test_a2_acts_of_the_replaced_socket_are_dropped_also_those_that_were_queued() -> None:
    _, table, clients = await claim_table()
    assert clients[1].decision is not None
    length = len(table.log.entries)
    new = Client("b").attach(table)
    ref = clients[1].play(table, "pong")
    await settle()
    assert clients[1].answers(ref) == [] and clients[1].bye == ("replaced", "")
    assert len(table.log.entries) == length
    assert new.decision is not None and new.decision["clock"] == "claim"


async def test_a4_fifty_quick_returns_make_no_ghost_and_one_pair_of_presence_each() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.seated(table)
    there = clients[1]
    for _ in range(50):
        table.detach(there)
        await world.advance(0.2)
        there = Client("b").attach(table)
        await settle()
    seen = [p for p in clients[0].kinds("presence") if p["seat"] == 1]
    assert [p["online"] for p in seen] == [True] + [False, True] * 50
    assert [s and s.user for s in table.summary().seats] == ["a", "b", "c", "d"]


async def test_a7_who_is_not_there_is_flagged_before_the_deal() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.seated(table)
    for client in clients[:3]:
        client.ask(table, asks.Ready())
    table.detach(clients[2])
    clients[3].ask(table, asks.Ready())
    await settle()
    heard = [frame.kind for frame in clients[0].frames if frame.kind == "presence" or frame.face.data.get("events")]
    assert heard[-2:] == ["presence", "events"] and clients[0].kinds("presence")[-1] == {"seat": 2, "online": False}
    (deal,) = [data for data in clients[0].kinds("events") if data["events"]]
    assert deal["events"][0]["type"] == "round_started" and table.log.match.phase == "playing"
    assert [seat["online"] for seat in deal["match"]["seats"]] == [True, True, False, True]


async def test_b2_an_entry_between_snapshot_and_subscription_cannot_get_lost() -> None:
    """The attach and the entry are two messages of one mailbox: whichever comes first, nothing is missed or doubled."""
    for attach_first in (True, False):
        world = World()
        table = await world.table(rules=NO_SECRETS, settings={"claim_hold_ms": 0})
        clients = await world.dealt(table)
        seat = next(i for i, c in enumerate(clients) if c.decision)
        other = (seat + 1) % 4
        last = clients[other].seq
        table.detach(clients[other])
        back = Client(clients[other].person.user)
        back.seq, back.table = last, clients[other].table
        if attach_first:
            back.attach(table, last=last)
            clients[seat].play(table, -1)
        else:
            clients[seat].play(table, -1)
            back.attach(table, last=last)
        await settle()
        await world.advance(0)
        assert table.log.round is not None
        assert back.view == plain_view(view(table.log.round.table, other))
        assert back.seq == table.log.seq(other)


async def test_b7_an_empty_client_knows_all_from_the_sync_alone() -> None:
    _, table, clients = await claim_table()
    table.detach(clients[2])
    back = Client("c").attach(table, ref="hello")
    await settle()
    assert back.answers("hello") == [("ack", None)]
    assert back.synced is not None
    seen = back.synced["view"]
    assert back.synced["me"] == {"seat": 2, "user": "c", "auto_win": False}
    assert seen["dealer"] == 0 and seen["seats"][2]["hand"] == "1s2s4s5s6s7z7z" and seen["seats"][0]["hand"] is None
    assert seen["last"] == [0, "3s"]
    assert [o["verb"] for o in back.synced["prompt"]["decision"]["options"]] == ["win", "pass"]
    assert back.synced["room"]["code"] == "123456" and back.synced["match"]["commitment"]


@pytest.mark.parametrize("last", [None, (0, 0), (1, 0), (1, -3), (1, 10**9), (2, 1), (-1, 5), (1, 1), (1, 9)])
async def test_b9_any_last_seq_is_answered_by_what_is_right(last: tuple[int, int] | None) -> None:
    _, table, _ = await claim_table()
    assert table.log.seq(1) == (1, 11)
    back = Client("b").attach(table, last=last)
    await settle()
    if last == (1, 9):
        assert back.kinds("sync") == [] and back.seq == table.log.seq(1)
    else:
        assert len(back.kinds("sync")) == 1
    assert back.decision is not None


async def test_a_gap_of_nothing_is_a_prompt_and_no_sync() -> None:
    _, table, clients = await claim_table()
    back = Client("b")
    back.seq = clients[1].seq
    back.attach(table, last=clients[1].seq)
    await settle()
    assert [f.kind for f in back.frames if f.seq] == ["prompt"]
    assert back.decision == {**clients[1].decision, "left_ms": back.decision["left_ms"]}  # type: ignore[index,dict-item]


async def drop_and_return(world: World, table: Any, clients: list[Client], place: int) -> Client:
    table.detach(clients[place])
    await world.advance(0.2)
    clients[place] = Client(clients[place].person.user).attach(table)
    await settle()
    return clients[place]


async def test_b10_who_drops_in_any_phase_can_act_when_it_is_due() -> None:
    world = World()
    table = await world.table(settings={"claim_hold_ms": 0, "fill_with_bots": True}, rules={"rounds": 2})
    clients = await world.seated(table)
    for client in clients[:3]:
        client.ask(table, asks.Ready())
    await settle()
    back = await drop_and_return(world, table, clients, 3)
    back.ask(table, asks.Ready())
    await settle()
    for place in range(4):
        back = await drop_and_return(world, table, clients, place)
        assert back.decision is not None and back.decision["clock"] == "answer"
        back.play(table, 0)
    await settle()
    turns = 0
    while table.log.match.round_no == 1:
        asked = [i for i, c in enumerate(clients) if c.decision]
        assert asked
        back = await drop_and_return(world, table, clients, asked[0])
        if back.decision is None or back.decision["clock"] == "answer":
            continue
        turns += 1
        ref = back.play(table, -1)
        await settle()
        assert ("ack", None) in back.answers(ref)
        await world.advance(0)
    assert turns > 5 and table.log.match.phase == "between"
    back = await drop_and_return(world, table, clients, 0)
    assert back.match["last_lines"] is not None and back.match["totals"] == list(table.log.match.totals)
    clients[1].ask(table, asks.Dissolve())
    await settle()
    back = await drop_and_return(world, table, clients, 2)
    assert back.match["vote"]["by"] == 1 and back.match["vote"]["left_ms"] > 59_000
    ref = back.ask(table, asks.Vote(False))
    await settle()
    assert back.answers(ref) == [("ack", None)] and back.match["vote"] is None


async def test_a_long_gap_is_answered_by_one_sync() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.seated(table)
    table.detach(clients[3])
    for _ in range(150):
        clients[0].ask(table, asks.Ready())
        clients[0].ask(table, asks.Unready())
        await settle()
    back = Client("d").attach(table, last=clients[3].seq)
    await settle()
    assert len(back.kinds("sync")) == 1 and not back.kinds("events")


async def test_nobody_is_told_of_another_seats_private_answers() -> None:
    """The numbers of others do not move while a player answers in secret, or changes a setting of their own."""
    world = World()
    table = await world.table(rules={"rounds": 2})
    clients = await world.dealt(table)
    before = [len(c.frames) for c in clients]
    clients[1].play(table, 0)
    clients[1].ask(table, asks.AutoWin(True))
    await settle()
    assert [len(c.frames) for c in clients] == [before[0], before[1] + 5, *before[2:]]
    assert clients[1].kinds("events")[-1] == {"events": [], "me": {"auto_win": True}}
    assert not plains(clients[0], "answered")


@pytest.mark.parametrize("seed", [0, 2, 5, 7])  # their rounds are not won early
async def test_what_is_sent_again_is_what_was_sent_byte_for_byte(seed: int) -> None:
    """B9: most of it is made again out of the log, where it was not kept."""
    world = World()
    table = await world.table()
    clients = await world.dealt(table)
    rng, page = Random(seed), table.log.match.round_no
    for _ in range(12):
        await settle()
        asked = [client for client in clients if client.decision is not None]
        if not asked:
            await world.advance(1.0)
            continue
        rng.choice(asked).play(table, rng.randrange(99))
    clients[0].ask(table, asks.AutoWin(True))
    await settle()
    assert table.log.match.round_no == page, "the round still runs"
    for name, old in zip("abcd", clients, strict=True):
        sent = [frame for frame in old.frames if frame.kind == "events"]
        new = Client(name).attach(table, last=sent[0].seq)
        await settle()
        again = [frame for frame in new.frames if frame.kind == "events"]
        assert [(f.seq, f.face.encoded) for f in again] == [(f.seq, f.face.encoded) for f in sent[1:]]
        assert len(again) > 8
