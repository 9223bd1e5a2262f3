"""Bans and mutes to the letter: which devices, for how long, what holds when one of several is lifted."""

from __future__ import annotations

from typing import Any

import httpx

from app.tables.asks import OrderMute
from tests.admin.doubles import TablesInMemory
from tests.api.conftest import StandingClock

WHY = {"reason": "重复举报"}


async def test_signing_out_everywhere_does_not_hide_a_device_from_a_ban(
    staff: Any, guest: Any, http: httpx.AsyncClient
) -> None:
    boss, player = await staff("moderator"), await guest("捣乱")
    revoked = {"refresh_token": player.tokens["refresh_token"], "everywhere": True}
    assert (await player.call("POST", "/tokens/revoke", revoked)).status_code == 204
    assert len((await boss.post(f"/admin/users/{player.id}/ban", {**WHY, "devices": True}))["ids"]) == 2
    again = await http.post("/v1/guests", json={"device_token": player.tokens["device_token"]})
    assert (again.status_code, again.json()["error"]["code"]) == (403, "banned")


async def test_a_mute_holds_until_the_last_one_is_lifted(staff: Any, guest: Any, tables: TablesInMemory) -> None:
    boss, player = await staff("moderator"), await guest()
    tables.seat("room9", player.id)
    first, second = [(await boss.post(f"/admin/users/{player.id}/mute", WHY))["ids"][0] for _ in range(2)]
    await boss.post(f"/admin/sanctions/{first}/lift", WHY)
    assert [order for _, order in tables.orders] == [OrderMute(player.id, True)] * 2
    await boss.post(f"/admin/sanctions/{second}/lift", WHY)
    assert tables.orders[-1] == ("room9", OrderMute(player.id, False))


async def test_a_timed_mute_is_told_to_the_next_table_with_what_is_left_of_it(
    staff: Any, guest: Any, live: Any, clock: StandingClock
) -> None:
    boss, player = await staff("moderator"), await guest()
    await boss.post(f"/admin/users/{player.id}/mute", {**WHY, "minutes": 5})
    clock.pass_by(minutes=3)
    room = await player.post("/rooms", {"variant": "tianjin"})
    await player.post(f"/rooms/{room['id']}/ticket")  # a table forgets mutes when it moves
    assert live.orders == [(room["id"], OrderMute(player.id, True, 120))] * 2
    clock.pass_by(minutes=3)
    await player.post(f"/rooms/{room['id']}/ticket")
    assert len(live.orders) == 2
