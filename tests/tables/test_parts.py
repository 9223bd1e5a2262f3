"""The small parts: mailbox policy, clocks, settings, the gallery's delay, ring and faces."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from app.kernel.errors import MalformedInput
from app.refusal import ErrorCode
from app.tables import asks
from app.tables.clocks.clock import LoopClock, SystemEntropy, Timers
from app.tables.mailbox import ADMINS, Mailbox
from app.tables.match.decide import Refused
from app.tables.messages import Limits
from app.tables.outcomes import Done
from app.tables.settings import SETTINGS_OPTIONS, TableSettings, make_spec, parse_settings
from app.variants import VARIANTS
from tests.laws.toy import TOY
from tests.tables.doubles import Client, FakeClock
from tests.tables.test_turns import claim_table, plains
from tests.tables.world import NO_SECRETS, World, settle


def test_a_full_mailbox_refuses_players_and_keeps_room_for_clocks_and_goodbyes() -> None:
    box = Mailbox(players=3)
    assert [box.post("input", n) for n in range(4)] == [True, True, True, False]
    assert not box.post("join", "j")
    assert box.post("deadline", "d") and box.post("presence", "p")
    assert box.post("admin", "first")
    assert [box.take() for _ in range(6)] == ["first", 0, 1, 2, "d", "p"]
    assert box.post("input", "again")
    assert box.drain() == ["again"]


async def test_an_operator_is_heard_however_many_ask_for_a_place() -> None:
    world = World()
    table = await world.table()
    world.store.gate = asyncio.Event()
    for number in range(2 * ADMINS):
        table.operate(asks.OrderReserve(f"u{number}", "U"))
        await settle()
    ordered = table.operate(asks.OrderDissolve("a storm"))
    world.store.gate.set()
    await settle()
    assert ordered.done() and ordered.result() == Done() and table.gone == "closed"


def test_operators_cannot_flood_it_either() -> None:
    box = Mailbox()
    assert [box.post("admin", n) for n in range(ADMINS + 1)].count(False) == 1


async def test_a_busy_table_says_so_and_plays_on() -> None:
    world = World()
    table = await world.table()
    clients = await world.seated(table, 1)
    world.store.gate = asyncio.Event()
    clients[0].ask(table, asks.Ready())
    await settle()
    codes = [table.request(clients[0], f"r{n}", asks.Sync()) for n in range(300)]
    assert codes.count("busy") == 300 - 256
    assert table.attach(Client("b"), Client("b").person) == "busy"
    world.store.gate.set()
    world.store.gate = None
    await settle()
    assert len(clients[0].kinds("sync")) == 257
    assert table.request(clients[0], "more", asks.Sync()) is None


def test_timers_post_once_and_stale_posts_are_told_apart() -> None:
    clock, posted = FakeClock(), []
    timers = Timers(clock, lambda *message: posted.append(message))
    timers.start("a", 5)
    timers.start("a", 7)
    clock.fire(clock.now + 6)
    assert posted == []
    clock.fire(clock.now + 2)
    name, generation, planned = posted[0]
    assert planned == 1007 and not timers.take(name, generation - 1)
    assert timers.take(name, generation) and not timers.take(name, generation)
    timers.start("b", 4, wait_s=2)
    assert timers.left_ms("b") == 4000 and timers.total_ms("b") == 4000
    clock.now += 3
    assert timers.left_ms("b") == 3000
    timers.stop_all()
    assert timers.names() == () and clock.pending == 0 and timers.left_ms("b") is None


async def test_the_real_clock_and_chance() -> None:
    clock, fired = LoopClock(), asyncio.Event()
    clock.call_later(0, fired.set)
    await fired.wait()
    assert clock.wall_ms() > 1_600_000_000_000 and clock.monotonic() > 0
    chance = SystemEntropy()
    assert len(chance.seed()) == 64 and chance.nonce() != chance.nonce() and 0 <= chance.word() < 2**64


def test_settings_have_the_stated_defaults_and_bounds() -> None:
    assert parse_settings({}) == TableSettings(15, 8, 800, 2, False, "off")
    bounds = {option.name: (option.low, option.high) for option in SETTINGS_OPTIONS if option.kind == "int"}
    assert bounds == {"think_s": (5, 60), "claim_s": (1, 15), "claim_hold_ms": (0, 5000), "autoplay_after": (1, 5)}


@pytest.mark.parametrize(("raw", "field"), [
    ({"think_s": 4}, "think_s"), ({"think_s": 61}, "think_s"), ({"think_s": "15"}, "think_s"),
    ({"think_s": True}, "think_s"), ({"think_s": 15.0}, "think_s"),
    ({"claim_s": 0}, "claim_s"), ({"claim_hold_ms": -1}, "claim_hold_ms"),
    ({"autoplay_after": 6}, "autoplay_after"), ({"fill_with_bots": 1}, "fill_with_bots"),
    ({"spectators": "none"}, "spectators"), ({"speed": 3}, "speed"),
])  # fmt: skip
def test_wrong_settings_are_named(raw: dict[str, Any], field: str) -> None:
    with pytest.raises(MalformedInput) as caught:
        parse_settings(raw)
    assert caught.value.field == field
    with pytest.raises(MalformedInput) as caught:
        make_spec(TOY, table_id="t", code="1", rules={}, settings=raw)
    assert caught.value.field == f"settings.{field}"


def test_wrong_rules_are_named_and_seats_follow_the_variant() -> None:
    with pytest.raises(MalformedInput) as caught:
        make_spec(TOY, table_id="t", code="1", rules={"rob": 3}, settings={})
    assert caught.value.field == "rules.rob"
    seats = {
        slug: make_spec(variant, table_id="t", code="1", rules={}, settings={}).players
        for slug, variant in VARIANTS.items()
    }
    assert seats["tianjin"] == 4
    three = make_spec(VARIANTS["guizhou"], table_id="t", code="1", rules={"players": 3}, settings={})
    assert three.players == 3


async def test_spectators_are_late_and_so_is_the_snapshot_of_whoever_comes() -> None:
    world = World(limits=Limits(spectator_delay_s=30))
    table = await world.table(rules=NO_SECRETS, settings={"spectators": "all", "think_s": 60})
    early = Client("w1").attach(table, role="spectator")
    clients = await world.dealt(table)
    next(c for c in clients if c.decision).play(table, -1)
    await settle()
    late = Client("w2").attach(table, role="spectator")
    await settle()
    assert not early.kinds("events") and late.synced is not None and late.synced["view"] is None
    assert late.synced["match"]["phase"] == "waiting"
    await world.advance(30)
    assert plains(early, "tile_discarded") and plains(late, "tile_discarded")
    assert early.seq == late.seq < table.log.seq(-1)
    assert not [e for w in (early, late) for e in plains(w, "hand_dealt") if e.get("tiles")]


async def test_the_newest_window_of_a_spectator_wins_and_sitting_down_ends_watching() -> None:
    world = World()
    table = await world.table(settings={"spectators": "all"})
    first = Client("w").attach(table, role="spectator")
    second = Client("w").attach(table, role="spectator")
    await settle()
    assert first.bye == ("replaced", "") and second.bye is None
    seated = Client("w").attach(table)
    await settle()
    assert second.bye == ("replaced", "") and seated.synced is not None and seated.synced["me"]["seat"] == 0


async def test_who_sees_the_same_is_handed_the_same_object() -> None:
    _, _, clients = await claim_table()
    faces = [next(f.face for f in reversed(c.frames) if f.kind == "events") for c in clients]
    assert len({id(face) for face in faces}) == 1
    deals = [next(f.face for f in c.frames if "round_started" in repr(f.face.data)) for c in clients]
    assert len({id(face) for face in deals}) == 4


async def test_hints_come_in_the_answer() -> None:
    _, table, clients = await claim_table()
    ref = clients[2].ask(table, asks.Hints())
    await settle()
    hints = next(f.face.data["hints"] for f in clients[2].frames if f.face.data.get("ref") == ref)
    assert isinstance(hints, list)


async def test_nothing_of_an_envelope_or_a_seed_is_ever_sent() -> None:
    """E4: commitment yes; seed and wall of the running round, log position, token and time of an entry no."""
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.dealt(table)
    next(c for c in clients if c.decision).play(table, -1)
    await settle()
    sent = repr([f.face.data for c in clients for f in c.frames])
    assert table.log.match.commitment in sent and table.log.match.seed not in sent
    for secret in ("'wall'", "'seed'", "'at_ms'", "'token'", "'memory'", "'timeouts'"):
        assert secret not in sent


async def test_c8_the_task_of_a_table_that_was_stopped_from_outside_ends() -> None:
    """A node that lost its table while it slept: nothing of it may wait for ever, held by nobody."""
    world = World()
    table = await world.table(rules=NO_SECRETS)
    await world.dealt(table)
    (task,) = world.registry.tasks()
    table.stop("moved", "fenced")
    await settle()
    assert task.done() and world.registry.tasks() == ()


async def test_who_waits_for_a_table_that_is_stopped_from_outside_is_answered() -> None:
    """Also the one whose message waited for the store just then: it lay in no mailbox any more."""
    world = World()
    asked, met = await world.table("asked"), await world.table("met")
    world.store.gate = asyncio.Event()
    outcomes = [asked.operate(asks.OrderReserve(user, user.upper())) for user in "gh"]
    clients = [Client(user).attach(met, ref="hello") for user in "gh"]
    await settle()
    asked.stop("moved", "fenced")
    await world.registry.drain(limit_s=0.01)
    await settle()
    assert [done.done() and done.result() for done in outcomes] == [Refused(ErrorCode.MOVED)] * 2
    for client in clients:
        assert client.answers("hello") == [("error", "moved")]
        assert client.bye is not None and client.bye[0] == "restart"
