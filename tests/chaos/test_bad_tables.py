"""Some tables of a node cannot be read by the next one: each is put aside with a clear word, and all others play on.

The logs are spoilt in the real store, between a node's drain and the next one's taking over.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

import pytest
from redis.asyncio import Redis

from app.api.gateway import connection
from app.lab.chaos.load_run import insist
from app.lab.clients.client import Api, Refused, SeatClient
from app.settings import Settings
from app.storage.live.rooms.alerts import LiveAlerts
from app.storage.live.wire import keys
from app.tables.log.chain import Chain
from tests.integration.nodes import QUICK, RunningNode, people, seated, serving, without_a_win
from tests.integration.waiting import PATIENCE_S, eventually, until
from tests.reliability.live import Tab

Spoil = Callable[[bytes], bytes]


def _another_tile(found: re.Match[bytes]) -> bytes:
    return b'"%d%b' % (int(found[1]) % 9 + 1, found[2])


SPOILT: dict[str, tuple[Spoil, str]] = {
    "corrupt": (lambda raw: raw[: len(raw) // 2], "entry"),
    "rules": (
        lambda raw: re.sub(rb'"rules_version":\d+', b'"rules_version":99', raw),
        "rules_version 99 of guizhou, this node has 1",
    ),
    "changed tile": (lambda raw: re.sub(rb'"(\d)([msp])', _another_tile, raw, count=1), "does not match its checksum"),
    "later format": (lambda raw: raw.replace(b'{"format":1,', b'{"format":2,'), "format 2 is unknown to this node"),
    "older format": (lambda raw: raw.replace(b'{"format":1,', b'{"format":0,'), "format 0 is unknown to this node"),
}
"""Damage to the entry in which the round was dealt, and words that an operator finds in the alert."""


async def _in_play(node: RunningNode, api: Api) -> str:
    """A room of one person and bots, in mid-round."""
    settings = {**QUICK, "fill_with_bots": True, "think_s": 60, "claim_s": 15}
    room = str((await api.create_room("guizhou", {"players": 4}, settings))["id"])
    tab = await Tab.open(api, room)
    await tab.answer("hello")
    for kind in ("fill", "ready"):
        await tab.answer(await tab.say(kind))
    table = node.process.registry.find(room)
    assert table is not None
    await until(lambda: table.log.round is not None and table.log.open)
    tab.vanish()
    return room


async def _spoil(valkey: Redis, room: str, change: Spoil) -> None:
    log = keys.log(room, int(await valkey.get(keys.page(room))))
    entries = await valkey.lrange(log, 0, -1)
    at = next(number for number, raw in enumerate(entries) if b'"round_started"' in raw)
    assert change(entries[at]) != entries[at]
    if change is SPOILT["rules"][0]:  # what another version wrote has its checksums
        chain = Chain(room, int(await valkey.get(keys.page(room))))
        for number, raw in enumerate(entries):
            body, _, _ = change(raw).rpartition(b',"sum":')
            sealed = chain.seal(body + b"}")
            chain.accept(sealed)
            await valkey.lset(log, number, sealed)
        return
    await valkey.lset(log, at, change(entries[at]))


def _go_to(apis: list[Api], node: RunningNode) -> None:
    for api in apis:
        api.url = node.url
        api._http.base_url = f"{node.url}/v1"


@pytest.mark.usefixtures("no_silence")
async def test_each_bad_table_is_put_aside_with_a_clear_word_and_its_people_sit_elsewhere_at_once(
    settings: Settings, valkey: Redis
) -> None:
    async with serving(settings) as one, people(one.url, len(SPOILT) + 4) as apis:
        ill, well = apis[: len(SPOILT)], apis[len(SPOILT) :]
        rooms = {name: await _in_play(one, api) for name, api in zip(SPOILT, ill, strict=True)}
        clients = await _stopped_in_mid_round(one, well)
        await one.stop()
        for name, room in rooms.items():
            await _spoil(valkey, room, SPOILT[name][0])
        async with serving(settings.model_copy(update={"node": "n2"})) as two:
            _go_to(apis, two)
            alerts = LiveAlerts(two.process.live.link)
            for (name, room), api in zip(rooms.items(), ill, strict=True):
                await _turned_away(api, room)
                alert = await eventually(lambda room=room: alerts.of(room), bool)  # type: ignore[misc]
                assert alert is not None and alert["what"] == "corrupt"
                assert SPOILT[name][1] in alert["text"], name
                assert len(alert["dump"]["entries"]) > 1, "with all that there is of it"
                await eventually(lambda api=api: api.call("GET", "/me/room"), lambda found: found["room"] is None)  # type: ignore[misc]
                assert (await api.create_room("tianjin", {}, {}))["id"] != room
            await _play_on(clients)
            counters = two.process.registry.counters()
            assert counters["quarantine"] == len(SPOILT) and counters["frozen"] == 0


async def _turned_away(api: Api, room: str) -> None:
    """A player who returns by socket is told that the table was stopped, and that it is over. Their claim may be gone
    before that, and then they get no ticket any more.
    """
    try:
        tab = await Tab.open(api, room)
    except Refused as refused:
        assert refused.code in ("not_allowed", "frozen"), refused
        return
    answer = await tab.answer("hello")
    assert (answer["kind"], answer["data"]["code"]) == ("error", "frozen")
    assert "stopped" in answer["data"]["message"] and await tab.ended() == 4004


async def _stopped_in_mid_round(node: RunningNode, apis: list[Api]) -> list[SeatClient]:
    """Four at a good table, their sockets gone in the middle of the first round."""
    clients, acts = await seated(apis, "tianjin", {"rounds": 1}), 0

    async def choose(client: SeatClient, decision: dict[str, object]) -> object:
        nonlocal acts
        acts += 1
        return None if acts > 12 else await without_a_win(client, decision)

    for client in clients:
        client.choose = choose  # type: ignore[assignment]
    running = [asyncio.ensure_future(client.run()) for client in clients]
    await until(lambda: acts > 12)
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    return clients


async def _play_on(clients: list[SeatClient]) -> None:
    back = [SeatClient(client.api, client.room_id) for client in clients]
    async with asyncio.timeout(2 * PATIENCE_S):
        await asyncio.gather(*[client.run() for client in back])
    assert all(client.match["phase"] == "ended" and client.gaps == [] for client in back)
    assert {settled["ended"]["outcome"] for client in back for settled in client.settled} <= {"won", "exhausted"}


@pytest.fixture
def no_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raw sockets do not ping."""
    monkeypatch.setattr(connection, "SILENT_S", 600.0)


@pytest.mark.usefixtures("no_silence")
async def test_r9_damage_to_the_log_of_a_table_that_runs_is_found_before_its_next_owner_meets_it(
    settings: Settings, valkey: Redis
) -> None:
    """R9: the scrub walks the tables; the damaged one is put aside with an alert, its person is free, others go on."""
    async with serving(settings) as node, people(node.url, 2) as apis:
        rooms = [await _in_play(node, api) for api in apis]
        scrub, counters = node.process.core.scrub, node.process.registry.counters
        for _ in rooms:
            await scrub.step()
        assert counters()["quarantine"] == 0, "sound logs are left alone"
        await _spoil(valkey, rooms[0], SPOILT["changed tile"][0])
        for _ in rooms:
            await scrub.step()
        assert counters()["quarantine"] == 1
        alerts = LiveAlerts(node.process.live.link)
        alert = await eventually(lambda: alerts.of(rooms[0]), bool)
        assert alert is not None and alert["what"] == "corrupt" and "does not match its checksum" in alert["text"]
        assert node.process.registry.find(rooms[0]) is None and node.process.registry.find(rooms[1]) is not None
        room = await insist(lambda: apis[0].create_room("guizhou", {"players": 4}, QUICK))
        assert room["id"] != rooms[0]
