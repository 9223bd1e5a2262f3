"""Rooms as people use them over REST and sockets: held places, ways a room ends, coming back, many at once."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from app.lab.clients.client import Api, Plain, Refused, SeatClient
from app.settings import Settings
from app.tables import asks
from app.tables.outcomes import Done
from tests.integration.clock import LeapingClock
from tests.integration.nodes import QUICK, RunningNode, people, seated, serving
from tests.integration.waiting import eventually, until


class Staying(SeatClient):
    """Sits on when the match is over."""

    def _matched(self, match: Plain | None) -> None:
        if match is not None:
            self.match = match


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> LeapingClock:
    """The clock of the tables of all nodes that are made after this."""
    clock = LeapingClock()
    monkeypatch.setattr("app.service.node.LoopClock", lambda: clock)
    return clock


@pytest.fixture
async def hurried(clock: LeapingClock, settings: Settings) -> AsyncIterator[RunningNode]:
    """A node whose tables' time can be pushed forward."""
    async with serving(settings) as node:
        yield node


@asynccontextmanager
async def connected(*clients: SeatClient, play: bool = False) -> AsyncIterator[None]:
    """They sit at their table; without `play` they only watch what happens."""
    for client in clients:
        client.ready_at_once = play
    tasks = [asyncio.create_task(client.run()) for client in clients]
    try:
        await until(lambda: all(client.match for client in clients))
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def code_of(api: Api, method: str, path: str, body: object = None) -> str:
    """The code of a refusal; "" when the call is answered."""
    try:
        await api.call(method, path, body)
    except Refused as refusal:
        return refusal.code
    return ""


def sitting(match: Plain) -> list[str | None]:
    return [seat and seat["user"] for seat in match["seats"]]


async def test_a_place_that_is_held_is_seen_sent_away_and_given_up(hurried: RunningNode, clock: LeapingClock) -> None:
    async with people(hurried.url, 6) as apis:
        host, ben, cleo, dan, eve, fay = apis
        room = await host.create_room("tianjin", {}, {})
        client = SeatClient(host, room["id"])
        async with connected(client):
            for api in (ben, cleo, dan):
                await api.join(room["code"])
            await until(lambda: None not in sitting(client.match))
            assert [seat["reserved_ms"] is None for seat in client.match["seats"]] == [True, False, False, False]
            shown = (await eve.call("GET", f"/codes/{room['code']}"))["live"]["seats"]
            assert [seat["reserved_at"] is None for seat in shown] == [True, False, False, False]
            assert await code_of(eve, "POST", f"/rooms/{room['id']}/join", {}) == "room_full"
            assert await code_of(ben, "POST", "/rooms", {"variant": "tianjin"}) == "conflict"
            await client.send("kick", {"seat": 1})
            await until(lambda: sitting(client.match)[1] is None)
            assert await until_free(ben), "who was sent away may sit elsewhere"
            await eve.join(room["code"])
            assert sitting((await shown_room(eve, room))["live"])[1] == eve.user
            await clock.leap(61, hurried.process.registry)
            await until(lambda: sitting(client.match) == [host.user, None, None, None])
            assert await until_free(cleo) and await until_free(eve)
            await fay.join(room["code"])
            assert (await fay.call("GET", "/me/room"))["room"]["id"] == room["id"]


async def shown_room(api: Api, room: Plain) -> Plain:
    return await api.call("GET", f"/rooms/{room['id']}")


async def until_free(api: Api) -> bool:
    return (await eventually(lambda: api.call("GET", "/me/room"), lambda found: found["room"] is None))["room"] is None


async def test_a_circles_lobby_counts_held_places_and_shows_when_they_are_free(
    hurried: RunningNode, clock: LeapingClock
) -> None:
    async with people(hurried.url, 2) as (owner, member):
        circle = await owner.call("POST", "/circles", {"name": "老友"})
        await member.call("POST", "/circles/join", {"code": circle["code"]})
        await owner.call("POST", f"/circles/{circle['id']}/applications/{member.user}/approve")
        room = await owner.call("POST", "/rooms", {"variant": "tianjin", "circle": circle["id"]})
        async with connected(SeatClient(owner, room["id"])):
            await member.call("POST", f"/rooms/{room['id']}/join", {})

            async def open_seats() -> int:
                (listed,) = (await member.call("GET", f"/circles/{circle['id']}/rooms"))["items"]
                return sum(seat is None for seat in listed["live"]["seats"])

            await eventually(open_seats, lambda free: free == 2)
            await clock.leap(61, hurried.process.registry)
            await eventually(open_seats, lambda free: free == 3)


# Leaving, and coming back


