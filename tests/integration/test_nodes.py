"""Two nodes on the same stores: taking over, moving, draining, being stopped; nobody loses an acknowledged action."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from app.lab.clients.client import Plain, SeatClient, bot_choice
from app.refusal import ErrorCode, Refusal
from app.settings import Settings
from app.storage.live.rooms.alerts import LiveAlerts
from app.storage.live.wire import keys
from app.tables import asks
from app.tables.mailbox import ADMINS
from app.tables.match.decide import Refused
from app.tables.outcomes import Done
from app.tables.ports import Person
from tests.integration.nodes import RunningNode, people, seated, serving
from tests.integration.waiting import PATIENCE_S, eventually, until


@pytest.fixture
async def pair(nobody_counts_as_dead: None, settings: Settings) -> AsyncIterator[tuple[RunningNode, RunningNode]]:
    """Nodes n1 and n2 on the same stores."""
    async with serving(settings) as one, serving(settings.model_copy(update={"node": "n2"})) as two:
        yield one, two


def by_path(clients: list[SeatClient], nodes: tuple[RunningNode, ...]) -> None:
    """Do what a front does: send each socket to the node that its ticket's path names."""
    urls = {f"/n/{node.settings.node}/": node.url for node in nodes}
    for client in clients:
        api = client.api
        given = api.ticket

        async def ticket(room_id: str, given: object = given, own: str = api.url) -> tuple[str, str]:
            secret, url = await given(room_id)  # type: ignore[operator]
            for path, target in urls.items():
                if path in url:
                    return secret, url.replace(own.replace("http", "ws"), target.replace("http", "ws"))
            return secret, url

        api.ticket = ticket  # type: ignore[method-assign]


async def test_a_ticket_from_any_node_names_the_owner_and_the_wrong_node_says_moved(
    pair: tuple[RunningNode, RunningNode],
) -> None:
    one, two = pair
    async with people(one.url, 1) as apis:
        clients = await seated(apis)
        asked_two = await two.process.rooms.ticket(f"room:{clients[0].room_id}", Person(apis[0].user, "x"), session="")
        assert asked_two.ws_path == "/n/n1/v1/ws"
        clients[0].api.url = two.url
        clients[0].ready_at_once = False
        running = asyncio.create_task(clients[0].run())
        await until(lambda: clients[0].bye is not None)
        assert clients[0].bye == {**(clients[0].bye or {}), "code": 4002, "path": "/n/n1/v1/ws"}
        running.cancel()


async def test_a_rolling_restart_loses_no_action_and_aborts_no_round(
    pair: tuple[RunningNode, RunningNode], settings: Settings
) -> None:
    one, _ = pair
    async with people(one.url, 4) as apis:
        for api in apis:
            api.url = one.url
        clients = await seated(apis, "tianjin", {"rounds": 2})
        by_path(clients, pair)
        acts, handed = 0, asyncio.Event()

        async def wait_for_the_move(client: SeatClient, decision: Plain) -> Plain:
            nonlocal acts
            acts += 1
            if acts > 8:
                await handed.wait()
            return await bot_choice(client, decision)

        for client in clients:
            client.choose = wait_for_the_move
        playing = asyncio.gather(*[client.run() for client in clients])
        await until(lambda: acts > 8)
        room = clients[0].room_id
        # the table is handed to n2 in mid-round, and everybody follows
        table = one.process.registry.find(room)
        assert table is not None
        await table.operate(asks.OrderHandOver())
        handed.set()
        async with asyncio.timeout(2 * PATIENCE_S):
            await playing
        assert all(client.match["phase"] == "ended" for client in clients)
        assert all(client.reconnects >= 1 for client in clients)
        assert {settled["ended"]["outcome"] for client in clients for settled in client.settled} <= {"won", "exhausted"}
        assert len({json.dumps(client.match["totals"]) for client in clients}) == 1


async def test_orders_reach_a_table_wherever_it_runs(pair: tuple[RunningNode, RunningNode]) -> None:
    one, two = pair
    async with people(one.url, 1) as apis:
        clients = await seated(apis)
        room = clients[0].room_id
        assert one.process.registry.find(room) is not None
        seen = await two.process.rooms.order(room, asks.OrderInspect())
        assert isinstance(seen, Done) and seen.data["summary"]["table_id"] == room
        await two.process.rooms.order(room, asks.OrderDissolve("for the test"))
        await until(lambda: one.process.registry.find(room) is None)
        assert one.process.registry.find(room) is None


