"""Turns, claims and clocks: who clicks twice, too late, at the same moment, or not at all."""

from __future__ import annotations

import gc
from dataclasses import fields
from random import Random
from typing import Any, get_args

import pytest

from app.kernel.text.notation import read_action
from app.tables import asks
from app.tables.actor import Table
from tests.tables.doubles import Client
from tests.tables.world import ALL_CLAIM, NO_SECRETS, World, settle


async def claim_table(**settings: Any) -> tuple[World, Table, list[Client]]:
    """Seat 0 has discarded 3s: seat 1 may pong, seats 2 and 3 may win, the hold runs."""
    world = World(variants={"toy": ALL_CLAIM})
    table = await world.table(variant=ALL_CLAIM, rules=NO_SECRETS, settings=settings)
    clients = await world.dealt(table)
    clients[0].play(table, place_of(clients[0], "discard", "3s"))
    await settle()
    return world, table, clients


def place_of(client: Client, verb: str, tiles: str) -> int:
    """The place of an option in a client's prompt."""
    assert client.decision is not None
    options = client.decision["options"]
    return next(i for i, plain in enumerate(options) if plain["verb"] == verb and plain.get("tiles", "") == tiles)


def plains(client: Client, kind: str) -> list[dict[str, Any]]:
    """Plain events of a type that a client was sent."""
    return [plain for data in client.kinds("events") for plain in data["events"] if plain["type"] == kind]


async def test_c1_a_second_click_is_not_the_answer_to_the_next_question() -> None:
    _, table, clients = await claim_table()
    assert clients[1].decision is not None
    again = asks.Play(clients[1].seq[0], clients[1].decision["id"], read_action({"verb": "pass"}))
    first = clients[1].ask(table, again)
    await settle()
    second = clients[1].ask(table, again)
    await settle()
    assert clients[1].answers(first) == [("ack", None)]
    assert clients[1].answers(second) == [("error", "closed")]
    assert clients[1].frames[-1].kind == "sync", "a refused action comes with a fresh sync"


async def test_c2_the_same_id_has_one_effect_and_one_answer_also_over_a_new_socket() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.dealt(table)
    seat = next(place for place, client in enumerate(clients) if client.decision)
    client = clients[seat]
    assert client.decision is not None
    ask = asks.Play(client.seq[0], client.decision["id"], read_action(client.decision["options"][-1]))
    for _ in range(3):
        client.ask(table, ask, ref="same")
    await settle()
    back = Client(client.person.user).attach(table)
    await settle()
    back.ask(table, ask, ref="same")
    await settle()
    assert client.answers("same") == [("ack", None)] * 3
    assert back.answers("same") == [("ack", None)]
    assert len(plains(clients[(seat + 1) % 4], "tile_discarded")) == 1


async def test_c2_a_refused_id_is_refused_again_with_the_same_answer() -> None:
    _, table, clients = await claim_table()
    wrong = asks.Play(clients[1].seq[0], "99.1", read_action({"verb": "pass"}))
    for _ in range(2):
        clients[1].ask(table, wrong, ref="wrong")
        await settle()
    assert clients[1].answers("wrong") == [("error", "closed")] * 2


@pytest.mark.parametrize("order", [(1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1)])
async def test_c3_wins_prevail_over_a_pong_in_every_order_of_arrival(order: tuple[int, ...]) -> None:
    world, table, clients = await claim_table()
    for seat in order:
        if clients[seat].decision is not None:
            clients[seat].play(table, 0)
        await world.advance(0.05)
    await world.advance(1)
    assert {plain["seat"] for plain in plains(clients[0], "won")} == {2, 3}
    assert not plains(clients[0], "meld_made")


@pytest.mark.parametrize("silent", [1, 2, 3])
async def test_c5_several_time_outs_in_one_moment_are_one_pass_each(silent: int) -> None:
    world, table, clients = await claim_table()
    for seat in range(1, 4 - silent):
        clients[seat].play(table, "pass")
    await world.advance(8.0)
    assert table.log.match.phase == "playing"
    assert [table.log.match.seats[seat].timeouts for seat in range(1, 4)] == [0] * (3 - silent) + [1] * silent
    assert clients[1].decision is not None and clients[1].decision["clock"] == "turn", "play goes on"


async def test_c5_a_time_out_is_nobody_elses() -> None:
    """Seat 1's prompt waits in its line, so that its clock began later than those of seats 2 and 3."""
    world = World(variants={"toy": ALL_CLAIM})
    table = await world.table(variant=ALL_CLAIM, rules=NO_SECRETS)
    clients = await world.dealt(table)
    clients[1].writable = False
    clients[0].play(table, place_of(clients[0], "discard", "3s"))
    await world.advance(8.0)
    assert [table.log.match.seats[seat].timeouts for seat in range(1, 4)] == [0, 1, 1]
    ref = clients[1].play(table, "pong")
    await settle()
    assert clients[1].answers(ref) == [("ack", None)]
    assert [plain["seat"] for plain in plains(clients[0], "meld_made")] == [1]


