"""Coming back: after a lost connection, from another tab, in every phase; nothing lost, nothing twice."""

import asyncio
import contextlib
import json
from collections import Counter
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from app.kernel.text.notation import read_view
from app.lab.clients.client import Plain, SeatClient, bot_choice
from tests.integration.nodes import RunningNode, people, seated
from tests.integration.waiting import PATIENCE_S


async def everybody(clients: list[SeatClient], limit_s: float = 2 * PATIENCE_S) -> None:
    async with asyncio.timeout(limit_s):
        await asyncio.gather(*[client.run() for client in clients])


async def raw_hello(client: SeatClient, last: list[int] | None = None) -> Any:
    """A second tab of the same person."""
    ticket, url = await client.api.ticket(client.room_id)
    socket = await connect(
        url, subprotocols=[Subprotocol("mahjong.v1")], compression=None, ping_interval=None, open_timeout=PATIENCE_S
    )
    hello = {"ticket": ticket, **({"last": last} if last else {})}
    await socket.send(json.dumps({"id": "tab", "kind": "hello", "data": hello}))
    return socket


async def test_connections_that_keep_dropping_lose_no_event_and_do_nothing_twice(node: RunningNode) -> None:
    async with people(node.url, 4) as apis:
        clients = await seated(apis, "tianjin", {"rounds": 2})
        views: dict[int, list[tuple[Any, Any]]] = {}

        asked: Counter[SeatClient] = Counter()

        async def choose_and_drop(client: SeatClient, decision: Plain) -> Plain:
            asked[client] += 1
            if asked[client] <= 3 or client.rng.random() < 0.15:
                asyncio.get_running_loop().call_later(0.002, lambda: asyncio.ensure_future(client.drop()))
            return await bot_choice(client, decision)

        def watch(client: SeatClient, frame: Plain) -> None:
            shown = frame["data"]["view"] if frame["kind"] == "sync" else None
            if shown is not None and client.view is not None and client.last == tuple(frame["seq"]):
                views.setdefault(client.seat or 0, []).append((client.view, read_view(shown)))

        for client in clients:
            client.choose = choose_and_drop
            client.on_frame = lambda frame, client=client: watch(client, frame)
        await everybody(clients)
        assert sum(client.reconnects for client in clients) > 5
        assert [client.gaps for client in clients] == [[], [], [], []]
        assert all(client.match["phase"] == "ended" for client in clients)
        seen = {json.dumps(settled) for client in clients for settled in client.settled}
        assert len(seen) == 2, "one settlement a round, whoever saw it"
        assert len({json.dumps(client.match["totals"]) for client in clients}) == 1
        for folded, sent in [pair for pairs in views.values() for pair in pairs]:
            assert folded == sent


async def test_the_newest_tab_has_the_seat_and_the_old_one_is_told(node: RunningNode) -> None:
    async with people(node.url, 4) as apis:
        clients = await seated(apis)
        first = await raw_hello(clients[0])
        assert json.loads(await first.recv())["kind"] == "ack"
        second = await raw_hello(clients[0])
        assert json.loads(await second.recv())["kind"] == "ack"
        frames = []
        with contextlib.suppress(ConnectionClosed):
            while True:
                frames.append(json.loads(await first.recv()))
        assert first.close_code == 4001 and frames[-1]["kind"] == "bye"
        await second.send(json.dumps({"id": "x", "kind": "ready", "data": {}}))
        async with asyncio.timeout(PATIENCE_S):
            while (frame := json.loads(await second.recv()))["data"].get("ref") != "x":
                pass
        assert frame["kind"] == "ack"
        await second.close()


async def test_a_repeated_request_gets_its_first_answer_and_no_second_effect(node: RunningNode) -> None:
    async with people(node.url, 4) as apis:
        clients = await seated(apis)
        socket = await raw_hello(clients[0])
        answers = []
        for _ in range(3):
            await socket.send(json.dumps({"id": "same", "kind": "ready", "data": {}}))
        async with asyncio.timeout(PATIENCE_S):
            while len(answers) < 3:
                frame = json.loads(await socket.recv())
                if frame["data"].get("ref") == "same":
                    answers.append(frame)
        assert answers[0] == answers[1] == answers[2] and answers[0]["kind"] == "ack"
        await socket.close()


async def test_nonsense_in_last_gives_a_sync_and_harms_nobody(node: RunningNode) -> None:
    async with people(node.url, 4) as apis:
        clients = await seated(apis, "tianjin", {"rounds": 2})
        for last in ([9, 9], [0, 0], [1, 10**6], [2**31, 1]):
            socket = await raw_hello(clients[0], last)
            kinds = [json.loads(await socket.recv())["kind"] for _ in range(2)]
            assert kinds == ["ack", "sync"]
            await socket.close()
        await everybody(clients)
        assert clients[0].match["phase"] == "ended"


async def test_a_stranger_with_somebody_elses_room_gets_no_seat(node: RunningNode) -> None:
    async with people(node.url, 5) as apis:
        clients = await seated(apis[:4])
        stranger = SeatClient(apis[4], clients[0].room_id)
        try:
            await asyncio.wait_for(stranger.run(), PATIENCE_S)
            raise AssertionError("the client was admitted")
        except Exception as refused:
            assert getattr(refused, "code", "") == "not_allowed", refused
