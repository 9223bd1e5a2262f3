"""Seats that no person plays: timeouts in a row, 托管, the automatic win, leavers, bots."""

from __future__ import annotations

from typing import Any

import pytest

from app.tables import asks
from app.tables.outcomes import Done
from app.variants import VARIANTS
from tests.tables.doubles import Client
from tests.tables.test_turns import claim_table, plains
from tests.tables.world import NO_SECRETS, World, settle


async def test_autoplay_begins_after_the_tables_number_of_timeouts_and_the_player_ends_it() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"think_s": 5, "claim_s": 1, "autoplay_after": 1})
    clients = await world.dealt(table)
    seat = next(i for i, c in enumerate(clients) if c.decision)
    await world.advance(5.1)
    assert table.log.match.seats[seat].autoplay and clients[0].match["seats"][seat]["autoplay"]
    clients[seat].ask(table, asks.Autoplay(False))
    await settle()
    assert not clients[0].match["seats"][seat]["autoplay"]


async def test_an_act_of_his_own_ends_the_row_and_the_autoplay() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"think_s": 5, "claim_s": 1, "claim_hold_ms": 5000})
    clients = await world.dealt(table)
    seat = next(i for i, c in enumerate(clients) if c.decision)
    await world.advance(5.1)
    assert table.log.match.seats[seat].timeouts == 1
    while not (clients[seat].decision and clients[seat].decision["clock"] == "turn"):  # type: ignore[index]
        for client in clients:
            if client.decision is not None and client is not clients[seat]:
                client.play(table, -1)
        await world.advance(0.5)
    clients[seat].play(table, -1)
    await settle()
    assert table.log.match.seats[seat].timeouts == 0
    clients[seat].ask(table, asks.Autoplay(True))
    await settle()
    while not (clients[seat].decision and clients[seat].decision["clock"] == "turn"):  # type: ignore[index]
        for client in clients:
            if client.decision is not None and client is not clients[seat]:
                client.play(table, -1)
        await world.advance(0.1)
    clients[seat].play(table, -1)
    await settle()
    assert not table.log.match.seats[seat].autoplay


async def test_autoplay_never_begins_inside_a_claim_where_it_would_tell_who_was_asked() -> None:
    world, table, clients = await claim_table(claim_s=1, autoplay_after=1)
    before = [len(c.kinds("events")) for c in clients]
    await world.advance(1.01)
    assert not any(seat.autoplay for seat in table.log.match.seats[2:])
    told = [d for d in clients[0].kinds("events")[before[0] :] if "match" in d]
    seats = [d["match"]["seats"][1]["autoplay"] for d in told]
    assert all(seats), "only seat 1, whose turn has come for all to see, may be shown on autoplay"
    assert plains(clients[0], "tile_drawn")[-1]["seat"] == 1


async def test_a_claim_that_was_let_pass_does_not_bring_autoplay_nearer() -> None:
    """S1: seat 1 let a claim pass and its own turn is its first for all to see: nobody learns that it could claim."""
    world, table, clients = await claim_table(claim_s=1, think_s=5, autoplay_after=1)
    await world.advance(1.5)
    assert clients[1].decision is not None and clients[1].decision["clock"] == "turn"
    assert not table.log.match.seats[1].autoplay
    await world.advance(5)
    assert table.log.match.seats[1].autoplay, "the missed turn counts"


async def test_a_timeout_never_wins_but_autoplay_and_the_automatic_win_do() -> None:
    world, table, clients = await claim_table(claim_s=3)
    clients[2].ask(table, asks.AutoWin(True))
    clients[3].ask(table, asks.Autoplay(True))
    await world.advance(4)
    assert {e["seat"] for e in plains(clients[0], "won")} == {2, 3}
    world, table, clients = await claim_table(claim_s=3)
    await world.advance(4)
    assert not plains(clients[0], "won")


async def test_the_automatic_win_is_private_and_survives_a_new_socket() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.dealt(table)
    clients[1].ask(table, asks.AutoWin(True))
    await settle()
    back = Client("b").attach(table)
    await settle()
    assert back.synced is not None and back.synced["me"]["auto_win"]
    assert "'auto_win': True" not in repr([f.face.data for f in clients[0].frames])


async def test_who_leaves_in_mid_round_is_played_to_its_end_and_may_return_any_time() -> None:
    world = World()
    table = await world.table(rules=NO_SECRETS, settings={"think_s": 60, "claim_hold_ms": 300})
    clients = await world.dealt(table)
    seat = next(i for i, c in enumerate(clients) if c.decision)
    other = clients[(seat + 1) % 4]
    ref = clients[seat].ask(table, asks.Leave())
    await settle()
    assert clients[seat].answers(ref) == [("ack", None)] and clients[seat].bye == ("closed", "left")
    assert world.rooms.freed == [("t1", (clients[seat].person.user,))]
    await world.advance(0.4)
    assert plains(other, "tile_discarded")[0]["seat"] == seat, "the turn does not wait for the player"
    back = Client(clients[seat].person.user).attach(table)
    await settle()
    assert back.synced is not None and back.synced["me"]["seat"] == seat
    assert not other.match["seats"][seat]["left"] and not other.match["seats"][seat]["autoplay"]


@pytest.mark.parametrize("slug", list(VARIANTS))
@pytest.mark.parametrize("fill", [True, False])
async def test_a_left_seat_after_two_minutes(slug: str, fill: bool) -> None:
    world = World(variants=VARIANTS)
    table = await world.table(
        variant=VARIANTS[slug], rules={"rounds": 3}, settings={"claim_hold_ms": 0, "fill_with_bots": fill, "think_s": 5}
    )
    clients = await world.dealt(table)
    last = table.log.match.spec.players - 1
    clients[last].ask(table, asks.Leave())
    for client in clients[:last]:
        client.ask(table, asks.Autoplay(True))
    await world.advance(100)
    assert table.log.match.phase == "between" and table.log.match.seats[last].left
    await world.advance(60)
    match = table.log.match
    if fill:
        assert match.seats[last].bot and match.played > 1 and match.bots_ever
        assert match.spec.variant != "tianjin" or match.series == 2
    else:
        assert match.phase == "ended" and match.played == 1
        assert clients[0].match["ended"]["reason"] == "left"
        assert world.store.queue[-1]["kind"] == "match" and world.store.queue[-1]["match_over"]["reason"] == "left"


@pytest.mark.parametrize("slug", list(VARIANTS))
async def test_bots_alone_play_a_whole_match_of_every_variant(slug: str) -> None:
    world = World(variants=VARIANTS)
    table = await world.table(variant=VARIANTS[slug], rules={"rounds": 3}, settings={"claim_hold_ms": 0})
    assert await table.operate(asks.OrderFill()) == Done()
    await world.advance(5)
    assert not world.alerts.alerts, world.alerts.dumps[0][:2000]
    assert table.gone == "closed" and world.clock.pending == 0
    rounds: list[dict[str, Any]] = world.store.queue
    assert [r["round_no"] for r in rounds] == [1, 2, 3] and rounds[-1]["match_over"]["reason"] == "finished"
    for r in rounds:
        assert sum(r["nets"]) == 0 and r["bots_ever"] and r["record"]["result"]["outcome"] == r["outcome"]
        assert r["record"]["entries"][0]["events"][0]["type"] == "round_started"
