"""The end of a right ends its streams within five seconds, whichever node hears of it first (S8)."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest
from pydantic import SecretStr

from app.lab.clients.client import Api, Refused, SeatClient
from app.settings import Settings
from tests.integration.nodes import QUICK, people, serving
from tests.integration.waiting import spending, until

OPERATOR = "an operator's token of the deployment"


@pytest.mark.usefixtures("nobody_counts_as_dead")
async def test_s8_a_ban_a_kick_and_a_block_at_one_node_close_the_sockets_at_the_other(settings: Settings) -> None:
    """S8: four people at a table of the first node; their host, and an operator, speak to the second one."""
    settings = settings.model_copy(update={"admin_token": SecretStr(OPERATOR)})
    async with (
        serving(settings) as one,
        serving(settings.model_copy(update={"node": "n2"})) as two,
        people(one.url, 5) as (host, blocked, kicked, banned, sent_away),
        AsyncExitStack() as stack,
    ):
        room = await host.create_room("tianjin", {}, {**QUICK, "spectators": "all"})
        await sent_away.join(room["code"])
        watching = [SeatClient(api, room["id"]) for api in (host, blocked, kicked, banned, sent_away)]
        for client in watching:
            client.ready_at_once = False
            running = asyncio.create_task(client.run())
            stack.callback(running.cancel)
        await until(lambda: all(client.match for client in watching))
        there, boss = await stack.enter_async_context(Api(two.url)), await stack.enter_async_context(Api(two.url))
        await there.sign_in_again(host.device_token)
        boss._http.headers["Authorization"] = f"Bearer {OPERATOR}"
        async with spending() as spent:
            await there.call("POST", "/me/blocks", {"user": blocked.user})
            await boss.call("POST", f"/admin/rooms/{room['id']}/kick", {"user": kicked.user, "reason": "试"})
            await boss.call("POST", f"/admin/users/{banned.user}/ban", {"reason": "试"})
            await watching[0].ask("kick", {"seat": 1})
            await until(lambda: all(client.close_code is not None for client in watching[1:]))
        assert spent.s < 5.0
        assert [client.close_code for client in watching[1:]] == [4005, 4005, 4005, 4005]
        assert watching[0].close_code is None, "the host plays on"
        for api in (blocked, banned):
            with pytest.raises(Refused):
                await api.ticket(room["id"])
        for api in (kicked, sent_away):
            again = SeatClient(api, room["id"])
            await again.run()
            assert [refused["code"] for refused in again.refused] == ["not_allowed"]
        await watching[0].ask("readmit", {"user": sent_away.user})
        assert (await sent_away.join(room["code"]))["live"]["seats"][1]["user"] == sent_away.user
