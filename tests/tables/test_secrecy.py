"""Nobody's frames tell of what another seat was asked or answered in secret."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from app.tables import asks
from tests.tables.doubles import Client
from tests.tables.test_turns import claim_table
from tests.tables.world import World, settle


def heard(client: Client) -> list[tuple[Any, ...]]:
    """All that a client was sent in order, but the answers to its own requests."""
    return [(frame.kind, frame.seq, repr(frame.face.data)) for frame in client.frames if frame.kind != "ack"]


async def answering(options: tuple[int | None, ...], order: tuple[int, ...]) -> tuple[World, list[Client]]:
    """Everybody answers in secret, in some order; None: lets the clock run out."""
    world = World()
    table = await world.table(rules={"rounds": 2})
    clients = await world.dealt(table)
    for seat in order:
        option = options[seat]
        if option is not None:
            clients[seat].play(table, option)
            await settle()
    return world, clients


async def test_answers_in_secret_are_not_heard_before_the_last() -> None:
    _, reference = await answering((0, 0, None, 0), (0, 1, 3))
    _, other = await answering((0, 1, None, 1), (3, 0, 1))
    assert heard(reference[2]) == heard(other[2])


@pytest.mark.parametrize("order", list(permutations((0, 1, 3))))
async def test_the_order_of_secret_answers_is_not_heard(order: tuple[int, ...]) -> None:
    _, reference = await answering((0, 1, None, 1), (0, 1, 3))
    _, other = await answering((0, 1, None, 1), order)
    assert heard(reference[2]) == heard(other[2])


async def test_a_timeout_in_secret_is_heard_as_the_answer_it_stands_for() -> None:
    heard_by = []
    for silent in (False, True):
        world, clients = await answering((0, 0, 0, 0) if not silent else (0, None, 0, 0), (0, 2, 3))
        await world.advance(9.9)
        if not silent:
            clients[1].play(world.registry.tables()[0], 0)
        await world.advance(0.1)
        heard_by.append(heard(clients[2]))
    assert heard_by[0] == heard_by[1]


@pytest.mark.parametrize("passes", [(1,), (2,), (3,), (1, 2), (1, 2, 3)])
async def test_within_the_hold_nobody_hears_who_was_asked_or_passed(passes: tuple[int, ...]) -> None:
    _, _, reference = await claim_table(claim_hold_ms=3000)
    world, table, clients = await claim_table(claim_hold_ms=3000)
    for seat in passes:
        clients[seat].play(table, "pass")
    await world.advance(2.9)
    for seat in {0, 1, 2, 3} - set(passes):
        assert heard(clients[seat]) == heard(reference[seat])


async def test_a_pass_and_a_timeout_of_the_same_moment_are_heard_alike_until_the_next_turn() -> None:
    results = []
    for silent in (False, True):
        world, table, clients = await claim_table(claim_s=1, autoplay_after=1)
        clients[2].play(table, "pass")
        clients[3].play(table, "pass")
        await world.advance(0.99)
        if not silent:
            world.clock.now += 0.01
            clients[1].play(table, "pass")
            await settle()
        await world.advance(0.01)
        results.append([frame for frame in heard(clients[0]) if frame[0] == "events"])
    assert len(results[0]) == len(results[1])
    different = [i for i, (a, b) in enumerate(zip(*results, strict=True)) if a != b]
    assert different in ([], [len(results[0]) - 1]), "only the entry that begins the next turn may differ"


async def test_private_switches_and_ids_are_nobody_elses_business() -> None:
    world = World()
    table = await world.table(rules={"rounds": 2})
    clients = await world.dealt(table)
    before = heard(clients[0])
    clients[1].ask(table, asks.AutoWin(True))
    clients[1].ask(table, asks.Sync())
    clients[1].ask(table, asks.Hints())
    clients[1].ask(table, asks.WhyNot())
    clients[1].play(table, 99)
    await settle()
    assert heard(clients[0]) == before
