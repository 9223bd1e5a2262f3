"""Events for people: only for those who listen, bounded for each user, and over with the node."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from app.service.feed import PER_USER, Feed
from app.storage.live.rooms.tickets import Ticket
from app.tables.ports import Person, Summary


class Kept:
    """`storage.live.rooms.notices.Notices` without a store."""

    def __init__(self) -> None:
        self.events: list[tuple[str, dict[str, Any]]] = []

    async def add(self, user: str, event: bytes) -> None:
        self.events.append((user, msgspec.json.decode(event)))

    async def after(self, user: str, cursor: str) -> list[tuple[str, bytes]]:
        first = int(cursor.partition("-")[0])
        mine = [event for whose, event in self.events if whose == user]
        return [(f"{n + 1}-0", msgspec.json.encode(event)) for n, event in enumerate(mine) if n >= first]

    async def newest(self, user: str) -> str:
        return "0-0"

    async def listen(self, users: Any) -> frozenset[str]:
        return frozenset(users)


async def stays(ticket: Ticket) -> bool:
    return True


def table(*seats: str | None) -> Summary:
    people = tuple([None if name is None else Person(name, name) for name in seats])
    no = (False,) * len(seats)
    return Summary("t", "000000", "tianjin", "waiting", 1, 0, 8, "ann", people, no, no, False, 0)


async def test_play_is_told_to_those_who_listen_and_once_for_a_full_table() -> None:
    kept = Kept()
    feed = Feed(kept, stays)  # type: ignore[arg-type]
    running = asyncio.create_task(feed.run())
    stream = feed.lines("ann", "", None)
    assert msgspec.json.decode(await anext(stream))["type"] == "open"
    for seats in (("ann", None), ("ann", "bob"), ("ann", "bob")):
        feed.table_changed(table(*seats))
    feed.turn("t", "ann")
    feed.turn("t", "bob")
    told = [msgspec.json.decode(await anext(stream)) for _ in range(2)]
    assert [(event["type"], event["room"]) for event in told] == [("table_ready", "t"), ("turn", "t")]
    assert {user for user, _ in kept.events} == {"ann"}
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_one_more_stream_of_a_user_replaces_the_oldest() -> None:
    feed = Feed(Kept(), stays)  # type: ignore[arg-type]
    streams = [feed.lines("ann", "", None) for _ in range(PER_USER + 1)]
    for stream in streams:
        await anext(stream)
    last = msgspec.json.decode(await anext(streams[0]))
    assert (last["type"], last["reason"]) == ("end", "replaced")


async def test_a_node_that_stops_ends_its_streams() -> None:
    feed = Feed(Kept(), stays)  # type: ignore[arg-type]
    stream = feed.lines("ann", "", None)
    await anext(stream)
    feed.send_away()
    assert msgspec.json.decode(await anext(stream))["reason"] == "restart"
    assert [line async for line in stream] == []
