"""Nothing is left over: bot matches under a busy collector, rooms that end in every way, a full code space (D, C8)."""

import asyncio
import gc
from random import Random
from typing import Any

import pytest
from redis.asyncio import Redis

from app.api.gateway.socket import GameSocket
from app.lab.clients.client import Api, Refused
from app.storage.live.limiter import BUDGETS
from app.storage.live.wire.link import LANES
from app.tables import asks
from app.tables.outcomes import Done
from app.tables.settings import make_spec
from app.variants import VARIANTS
from tests.integration.nodes import QUICK, RunningNode, people
from tests.integration.waiting import PATIENCE_S, eventually
from tests.reliability.live import Tab, until


async def _bot_matches(node: RunningNode, first: int, count: int) -> None:
    """Matches of bots, ten at a time, of all games in turn."""
    for start in range(first, first + count, 10):
        tables = []
        for number in range(start, min(start + 10, first + count)):
            slug = list(VARIANTS)[number % len(VARIANTS)]
            spec = make_spec(VARIANTS[slug], table_id=f"bots-{number}", code="", rules={"rounds": 1}, settings=QUICK)
            tables.append(await node.process.registry.create(spec))
        for table in tables:
            await table.operate(asks.OrderFill())
        await until(lambda these=tuple(tables): all(table.gone == "closed" for table in these))  # type: ignore[misc]


async def test_d13_c8_bot_matches_leave_no_task_no_key_and_no_connection(node: RunningNode, valkey: Redis) -> None:
    async def collect() -> None:
        while True:
            gc.collect(0)
            await asyncio.sleep(0.01)

    async def counted() -> tuple[int, int, int]:
        pool: Any = node.process.archive._engine.pool
        await until(lambda: pool.checkedout() == 0 and not node.process.registry.tables())
        rounds = [f"t:{{bots-{n}}}:rounds" for n in range(40)]
        await eventually(lambda: valkey.exists(*rounds), lambda there: not there)
        keys = [key for key in await valkey.keys("*") if not key.startswith((b"node", b"{lobby}", b"code"))]
        tombs = [key for key in keys if key.endswith(b":lease") and await valkey.ttl(key) > 0]
        return len(asyncio.all_tasks()), len(keys) - len(tombs), len(await valkey.client_list())

    collecting = asyncio.create_task(collect())
    await _bot_matches(node, 0, 10)
    tasks, keys, _ = await counted()
    await _bot_matches(node, 10, 20)
    lines = LANES + 4 + 1  # our link's, however many of them it has used so far, and this test's own
    await eventually(counted, lambda now: now[0] <= tasks + 1 and now[1] <= keys + 1 and now[2] <= lines)
    collecting.cancel()
    assert node.process.registry.counters()["frozen"] == 0


async def _may_create(api: Api) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                await api.create_room("tianjin", {}, {})
                return
            except Refused as refused:
                assert refused.code == "conflict"
                await asyncio.sleep(0.02)


@pytest.mark.parametrize("way", ["dissolved by the host", "by an operator", "kicked", "left", "frozen"])
async def test_a10_however_a_room_ends_its_people_may_open_another(node: RunningNode, way: str) -> None:
    async with people(node.url, 2) as (host, guest):
        room = await host.create_room("tianjin", {}, QUICK)
        await guest.join(room["code"])
        tabs = [await Tab.open(api, room["id"]) for api in (host, guest)]
        for tab in tabs:
            await tab.answer("hello")
        table = node.process.registry.find(room["id"])
        assert table is not None
        match way:
            case "dissolved by the host":
                await tabs[0].say("dissolve")
                assert {await tab.ended() for tab in tabs} == {4004}
            case "by an operator":
                assert await table.operate(asks.OrderDissolve("test")) == Done()
            case "kicked":
                place = table.log.match.seat_of(guest.user)
                await tabs[0].say("kick", {"seat": place})
                assert await tabs[1].ended() == 4005
            case "left":
                await tabs[1].say("leave")
                await tabs[1].ended()
            case "frozen":
                seat = table.viewers.channels[0].connection
                assert seat is not None and table.request(seat, "a bug", object()) is None  # type: ignore[arg-type]
        await _may_create(guest)
        if way not in ("kicked", "left"):
            await _may_create(host)
        for tab in tabs:
            tab.vanish()


async def test_d13_a_socket_that_is_gone_is_free_at_once_not_at_the_next_full_collection(node: RunningNode) -> None:
    """As cycles they would lie about until then, and the more there are, the longer it halts everybody."""

    def sockets() -> int:
        return sum(type(thing) is GameSocket for thing in gc.get_objects())

    async with people(node.url, 1) as (api,):
        room = (await api.create_room("tianjin", {}, QUICK))["id"]
        gc.collect()
        gc.disable()
        try:
            for orderly in (True, False, True, False):
                tab = await Tab.open(api, room)
                await tab.answer("hello")
                if orderly:
                    await tab.wire.close()
                else:
                    tab.vanish()
            await until(lambda: sockets() == 0)
        finally:
            gc.enable()


