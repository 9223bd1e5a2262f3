"""Dropped in any phase or with the whole node: a player knows enough to act in time (B5, B7, B10).

A fake clock, whole rounds of all games. The tests over real sockets are in `test_returns.py`.
"""

from __future__ import annotations

from random import Random

import pytest

from tests.reliability.folding import GAMES, Folder, begun, choose, everything, step
from tests.tables.test_turns import place_of, plains
from tests.tables.world import NO_SECRETS, World, scripted, settle

ROBBABLE = scripted(
    ("3s8s8s9s9s5z6z1s", "3s3s5z5z6z6z9s", "1s2s4s5s6s7z7z", "4s5s7s8s9s6z6z"),
    "1s7z7z1s3s8s4s5s6s7s9s2s7z5z",
)
"""Seat 1 pongs the first discard and draws its fourth tile next; seats 2 and 3 win on it."""


@pytest.mark.parametrize("slug", GAMES)
async def test_b5_after_a_restart_everybody_sees_the_turn_pass_without_coming_anew(slug: str) -> None:
    world, rng = World(variants=GAMES), Random(slug)
    table, clients = await begun(world, GAMES[slug])
    passed = 0
    for _ in range(12):
        for _ in range(rng.randrange(1, 6)):
            await step(world, table, clients, rng)
        if table.log.round is None:
            continue
        await world.crash()
        taken = await world.registry.open("t1")
        assert taken is not None
        table = taken
        clients = [Folder.come(table, client.person.user, client.had) for client in clients]
        await settle()
        turns = [plain["turn"] for plain in (clients[0].view,) if plain is not None]
        for _ in range(8):
            await step(world, table, clients, rng)
            if table.log.round is None:
                break
            assert [client.view for client in clients] == [everything(table, place) for place in range(len(clients))]
            assert all(len(client.kinds("sync")) <= 1 for client in clients)
            turns += [plain["turn"] for plain in (clients[0].view,) if plain is not None]
        passed += len(set(turns)) > 1
    assert passed >= 5


@pytest.mark.parametrize("slug", GAMES)
async def test_b7_b10_who_drops_before_each_of_his_acts_knows_all_from_one_message_and_can_act(slug: str) -> None:
    """With the earlier state, or with an empty page; at every decision: secret answers, openings, turns, claims."""
    world, rng, met, melds = World(variants=GAMES), Random(slug), set(), 0
    table, clients = await begun(world, GAMES[slug])
    for number in range(150):
        asked = [place for place, client in enumerate(clients) if client.decision is not None]
        if not asked:
            await step(world, table, clients, rng)
            continue
        place = rng.choice(asked)
        gone = clients[place]
        table.detach(gone)
        await world.advance(rng.choice((0.0, 0.2)))
        empty = number % 2 == 0
        back = clients[place] = Folder.come(table, gone.person.user, None if empty else gone.had, ref="hello")
        await settle()
        assert table.log.round is not None and gone.decision is not None
        assert back.view == everything(table, place), "dealer, hands, melds, rows: all that the player may know"
        assert back.decision is not None and back.decision["id"] == gone.decision["id"]
        assert back.decision["options"] == gone.decision["options"]
        if empty:
            (hello,) = [frame.face.data for frame in back.frames if frame.kind == "ack"]
            assert back.synced is not None and back.synced["me"]["seat"] == hello["seat"] == place
            assert back.synced["match"]["dealer"] == table.log.match.dealer
            melds += len(back.synced["view"]["seats"][place]["melds"])
        met.add(back.decision["clock"])
        ref = choose(back, table, rng)
        await settle()
        assert back.answers(ref) == [("ack", None)]
        await world.advance(0)
    opening = {"answer", "opening"} & GAMES[slug].meta.clocks.keys()
    assert met >= {"turn", "claim"} | opening and melds > 0, (met, melds)


async def test_b10_who_drops_while_a_kong_may_be_robbed_can_rob_it() -> None:
    world = World(variants={"toy": ROBBABLE})
    table, clients = await begun(world, ROBBABLE, NO_SECRETS)
    robbers: set[int] = set()
    opened = False
    for _ in range(30):
        if table.log.round is None or len(robbers) == 2:
            break
        place = next(place for place, client in enumerate(clients) if client.decision is not None)
        table.detach(clients[place])
        await settle()
        back = clients[place] = Folder.come(table, "abcd"[place])
        await settle()
        assert back.decision is not None and back.view is not None
        verbs = [option["verb"] for option in back.decision["options"]]
        drawn = back.view["seats"][place]["drawn"] or "9s"
        if back.view["laid"] is not None:
            robbers.add(place)
            ref = back.play(table, "win")
        elif "pass" in verbs:
            ref = back.play(table, "pong" if "pong" in verbs and back.view["last"] == [0, "3s"] else "pass")
        elif "extend" in verbs:
            ref = back.play(table, "extend")
        else:
            ref = back.play(table, place_of(back, "discard", drawn if opened else "3s"))
            opened = True
        await settle()
        assert back.answers(ref) == [("ack", None)]
        await world.advance(0)
    assert robbers == {2, 3} == {plain["seat"] for plain in plains(clients[0], "won")}
