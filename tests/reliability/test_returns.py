"""Coming back over real sockets: past lines that hang, into a running round, with nonsense about what was seen (A, B).

Lines that freeze or vanish are in `test_lines.py`; what a return shows in each phase, in `test_phases.py`.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from app.kernel.table import TableState
from app.kernel.text.notation import plain_view, read_event, read_view
from app.kernel.views import fold
from app.lab.clients.client import Api
from app.tables.actor import Table
from tests.integration.nodes import QUICK, RunningNode, people
from tests.reliability.live import Tab, falls_silent, gone, until
from tests.reliability.test_lines import MESSY

Plain = dict[str, Any]


def is_(kind: str) -> Any:
    return lambda frame: frame["kind"] == kind


async def two_at_a_table(host: Api, guest: Api, **settings: Any) -> tuple[str, Tab, Tab]:
    """A room for two, both connected, nobody ready; the second one's system keeps next to nothing unread."""
    room = await host.create_room("guizhou", {"players": 2, "rounds": 1}, {**QUICK, "think_s": 60, **settings})
    await guest.join(room["code"])
    tabs = await Tab.open(host, room["id"]), await Tab.open(guest, room["id"], tiny=True)
    for tab in tabs:
        await tab.until(is_("sync"))
    return room["id"], *tabs


async def sync_of(tab: Tab) -> Plain:
    """A player's view after a request for everything."""
    assert (await tab.answer(await tab.say("sync")))["kind"] == "ack"
    data: Plain = (await tab.until(is_("sync")))["data"]
    return data


def folded(frames: list[Plain], view: TableState | None = None) -> TableState | None:
    """A client's fold of its frames."""
    for frame in frames:
        if frame["kind"] == "sync":
            view = None if frame["data"]["view"] is None else read_view(frame["data"]["view"])
        for plain in frame["data"]["events"] if frame["kind"] == "events" else ():
            if plain["type"] == "round_started" or view is not None:
                view = fold(None if plain["type"] == "round_started" else view, read_event(plain))
    return view


def numbers(frames: list[Plain]) -> list[list[int]]:
    return [frame["seq"] for frame in frames if frame["kind"] == "events"]


async def throws(tab: Tab, shown: Plain) -> str:
    """Discard a tile, or pass, if the player is asked; the answer."""
    decision = shown["prompt"]["decision"]
    if decision is None:
        return "not asked"
    option = next(option for option in decision["options"] if option["verb"] in ("discard", "pass"))
    data = {"round": shown["match"]["round_no"], "decision": decision["id"], "action": option}
    return str((await tab.answer(await tab.say("act", data)))["kind"])


async def who_is_asked(table: Table) -> tuple[str, int]:
    """By which clock, and which seat."""
    await until(lambda: any(decision.seat is not None for decision in table.log.open))
    return next((decision.clock, decision.seat) for decision in table.log.open if decision.seat is not None)


async def test_a4_fifty_returns_past_lines_that_hang_are_seen_by_nobody(node: RunningNode) -> None:
    async with people(node.url, 2) as (host, guest):
        room, watching, old = await two_at_a_table(host, guest)
        hanging = [old]
        for _ in range(50):
            old.freeze()
            old = await Tab.open(guest, room, tiny=True)
            await old.answer("hello")
            hanging.append(old)
        data = await sync_of(watching)
        assert [seat and seat["user"] for seat in data["match"]["seats"]] == [host.user, guest.user]
        assert all(seat["online"] for seat in data["match"]["seats"])
        seen = [f["data"] for f in watching.frames if f["kind"] == "presence" and f["data"]["seat"] == 1]
        assert seen in ([], [{"seat": 1, "online": True}]), "the player was never gone, so they never came back"
        await until(lambda: len(node.process.gateway) == 2)
        hanging[0].wire.transport.resume_reading()
        assert await hanging[0].ended() == 4001
        for tab in (watching, *hanging):
            tab.vanish()


async def test_a5_who_heard_nothing_of_a_running_round_is_gone_in_time_and_catches_all_of_it_up(
    node: RunningNode,
) -> None:
    async with people(node.url, 2) as (host, guest):
        room, watching, lost = await two_at_a_table(host, guest, claim_s=1)
        for tab in (watching, lost):
            await tab.say("ready")
        table = node.process.registry.find(room)
        assert table is not None
        while (asked := await who_is_asked(table)) != ("turn", 0):
            tab = (watching, lost)[asked[1]]
            await throws(tab, await sync_of(tab))
        await sync_of(lost)
        lost.freeze()
        prompt = await sync_of(watching)
        assert await throws(watching, prompt) == "ack"
        await until(lambda: [(decision.clock, decision.seat) for decision in table.log.open] == [("turn", 1)])
        falls_silent(node, guest)
        await watching.until(gone(1))
        last = [frame["seq"] for frame in lost.frames if frame.get("seq")][-1]
        back = await Tab.open(guest, room, last)
        await back.until(is_("prompt"))
        assert not any(frame["kind"] == "sync" for frame in back.frames), "the missed part, not everything"
        assert numbers(back.frames) == [[last[0], last[1] + n] for n in range(1, len(numbers(back.frames)) + 1)]
        assert len(numbers(back.frames)) >= 2, "the host's discard, and what came of it"
        caught_up = folded(back.frames, folded(lost.frames))
        shown = await sync_of(back)
        assert caught_up is not None and plain_view(caught_up) == shown["view"]
        assert shown["match"]["seats"][1]["online"]
        for tab in (watching, lost, back):
            tab.vanish()