async def test_d7_d11_a_closed_rooms_code_leads_nobody_to_strangers(node: RunningNode) -> None:
    async with people(node.url, 2) as (host, late):
        room = await host.create_room("tianjin", {}, QUICK)
        table = node.process.registry.find(room["id"])
        assert table is not None
        await table.operate(asks.OrderDissolve("over"))
        await _may_create(host)
        with pytest.raises(Refused) as refused:
            await late.join(room["code"])
        assert refused.value.code in ("no_such_room", "room_closed")


async def test_d10_when_hardly_a_code_is_free_nobody_gets_anothers_and_the_rest_are_told_to_come_later(
    node: RunningNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole way from REST, two dozen at once on ten codes. A thousand at once on a hundred: `test_around.py`."""
    rng = Random(10)
    monkeypatch.setattr(node.process.live.codes, "_draw", lambda _: rng.randrange(10))
    async with people(node.url, 24) as apis:
        tried = [api.create_room("tianjin", {}, QUICK) for api in apis]
        found = await asyncio.gather(*tried, return_exceptions=True)
        made = [(api, room) for api, room in zip(apis, found, strict=True) if not isinstance(room, BaseException)]
        refused = [(api, answer) for api, answer in zip(apis, found, strict=True) if isinstance(answer, BaseException)]
        assert len({room["code"] for _, room in made}) == len(made) <= 10 and len(made) >= 8
        for api, answer in refused:
            assert isinstance(answer, Refused) and (answer.status, answer.code) == (503, "busy"), answer
            assert answer.retry_after_s > 0 and (await api.call("GET", "/me/room"))["room"] is None
        for (_, room), (visitor, _) in zip(made, refused, strict=False):
            assert (await visitor.call("GET", f"/codes/{room['code']}"))["id"] == room["id"]
        assert len(node.process.registry.tables()) == len(made), "of a refused one nothing is left"


async def test_d11_the_code_of_a_closed_room_is_not_given_to_the_next_one(
    node: RunningNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = iter([7, *[7] * 5, 8])
    monkeypatch.setattr(node.process.live.codes, "_draw", lambda _: next(drawn))
    async with people(node.url, 3) as (host, stranger, late):
        room = await host.create_room("tianjin", {}, QUICK)
        assert await node.process.rooms.order(room["id"], asks.OrderDissolve("over")) == Done()
        await eventually(lambda: node.process.rooms.room_of_code(room["code"]), lambda found: found is None)
        theirs = await stranger.create_room("tianjin", {}, QUICK)
        assert (room["code"], theirs["code"]) == ("000007", "000008")
        with pytest.raises(Refused, match="no_such_room"):
            await late.join(room["code"])
        assert (await late.join(theirs["code"]))["id"] == theirs["id"]


async def test_d11_who_guesses_codes_is_stopped_and_nobody_else_is(node: RunningNode) -> None:
    tries = BUDGETS["code"]["user"].burst
    async with people(node.url, 3) as (host, guesser, friend):
        room = await host.create_room("tianjin", {}, QUICK)
        wrong = [code for code in (f"{number:06d}" for number in range(tries + 1)) if code != room["code"]][:tries]
        for code in wrong:
            with pytest.raises(Refused, match="no_such_room"):
                await guesser.call("GET", f"/codes/{code}")
        for code in (wrong[0], room["code"]):
            with pytest.raises(Refused, match="rate_limited"):
                await guesser.call("GET", f"/codes/{code}")
        assert (await friend.join(room["code"]))["id"] == room["id"]


async def test_e5_rest_tells_nothing_of_a_running_round(node: RunningNode) -> None:
    async with people(node.url, 5) as apis:
        room = await apis[0].create_room("tianjin", {}, {**QUICK, "think_s": 60})
        for api in apis[1:4]:
            await api.join(room["code"])
        tabs = [await Tab.open(api, room["id"]) for api in apis[:4]]
        for tab in tabs:
            await tab.answer("hello")
        for tab in tabs:
            await tab.say("ready", {"entropy": "x"})
        table = node.process.registry.find(room["id"])
        assert table is not None
        await until(lambda: table.log.match.phase == "playing")
        seed, said = table.log.match.seed, ""
        for api in (apis[0], apis[4]):
            for path in (f"/rooms/{room['id']}", "/me/room", "/me/rounds", "/lobby", f"/codes/{room['code']}"):
                try:
                    said += repr(await api.call("GET", path))
                except Refused as refused:
                    said += str(refused)
        assert room["id"] in said and seed not in said
        for secret in ("'hand'", "'wall'", "'seed'", "'tiles'", "'view'", "'events'"):
            assert secret not in said
        for tab in tabs:
            tab.vanish()
