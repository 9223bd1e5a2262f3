"""One folder and one line: a tree with a fourth game soaks it, times it, serves it, archives it and replays it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.lab.chaos.running import own_server
from app.lab.clients.client import Plain, SeatClient, plain_choice
from app.records.codec import decode
from app.records.verify import verify
from tests.integration.nodes import people, seated
from tests.integration.waiting import PATIENCE_S, eventually
from tests.variants.fourth.test_page import REGISTRY
from tests.variants.fourth.tree import SLUG, run, tree_with_fourth_game


@pytest.fixture(scope="module")
def tree() -> Iterator[Path]:
    with tree_with_fourth_game() as root:
        yield root


def test_it_is_soaked_under_all_invariants(tree: Path) -> None:
    assert SLUG in run(tree, "soak", "--variant", SLUG, "--rounds", "30", "--seed", "1")


def test_it_is_timed(tree: Path) -> None:
    (measured,) = json.loads(run(tree, "bench", "engine", "--variant", SLUG, "--rounds", "3", "--json"))
    assert measured["variant"] == SLUG and measured["entries_per_s"] > 0


async def _choose(client: SeatClient, decision: Plain) -> Plain:
    return plain_choice(decision["options"], client.rng)


async def _match(url: str) -> dict[str, Any]:
    """Two people play a match of two rounds; the record of the first as the archive gives it."""
    async with people(url, 2) as apis:
        clients: list[SeatClient] = await seated(apis, SLUG, {"rounds": 2})
        for client in clients:
            client.choose = _choose
        async with asyncio.timeout(2 * PATIENCE_S):
            await asyncio.gather(*[client.run() for client in clients])
        assert all(client.match["phase"] == "ended" and client.gaps == [] for client in clients)
        rounds = await eventually(lambda: apis[0].call("GET", "/me/rounds"), lambda found: len(found["items"]) == 2)
        found = await apis[0].call("GET", f"/records/{rounds['items'][-1]['id']}")
        record: dict[str, Any] = found["record"]
        return record


def test_a_match_over_sockets_is_archived_and_its_record_verifies(tree: Path) -> None:
    with own_server(root=tree) as server:
        record = asyncio.run(_match(server.url))
    checks = verify(decode(json.dumps(record)), REGISTRY)
    assert [check for check in checks if check.difference or check.skipped] == []
