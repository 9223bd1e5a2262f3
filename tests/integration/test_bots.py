"""Bots by outsiders: invited by name, told over the stream of events, at the table with nothing but a token."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest

from app.lab.clients.client import Api, Refused, SeatClient
from app.sdk.examples import bot as example
from app.variants import VARIANTS
from tests.integration.nodes import QUICK, RunningNode, people
from tests.integration.waiting import PATIENCE_S, until

PASSWORD = "correct horse battery"


@contextlib.asynccontextmanager
async def owned_bot(node: RunningNode, *scopes: str) -> AsyncIterator[tuple[Api, Api, str, str]]:
    """The owner, the bot account as signed in by its owner, and id and secret of a token of the bot account."""
    async with people(node.url, 2) as (owner, bot):
        await owner.call("POST", "/accounts", {"name": "老王", "password": PASSWORD})
        await bot.call("POST", "/accounts", {"name": "牌搭子", "password": PASSWORD})
        await owner.call("POST", "/me/bots", {"name": "牌搭子", "password": PASSWORD})
        await bot.sign_in_again(bot.device_token)  # its access token of before does not know it for a bot
        made = await bot.call("POST", "/me/tokens", {"label": "牌搭子", "scopes": list(scopes)})
        yield owner, bot, made["id"], made["token"]


@contextlib.asynccontextmanager
async def listening(api: Api) -> AsyncIterator[list[dict[str, Any]]]:
    """What somebody is told meanwhile, from now on."""
    heard: list[dict[str, Any]] = []

    async def listen() -> None:
        async for event in api.events():
            heard.append(event)

    task = asyncio.create_task(listen())
    try:
        await until(lambda: heard)
        yield heard
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.mark.parametrize("variant", list(VARIANTS))
async def test_the_example_bot_plays_a_match_at_the_table_of_its_host(node: RunningNode, variant: str) -> None:
    async with owned_bot(node, "play", "read") as (host, _, _, token), listening(host) as heard:
        program = asyncio.create_task(example.main(node.url, token))
        settings = {**QUICK, "fill_with_bots": True}
        room = await host.create_room(variant, {"rounds": 1} if variant != "tangshan" else {}, settings)
        player = SeatClient(host, room["id"])
        playing = asyncio.create_task(player.run())
        await until(lambda: player.match)
        await host.call("POST", f"/rooms/{room['id']}/invitations", {"bot": "牌搭子"})
        await until(lambda: sum(seat is not None for seat in player.match["seats"]) == 2)
        await player.ask("fill")
        async with asyncio.timeout(PATIENCE_S):
            await playing
            await until(lambda: [event for event in heard if event["type"] == "match_ended"])
        seats = player.match["seats"]
        assert [seat["name"] for seat in seats if seat["name"] == "牌搭子"] and player.match["phase"] == "ended"
        assert {"table_ready", "turn", "round_ended", "match_ended"} <= {event["type"] for event in heard}
        (ended,) = [event for event in heard if event["type"] == "match_ended"][:1]
        assert (ended["room"], ended["total"]) == (room["id"], player.match["totals"][player.seat or 0])
        program.cancel()
        await asyncio.gather(program, return_exceptions=True)


async def test_a_stream_ends_within_moments_when_its_token_is_revoked(node: RunningNode) -> None:
    async with owned_bot(node, "read") as (_, bot, token_id, token), Api(node.url, token=token) as program:
        async with listening(program) as heard:
            await bot.call("DELETE", f"/me/tokens/{token_id}")
            async with asyncio.timeout(5):
                await until(lambda: heard[-1]["type"] == "end")
            assert heard[-1]["reason"] == "not_allowed"
        with pytest.raises(Refused, match="revoked"):
            await anext(program.events())


async def test_a_program_that_comes_back_by_cursor_misses_no_invitation(node: RunningNode) -> None:
    async with owned_bot(node, "play", "read") as (host, _, _, token), Api(node.url, token=token) as program:
        async with listening(program) as heard:
            cursor = heard[0]["id"]
        room = await host.create_room("tianjin", {}, {})
        await host.call("POST", f"/rooms/{room['id']}/invitations", {"bot": "牌搭子"})
        events = program.events(cursor)
        opened, invited = await anext(events), await anext(events)
        assert (opened["type"], invited["type"], invited["room"]) == ("open", "invited", room["id"])
        assert invited["by"]["name"] == "老王"
        await events.aclose()
