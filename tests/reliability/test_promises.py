"""Promises of the table at a fake clock: resumes from anywhere, two kinds of clocks, bugs in one table (B, C, E, F)."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from app.kernel.seats import SPECTATOR
from app.kernel.text.notation import plain_view
from app.kernel.views import view
from app.tables import asks
from app.tables.messages import Limits
from app.tables.outcomes import Done
from app.variants import VARIANTS
from tests.laws.toy import TOY
from tests.tables.doubles import Client
from tests.tables.test_turns import plains
from tests.tables.world import NO_SECRETS, World, settle


@pytest.mark.parametrize("slug", list(VARIANTS))
async def test_b1_b6_whoever_comes_from_anywhere_knows_what_he_may_and_no_more(slug: str) -> None:
    """Seats resume from any number they had, spectators come at any moment: each fold is the table's own projection."""
    world, rng = World(variants=VARIANTS), Random(slug)
    table = await world.table(
        variant=VARIANTS[slug], settings={"claim_hold_ms": 0, "spectators": "all", "think_s": 60, "claim_s": 15}
    )
    clients = await world.dealt(table)
    past: list[list[tuple[Any, Any, Any]]] = [[] for _ in clients]
    watchers: list[Client] = []
    for step in range(120):
        asked = [client for client in clients if client.decision is not None]
        if not asked:
            break
        rng.choice(asked).play(table, rng.choice((-1, -1, 1, 2)))
        await settle()
        await world.advance(0)
        if table.log.round is None:
            break
        for place, client in enumerate(clients):
            past[place].append((client.seq, client.table, client.match))
        place = rng.randrange(4)
        table.detach(clients[place])
        back = clients[place] = Client("abcd"[place])
        back.seq, back.table, back.match = rng.choice(past[place])
        back.attach(table, last=back.seq)
        if step % 10 == 0:
            watchers.append(Client(f"w{step}").attach(table, role="spectator"))
        await settle()
        if back.synced is not None:
            assert back.synced["view"] == plain_view(view(table.log.round.table, place))
            back.table = view(table.log.round.table, place)
        assert back.view == plain_view(view(table.log.round.table, place))
        assert back.seq == table.log.seq(place)
        public = plain_view(view(table.log.round.table, SPECTATOR))
        for watcher in watchers:
            if watcher.table is None:
                assert watcher.synced is not None and watcher.synced["view"] == public
                watcher.table = view(table.log.round.table, SPECTATOR)
            assert watcher.view == public and watcher.seq == table.log.seq(SPECTATOR)
    assert len(past[0]) > 5


async def test_doubled_and_reordered_requests_change_nothing() -> None:
    """Every request comes twice, and old ones come again after newer ones: each has one effect and one answer."""
    world, rng = World(), Random(5)
    table = await world.table(rules=NO_SECRETS, settings={"claim_hold_ms": 0, "think_s": 60})
    clients = await world.dealt(table)
    sent: list[tuple[Client, str, asks.Ask]] = []
    for _ in range(60):
        asked = [client for client in clients if client.decision is not None]
        if not asked:
            break
        client = rng.choice(asked)
        keep: list[asks.Ask] = []
        given = client.ask
        client.ask = lambda t, ask, ref=None, keep=keep, given=given: keep.append(ask) or given(t, ask, ref)  # type: ignore[method-assign,misc]
        ref = client.play(table, rng.randrange(99))
        client.ask = given  # type: ignore[method-assign]
        client.ask(table, keep[0], ref)
        sent.append((client, ref, keep[0]))
        for late, old, ask in rng.sample(sent, min(3, len(sent))):
            late.ask(table, ask, old)
        await settle()
        await world.advance(0)
    refs = Counter(ref for _, _, raw in world.store.history if (ref := json.loads(raw).get("ref")))
    assert len(sent) > 8 and set(refs.values()) == {1}
    for client, ref, _ in sent:
        assert len(set(client.answers(ref))) == 1, "the first answer, always"


async def test_c11_clocks_of_clients_and_server_may_differ_by_anything() -> None:
    """Everything that lasts is sent as a duration: two minutes on the wall change no frame but the date of the deal."""

    async def script(wall_s: int) -> list[str]:
        world = World()
        world.clock.wall += wall_s * 1000
        table = await world.table(rules=NO_SECRETS, settings={"think_s": 10})
        clients = await world.dealt(table)
        next(c for c in clients if c.decision).play(table, -1)
        await world.advance(3)
        late = Client("a").attach(table)
        await world.advance(12)
        return [_timeless(frame.face.data) for client in (*clients, late) for frame in client.frames]

    Client._refs = iter(range(10**6))  # type: ignore[assignment]
    plain = await script(0)
    for skew in (120, -120):
        Client._refs = iter(range(10**6))  # type: ignore[assignment]
        assert await script(skew) == plain