async def test_a7_one_of_four_who_is_ready_and_frozen_is_seen_to_be_gone_before_the_last_one_starts(
    node: RunningNode,
) -> None:
    async with people(node.url, 4) as apis:
        room = await apis[0].create_room("guizhou", {"players": 4}, {**QUICK, "think_s": 60})
        for api in apis[1:]:
            await api.join(room["code"])
        tabs = [await Tab.open(api, room["id"], tiny=True) for api in apis]
        for tab in tabs:
            await tab.until(is_("sync"))
        for tab in tabs[1:]:
            assert (await tab.answer(await tab.say("ready")))["kind"] == "ack"
        owner, frozen = tabs[0], tabs[2]
        frozen.freeze()
        falls_silent(node, apis[2])
        await owner.until(gone(2))
        at = len(owner.frames)
        await owner.say("ready")
        deal = await owner.until(lambda f: f["kind"] == "events" and f["data"]["events"][:1])
        assert deal["data"]["events"][0]["type"] == "round_started"
        assert [f["data"]["match"]["seats"][2]["online"] for f in owner.frames[at:] if "match" in f["data"]] in (
            [False], [False, False],
        )  # fmt: skip
        for tab in tabs:
            tab.vanish()


async def test_b9_whatever_a_return_says_of_itself_the_answer_is_in_order_and_the_table_goes_on(
    node: RunningNode, caplog: pytest.LogCaptureFixture
) -> None:
    rng = random.Random(9)
    async with people(node.url, 3) as (host, guest, stranger):
        room, good, own = await two_at_a_table(host, guest)
        other = (await stranger.create_room("tianjin", {}, QUICK))["id"]
        for tab in (good, own):
            await tab.say("ready")
        table = node.process.registry.find(room)
        assert table is not None
        await until(lambda: table.log.match.phase == "playing")
        log, seq = list(table.log.entries), list(table.log.seq(1))
        lasts: list[Any] = [
            *MESSY, [0, 0], [1, -1], [-1, 1], [1, 10**6], [2**31, 1], [2**63, 2**63], [7, 33], [*seq, 1], [1], [1.5, 2],
            ["1", "2"], [True, True], [None, 1], [[1], [1]], {"0": 1, "1": 1}, "1,1", seq,
            *[[rng.randint(-3, 300), rng.randint(-300, 300)] for _ in range(20)],
        ]  # fmt: skip
        for last in lasts:
            ticket, url = await guest.ticket(room)
            answer, code = await _hello(url, {"ticket": ticket, "last": last})
            assert (answer, code) in (("ack", None), ("malformed", 4000), ("too_large", 4000), ("bad_json", 4000)), last
        used, url = await guest.ticket(room)
        assert (await _hello(url, {"ticket": used}))[0] == "ack"
        theirs, _ = await stranger.ticket(other)
        parts = theirs.split(".")
        tickets: list[Any] = [
            *MESSY, used, used[:-1], used.upper(), ".".join(reversed(parts)), theirs.replace(stranger.user, host.user),
            theirs[::-1], f"{theirs}x", "\u0000" + theirs, *[theirs[:cut] for cut in range(0, len(theirs), 7)],
        ]  # fmt: skip
        for ticket in tickets:
            answer, code = await _hello(url, {"ticket": ticket, "last": seq})
            assert (answer, code) in (
                ("bad_ticket", 4003), ("malformed", 4000), ("too_large", 4000), ("bad_json", 4000),
            ), (ticket, answer, code)  # fmt: skip
        assert table.log.entries == log and table.facts().broken is None
        assert (await good.answer(await good.say("sync")))["kind"] == "ack"
        assert not [record for record in caplog.records if record.levelname in ("ERROR", "CRITICAL")], caplog.text
        for tab in (good, own):
            tab.vanish()


async def _hello(url: str, data: Plain) -> tuple[str, int | None]:
    """The answer to a hello: "ack", or the error's code; and how the socket was closed, if it was."""
    tab = await Tab.line(url)
    await tab.say("hello", data, ref="hello")
    answer = await tab.hear()
    if answer["kind"] == "ack":
        assert (await tab.hear())["kind"] in ("sync", "prompt", "events")
        tab.vanish()
        return "ack", None
    return answer["data"]["code"], await tab.ended()