async def test_who_leaves_over_rest_when_the_match_is_over_empties_his_seat_and_the_last_one_closes_the_room(
    node: RunningNode,
) -> None:
    """The match's end holds nobody any more, and yet a seat is kept for the rematch until its person goes."""
    async with people(node.url, 2) as apis:
        clients = await seated(apis, "guizhou", {"players": 2, "rounds": 1})
        await asyncio.gather(*[client.run() for client in clients])
        room = clients[0].room_id
        assert await until_free(apis[0]) and await until_free(apis[1])
        assert await code_of(apis[1], "POST", f"/rooms/{room}/leave") == ""
        shown = await apis[0].call("GET", f"/rooms/{room}")
        assert [seat and seat["user"] for seat in shown["live"]["seats"]] == [apis[0].user, None]
        assert await code_of(apis[0], "POST", f"/rooms/{room}/leave") == ""
        await eventually(lambda: apis[0].call("GET", f"/rooms/{room}"), lambda shown: shown["closed_at"] is not None)


async def test_who_deletes_his_account_when_the_match_is_over_does_not_keep_his_seat(node: RunningNode) -> None:
    async with people(node.url, 2) as apis:
        clients = await seated(apis, "guizhou", {"players": 2, "rounds": 1})
        await asyncio.gather(*[client.run() for client in clients])
        chairs = node.process.rooms.chairs_of_user
        assert await chairs(apis[1].user) == [clients[0].room_id]
        mine = {"device_token": apis[1].device_token}
        assert await code_of(apis[1], "DELETE", "/me", mine) == ""
        await eventually(lambda: chairs(apis[1].user), lambda found: found == [])


async def test_who_left_comes_back_over_rest_after_a_bot_had_his_seat(
    hurried: RunningNode, clock: LeapingClock
) -> None:
    """Leaves in mid-round, autoplay to its end, 120 s, a bot; back in the middle of the next, with their own total."""
    async with people(hurried.url, 2) as apis:
        settings = {**QUICK, "fill_with_bots": True, "think_s": 60}
        clients = await seated(apis, "guizhou", {"players": 2, "rounds": 4}, settings)
        stayer, leaver = clients
        held: asyncio.Event = asyncio.Event()

        async def wait_then(client: SeatClient, decision: Plain) -> Plain:
            await held.wait()
            return decision["options"][-1]

        stayer.choose = leaver.choose = wait_then
        async with connected(stayer, leaver, play=True):
            await until(lambda: stayer.match["phase"] == "playing")
            seat = leaver.seat
            assert seat is not None
            assert await code_of(apis[1], "POST", f"/rooms/{stayer.room_id}/leave") == ""
            assert await code_of(apis[1], "GET", "/me/room") == ""
            await until(lambda: stayer.match["seats"][seat]["left"])
            assert await until_free(apis[1])
            held.set()
            await until(lambda: stayer.match["phase"] == "between")
            his = stayer.match["totals"][seat]
            assert stayer.match["seats"][seat]["left"], "the seat is kept for its player"
            held.clear()
            await clock.leap(121, hurried.process.registry)
            await until(lambda: stayer.match["seats"][seat]["bot"])
            assert stayer.match["totals"][seat] == 0, "the bot inherits nothing"
            await until(lambda: stayer.match["phase"] == "playing" and stayer.match["round_no"] == 2)
        back = SeatClient(apis[1], stayer.room_id)
        again = SeatClient(apis[0], stayer.room_id)
        again.choose = back.choose = wait_then
        assert (await apis[1].call("POST", f"/rooms/{stayer.room_id}/join", {}))["id"] == stayer.room_id
        assert (await apis[1].call("GET", "/me/room"))["room"]["id"] == stayer.room_id
        async with connected(back, again):
            assert back.seat == seat and back.match["phase"] == "playing", "in the middle of the round"
            assert back.match["totals"][seat] == his and not back.match["seats"][seat]["bot"]
            assert back.view is not None and back.view.seats[seat].hand is not None
            held.set()
            await until(lambda: again.match["phase"] != "playing")
            settled = again.match["rounds_so_far"]
            assert again.match["totals"][seat] == his + settled[-1]["nets"][seat]


# Every way a room ends


async def by_the_host(clients: list[SeatClient], node: RunningNode, clock: LeapingClock) -> None:
    await clients[0].send("dissolve")


async def by_vote(clients: list[SeatClient], node: RunningNode, clock: LeapingClock) -> None:
    await begin(clients)
    await clients[1].send("dissolve")
    await until(lambda: clients[0].match["vote"] is not None)
    await clients[0].send("vote", {"yes": True})


async def by_a_vote_nobody_answers(clients: list[SeatClient], node: RunningNode, clock: LeapingClock) -> None:
    await begin(clients)
    await clients[1].send("dissolve")
    await until(lambda: clients[0].match["vote"] is not None)
    await wait_it_out(clients, node, clock, 61)