async def test_an_owner_that_was_stopped_writes_nothing_after_it_lost_the_table(
    pair: tuple[RunningNode, RunningNode], valkey: Redis
) -> None:
    """What SIGSTOP does to a process, done to a table: it sleeps, another takes over and plays, it wakes."""
    one, two = pair
    async with people(one.url, 1) as apis:
        clients = await seated(apis)
        room = clients[0].room_id
        sleeper = one.process.registry.find(room)
        assert sleeper is not None
        taken = await two.process.registry.open(room)
        assert taken is not None
        before = await valkey.lrange(keys.log(room, 1), 0, -1)
        outcome = await sleeper.operate(asks.OrderFreeze("a stale order"))
        assert outcome == Refused(ErrorCode.MOVED) or sleeper.gone
        assert await valkey.lrange(keys.log(room, 1), 0, -1) == before
        await until(lambda: sleeper.gone == "moved")
        assert await taken.operate(asks.OrderFreeze("by the owner")) == Done()


async def test_an_order_that_meets_a_table_on_the_move_goes_after_it(pair: tuple[RunningNode, RunningNode]) -> None:
    """A player who leaves, or is banned, has left at once, at the table's new place too."""
    one, two = pair
    async with people(one.url, 1) as (api,):
        room = (await seated([api]))[0].room_id
        stale, taken = one.process.registry.find(room), await two.process.registry.open(room)
        assert stale is not None and taken is not None
        await api.call("POST", f"/rooms/{room}/leave")
        assert stale.gone == "moved" and taken.gone == "closed" and taken.log.match.seat_of(api.user) is None


async def test_an_order_that_a_table_cannot_take_is_not_taken_for_done(node: RunningNode) -> None:
    """The ban does not depend on the answer of the player's table."""
    async with people(node.url, 1) as (api,):
        room = (await seated([api]))[0].room_id
        table = node.process.registry.find(room)
        assert table is not None
        orders = [table.operate(asks.OrderAnnounce("hear, hear")) for _ in range(ADMINS)]
        with pytest.raises(Refusal, match="try again"):
            await node.process.rooms.order(room, asks.OrderRemove(api.user, kicked=True))
        await asyncio.gather(*orders)


async def test_a_node_that_leaves_gives_its_tables_to_the_other(pair: tuple[RunningNode, RunningNode]) -> None:
    one, two = pair
    async with people(one.url, 4) as apis:
        rooms = [(await api.create_room("tianjin", {}, {}))["id"] for api in apis]
        await one.stop()
        await until(lambda: all(two.process.registry.find(room) is not None for room in rooms))


async def test_a_log_of_another_version_stops_one_table_and_its_people_sit_elsewhere_at_once(
    pair: tuple[RunningNode, RunningNode], valkey: Redis
) -> None:
    """A deploy that cannot read what the old version wrote: an alert that says so, everything else goes on."""
    one, two = pair
    async with people(one.url, 2) as apis:
        bad, good = [(await api.create_room("tianjin", {}, {}))["id"] for api in apis]
        first = await valkey.lindex(keys.log(bad, 1), 0)
        await valkey.lset(keys.log(bad, 1), 0, first.replace(b'{"format":1,', b'{"format":9,'))
        await one.stop()
        await until(lambda: two.process.registry.find(good) is not None)
        alerts = LiveAlerts(two.process.live.link)
        alert = await eventually(lambda: alerts.of(bad), lambda found: found is not None)
        assert alert is not None
        assert alert["what"] == "corrupt" and "format 9 is unknown to this node, which reads 1 to 1" in alert["text"]
        async with people(two.url, 1) as (other,):
            other._http.headers["Authorization"] = apis[0]._http.headers["Authorization"]
            await eventually(lambda: other.call("GET", "/me/room"), lambda found: found["room"] is None)
            assert (await other.create_room("tianjin", {}, {}))["id"] != bad
        assert two.process.registry.find(good) is not None and two.process.registry.counters()["quarantine"] == 1
