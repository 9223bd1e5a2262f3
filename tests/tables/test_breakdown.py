"""A table whose rules raise or whose log cannot be read: it alone stops, says so, and its people may leave (F10)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from app.kernel.events import Marked, TileDiscarded
from app.kernel.play.commands import Act
from app.kernel.variant import Step
from app.refusal import ErrorCode
from app.tables import asks
from app.tables.match.decide import Refused
from app.tables.outcomes import Done
from app.tables.ports import StoreLost
from app.tables.registry import Unplayable
from tests.laws.toy import TOY
from tests.tables.doubles import Client
from tests.tables.test_failures import turn_of
from tests.tables.world import NO_SECRETS, World, settle


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
    assert "do not read back" in world.alerts.dumps[0].decode()


async def test_f1_a_state_that_its_events_do_not_lead_to_is_never_stored() -> None:
    """The rules say one thing and hold another: found before the entry is stored (in tests for every entry)."""

    def decide(state: Any, open_: Any, command: Any) -> Any:
        step = TOY.decide(state, open_, command)
        if not isinstance(step, Step) or not any(type(event) is TileDiscarded for event in step.events):
            return step
        return Step(step.events, state)

    game = replace(TOY, decide=decide)
    world = World(variants={"toy": game})
    table = await world.table(variant=game, rules=NO_SECRETS)
    clients = await world.dealt(table)
    before = list(world.store.tables["t1"].log)
    turn_of(clients).play(table, -1)
    await settle()
    assert world.store.tables["t1"].log == before
    assert "do not fold" in world.alerts.dumps[0].decode()


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
    assert other.gone is None and other.facts().broken is None
    assert await table.operate(asks.OrderDissolve("hopeless")) == Done()
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
    assert table.gone is None and table.facts().broken is not None
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
    assert await table.operate(asks.OrderRelease()) == Done()
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
    assert await world.registry.operate("t1", asks.OrderDissolve("hopeless")) == Refused(ErrorCode.MOVED)
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
    assert await world.registry.adopt(await world.tokens("t1", "t2")) == 1
    with pytest.raises(Unplayable):
        await world.registry.open("t1")
    assert [(t, what) for t, what, _ in world.alerts.alerts] == [("t1", "corrupt")]
    assert ("t1", None) in world.rooms.freed and world.registry.counters()["quarantine"] == 1
    assert (await world.registry.operate("t1", asks.OrderRelease())) == Refused(ErrorCode.FROZEN)
    assert await world.registry.operate("t1", asks.OrderDissolve("gone")) == Done()
    assert "t1" not in world.store.tables and world.registry.find("t2") is not None
