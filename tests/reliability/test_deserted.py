"""Rooms that people leave alone: for good, for a while, in the middle of a vote (D3, D6, D7). A fake clock.

Acts of an operator or the store meanwhile are in `test_closing.py` and in `tests/tables/test_rooms.py`.
"""

from __future__ import annotations

import pytest

from app.tables import asks
from app.tables.match.timers import DESERTED_S, REMATCH_S, START_S, VOTE_S
from app.tables.outcomes import Done
from tests.tables.doubles import Client
from tests.tables.test_rooms import PHASES, phase_of, voting_without
from tests.tables.world import World, settle

ROUND_S = 300.0
"""More than a round of the toy takes that nobody plays but clocks and autoplay."""
LIFE: dict[str, tuple[float, float, set[str]]] = {
    "waiting": (START_S, START_S, {"not_started"}), "vote": (VOTE_S, VOTE_S, {"voted"}),
    "paused": (DESERTED_S, DESERTED_S, {"deserted"}), "ended": (REMATCH_S, REMATCH_S, {"no_rematch", "deserted"}),
}  # fmt: skip
"""By phase in which all go away: how long the room lives on, at least and at most, and what may be said of its end."""


@pytest.mark.parametrize("dies", [False, True], ids=["node-lives", "node-dies"])
@pytest.mark.parametrize("phase", PHASES)
async def test_d3_whenever_all_drop_for_ever_the_room_ends_in_time_and_nothing_of_it_stays(
    phase: str, dies: bool
) -> None:
    world = World()
    settings = {"think_s": 5, "claim_s": 1, "claim_hold_ms": 300, "autoplay_after": 5}
    table = await world.table(settings=settings, rules={"rounds": 2 if phase == "ended" else 64})
    clients = await phase_of(world, table, phase)
    least, most, reasons = LIFE.get(phase, (DESERTED_S, DESERTED_S + ROUND_S, {"deserted"}))
    for client in clients:
        table.detach(client)
    await settle()
    if dies:
        await world.advance(VOTE_S / 2)
        await world.crash()
        taken = await world.registry.open("t1")
        assert taken is not None
        table, most = taken, most + 3.0
    await world.advance(least - 3.0)
    assert table.gone is None, "a player who returns by then finds the room"
    await world.advance(most - least + 4.0)
    ((_, _, reason),) = world.rooms.gone
    assert table.gone == "closed" and reason in reasons
    assert world.rooms.freed[-1] == ("t1", None) and not world.alerts.alerts
    assert world.store.tables == {} and world.clock.pending == 0 and not world.registry.tables()
    numbers = [document["round_no"] for document in world.store.queue if document["kind"] == "round"]
    assert numbers == list(range(1, len(numbers) + 1)), "each round is stored once"
    assert len(world.store.ends) == 1


@pytest.mark.parametrize("way", ["leaves", "is removed"])
async def test_d3_it_makes_no_difference_whether_the_last_one_there_drops_or_goes(way: str) -> None:
    """The others have dropped and are still waited for: a bot has the leaver's seat, and nobody is there."""
    world = World()
    settings = {"think_s": 5, "claim_s": 1, "claim_hold_ms": 300, "autoplay_after": 1, "fill_with_bots": True}
    table = await world.table(settings=settings, rules={"rounds": 64})
    *others, last = await world.dealt(table)
    for client in others:
        table.detach(client)
    await settle()
    if way == "leaves":
        last.ask(table, asks.Leave())
    else:
        assert await table.operate(asks.OrderRemove("d", kicked=True)) == Done()
    await settle()
    assert last.bye is not None and table.viewers.online == [False] * 4
    await world.advance(DESERTED_S + ROUND_S)
    assert world.rooms.gone == [("t1", "123456", "deserted")] and world.clock.pending == 0


@pytest.mark.parametrize("gone", [1, 2, 3])
@pytest.mark.parametrize("yes", [True, False])
async def test_d6_who_returns_into_a_vote_answers_it_either_way_and_it_ends(gone: int, yes: bool) -> None:
    world, table, clients = await voting_without(gone)
    await world.advance(VOTE_S - 1)
    back = Client("b").attach(table)
    await settle()
    assert back.match["vote"]["answers"] == [True, *[None] * gone, *[True] * (3 - gone)]
    ref = back.ask(table, asks.Vote(yes))
    await settle()
    assert back.answers(ref) == [("ack", None)]
    if yes and gone > 1:
        assert table.gone is None and clients[0].match["vote"]["answers"][1] is True, "it waits for the others"
        await world.advance(1.5)
    assert (table.gone, back.bye) == (("closed", ("closed", "voted")) if yes else (None, None))
    assert yes or back.match["vote"] is None


@pytest.mark.parametrize("alone", [True, False], ids=["alone", "with a guest"])
async def test_d7_the_owner_may_be_away_for_ten_minutes_before_the_match_and_nearly_so_before_a_rematch(
    alone: bool,
) -> None:
    world = World()
    settings = {"claim_hold_ms": 0, "autoplay_after": 5}
    table = await world.table(rules={"secret": False, "rounds": 1}, settings=settings)
    owner = Client("a").attach(table)
    await settle()
    others = [] if alone else [Client("b").attach(table)]
    await settle()
    table.detach(owner)
    await world.advance(600)
    assert table.gone is None and all(guest.bye is None for guest in others)
    clients = [Client(name).attach(table) for name in "abcd"]
    await settle()
    assert clients[0].match["host"] == 0 and [seat["user"] for seat in clients[0].match["seats"]] == [*"abcd"]
    for number in (1, 2):
        for client in clients:
            client.ask(table, asks.Ready())
        await settle()
        assert table.log.match.match_id == f"t1.{number}"
        while table.log.match.phase != "ended":
            await world.advance(1)
        for client in clients if alone else clients[:1]:
            table.detach(client)
        await world.advance(REMATCH_S - 10)
        assert table.gone is None
        clients = [Client(name).attach(table) for name in "abcd"]
        await settle()
        assert clients[0].match["phase"] == "ended" and clients[0].match["host"] == 0
    await world.advance(11)
    assert table.gone == "closed" and {client.bye for client in clients} == {("closed", "no_rematch")}
