"""Four people play whole matches over real sockets, on real Valkey and Postgres, with nothing but the public API."""

import asyncio
import json
from typing import Any

import httpx
import jsonschema
import pytest

from app.lab import demo
from app.lab.clients.client import Refused, SeatClient
from app.protocol.v1 import schema
from app.settings import Settings
from app.variants import VARIANTS
from tests.integration.nodes import RunningNode, people, seated, serving
from tests.integration.waiting import PATIENCE_S, eventually, until


async def play(clients: list[SeatClient], limit_s: float = 2 * PATIENCE_S) -> None:
    async with asyncio.timeout(limit_s):
        await asyncio.gather(*[client.run() for client in clients])


@pytest.mark.parametrize("variant", list(VARIANTS))
async def test_four_people_play_a_match_and_every_frame_keeps_to_the_schema(node: RunningNode, variant: str) -> None:
    whole = schema.json_schema()
    check = {
        name.removeprefix("out."): jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": whole["$defs"]})
        for name in whole["$defs"]
        if name.startswith("out.")
    }
    frames: list[dict[str, Any]] = []
    async with people(node.url, 4) as apis:
        clients = await seated(apis, variant, {"rounds": 2} if variant != "tangshan" else {})
        clients[0].on_frame = frames.append
        first = asyncio.create_task(clients[0].run())
        await until(lambda: clients[0].match)  # so that they see the others come
        await play(clients[1:])
        await first
        for client in clients:
            assert client.match["phase"] == "ended", client.match
            assert client.gaps == []
        totals = clients[0].match["totals"]
        assert sum(totals) == 0
        assert all(client.match["totals"] == totals for client in clients)
    kinds = {frame["kind"]: frame for frame in frames}
    assert {"events", "prompt", "sync", "ack", "presence"} <= set(kinds)
    for frame in [*kinds.values(), *frames[:: max(1, len(frames) // 40)]]:
        check[frame["kind"]].validate(frame)


async def test_no_frame_tells_the_seed_before_its_round_has_ended(
    node: RunningNode, caplog: pytest.LogCaptureFixture
) -> None:
    """Nor any line of the log, ever."""
    caplog.set_level("DEBUG")
    async with people(node.url, 4) as apis:
        clients = await seated(apis, "tianjin", {"rounds": 2})
        said: list[str] = []
        for client in clients:
            client.on_frame = lambda frame: said.append(json.dumps(frame))
        await play(clients)
    seeds = {settled["ended"]["seed"] for client in clients for settled in client.settled}
    assert len(seeds) == 2 and all(len(seed) == 64 for seed in seeds)
    for seed in seeds:
        first = next(number for number, text in enumerate(said) if seed in text)
        assert '"round_ended"' in said[first]
        assert seed not in caplog.text


async def test_every_round_is_in_the_archive_for_its_players(node: RunningNode) -> None:
    async with people(node.url, 4) as apis:
        clients = await seated(apis, "tianjin", {"rounds": 2})
        await play(clients)
        rounds = await eventually(lambda: apis[0].call("GET", "/me/rounds"), lambda found: len(found["items"]) == 2)
        detail = await apis[0].call("GET", f"/rounds/{rounds['items'][0]['id']}")
        assert all({"reason", "clause", "points"} <= set(line) for line in detail["lines"])
        assert sum(seat["net"] for seat in detail["seats"]) == 0
        with pytest.raises(Refused):
            await apis[0].call("GET", "/rounds/none")
        await eventually(lambda: _figures(node.url), lambda seen: seen["mj_rounds_written_total"] == 2)
        seen = await _figures(node.url)
        assert (
            seen["mj_tables_created_total"] == 1 and seen["mj_store_problems"] == 0 and seen["mj_archive_waiting"] == 0
        )
        assert seen['mj_store_write_seconds_bucket{le="+Inf"}'] == seen["mj_store_write_seconds_count"] > 100
        assert seen['mj_rest_answers_total{status="404"}'] == 1 and seen["process_open_fds"] > 4
        assert not [name for name in seen if "tile" in name or "room" in name or "user" in name]


async def _figures(url: str) -> dict[str, float]:
    """What a watcher reads at `/metrics`."""
    async with httpx.AsyncClient() as http:
        text = (await http.get(f"{url}/metrics")).raise_for_status().text
    return {name: float(value) for name, value in [line.rsplit(" ", 1) for line in text.splitlines() if line[0] != "#"]}


async def test_everybody_may_sit_elsewhere_once_the_match_is_over(node: RunningNode) -> None:
    async with people(node.url, 4) as apis:
        await play(await seated(apis, "tianjin", {"rounds": 2}))
        await eventually(lambda: apis[1].call("GET", "/me/room"), lambda found: found["room"] is None)
        assert (await apis[1].create_room("tianjin", {}, {}))["code"]


async def test_the_demo_plays_and_explains_a_match(node: RunningNode, capsys: pytest.CaptureFixture[str]) -> None:
    assert await asyncio.to_thread(demo.main, ["--url", node.url, "--seed", "1"]) == 0
    said = capsys.readouterr().out
    assert "Round 1" in said and "Round 2" in said and "Final ranking" in said
    assert "(TJ-" in said or "no points moved" in said


async def test_a_node_with_enough_tables_says_so_before_play_gets_slow(settings: Settings) -> None:
    async with serving(settings.model_copy(update={"max_tables": 1})) as node, people(node.url, 2) as apis:
        await apis[0].create_room("tianjin", {}, {})
        with pytest.raises(Refused) as refused:
            await apis[1].create_room("tianjin", {}, {})
        assert (refused.value.status, refused.value.code) == (503, "too_many_tables")
        assert refused.value.retry_after_s > 0
