"""Stores that stall or refuse, owners that lost their table, rules that raise: nothing unstored is told (part F)."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from app.kernel.commands import Act
from app.kernel.events import Marked, TileDiscarded
from app.kernel.notation import read_action
from app.kernel.variant import Step
from app.tables import asks
from app.tables.actor import Table
from app.tables.messages import Limits
from app.tables.ports import Conflict, Fenced, StoreLost
from app.tables.registry import Draining, TooMany, Unplayable
from app.tables.settings import make_spec
from tests.laws.toy import TOY
from tests.tables.doubles import Client, FakeClock
from tests.tables.test_turns import plains
from tests.tables.world import NO_SECRETS, World, settle


def turn_of(clients: list[Client]) -> Client:
    return next(c for c in clients if c.decision and c.decision["clock"] == "turn")


async def test_f6_nobody_sees_an_entry_that_is_not_stored_yet() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.dealt(table)
    before = [len(c.frames) for c in clients]
    world.store.gate = asyncio.Event()
    ref = turn_of(clients).play(table, -1)
    await settle()
    assert [len(c.frames) for c in clients] == before
    world.store.gate.set()
    await settle()
    assert all(plains(c, "tile_discarded") for c in clients)
    assert [("ack", None)] in [c.answers(ref) for c in clients]


async def test_f6_an_entry_that_was_refused_by_the_store_is_never_told() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.dealt(table)
    before = [len(c.frames) for c in clients]

    async def fail(what: str, table_id: str) -> None:
        raise Fenced

    world.store.before = fail
    turn_of(clients).play(table, -1)
    await settle()
    assert [len(c.frames) for c in clients] == before
    assert [c.bye for c in clients] == [("moved", "fenced")] * 4
    assert table.gone == "moved" and world.registry.find("t1") is None
    assert world.rooms.gone == [] and world.clock.pending == 0


async def test_f4_an_owner_that_was_stopped_writes_nothing_over_the_new_one() -> None:
    store, clock = World().store, FakeClock()
    a, b = World(store, clock), World(store, clock, salt=1)
    table = await a.table(rules=NO_SECRETS)
    clients = await a.dealt(table)
    taken = await b.registry.open("t1")
    assert taken is not None
    log = list(store.tables["t1"].log)
    turn_of(clients).play(table, -1)
    await settle()
    assert store.tables["t1"].log == log and table.gone == "moved"
    assert all(c.bye == ("moved", "fenced") for c in clients)
    back = [Client(name).attach(taken) for name in "abcd"]
    await settle()
    turn_of(back).play(taken, -1)
    await settle()
    assert len(store.tables["t1"].log) > len(log)


async def test_f4_after_a_long_pause_nothing_is_sent_before_the_token_is_confirmed() -> None:
    store, clock = World().store, FakeClock()
    a, b = World(store, clock), World(store, clock, salt=1)
    table = await a.table(rules=NO_SECRETS)
    clients = await a.dealt(table)
    assert await b.registry.open("t1") is not None
    store.sure_now = False
    late = Client("a").attach(table)
    await settle()
    assert [f.face.data["code"] for f in late.frames] == ["moved"] and late.bye == ("moved", "fenced")
    assert all(c.bye == ("moved", "fenced") for c in clients)


async def test_an_owner_whose_heartbeat_lapsed_goes_on_when_its_token_is_still_there() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.dealt(table)
    world.store.sure_now = False
    ref = turn_of(clients).play(table, -1)
    await settle()
    assert world.store.confirmed > 0 and [("ack", None)] in [c.answers(ref) for c in clients]


async def test_f3_an_outage_during_a_turn_costs_nobody_time() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"think_s": 5})
    clients = await world.dealt(table)
    asked = turn_of(clients)
    seat = clients.index(asked)
    await world.advance(4.5)
    await world.crash()
    world.clock.now += 30
    table = await world.registry.open("t1")  # type: ignore[assignment]
    back = Client(asked.person.user).attach(table)
    await settle()
    assert back.decision is not None and back.decision["left_ms"] == back.decision["total_ms"] == 8000
    await world.advance(7.9)
    assert table.course.match.seats[seat].timeouts == 0 and not plains(back, "tile_discarded")
    await world.advance(0.2)
    assert table.course.match.seats[seat].timeouts == 1


async def test_f3_a_stalled_store_says_saving_and_every_clock_starts_afresh() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"think_s": 5, "claim_hold_ms": 800})
    clients = await world.dealt(table)
    asked = turn_of(clients)
    world.store.gate = asyncio.Event()
    asked.ask(table, asks.AutoWin(True))
    await world.advance(20)
    assert clients[0].kinds("saving") == [{"on": True}]
    assert not plains(clients[0], "tile_discarded")
    world.store.gate.set()
    world.store.gate = None
    await settle()
    assert clients[0].kinds("saving") == [{"on": True}, {"on": False}]
    assert asked.decision is not None and asked.decision["left_ms"] == 8000
    assert table.course.match.seats[clients.index(asked)].timeouts == 0


async def test_f3_a_store_that_stalls_while_somebody_comes_back_says_saving_too() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"think_s": 5})
    clients = await world.dealt(table)
    asked = turn_of(clients)
    gone, *others = [client for client in clients if client is not asked]
    gone.ask(table, asks.Leave())
    await settle()
    world.rooms.gate = asyncio.Event()
    Client(gone.person.user).attach(table)
    await world.advance(20)
    assert others[0].kinds("saving") == [{"on": True}]
    world.rooms.gate.set()
    await settle()
    assert others[0].kinds("saving") == [{"on": True}, {"on": False}]
    assert asked.decision is not None and asked.decision["left_ms"] == 8000


async def test_c14_a_process_that_was_stopped_charges_nobody() -> None:
    """All timers are late at once when a process goes on after a SIGSTOP: that was our outage, not the players'."""
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"think_s": 5})
    clients = await world.dealt(table)
    world.clock.now += 60
    await world.advance(0)
    assert not plains(clients[0], "tile_discarded")
    assert turn_of(clients).decision["left_ms"] == 8000  # type: ignore[index]


