"""Double clicks: the second click answers nothing, a repeated request has no second effect (C1, C2).

A fake clock, all games. The same over real sockets is in `tests/integration/test_return.py`.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import NamedTuple

import pytest

from app.kernel.text.notation import plain_action, read_action
from app.tables import asks
from app.tables.actor import Table
from tests.laws.toy import TOY
from tests.reliability.folding import CALM, GAMES, Folder, begun, everything, step
from tests.tables.doubles import Client
from tests.tables.test_turns import place_of
from tests.tables.world import NO_SECRETS, World, scripted, settle

TWICE = scripted(
    ("3s8s8s9s1s2s4s1s", "1s2s4s5s6s7z5z", "4s5s7s8s9s6s7z", "3s3s5z5z6z6z9s"),
    "1s7z7z1s2s2s4s5s6s7s9s2s7z5z",
)
"""Seat 3 may pong what seat 0 discards, and then what seat 1 does."""


async def test_c1_a_second_pass_does_not_answer_the_claim_that_opens_in_between() -> None:
    world = World(variants={"toy": TWICE})
    table, clients = await begun(world, TWICE, NO_SECRETS)
    clients[0].play(table, place_of(clients[0], "discard", "3s"))
    await settle()
    first = clients[3].decision
    assert first is not None and [option["verb"] for option in first["options"]] == ["pong", "pass"]
    again = asks.Play(1, first["id"], read_action({"verb": "pass"}))
    clients[3].ask(table, again)
    await world.advance(0)
    clients[1].play(table, place_of(clients[1], "discard", "5z"))
    await settle()
    second = clients[3].decision
    assert second is not None and second["options"] != first["options"] and second["id"] != first["id"]
    length = len(table.log.entries)
    await world.advance(0.005)
    ref = clients[3].ask(table, again)
    await settle()
    assert clients[3].answers(ref) == [("error", "closed")] and len(table.log.entries) == length
    assert clients[3].decision is not None and clients[3].decision["id"] == second["id"], "the player is still asked"
    ref = clients[3].play(table, "pong")
    await settle()
    assert clients[3].answers(ref) == [("ack", None)]


@pytest.mark.parametrize("slug", GAMES)
async def test_c1_no_click_of_a_round_answers_any_later_question(slug: str) -> None:
    """Each is made twice within 5 ms, and once more at the next decision of any kind."""
    world, rng = World(variants=GAMES), Random(slug)
    table, clients = await begun(world, GAMES[slug])
    clicked: dict[str, asks.Play] = {}
    later: Counter[bool] = Counter()
    for _ in range(150):
        client = next((client for client in clients if client.decision is not None), None)
        if client is None:
            await step(world, table, clients, rng)
            continue
        asked, user = client.decision, client.person.user
        assert asked is not None
        if (old := clicked.get(user)) is not None:
            length = len(table.log.entries)
            ref = client.ask(table, old)
            await settle()
            assert client.answers(ref) == [("error", "closed")] and len(table.log.entries) == length
            assert client.decision is not None and client.decision["id"] == asked["id"]
            later[plain_action(old.action) in asked["options"]] += 1
        option = rng.choice([one for one in asked["options"] if one["verb"] != "win"] or asked["options"])
        click = clicked[user] = asks.Play(client.seq[0], asked["id"], read_action(option))
        first = client.ask(table, click)
        await world.advance(rng.choice((0.0, 0.005)))
        second = client.ask(table, click)
        await settle()
        assert client.answers(first) == [("ack", None)]
        assert client.answers(second)[0][1] in ("closed", "round_over")
        await world.advance(0)
    assert min(later[True], later[False]) > 3, "also such as would have been an answer"


class Case(NamedTuple):
    """A request: its player, its moment, and the requests before it."""

    phase: str
    seat: int
    ask: asks.Ask
    before: tuple[tuple[int, asks.Ask], ...] = ()


READY = tuple([(seat, asks.Ready()) for seat in range(4)])
CASES = [
    Case("waiting", 1, asks.Ready("x")), Case("waiting", 1, asks.Unready(), ((1, asks.Ready()),)),
    Case("waiting", 1, asks.Ready(), ((1, asks.Ready()),)), Case("waiting", 1, asks.Unready()),
    Case("waiting", 1, asks.ChangeSeat(3)), Case("waiting", 0, asks.Kick(2)), Case("waiting", 0, asks.Kick(3)),
    Case("waiting", 0, asks.Fill()), Case("waiting", 1, asks.Fill()), Case("waiting", 1, asks.Dissolve()),
    Case("waiting", 2, asks.Vote(False), ((1, asks.Dissolve()),)), Case("waiting", 1, asks.Leave()),
    Case("waiting", 1, asks.Phrase("hello")), Case("waiting", 1, asks.Sync()), Case("waiting", 1, asks.Hints()),
    Case("playing", 1, asks.Autoplay(True)), Case("playing", 1, asks.Autoplay(False)),
    Case("playing", 1, asks.AutoWin(True)), Case("playing", 1, asks.AutoWin(False)),
    Case("playing", 1, asks.Dissolve()), Case("playing", 1, asks.Vote(False), ((2, asks.Dissolve()),)),
    Case("playing", 1, asks.Vote(True), ((2, asks.Dissolve()),)), Case("playing", 1, asks.Pause()),
    Case("playing", 1, asks.Unpause(), ((1, asks.Pause()),)), Case("playing", 1, asks.Unpause()),
    Case("playing", 1, asks.Phrase("hello")), Case("playing", 1, asks.Hints()), Case("playing", 1, asks.WhyNot()),
    Case("playing", 1, asks.Leave()),
]  # fmt: skip
OPPOSITE: dict[type, asks.Ask] = {
    asks.Ready: asks.Unready(), asks.Unready: asks.Ready(), asks.Autoplay: asks.Autoplay(True),
    asks.AutoWin: asks.AutoWin(True), asks.Pause: asks.Unpause(), asks.Unpause: asks.Pause(),
    asks.ChangeSeat: asks.ChangeSeat(1), asks.Phrase: asks.Sync(),
}  # fmt: skip
"""Requests in between: a repeated request must not undo them."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.phase}-{case.ask}".replace("()", ""))
async def test_c2_whatever_is_asked_thrice_and_over_a_new_socket_has_one_effect_and_one_answer(case: Case) -> None:
    world = World()
    table, clients = await _in(world, case)
    asker, others = clients[case.seat], [client for client in clients if client is not clients[case.seat]]
    for _ in range(3):
        asker.ask(table, case.ask, "same")
        await settle()
        await world.advance(1.1)
    answers = asker.answers("same")
    assert len(set(answers)) == 1 and len(answers) == (1 if isinstance(case.ask, asks.Leave) else 3)
    back = Folder.come(table, asker.person.user)
    await settle()
    if (undone := OPPOSITE.get(type(case.ask))) is not None:
        back.ask(table, undone)
        await settle()
    before = (table.log.match, everything(table, 0), len(table.log.entries), [len(c.frames) for c in others])
    for _ in range(2):
        back.ask(table, case.ask, "same")
        await settle()
    assert back.answers("same") == answers[:1] * 2
    after = (table.log.match, everything(table, 0), len(table.log.entries), [len(c.frames) for c in others])
    assert after == before


async def _in(world: World, case: Case) -> tuple[Table, list[Client]]:
    playing = case.phase == "playing"
    table = await world.table(rules=NO_SECRETS, settings={**CALM, "fill_with_bots": not playing})
    clients = await world.seated(table, 4 if playing else 3)
    for seat, ask in (*(READY if playing else ()), *case.before):
        clients[seat].ask(table, ask)
        await settle()
    assert TOY.meta.slug == table.log.match.spec.variant and table.log.match.phase == case.phase
    return table, clients
