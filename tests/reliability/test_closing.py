"""Rooms that end while others come, by an operator's hand, in the middle of everything; and what is said till then."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from typing import Any

import asyncpg
import pytest
from redis.asyncio import Redis
from websockets.exceptions import ConnectionClosed

from app.kernel.play.shuffle import commitment
from app.kernel.text.notation import read_event, tiles_text
from app.lab.clients.client import Api, Refused, SeatClient, bot_choice
from app.serving.migrate import plain
from app.settings import Settings
from app.storage.live.wire.link import Link
from app.tables import asks
from app.tables.outcomes import Done
from app.variants import VARIANTS
from tests.integration.nodes import QUICK, RunningNode, people, seated, without_a_win
from tests.integration.waiting import PATIENCE_S, eventually
from tests.reliability.live import Tab, until

GONE = {"no_such_room", "room_closed", "not_now", "conflict", "busy", "moved", "not_seated", "not_allowed", "room_full"}
"""Valid answers to a client that comes while a room closes."""


class Gate:
    """Holds the n-th call to the live store that is about one room."""

    def __init__(self, link: Link) -> None:
        self.reached, self.go_on = asyncio.Event(), asyncio.Event()
        self.calls = 0
        self._words: list[bytes] = []
        self._hold = -1
        self._ask, self._run = link.ask, link.run
        link.ask = self._asked(link.ask)  # type: ignore[method-assign]
        link.run = self._asked(link.run)  # type: ignore[method-assign]

    def watch(self, words: list[str], hold: int) -> None:
        """From now on count calls with one of these words; hold number `hold`."""
        self._words, self._hold, self.calls = [word.encode() for word in words], hold, 0
        self.reached, self.go_on = asyncio.Event(), asyncio.Event()

    def _asked(self, given: Callable[..., Any]) -> Callable[..., Any]:
        def asked(*args: Any, **kwargs: Any) -> Any:
            said = repr(args).encode()
            if not any(word in said for word in self._words):
                return given(*args, **kwargs)
            number, self.calls = self.calls, self.calls + 1
            return given(*args, **kwargs) if number != self._hold else self._later(given, args, kwargs)

        return asked

    def _later(self, given: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        async def held() -> Any:
            self.reached.set()
            await self.go_on.wait()
            return await given(*args, **kwargs)

        return asyncio.ensure_future(held())


@pytest.mark.parametrize("playing", [False, True], ids=["before-the-match", "in-mid-round"])
async def test_d1_whoever_comes_at_any_step_of_the_closing_gets_in_or_is_told(
    node: RunningNode, valkey: Redis, playing: bool
) -> None:
    """Each step of the closing in turn is held back; meanwhile one joins, one returns, one acts."""
    gate, held = Gate(node.process.live.link), 0
    async with people(node.url, 3) as (host, guest, late):
        for step in range(30):
            await host.sign_in()  # a new guest: one player may not make a room at every step
            room = await _free_to_create(host, 2 if playing else 3)
            await guest.join(room["code"])
            tabs = [await Tab.open(api, room["id"]) for api in (host, guest)]
            for tab in tabs:
                await tab.answer("hello")
                if playing:
                    await tab.answer(await tab.say("ready"))
            gate.watch([room["id"], room["code"]], step)
            closing = asyncio.ensure_future(node.process.rooms.order(room["id"], asks.OrderDissolve("test")))
            await _held_or_gone(gate, closing, valkey, room)
            if not gate.reached.is_set():
                break
            held += 1
            coming = [asyncio.ensure_future(_told(work)) for work in (
                _come(late, room), _return(guest, room["id"]), _act(tabs[0]),
            )]  # fmt: skip
            await asyncio.wait(coming, timeout=0.1)
            gate.go_on.set()
            await closing
            told = await asyncio.wait_for(asyncio.gather(*coming), PATIENCE_S)
            assert set(told) <= GONE | {"in"}, (step, told)
            await until(lambda room=room: node.process.registry.find(room["id"]) is None)  # type: ignore[misc]
            for api in (host, guest, late):
                assert await _free(api), f"step {step}: {api.name} is held by a room that is gone"
            await eventually(lambda room=room: _left(valkey, room), lambda left: not left)  # type: ignore[misc]
            for tab in tabs:
                tab.vanish()
        gate.go_on.set()
        await closing
    assert held >= 5, "the closing has more steps than that"


async def _held_or_gone(gate: Gate, closing: asyncio.Future[Any], valkey: Redis, room: Any) -> None:
    """Wait until the step is held, or it is certain that there are fewer."""
    async with asyncio.timeout(PATIENCE_S):
        while not gate.reached.is_set() and not (closing.done() and not await _left(valkey, room)):
            await asyncio.sleep(0.005)


async def _free_to_create(host: Api, players: int) -> Any:
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                return await host.create_room("guizhou", {"players": players}, {**QUICK, "think_s": 60})
            except Refused as refused:
                assert refused.code == "conflict"
                await asyncio.sleep(0.02)


async def _told(work: Any) -> str:
    try:
        await work
    except Refused as refused:
        return refused.code
    except ConnectionClosed:
        return "room_closed"
    return "in"


async def _come(api: Api, room: Any) -> None:
    await api.join(room["code"])


async def _return(api: Api, room_id: str) -> None:
    tab = await Tab.open(api, room_id)
    answer = await tab.answer("hello")
    tab.vanish()
    if answer["kind"] == "error":
        raise Refused(0, answer["data"]["code"], "")


async def _act(tab: Tab) -> None:
    answer = await tab.answer(await tab.say("ready"))
    if answer["kind"] == "error":
        raise Refused(0, answer["data"]["code"], "")


async def _free(api: Api) -> bool:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE_S):
            while (await api.call("GET", "/me/room"))["room"] is not None:
                await asyncio.sleep(0.02)
            return True
    return False


async def _left(valkey: Redis, room: Any) -> list[bytes]:
    """The stored keys of a room, without those that expire."""
    found = [key async for key in valkey.scan_iter(f"*{room['id']}*")] + [f"code:{room['code']}".encode()]
    kept = [key for key in found if await valkey.ttl(key) == -1]
    shown = await valkey.hexists("{lobby}:rooms", room["id"])
    return [*kept, *([b"board"] if shown else [])]


@pytest.mark.parametrize("slug", list(VARIANTS))
async def test_d8_two_operators_at_once_in_mid_round_make_one_void_row_and_free_everybody(
    slug: str, node: RunningNode, settings: Settings
) -> None:
    async with people(node.url, 8) as apis:
        here, others = await seated(apis[:4], slug), await seated(apis[4:], slug)
        acts = 0

        async def a_few(client: SeatClient, decision: dict[str, Any]) -> dict[str, Any]:
            nonlocal acts
            acts += 1
            if acts > 8:
                await asyncio.Event().wait()
            return await without_a_win(client, decision)

        for client in here:
            client.choose = a_few
        running = [asyncio.ensure_future(client.run()) for client in (*here, *others)]
        await until(lambda: acts > 8)
        room = here[0].room_id
        both = [node.process.rooms.order(room, asks.OrderDissolve("test")) for _ in range(2)]
        outcomes = await asyncio.gather(*both, return_exceptions=True)
        assert Done() in outcomes
        assert all(isinstance(o, Done | Refused) or getattr(o, "code", "") == "no_such_room" for o in outcomes), (
            outcomes
        )
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*running[:4])
        assert all(client.over for client in here)
        for api in apis[:4]:
            assert await _free(api)
        rows = await _rows(settings.database_url, room)
        assert [outcome for outcome, _ in rows].count("void") == 1, rows
        assert all(nets == [0] * len(nets) for outcome, nets in rows if outcome == "void")
        other = node.process.registry.find(others[0].room_id)
        assert other is not None and other.facts().broken is None and all(client.bye is None for client in others)
        for task in running[4:]:
            task.cancel()


async def _rows(database_url: str, room: str) -> list[tuple[str, list[int]]]:
    connection = await asyncpg.connect(plain(database_url))
    try:
        closed = "SELECT closed_at FROM rooms WHERE id = $1"  # which is written after all rounds of the room
        await eventually(lambda: connection.fetchval(closed, room), lambda at: at is not None)
        rows = await connection.fetch(
            "SELECT r.outcome, (SELECT array_agg(s.net) FROM round_seats s WHERE s.round_id = r.id) AS nets"
            " FROM rounds r JOIN matches m ON m.id = r.match_id WHERE m.room_id = $1",
            room,
        )
        return [(row["outcome"], list(row["nets"] or ())) for row in rows]
    finally:
        await connection.close()


@pytest.mark.parametrize("slug", list(VARIANTS))
async def test_e4_neither_frames_nor_log_nor_counters_nor_errors_tell_the_wall(
    slug: str, node: RunningNode, caplog: pytest.LogCaptureFixture
) -> None:
    """Everything that leaves the server in a round, searched for its seed and for any run of its wall."""
    caplog.set_level("DEBUG")
    said: list[str] = []
    options = {option.name for option in VARIANTS[slug].meta.options}
    async with people(node.url, 4) as apis:
        clients = await seated(apis, slug, {"rounds": 1} if "rounds" in options else {})
        over, asked = asyncio.Event(), asyncio.Event()

        async def once_asked(client: SeatClient, decision: dict[str, Any]) -> dict[str, Any]:
            await asked.wait()
            return await bot_choice(client, decision)

        def hear(frame: dict[str, Any]) -> None:
            text = json.dumps(frame)
            if '"round_ended"' in text:
                over.set()
            elif not over.is_set():
                said.append(text)

        for client in clients:
            client.on_frame, client.choose = hear, once_asked
        running = [asyncio.ensure_future(client.run()) for client in clients]
        await until(lambda: clients[0].match.get("phase") == "playing")
        table = node.process.registry.find(clients[0].room_id)
        assert table is not None
        start = next(event for raw in table.log.entries for event in json.loads(raw).get("events", ())
                     if event["type"] == "round_started")  # fmt: skip
        said += [json.dumps(dict(await node.process.cluster.counters())), await _errors(clients[0])]
        assert not over.is_set(), "all of it was asked for in mid-round"
        asked.set()
        async with asyncio.timeout(2 * PATIENCE_S):
            await asyncio.gather(*running)
        opened = read_event(start)
        wall = tiles_text(opened.wall)  # type: ignore[union-attr, arg-type]
        runs = [wall[at : at + 32] for at in range(0, len(wall) - 32, 2)]
        for text in (*said, caplog.text):
            assert start["seed"] not in text and not any(run in text for run in runs)
        assert commitment(start["seed"]) == start["commitment"], "what was promised before it"
        ended = clients[0].settled[0]["ended"]
        assert ended["seed"] == start["seed"] and ended["wall"] == wall, "told when the round is over"


async def _errors(client: SeatClient) -> str:
    """The answer to a forbidden request."""
    said = ""
    for method, path in (
        ("GET", f"/rooms/{client.room_id}"), ("GET", f"/records/{client.room_id}.1.1"), ("GET", "/rounds/none"),
        ("POST", f"/rooms/{client.room_id}/join"), ("GET", f"/matches/{client.room_id}.1"),
    ):  # fmt: skip
        try:
            said += json.dumps(await client.api.call(method, path, {} if method == "POST" else None))
        except Refused as refused:
            said += str(refused)
    return said