def _timeless(data: Any) -> str:
    def strip(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: strip(inner) for key, inner in value.items() if key != "dealt_at_ms"}
        return [strip(inner) for inner in value] if isinstance(value, list | tuple) else value

    return repr(strip(data))


@pytest.mark.parametrize("silent", [1, 2, 3, 4])
async def test_c5_any_number_of_people_may_time_out_for_a_whole_round(silent: int) -> None:
    world, rng = World(), Random(silent)
    table = await world.table(rules=NO_SECRETS, settings={"think_s": 5, "claim_s": 1})
    clients = await world.dealt(table)
    for _ in range(800):
        if table.log.match.played:
            break
        for client in clients[silent:]:
            if client.decision is not None:
                client.play(table, rng.randrange(99))
        await settle()
        due = world.clock.next_due()
        if due is not None:
            await world.advance(due - world.clock.now)
    assert table.log.match.played == 1 and table.facts().broken is None
    by_clocks = Counter(
        json.dumps(entry["command"]) for _, page, raw in world.store.history
        if page == 1 and (entry := json.loads(raw)).get("command") and not entry.get("ref")
    )  # fmt: skip
    assert by_clocks and set(by_clocks.values()) == {1}, "each time-out is one entry"


async def test_e4_a_delay_for_spectators_also_holds_after_a_takeover() -> None:
    world = World(limits=Limits(spectator_delay_s=30))
    table = await world.table(rules=NO_SECRETS, settings={"spectators": "all", "think_s": 60})
    clients = await world.dealt(table)
    await world.crash()
    taken = await world.registry.open("t1")
    assert taken is not None
    back = [Client(c.person.user).attach(taken) for c in clients]
    watcher = Client("w").attach(taken, role="spectator")
    await world.advance(5)
    next(c for c in back if c.decision).play(taken, -1)
    await world.advance(24.9)
    assert watcher.synced is not None and watcher.synced["view"] is None and not watcher.kinds("events")
    again = Client("v").attach(taken, role="spectator")
    await settle()
    assert again.synced is not None and again.synced["view"] is None, "asking anew is no way around it"
    await world.advance(0.2)
    for each in (watcher, again):
        assert each.synced["view"] is not None and not plains(each, "tile_discarded")  # type: ignore[index]
    assert taken.log.round is not None
    await world.advance(30)
    assert plains(watcher, "tile_discarded") or watcher.kinds("events")


@pytest.mark.parametrize("bug", ["facts", "advise"])
async def test_f10_a_bug_anywhere_in_one_game_stops_one_table(bug: str) -> None:
    """At settlement, in a hint: this table says so and frees its people; another game goes on."""

    def raises(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("a bug in the rules")

    sick = replace(TOY, meta=replace(TOY.meta, slug="sick"), **{bug: raises})
    world = World(variants={"toy": TOY, "sick": sick})
    healthy = await world.table("t2", rules=NO_SECRETS)
    well = await world.dealt(healthy)
    table = await world.table("t1", variant=sick, rules=NO_SECRETS, settings={"think_s": 5, "claim_s": 1})
    clients = await world.dealt(table)
    if bug == "advise" and table.facts().broken is None:
        clients[0].ask(table, asks.Hints())
        await settle()
    for _ in range(400):
        due = world.clock.next_due()
        if table.facts().broken is not None or due is None:
            break
        await world.advance(due - world.clock.now)
    assert table.facts().broken is not None and "ZeroDivisionError" in str(table.facts().broken)
    assert [name for name, _, _ in world.alerts.alerts] == ["t1"]
    assert all(client.kinds("error")[-1]["code"] == "frozen" for client in clients)
    assert ("t1", None) in world.rooms.freed
    asked = next((client for client in well if client.decision is not None), None)
    assert healthy.facts().broken is None and healthy.gone is None
    assert asked is not None or healthy.log.match.round_no > 1
    assert await table.operate(asks.OrderDissolve("hopeless")) == Done()
    assert world.rooms.gone[-1] == ("t1", "123456", "failed")
    assert {client.bye for client in clients} == {("closed", "failed")}
