"""Long-lived tokens of players: shown once, kept as a hash, with scopes, and gone with their player's sessions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text

from app.api.services import Services
from app.service.rights import may_stay
from app.storage.archive.engine import Archive
from app.storage.archive.people.personal_tokens import TOKENS_AT_MOST
from app.storage.live.limiter import BUDGETS
from app.storage.live.rooms.tickets import Ticket
from tests.api.conftest import Player, StandingClock
from tests.api.doubles import RoomsInMemory

PASSWORD = "correct horse battery"


async def bearer(player: Player, *scopes: str, **more: Any) -> tuple[str, Player]:
    """A new token's id, and a program that calls with it."""
    made = await player.post("/me/tokens", {"label": "my bot", "scopes": list(scopes), **more})
    return made["id"], Player(player.id, {"access_token": made["token"]}, player.http)


async def test_a_token_is_shown_once_and_listed_with_its_last_use(
    guest: Any, clock: StandingClock, archive: Archive
) -> None:
    player = await guest()
    token_id, program = await bearer(player, "read", days=30)
    (shown,) = (await player.get("/me/tokens"))["items"]
    assert (shown["id"], shown["scopes"], shown["last_used_at"]) == (token_id, ["read"], None)
    assert "token" not in shown
    clock.pass_by(minutes=5)
    assert (await program.get("/me"))["id"] == player.id
    (shown,) = (await player.get("/me/tokens"))["items"]
    assert shown["last_used_at"] == clock.at.isoformat().replace("+00:00", "Z")
    async with archive.read() as db:
        kept = (await db.execute(text("SELECT encode(token_hash, 'escape') FROM personal_tokens"))).scalar_one()
    assert program.tokens["access_token"] not in kept


async def test_a_refusal_names_the_missing_scope(guest: Any) -> None:
    _, program = await bearer(await guest(), "read")
    answer = await program.call("POST", "/rooms", {"variant": "tianjin"})
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["reason"]) == (403, "forbidden", "scope")
    assert "play" in error["message"]
    error = (await program.call("GET", "/me/tokens")).json()["error"]
    assert (error["code"], error["reason"]) == ("forbidden", "personal_token")


async def test_a_program_sits_down_with_a_play_token(guest: Any) -> None:
    program = (await bearer(await guest(), "play"))[1]
    room = await program.post("/rooms", {"variant": "tianjin"})
    assert (await program.post(f"/rooms/{room['id']}/ticket"))["ws_path"]


async def test_a_revoked_token_is_worth_nothing_and_its_sockets_lose_their_right(
    guest: Any, archive: Archive, live: RoomsInMemory, clock: StandingClock
) -> None:
    player = await guest()
    token_id, program = await bearer(player, "read")
    async with archive.read() as db:
        session = (await db.execute(text("SELECT session_id FROM personal_tokens"))).scalar_one()
    ticket = Ticket(player.id, "", "", "lobby", session=session)
    assert await may_stay(archive, ticket, clock())
    assert (await player.call("DELETE", f"/me/tokens/{token_id}")).status_code == 204
    assert await program.refused("GET", "/me") == (401, "not_signed_in", None)
    assert player.id in live.voided and not await may_stay(archive, ticket, clock())


async def test_a_token_ends_at_its_date_with_a_ban_and_with_all_other_sessions(
    guest: Any, clock: StandingClock
) -> None:
    player = await guest()
    _, brief = await bearer(player, "read", days=1)
    _, long = await bearer(player, "read", days=300)
    clock.pass_by(days=1)
    assert await brief.refused("GET", "/me") == (401, "not_signed_in", None)
    assert (await long.get("/me"))["id"] == player.id
    fresh = await player.http.post("/v1/guests", json={"device_token": player.tokens["device_token"]})
    player.tokens |= fresh.json()
    assert (await player.call("DELETE", "/me/sessions")).status_code == 204
    assert await long.refused("GET", "/me") == (401, "not_signed_in", None)


async def test_a_deleted_player_leaves_no_token(guest: Any, archive: Archive) -> None:
    player = await guest()
    _, program = await bearer(player, "read")
    proof = {"device_token": player.tokens["device_token"]}
    assert (await player.call("DELETE", "/me", proof)).status_code == 204
    assert await program.refused("GET", "/me") == (401, "not_signed_in", None)
    async with archive.read() as db:
        assert (await db.execute(text("SELECT count(*) FROM personal_tokens"))).scalar_one() == 0