async def test_a_conflict_is_answered_by_acquiring_again_and_a_sync_for_everybody() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"spectators": "all"})
    clients = await world.dealt(table)
    watcher = Client("w").attach(table, role="spectator")
    await settle()
    failures = [Conflict()]

    async def once(what: str, table_id: str) -> None:
        if what == "append" and failures:
            raise failures.pop()

    world.store.before = once
    token = world.store.tables["t1"].token
    ref = turn_of(clients).play(table, -1)
    syncs = [len(c.kinds("sync")) for c in clients]
    await settle()
    assert world.store.tables["t1"].token != token
    assert [len(c.kinds("sync")) for c in clients] == [n + 1 for n in syncs] and len(watcher.kinds("sync")) == 2
    assert [("ack", None)] in [c.answers(ref) for c in clients], "the act is judged on the log as it is, and done once"
    assert [len(plains(c, "tile_discarded")) for c in clients] == [1] * 4


async def test_a_store_that_lost_entries_stops_the_table_and_alerts() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.dealt(table)

    async def lost(what: str, table_id: str) -> None:
        raise StoreLost

    world.store.before = lost
    ref = turn_of(clients).play(table, -1)
    await settle()
    assert [(t, what) for t, what, _ in world.alerts.alerts] == [("t1", "store_lost")]
    assert [("error", "frozen")] in [c.answers(ref) for c in clients] and table.summary().frozen


def exploding(at: str) -> Any:
    """The toy with a bug: it raises when something is discarded (`decide`) or folded (`evolve`)."""

    def decide(state: Any, open_: Any, command: Any) -> Any:
        if at == "decide" and isinstance(command, Act) and command.action.verb == "discard":
            raise KeyError("a bug in the rules")
        return TOY.decide(state, open_, command)

    return replace(TOY, decide=decide)


async def test_f1_what_would_not_come_back_from_the_log_as_it_was_is_never_stored() -> None:
    """A bug that shows only when a log is read again: the table stops before its log holds it."""

    def decide(state: Any, open_: Any, command: Any) -> Any:
        step = TOY.decide(state, open_, command)
        if not isinstance(step, Step) or not any(type(event) is TileDiscarded for event in step.events):
            return step
        odd = Marked(None, "odd", ["a list, which is read back as a tuple"])  # type: ignore[arg-type]
        return Step((*step.events, odd), TOY.evolve(step.state, odd))

    game = replace(TOY, decide=decide)
    world = World(variants={"toy": game})
    table = await world.table(variant=game, rules=NO_SECRETS)
    clients = await world.dealt(table)
    before = list(world.store.tables["t1"].log)
    ref = turn_of(clients).play(table, -1)
    await settle()
    assert world.store.tables["t1"].log == before
    assert [("error", "frozen")] in [c.answers(ref) for c in clients]
    assert "does not fold" in world.alerts.dumps[0].decode()