async def by_an_operator(clients: list[SeatClient], node: RunningNode, clock: LeapingClock) -> None:
    await begin(clients)
    assert await node.process.rooms.order(clients[0].room_id, asks.OrderDissolve("test")) == Done()


async def by_nobody_starting(clients: list[SeatClient], node: RunningNode, clock: LeapingClock) -> None:
    await wait_it_out(clients, node, clock, 1801)


async def by_nobody_wanting_a_rematch(clients: list[SeatClient], node: RunningNode, clock: LeapingClock) -> None:
    await to_the_end(clients)
    await wait_it_out(clients, node, clock, 601)


async def by_all_leaving(clients: list[SeatClient], node: RunningNode, clock: LeapingClock) -> None:
    for client in clients:
        await client.send("leave")


async def by_all_dropping(clients: list[SeatClient], node: RunningNode, clock: LeapingClock) -> None:
    """For good, in the middle of a round."""
    await begin(clients)
    for client in clients:
        client._over.set()
        await client.drop()
    for _ in range(40):
        await clock.leap(60, node.process.registry)
        if node.process.registry.find(clients[0].room_id) is None:
            return


async def by_a_chair_that_stays_empty(clients: list[SeatClient], node: RunningNode, clock: LeapingClock) -> None:
    """The match ends two minutes after the round in which a player left; the room stays for a rematch."""
    await begin(clients)
    await clients[1].send("leave")
    await clients[0].send("autoplay", {"on": True})
    await until(lambda: clients[0].match["phase"] == "between")
    for _ in range(4):
        await clock.leap(121, node.process.registry)
        with contextlib.suppress(TimeoutError):
            await until(lambda: clients[0].match["phase"] == "ended", 3.0)
            return


async def by_a_bug_of_ours(clients: list[SeatClient], node: RunningNode, clock: LeapingClock) -> None:
    table = node.process.registry.find(clients[0].room_id)
    assert table is not None
    table.log.variant = None  # type: ignore[assignment]
    await begin(clients, wait=False)
    await until(lambda: table.facts().broken)


async def wait_it_out(clients: list[SeatClient], node: RunningNode, clock: LeapingClock, seconds: float) -> None:
    """Let so much time pass; again when the machine was held up meanwhile, for then the table's clocks start afresh."""
    for _ in range(4):
        await clock.leap(seconds, node.process.registry)
        with contextlib.suppress(TimeoutError):
            await until(lambda: all(client.bye for client in clients), 3.0)
            return


async def begin(clients: list[SeatClient], *, wait: bool = True) -> None:
    for client in clients:
        await client.send("ready")
    if wait:
        await until(lambda: all(client.match["phase"] == "playing" for client in clients))


async def to_the_end(clients: list[SeatClient]) -> None:
    """Autoplay plays the match out."""
    await begin(clients)
    for client in clients:
        await client.send("autoplay", {"on": True})
    await until(lambda: all(client.match["phase"] == "ended" for client in clients))


async def gone_away(*_: object, **__: object) -> Plain:
    await asyncio.Event().wait()
    return {}


ENDS = {
    "host": by_the_host, "voted": by_vote, "voted, unanswered": by_a_vote_nobody_answers, "operator": by_an_operator,
    "not_started": by_nobody_starting, "no_rematch": by_nobody_wanting_a_rematch, "left": by_all_leaving,
    "failed": by_a_bug_of_ours, "deserted": by_all_dropping, "match over": by_a_chair_that_stays_empty,
}  # fmt: skip
UNTOLD = ("left", "failed", "deserted", "match over")
"""No player is sent away with these: they are gone already, or stay."""


@pytest.mark.parametrize("reason", ENDS)
async def test_a10_however_a_room_ends_everybody_may_open_one_at_once(
    hurried: RunningNode, clock: LeapingClock, reason: str
) -> None:
    async with people(hurried.url, 2) as apis:
        rules: dict[str, object] = {"players": 2, "rounds": 4 if reason == "match over" else 1}
        sitting_down = await seated(apis, "guizhou", rules, {"think_s": 60})
        clients: list[SeatClient] = [Staying(client.api, client.room_id) for client in sitting_down]
        async with connected(*clients):
            for client in clients:
                client.choose = gone_away
            await ENDS[reason](clients, hurried, clock)
            if reason not in UNTOLD:
                await until(lambda: all(client.bye for client in clients))
                told = {(client.bye or {})["reason"] for client in clients}
                assert told == {reason.partition(",")[0]}
        for api in apis:
            if reason in UNTOLD:
                assert await until_free(api)
            room = await api.create_room("tianjin", {}, {})
            assert (await api.call("GET", "/me/room"))["room"]["id"] == room["id"]
