"""The time from a discard to the next tile, in the real games, does not depend on who could have claimed it (E8). A
person who thinks for longer than the room's pause is heard to have thought: that is accepted, as at any table, and
stands in TJ-16.3. A person who decides within the pause is not.
"""

from __future__ import annotations

from collections import defaultdict
from random import Random
from typing import Any

import pytest

from app.tables.actor import Table
from app.variants import VARIANTS
from tests.tables.doubles import Client
from tests.tables.test_turns import plains
from tests.tables.world import World, settle

HOLD_S = 0.8
Pauses = dict[bool, list[int]]


def _throw(options: list[dict[str, Any]], rng: Random) -> int:
    discards = [place for place, option in enumerate(options) if option["verb"] == "discard"]
    return rng.choice(discards) if discards else len(options) - 1


async def _rounds(slug: str, number: int, rng: Random, pauses: Pauses) -> None:
    """Some turns of a table where everybody passes within a quarter of the pause, whatever they could claim."""
    world = World(salt=number, variants=VARIANTS)
    settings = {"claim_hold_ms": round(HOLD_S * 1000), "think_s": 60, "claim_s": 15}
    table = await world.table(variant=VARIANTS[slug], settings=settings)
    clients = await world.dealt(table)
    for _ in range(400):
        asked = [client for client in clients if client.decision is not None]
        if table.log.match.phase != "playing" or table.log.round is None:
            return
        if not asked:
            due = world.clock.next_due()
            assert due is not None
            await world.advance(due - world.clock.now)
            continue
        decision = asked[0].decision
        assert decision is not None
        if decision["clock"] != "turn":
            passes = [n for n, option in enumerate(decision["options"]) if option["verb"] == "pass"]
            asked[0].play(table, passes[0] if passes else -1)
            await settle()
            continue
        option = _throw(decision["options"], rng)
        thrown = decision["options"][option]["verb"] == "discard"
        asked[0].play(table, option)
        await settle()
        if thrown:
            await _measure(world, table, clients, rng, pauses)


async def _measure(world: World, table: Table, clients: list[Client], rng: Random, pauses: Pauses) -> None:
    began, drawn = world.clock.now, len(plains(clients[0], "tile_drawn"))
    claims = [client for client in clients if client.decision is not None and client.decision["clock"] == "claim"]
    for client in claims:
        await world.advance(rng.uniform(0, HOLD_S / 4))
        client.play(table, "pass")
        await settle()
    while len(plains(clients[0], "tile_drawn")) == drawn:
        due = world.clock.next_due()
        if table.log.match.phase != "playing" or due is None:
            return
        await world.advance(due - world.clock.now)
    pauses[bool(claims)].append(round((world.clock.now - began) * 1000))


@pytest.mark.parametrize("slug", list(VARIANTS))
async def test_e8_in_every_game_the_pause_is_the_rooms_whether_or_not_somebody_could_claim(slug: str) -> None:
    pauses: Pauses = defaultdict(list)
    rng = Random(slug)
    for number in range(4):
        await _rounds(slug, number, rng, pauses)
    assert len(pauses[True]) > 5 and len(pauses[False]) > 5
    assert set(pauses[True]) == set(pauses[False]) == {round(HOLD_S * 1000)}