async def test_f10_a_bug_in_the_rules_freezes_that_table_alone_and_everybody_is_told() -> None:
    world = World(variants={"toy": exploding("decide")})
    table = await world.table(variant=exploding("decide"), rules=NO_SECRETS)
    clients = await world.dealt(table)
    other = await world.table("t2", variant=exploding("decide"))
    asked = turn_of(clients)
    length = len(world.store.tables["t1"].log)
    ref = asked.play(table, -1)
    await settle()
    assert asked.answers(ref) == [("error", "frozen")]
    assert all({"ref": None, "code": "frozen", "message": c.kinds("error")[0]["message"]} in c.kinds("error")
               for c in clients)  # fmt: skip
    assert world.alerts.alerts[0][:2] == ("t1", "frozen") and "KeyError" in world.alerts.dumps[0].decode()
    assert len(json.loads(world.alerts.dumps[0])["entries"]) == length
    assert ("t1", None) in world.rooms.freed, "its members may sit elsewhere at once"
    late = Client("a").attach(table)
    await settle()
    assert late.bye == ("closed", "frozen")
    assert other.gone is None and other.broken is None
    assert (await table.operate(asks.OrderDissolve("hopeless")))["ok"]
    assert table.gone == "closed" and world.store.queue[-1]["outcome"] == "failed"
    assert world.store.queue[-1]["nets"] == [0] * 4 and "t1" not in world.store.tables


async def test_f10_a_frozen_table_that_no_operator_minds_is_closed_as_failed() -> None:
    world = World(variants={"toy": exploding("decide")})
    table = await world.table(variant=exploding("decide"), rules=NO_SECRETS)
    clients = await world.dealt(table)
    turn_of(clients).play(table, -1)
    await world.advance(601)
    assert table.gone == "closed" and world.store.queue[-1]["outcome"] == "failed"
    assert world.rooms.gone == [("t1", "123456", "failed")] and clients[0].bye == ("closed", "failed")


async def test_a_table_that_breaks_before_its_match_leaves_no_round_that_never_was() -> None:
    """Its chairs may be empty, and of an empty chair the archive takes no result."""
    world = World()
    table = await world.table()
    (client,) = await world.seated(table, 1)

    async def lose(what: str, table_id: str) -> None:
        if what == "append":
            raise StoreLost("the log is shorter")

    world.store.before = lose
    client.ask(table, asks.Ready())
    await world.advance(601)
    assert table.gone == "closed" and client.bye == ("closed", "failed")
    assert world.store.queue == [] and [end["reason"] for end in world.store.ends] == ["failed"]


async def test_f10_a_frozen_table_keeps_an_operators_ten_minutes_also_when_our_heartbeat_lapses() -> None:
    world = World(variants={"toy": exploding("decide")})
    table = await world.table(variant=exploding("decide"), rules=NO_SECRETS, settings={"think_s": 5})
    clients = await world.dealt(table)
    turn_of(clients).play(table, -1)
    await settle()
    world.store.sure_now = False
    table.detach(clients[0])
    await settle()
    world.store.sure_now = True
    await world.advance(590)
    assert table.gone is None and table.broken is not None
    await world.advance(20)
    assert table.gone == "closed"


async def test_a_frozen_table_is_folded_anew_when_it_is_released() -> None:
    broken = exploding("decide")
    variants = {"toy": broken}
    world = World(variants=variants)
    table = await world.table(variant=broken, rules=NO_SECRETS)
    clients = await world.dealt(table)
    turn_of(clients).play(table, -1)
    await settle()
    variants["toy"] = TOY
    assert (await table.operate(asks.OrderRelease()))["ok"]
    await settle()
    asked = turn_of(clients)
    ref = asked.play(table, -1)
    await settle()
    assert asked.answers(ref) == [("ack", None)] and not table.summary().frozen


async def test_a_table_put_aside_that_another_node_has_by_now_is_not_ours_to_dissolve() -> None:
    world = World()
    await world.table()
    await world.crash()
    stored = world.store.tables["t1"]
    whole, stored.log = stored.log, [b"garbage"]
    with pytest.raises(Unplayable):
        await world.registry.open("t1")
    stored.log = whole
    other = World(world.store, world.clock, salt=1)
    assert await other.registry.open("t1") is not None
    assert await world.registry.operate("t1", asks.OrderDissolve("hopeless")) == {"ok": False, "code": "moved"}
    assert world.rooms.gone == [] and "t1" in world.store.tables