@pytest.mark.parametrize("early_ms", [-2, -1, 0, 1, 2])
@pytest.mark.parametrize("message_first", [True, False])
async def test_c6_a_discard_at_the_deadline_is_one_discard(early_ms: int, message_first: bool) -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"think_s": 5, "claim_hold_ms": 0, "autoplay_after": 5})
    clients = await world.dealt(table)
    rng = Random(early_ms)
    for _ in range(12):
        client = next(c for c in clients if c.decision and c.decision["clock"] == "turn")
        before = len(plains(clients[0], "tile_discarded"))
        assert client.decision is not None
        place = next(i for i, o in enumerate(client.decision["options"]) if o["verb"] == "discard")
        await world.advance(client.decision["left_ms"] / 1000 - 0.005)
        if message_first:
            world.clock.now += 0.005 - early_ms / 1000
            client.play(table, place)
            world.clock.fire(world.clock.now)
        else:
            world.clock.fire(world.clock.now + 0.005 - early_ms / 1000)
            client.play(table, place)
        await settle()
        if table.log.match.round_no > 1:
            break
        assert len(plains(clients[0], "tile_discarded")) == before + 1
        while asked := [c for c in clients if c.decision and c.decision["clock"] == "claim"]:
            rng.choice(asked).play(table, "pass")
            await settle()
        await world.advance(0)
    drawn, thrown = len(plains(clients[0], "tile_drawn")), len(plains(clients[0], "tile_discarded"))
    assert thrown - drawn in (0, 1) and thrown > 5 and not world.alerts.alerts


async def test_c8_every_armed_clock_fires_though_the_collector_runs_all_the_time() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"think_s": 5, "claim_s": 1})
    await world.dealt(table)
    while table.log.match.played == 0:
        gc.collect(0)
        due = world.clock.next_due()
        assert due is not None
        await world.advance(due - world.clock.now)
    assert table.log.match.round_no == 2


@pytest.mark.parametrize(("think_s", "claim_s"), [(5, 1), (15, 8), (60, 15)])
async def test_c10_a_fresh_prompt_lasts_its_stated_time(think_s: int, claim_s: int) -> None:
    world = World(variants={"toy": ALL_CLAIM})
    table = await world.table(
        variant=ALL_CLAIM, rules=NO_SECRETS, settings={"think_s": think_s, "claim_s": claim_s, "claim_hold_ms": 0}
    )
    clients = await world.dealt(table)
    assert clients[0].decision is not None
    assert clients[0].decision["left_ms"] == clients[0].decision["total_ms"] == think_s * 1000
    await world.advance(think_s - 0.1)
    assert not plains(clients[0], "tile_discarded")
    clients[0].play(table, place_of(clients[0], "discard", "3s"))
    await settle()
    assert clients[1].decision is not None and clients[1].decision["total_ms"] == claim_s * 1000
    await world.advance(claim_s - 0.1)
    assert clients[1].decision is not None and clients[1].decision["clock"] == "claim"
    await world.advance(0.2)
    assert clients[1].decision is not None and clients[1].decision["clock"] == "turn"


async def test_the_hold_lasts_whether_or_not_anybody_can_claim() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"claim_hold_ms": 800})
    clients = await world.dealt(table)
    client = next(c for c in clients if c.decision)
    client.play(table, -1)
    await settle()
    for other in clients:
        if other.decision:
            other.play(table, "pass")
    await world.advance(0.79)
    assert not plains(clients[0], "tile_drawn")
    await world.advance(0.02)
    assert plains(clients[0], "tile_drawn")


async def test_no_hold_is_still_an_entry_of_its_own() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"claim_hold_ms": 0})
    clients = await world.dealt(table)
    before = len(table.log.entries)
    next(c for c in clients if c.decision).play(table, -1)
    await settle()
    assert len(table.log.entries) >= before + 2
    assert b'"tile_discarded"' in table.log.entries[before] and b'"hold_ended"' in table.log.entries[before + 1]


async def test_c12_nothing_a_client_says_is_a_time() -> None:
    names = {field.name for ask in get_args(asks.Ask) for field in fields(ask)}
    assert not {name for name in names if "ms" in name or "time" in name or name.endswith("_s")}


async def test_c14_a_step_of_the_system_clock_changes_nothing() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"think_s": 5})
    clients = await world.dealt(table)
    await world.advance(3)
    for hours in (1, -1):
        world.clock.wall += hours * 3_600_000
        await world.advance(0.5)
    assert not plains(clients[0], "tile_discarded")
    await world.advance(1.1)
    assert len(plains(clients[0], "tile_discarded")) == 1, "and no clock stands still either"


async def test_a_prompt_that_cannot_be_written_yet_starts_its_clock_when_it_is() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"think_s": 5})
    clients = await world.seated(table)
    for client in clients:
        client.writable = False
        client.ask(table, asks.Ready())
    await settle()
    asked = next(c for c in clients if c.decision)
    await world.advance(1)
    table.written(asked)
    await world.advance(4.9)
    assert not plains(clients[0], "tile_discarded")
    await world.advance(0.2)
    assert plains(clients[0], "tile_discarded")


async def test_a_prompt_that_is_never_written_waits_two_seconds_and_no_more() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"think_s": 5})
    clients = await world.seated(table)
    for client in clients:
        client.writable = False
        client.ask(table, asks.Ready())
    await world.advance(6.9)
    assert not plains(clients[0], "tile_discarded")
    await world.advance(0.2)
    assert plains(clients[0], "tile_discarded")


async def test_other_rounds_and_other_seats_are_refused() -> None:
    """S1: another seat's question is refused like one that does not exist."""
    _, table, clients = await claim_table()
    assert clients[1].decision is not None and clients[2].decision is not None
    passing = read_action({"verb": "pass"})
    other_round = clients[1].ask(table, asks.Play(7, clients[1].decision["id"], passing))
    other_seat = clients[1].ask(table, asks.Play(1, clients[2].decision["id"], passing))
    not_offered = clients[1].ask(table, asks.Play(1, clients[1].decision["id"], read_action({"verb": "win"})))
    length = len(table.log.entries)
    await settle()
    assert clients[1].answers(other_round) == [("error", "closed")]
    assert clients[1].answers(other_seat) == [("error", "closed")]
    assert clients[1].answers(not_offered) == [("error", "not_offered")]
    assert len(table.log.entries) == length
