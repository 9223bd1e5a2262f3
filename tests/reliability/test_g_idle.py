"""The cost of a person who sits at a table and does nothing, with a browser that offers compression (G3)."""

from __future__ import annotations

import asyncio
import json
import resource
import socket

from app.api.gateway.connection import Connection
from tests.api.gateway.world import World, masked, shake_hands, world

PEOPLE = 2_000
AT_MOST = 40 * 1024


def _resident() -> int:
    with open("/proc/self/statm") as found:
        return int(found.read().split()[1]) * resource.getpagesize()


def _as_a_browser(port: int) -> tuple[socket.socket, bytes]:
    """Connected, with all that browsers offer; the socket and the head of the answer."""
    raw = socket.create_connection(("127.0.0.1", port))
    return raw, shake_hands(raw, b"Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n")


async def _sit(gate: World, count: int) -> list[socket.socket]:
    """Add this number of clients at table T, each admitted."""
    before = len(gate.desk.attached)
    come = [await asyncio.to_thread(_as_a_browser, gate.port) for _ in range(count)]
    assert not [answer for _, answer in come if b"xtensions" in answer], "compression is declined"
    for number, (raw, _) in enumerate(come):
        ticket = gate.ticket(f"user{before + number}")
        raw.sendall(masked(json.dumps({"id": "h", "kind": "hello", "data": {"ticket": ticket}})))
    await gate.desk.until(lambda: len(gate.desk.attached) == before + count)
    return [raw for raw, _ in come]


async def test_g3_two_thousand_people_who_sit_and_wait_cost_less_than_forty_kilobytes_each() -> None:
    """Let in and at a table, which costs more than a bare socket; deflate's windows alone would be hundreds."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 8192)), hard))
    async with world() as gate:
        raw = await _sit(gate, 50)
        before = _resident()
        for _ in range(PEOPLE // 100):
            raw += await _sit(gate, 100)
        each = (_resident() - before) / PEOPLE
        assert len(gate.gateway) == PEOPLE + 50
        assert all(isinstance(connection, Connection) for connection, _, _ in gate.desk.attached)
        assert each < AT_MOST, f"{each / 1024:.1f} KB each"
        for one in raw:
            one.close()