@pytest.mark.parametrize("spoil", ["garbage", "version", "unknown_event", "variant", "gap"])
async def test_a_log_that_cannot_be_read_is_put_aside_and_the_others_play_on(spoil: str) -> None:
    world = World()
    await world.dealt(await world.table(rules=NO_SECRETS))
    await world.table("t2")
    await world.crash()
    log = world.store.tables["t1"].log
    at = next(i for i, raw in enumerate(log) if b"round_started" in raw)
    match spoil:
        case "garbage":
            log[at] = b"\xff{"
        case "version":
            log[at] = log[at].replace(b'"rules_version":1', b'"rules_version":99')
        case "unknown_event":
            log[at] = log[at].replace(b"round_started", b"round_stopped")
        case "variant":
            log[0] = log[0].replace(b'"variant":"toy"', b'"variant":"gone"')
        case "gap":
            del log[at - 1]
    assert await world.registry.adopt(["t1", "t2"]) == 1
    with pytest.raises(Unplayable):
        await world.registry.open("t1")
    assert [(t, what) for t, what, _ in world.alerts.alerts] == [("t1", "corrupt")]
    assert ("t1", None) in world.rooms.freed and world.registry.counters()["quarantine"] == 1
    assert (await world.registry.operate("t1", asks.OrderRelease())) == {"ok": False, "code": "frozen"}
    assert (await world.registry.operate("t1", asks.OrderDissolve("gone")))["ok"]
    assert "t1" not in world.store.tables and world.registry.find("t2") is not None


async def test_drain_hands_every_table_over_and_no_clock_runs_out_because_of_it() -> None:
    store, clock = World().store, FakeClock()
    a, b = World(store, clock), World(store, clock, salt=1)
    table = await a.table(rules=NO_SECRETS, settings={"think_s": 5})
    clients = await a.dealt(table)
    await a.advance(4.9)
    await a.registry.drain()
    assert all(c.bye == ("restart", "drain") for c in clients) and a.registry.tables() == ()
    assert store.tables["t1"].token.endswith(":free") and clock.pending == 0
    with pytest.raises(Draining):
        await a.registry.create(make_spec(TOY, table_id="t9", code="1", rules={}, settings={}))
    await b.advance(3)
    taken = await b.registry.open("t1")
    assert taken is not None and taken.token.epoch == 2
    back = [Client(name).attach(taken) for name in "abcd"]
    await settle()
    assert turn_of(back).decision["left_ms"] == 8000  # type: ignore[index]


async def test_drain_gives_up_on_a_store_that_does_not_answer() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.dealt(table)
    world.store.gate = asyncio.Event()
    turn_of(clients).play(table, -1)
    await settle()
    await world.registry.drain(limit_s=0.01)
    assert clients[0].bye == ("restart", "drain") and world.registry.tables() == ()


async def test_a_node_takes_no_more_tables_than_it_may() -> None:
    world = World(limits=Limits(max_tables=2))
    await world.table("t1")
    await world.table("t2")
    with pytest.raises(TooMany):
        await world.table("t3")


async def test_the_same_table_is_opened_once_however_many_ask() -> None:
    world = World()
    await world.table()
    await world.crash()
    opened = await asyncio.gather(*[world.registry.open("t1") for _ in range(10)])
    assert len({id(table) for table in opened}) == 1 and opened[0] is not None
    assert opened[0].token.epoch == 2
    assert await world.registry.open("unknown") is None


async def test_a_repeated_request_gets_its_first_answer_on_another_node() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.dealt(table)
    asked = turn_of(clients)
    assert asked.decision is not None
    act = asks.Play(1, asked.decision["id"], read_action(asked.decision["options"][-1]))
    asked.ask(table, act, ref="mine")
    await settle()
    await world.crash()
    again: Table | None = await world.registry.open("t1")
    assert again is not None
    back = Client(asked.person.user).attach(again)
    await settle()
    length = len(again.course.log)
    back.ask(again, act, ref="mine")
    await settle()
    assert back.answers("mine") == [("ack", None)] and len(again.course.log) == length


async def test_request_ids_are_remembered_over_the_turn_of_a_page_and_on_another_node() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"claim_hold_ms": 0, "autoplay_after": 5})
    clients = await world.seated(table)
    clients[0].ask(table, asks.AutoWin(True), ref="first")
    clients[0].ask(table, asks.AutoWin(False), ref="second")
    for client in clients:
        client.ask(table, asks.Ready())
    while table.course.match.round_no == 1:
        await world.advance(1)
    await world.crash()
    again = await world.registry.open("t1")
    assert again is not None and again.course.match.phase == "between"
    back = Client("a").attach(again)
    await settle()
    back.ask(again, asks.AutoWin(True), ref="first")
    await settle()
    assert back.answers("first") == [("ack", None)] and not again.course.match.seats[0].auto_win
