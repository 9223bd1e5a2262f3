"""`kill -9`, and everything that people had settled with their table is as it was: switches, votes, readiness, answers.

Also what was asked: the same question, with all of its time and the grace. Real processes, real sockets, a real store.
"""

from __future__ import annotations

import json
from typing import Any

from redis.asyncio import Redis

from app.kernel.text.notation import text_tiles
from app.lab.chaos.cluster import cluster
from app.lab.clients.client import Api
from app.settings import Settings
from app.storage.live.wire import keys
from app.tables.clocks.deadlines import GRACE_S
from app.tables.match.timers import VOTE_S
from tests.integration.nodes import QUICK, people
from tests.reliability.live import Tab

THINK_S = 60
Plain = dict[str, Any]


async def _room(apis: list[Api]) -> tuple[str, list[Tab]]:
    """A room of these four, all at their sockets; in Tianjin, where nobody wins on a discard and the round is over."""
    room = await apis[0].create_room("tianjin", {"rounds": 2}, {**QUICK, "think_s": THINK_S, "claim_s": 15})
    for api in apis[1:]:
        await api.join(room["code"])
    return room["id"], await _all_at(apis, room["id"])


async def _all_at(apis: list[Api], room: str) -> list[Tab]:
    tabs = [await Tab.open(api, room) for api in apis]
    for tab in tabs:
        await tab.until(lambda frame: frame["kind"] == "sync")
    return tabs


async def _seen(tab: Tab) -> Plain:
    """A player's present view of their table, by request."""
    await tab.answer(await tab.say("sync"))
    while not tab.frames or tab.frames[-1]["kind"] != "sync":
        await tab.until(lambda frame: frame["kind"] == "sync")
    data: Plain = tab.frames[-1]["data"]
    return data


async def _done(tab: Tab, kind: str, data: Plain | None, ref: str) -> Plain:
    """Ask for something; the answer, which says that it was done."""
    answer = await tab.answer(await tab.say(kind, data, ref))
    assert answer["kind"] == "ack", answer
    return answer


def _act(seen: Plain, option: int) -> Plain:
    """This answer to a player's open decision."""
    decision = seen["prompt"]["decision"]
    return {"round": seen["match"]["round_no"], "decision": decision["id"], "action": decision["options"][option]}


def _unwanted(log: list[bytes], asked: int, options: list[Plain]) -> int:
    """Place of a discard that nobody else has two of, so that no question but the next turn's is open after it."""
    events = [event for raw in log for event in json.loads(raw).get("events", ())]
    hands = {event["seat"]: text_tiles(event["tiles"]) or () for event in events if event["type"] == "hand_dealt"}
    others = [hand for seat, hand in hands.items() if seat != asked]
    throws = [place for place, option in enumerate(options) if option["verb"] == "discard"]
    return min(throws, key=lambda place: max([hand.count(options[place]["tiles"]) for hand in others]))


async def _logged(valkey: Redis, room: str) -> list[bytes]:
    """All entries of the running page, by whomever."""
    page = await valkey.get(keys.page(room))
    return await valkey.lrange(keys.log(room, int(page)), 0, -1)


async def test_after_a_kill_everything_people_had_settled_is_as_it_was_and_repeated_ids_do_nothing_twice(
    settings: Settings, valkey: Redis
) -> None:
    async with cluster(settings, 1) as nodes, people(nodes.url, 8) as apis:
        playing, waiting = apis[:4], apis[4:]
        room, tabs = await _room(playing)
        other, idle = await _room(waiting)
        for number, tab in enumerate(tabs):
            await _done(tab, "ready", {"entropy": "x"}, f"ready{number}")
        for number, tab in enumerate(tabs):
            await _done(tab, "act", _act((await _seen(tab)), -1), f"answer{number}")
        before = [await _seen(tab) for tab in tabs]
        asked = next(place for place, seen in enumerate(before) if seen["prompt"]["decision"] is not None)
        options = before[asked]["prompt"]["decision"]["options"]
        act = _act(before[asked], _unwanted(await _logged(valkey, room), asked, options))
        one, two, three = [(asked + step) % 4 for step in (1, 2, 3)]
        first = await _done(tabs[asked], "act", act, "throw")
        await _done(tabs[one], "autoplay", {"on": True}, "sleeps")
        await _done(tabs[one], "autoplay", {"on": False}, "wakes")
        await _done(tabs[two], "auto_win", {"on": True}, "wins")
        await _done(tabs[three], "dissolve", None, "opens")
        await _done(tabs[two], "vote", {"yes": True}, "agrees")
        await _done(tabs[three], "autoplay", {"on": True}, "leaves it to others")
        for tab in idle[:2]:
            await _done(tab, "ready", {"entropy": "x"}, "here")
        settled = [await _seen(tab) for tab in tabs]
        log = await _logged(valkey, room)
        await nodes.kill("n1")
        tabs, idle = await _all_at(playing, room), await _all_at(waiting, other)
        after = [await _seen(tab) for tab in tabs]
        assert await _logged(valkey, room) == log, "nothing was lost, and nothing happened meanwhile"
        for old, new in zip(settled, after, strict=True):
            assert new["view"] == old["view"] and new["me"] == old["me"]
            assert _timeless(new["match"]) == _timeless(old["match"])
            _fresh(old["prompt"], new["prompt"])
        vote = after[0]["match"]["vote"]
        assert vote["by"] == three and vote["answers"][two] is vote["answers"][three] is True
        assert 0 < vote["left_ms"] <= (VOTE_S + GRACE_S) * 1000
        assert [seat["autoplay"] for seat in after[0]["match"]["seats"]].index(True) == three
        assert after[two]["me"]["auto_win"] is True
        assert [seat["ready"] for seat in (await _seen(idle[0]))["match"]["seats"]] == [True, True, False, False]
        assert await _done(tabs[asked], "act", act, "throw") == first, "the first answer"
        await _done(tabs[one], "autoplay", {"on": True}, "sleeps")
        await _done(tabs[two], "vote", {"yes": True}, "agrees")
        await _done(tabs[three], "dissolve", None, "opens")
        again = await _seen(tabs[one])
        assert again["match"]["seats"][one]["autoplay"] is False, "a request that came again does not undo a later one"
        repeated = [raw for raw in (await _logged(valkey, room))[len(log) :] if b'"ref"' in raw]
        assert repeated == [], "and leaves nothing in the log"
        assert await _done(idle[2], "ready", {"entropy": "x"}, "here too")
        for tab in (*tabs, *idle):
            tab.vanish()


def _fresh(old: Plain, new: Plain) -> None:
    """The same question; as long as at first, and the grace."""
    assert (old["decision"] or {}).get("id") == (new["decision"] or {}).get("id")
    if new["decision"] is not None and new["decision"]["clock"] == "turn":
        assert old["decision"]["total_ms"] == THINK_S * 1000
        assert new["decision"]["total_ms"] == (THINK_S + GRACE_S) * 1000


def _timeless(match: Plain) -> Plain:
    """A match without the remaining times of its clocks, and without the players' presence."""
    vote = match["vote"] and {**match["vote"], "left_ms": None}
    return {**match, "vote": vote, "seats": [{**seat, "online": None} for seat in match["seats"]]}
