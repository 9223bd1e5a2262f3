"""Four people play whole matches over real sockets, on real Valkey and Postgres, with nothing but the public API."""

import asyncio

import pytest

from app.devstack.client import SeatClient
from tests.integration.nodes import RunningNode, people, seated


async def play(clients: list[SeatClient], limit_s: float = 60.0) -> None:
    async with asyncio.timeout(limit_s):
        await asyncio.gather(*[client.run() for client in clients])


@pytest.mark.parametrize("variant", ["tianjin", "guizhou", "tangshan"])
async def test_four_people_play_a_match_to_its_end(node: RunningNode, variant: str) -> None:
    async with people(node.url, 4) as apis:
        clients = await seated(apis, variant, {"rounds": 2} if variant != "tangshan" else {})
        await play(clients)
        for client in clients:
            assert client.match["phase"] == "ended", client.match
            assert client.gaps == []
        totals = clients[0].match["totals"]
        assert sum(totals) == 0
        assert all(client.match["totals"] == totals for client in clients)


async def test_every_round_is_in_the_archive_with_its_lines(node: RunningNode) -> None:
    async with people(node.url, 4) as apis:
        clients = await seated(apis, "tianjin", {"rounds": 2})
        await play(clients)
        async with asyncio.timeout(10):
            while len(matches := (await apis[0].call("GET", "/me/matches"))["items"]) < 1:
                await asyncio.sleep(0.05)
        assert matches
