"""SIGTERM to a process with 400 tables in mid-round: clients are notified, it ends in order, tables go on (G5)."""

from __future__ import annotations

import asyncio
import signal

import pytest
from redis.asyncio import Redis

from app.lab.bench.midround import OWNER, make_tables
from app.lab.bench.recovery import _pages
from app.lab.chaos.accounting import lost
from app.lab.chaos.cluster import NodeChild, cluster
from app.serving.supervise import STOP_S
from app.settings import Settings
from app.storage.live.nodes.nodes import owner_of
from app.storage.live.rooms.tickets import Ticket, Tickets
from app.storage.live.wire import keys
from app.storage.live.wire.link import Link, connect
from app.tables.settings import TableSettings
from tests.integration.waiting import eventually, spending
from tests.reliability.live import Tab

TABLES = 400
AT_A_TIME = 40
pytestmark = pytest.mark.timeout(420)


async def _owners(valkey: Redis, rooms: list[str]) -> set[str | None]:
    return {owner_of(str(token, "utf-8")) for token in await valkey.mget([keys.lease(room) for room in rooms]) if token}


async def _come(node: NodeChild, tickets: Tickets, room: str, user: str) -> Tab:
    """A player who is admitted at their table."""
    ticket = await tickets.issue(Ticket(user, "某人", "", f"room:{room}"))
    tab = await Tab._with(ticket, f"ws://127.0.0.1:{node.backend.port}/v1/ws", None, False)
    await tab.until(lambda frame: frame["kind"] == "sync")
    return tab


async def _all_come(node: NodeChild, link: Link, made: dict[str, str]) -> list[Tab]:
    people, tickets = list(made.items()), Tickets(link)
    tabs: list[Tab] = []
    for at in range(0, len(people), AT_A_TIME):
        tabs += await asyncio.gather(*[_come(node, tickets, *one) for one in people[at : at + AT_A_TIME]])
    return tabs


async def test_g5_a_process_with_four_hundred_tables_is_told_to_stop(settings: Settings, valkey: Redis) -> None:
    link = Link(connect(settings.valkey_url))
    made = await make_tables(link, TABLES, 12)
    async with cluster(settings.model_copy(update={"max_tables": 10_000, "address_factor": 1000.0}), 1) as nodes:
        node = nodes.nodes["n1"]
        await eventually(lambda: _owners(valkey, list(made)), lambda found: OWNER not in found and len(found) == 1)
        tabs = await _all_come(node, link, made)
        before = await _pages(link, made)
        async with spending() as spent:
            node.signal(signal.SIGTERM)
            codes = await asyncio.gather(*[tab.ended() for tab in tabs])
            status = await node.ended()
        assert status == 0 and spent.s < STOP_S
        assert set(codes) <= {1012, 4002}, "told to come back, never merely cut (1006)"
        byes = [tab.frames[-1] for tab in tabs]
        assert all(bye["kind"] == "bye" and bye["data"]["retry_ms"] > 0 for bye in byes)
        assert len({bye["data"]["retry_ms"] for bye in byes}) > TABLES / 10, "not all at the same moment"
        assert None in await _owners(valkey, list(made)), "tables are given up, not left to whoever finds them"
        after = await _pages(link, made)
        assert sum(lost(page, [], after[name], {}) for name, page in before.items()) == 0
        await node.start()
        await eventually(lambda: _owners(valkey, list(made)), lambda found: None not in found and len(found) == 1)
        for tab in await _all_come(node, link, dict(list(made.items())[::10])):
            match = tab.frames[-1]["data"]["match"]
            assert match["phase"] in ("playing", "between"), "and goes on"
            assert match["settings"]["claim_hold_ms"] == TableSettings().claim_hold_ms, "at the pace of a usual room"
            tab.vanish()
        alerts = [name for name in made if await valkey.exists(keys.alert(name))]
        assert alerts == [], "none of them was put aside"
    await link.close()
