"""Dissolving, a claim, a time-out and the last vote in one moment, in every order: one end, one round, all free."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from app.tables import asks
from app.tables.actor import Table
from app.tables.outcomes import Done
from tests.tables.doubles import Client
from tests.tables.test_turns import claim_table
from tests.tables.world import World, settle

DEEDS = ("operator", "claim", "time-out", "vote")


@pytest.mark.parametrize("order", permutations(DEEDS), ids="-".join)
async def test_a_room_that_ends_for_two_reasons_and_goes_on_for_two_ends_once(order: tuple[str, ...]) -> None:
    world, table, clients = await claim_table()
    clients[0].ask(table, asks.Dissolve())
    for client in clients[1:3]:
        client.ask(table, asks.Vote(True))
    await settle()
    assert clients[3].match["vote"]["answers"] == [True, True, True, None]
    outcomes = _do(world, table, clients, order)
    await settle()
    assert [await outcome for outcome in outcomes] == [Done(), Done()]
    assert table.gone == "closed" and not world.alerts.alerts and world.store.tables == {}
    ((table_id, _, reason),) = world.rooms.gone
    assert table_id == "t1" and {client.bye for client in clients} == {("closed", reason)}
    assert ("t1", None) in world.rooms.freed and world.clock.pending == 0
    (stored,) = [document for document in world.store.queue if document["kind"] == "round"]
    assert stored["outcome"] == "void" and stored["nets"] == [0, 0, 0, 0] and stored["lines"] == []


@pytest.mark.parametrize("order", permutations(DEEDS[1:]), ids="-".join)
async def test_without_an_operator_the_vote_ends_what_the_claim_did_not_settle_before(order: tuple[str, ...]) -> None:
    world, table, clients = await claim_table()
    clients[0].ask(table, asks.Dissolve())
    for client in clients[1:3]:
        client.ask(table, asks.Vote(True))
    await settle()
    _do(world, table, clients, order)
    await settle()
    assert table.gone == "closed" and world.rooms.gone[0][2] == "voted" and not world.alerts.alerts
    stored = [document for document in world.store.queue if document["kind"] == "round"]
    assert len(stored) == 1 and sum(stored[0]["nets"]) == 0
    assert (stored[0]["outcome"] == "void") == (stored[0]["nets"] == [0, 0, 0, 0] and not stored[0]["winners"])


def _do(world: World, table: Table, clients: list[Client], order: tuple[str, ...]) -> list[Any]:
    """Put all of it in the table's mailbox before it can look."""
    assert clients[1].decision is not None
    world.clock.now += clients[1].decision["left_ms"] / 1000
    outcomes = []
    for deed in order:
        if deed == "operator":
            outcomes += [table.operate(asks.OrderDissolve("test")), table.operate(asks.OrderDissolve("again"))]
        elif deed == "claim":
            clients[2].play(table, "win")
        elif deed == "vote":
            clients[3].ask(table, asks.Vote(True))
        else:
            while world.clock.fire(world.clock.now):
                pass
    return outcomes