async def test_tokens_are_limited_in_number_and_strangers_cannot_revoke_them(guest: Any) -> None:
    player, stranger = await guest(), await guest()
    ids = [(await bearer(player, "read"))[0] for _ in range(TOKENS_AT_MOST)]
    answer = await player.call("POST", "/me/tokens", {"label": "x", "scopes": ["read"]})
    assert (answer.status_code, answer.json()["error"]["reason"]) == (409, "tokens_full")
    assert await stranger.refused("DELETE", f"/me/tokens/{ids[0]}") == (404, "not_found", None)
    await player.call("DELETE", f"/me/tokens/{ids[0]}")
    await bearer(player, "read")


async def test_all_tokens_of_a_player_share_one_budget(guest: Any, app: FastAPI) -> None:
    player = await guest()
    programs = [(await bearer(player, "read"))[1] for _ in range(2)]
    services: Services = app.state.services
    for _ in range(BUDGETS["personal_token"]["user"].burst):
        await services.limiter.spend("personal_token", user=player.id)
    assert await programs[0].refused("GET", "/me") == (429, "rate_limited", None)
    assert await programs[1].refused("GET", "/me") == (429, "rate_limited", None)
    assert (await player.get("/me"))["id"] == player.id


async def test_guesses_of_tokens_are_counted_by_address(guest: Any, http: httpx.AsyncClient) -> None:
    stranger = Player("", {"access_token": "qzt_guess"}, http)
    codes = [(await stranger.call("GET", "/me")).status_code for _ in range(BUDGETS["bearer"]["address"].burst + 1)]
    assert set(codes[:-1]) == {401} and codes[-1] == 429


async def account(guest: Any, name: str) -> Player:
    player: Player = await guest()
    await player.post("/accounts", {"name": name, "password": PASSWORD})
    return player


async def test_an_owner_declares_a_bot_account_for_good(guest: Any, live: RoomsInMemory) -> None:
    owner, bot = await account(guest, "老王"), await account(guest, "牌搭子")
    declared = await owner.post("/me/bots", {"name": "牌搭子", "password": PASSWORD})
    assert (declared["id"], declared["bot"]) == (bot.id, True)
    assert (await bot.get("/me"))["bot"] is True
    assert [one["id"] for one in (await owner.get("/me/bots"))["items"]] == [bot.id]
    assert bot.id in live.voided
    answer = await owner.call("POST", "/me/bots", {"name": "牌搭子", "password": PASSWORD})
    assert (answer.status_code, answer.json()["error"]["reason"]) == (409, "bot_already")


@pytest.mark.parametrize("password", ["a guess", ""])
async def test_nobody_declares_an_account_that_they_cannot_sign_in_to(guest: Any, password: str) -> None:
    owner, bot = await account(guest, "老王"), await account(guest, "牌搭子")
    answer = await owner.refused("POST", "/me/bots", {"name": "牌搭子", "password": password})
    assert answer == (401, "wrong_password", None)
    assert (await bot.get("/me"))["bot"] is False


async def test_a_bot_account_is_marked_where_it_sits_and_kept_out_of_ranked_tables(
    guest: Any, app: FastAPI, live: RoomsInMemory
) -> None:
    owner, bot, person = await account(guest, "老王"), await account(guest, "牌搭子"), await guest()
    await owner.post("/me/bots", {"name": "牌搭子", "password": PASSWORD})
    answer = await bot.call("POST", "/quick", {"variant": "tianjin"})
    assert (answer.status_code, answer.json()["error"]["reason"]) == (403, "bot_account")
    ranked = await person.post("/quick", {"variant": "tianjin"})
    answer = await bot.call("POST", f"/rooms/{ranked['id']}/join", {})
    assert (answer.status_code, answer.json()["error"]["reason"]) == (403, "bot_account")
    services: Services = app.state.services
    allowed = services.settings.model_copy(update={"ranked_bots": True})
    app.state.services = replace(services, settings=allowed)
    seats = (await bot.post("/quick", {"variant": "tianjin"}))["live"]["seats"]
    assert {seat["user"]: seat["bot_account"] for seat in seats if seat} == {person.id: False, bot.id: True}
