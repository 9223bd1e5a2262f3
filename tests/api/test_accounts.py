"""Signing in, tokens, names, and what people do with their account."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import httpx
import jwt
import pytest
from fastapi import FastAPI

from app.api.people.identity import read_access_token
from app.refusal import Refusal
from app.service.words.lists import Lists, built_in
from app.service.words.looks import skeleton
from app.storage.archive.engine import Archive
from tests.api.conftest import StandingClock
from tests.api.doubles import RoomsInMemory
from tests.storage.archive.documents import finished, store_round


async def test_a_guest_comes_back_by_his_device(http: httpx.AsyncClient) -> None:
    first = (await http.post("/v1/guests", json={"name": "老王"})).json()
    again = (await http.post("/v1/guests", json={"device_token": first["device_token"]})).json()
    other = (await http.post("/v1/guests", json={})).json()
    assert first["user"]["name"] == "老王" and not first["user"]["registered"]
    assert again["user"]["id"] == first["user"]["id"]
    assert other["user"]["id"] != first["user"]["id"]


async def test_calls_need_a_token_that_is_ours_and_fresh(
    guest: Any, http: httpx.AsyncClient, clock: StandingClock
) -> None:
    anna = await guest()
    assert (await anna.get("/me"))["id"] == anna.id
    response = await http.get("/v1/me")
    assert response.status_code == 401 and response.headers["www-authenticate"] == "Bearer"
    forged = jwt.encode(
        {"sub": anna.id, "sid": "x", "aud": "quezhuo", "exp": 9**10},
        "another secret, that is long enough for a key",
        "HS256",
    )
    anna.tokens["access_token"] = forged
    assert await anna.refused("GET", "/me") == (401, "not_signed_in", None)
    ben = await guest()
    clock.pass_by(minutes=16)
    assert await ben.refused("GET", "/me") == (401, "not_signed_in", None)


@pytest.mark.parametrize("spoil", [
    lambda token, secret: "", lambda token, secret: "..",
    lambda token, secret: token.rpartition(".")[0] + ".", lambda token, secret: token.replace(".", ".e", 1),
    lambda token, secret: jwt.encode(jwt.decode(token, options={"verify_signature": False}), "", "none"),
    lambda token, secret: jwt.encode({"sub": "x", "sid": "x", "aud": "quezhuo"}, secret, "HS256"),
    lambda token, secret: jwt.encode({"sub": "x", "sid": "x", "aud": "others", "exp": 9**10}, secret, "HS256"),
    lambda token, secret: jwt.encode({"sub": 1, "sid": "x", "aud": "quezhuo", "exp": 9**10}, secret, "HS256"),
    lambda token, secret: "ü" + token,
])  # fmt: skip
async def test_spoilt_tokens_open_nothing(guest: Any, app: FastAPI, spoil: Callable[[str, str], str]) -> None:
    services = app.state.services
    anna = await guest()
    token, secret = anna.tokens["access_token"], services.settings.secret.get_secret_value()
    assert read_access_token(services, token)[0] == anna.id
    with pytest.raises(Refusal) as refused:
        read_access_token(services, spoil(token, secret))
    assert refused.value.code == "not_signed_in"


async def test_refreshing_rotates_and_a_copied_token_ends_the_session(guest: Any, http: httpx.AsyncClient) -> None:
    anna = await guest()
    old = anna.tokens["refresh_token"]
    fresh = (await http.post("/v1/tokens/refresh", json={"refresh_token": old})).json()
    anna.tokens = fresh
    await anna.get("/me")
    reused = await http.post("/v1/tokens/refresh", json={"refresh_token": old})
    assert (reused.status_code, reused.json()["error"]["code"]) == (401, "not_signed_in")
    assert await anna.refused("GET", "/me") == (401, "not_signed_in", None)
    rest = await http.post("/v1/tokens/refresh", json={"refresh_token": fresh["refresh_token"]})
    assert rest.status_code == 401


async def test_refresh_tokens_run_out(guest: Any, http: httpx.AsyncClient, clock: StandingClock) -> None:
    anna = await guest()
    clock.pass_by(days=61)
    response = await http.post("/v1/tokens/refresh", json={"refresh_token": anna.tokens["refresh_token"]})
    assert response.status_code == 401


async def test_a_guest_becomes_an_account_and_signs_in_elsewhere(guest: Any, http: httpx.AsyncClient) -> None:
    anna = await guest()
    made = await anna.post("/accounts", {"name": "天津老王", "password": "correct horse"})
    assert made["registered"] and made["id"] == anna.id
    assert (await anna.refused("POST", "/accounts", {"name": "别的", "password": "correct horse"}))[:2] == (
        409,
        "conflict",
    )
    elsewhere = await http.post("/v1/sessions", json={"name": "天津老王", "password": "correct horse"})
    assert elsewhere.json()["user"]["id"] == anna.id
    for name, password in (("天津老王", "wrong horse"), ("没有这人", "correct horse")):
        wrong = await http.post("/v1/sessions", json={"name": name, "password": password})
        assert (wrong.status_code, wrong.json()["error"]["code"]) == (401, "wrong_password")


async def test_guessing_passwords_is_slowed_down(http: httpx.AsyncClient) -> None:
    codes = []
    for _ in range(11):
        response = await http.post("/v1/sessions", json={"name": "天津老王", "password": "guess"})
        codes.append(response.status_code)
    assert codes == [401] * 10 + [429]
    assert response.headers["retry-after"]


async def test_names_that_look_alike_are_the_same_name(guest: Any) -> None:
    anna, ben = await guest(), await guest()
    await anna.post("/accounts", {"name": "Paul", "password": "correct horse"})
    for name in ("paul", "PAUL", "Pаul", "Ｐａｕｌ", "P a u l", "PauI"):
        assert (await ben.refused("POST", "/accounts", {"name": name, "password": "correct horse"}))[1] in (
            "name_taken",
            "invalid",
        )
        assert (await ben.refused("PATCH", "/me", {"name": name}))[1] in ("name_taken", "invalid")
    assert (await anna.call("PATCH", "/me", {"name": "P aul"})).json()["name"] == "P aul"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "invalid"),
        ("a", "invalid"),
        ("王王王王王王王王王王王王王", "invalid"),
        ("a\u202eb", "invalid"),
        ("zero\u200bwidth", "invalid"),
        ("🀄🀄", "invalid"),
        ("-abc", "invalid"),
        ("аbc", "invalid"),
        ("ⓐⓓⓜⓘⓝ", "blocked_word"),
        ("Adm1n", "blocked_word"),
        ("雀 桌 客 服", "blocked_word"),
        ("f.u.c.k", "blocked_word"),
        ("系统1", "blocked_word"),
        ("系统·02", "blocked_word"),
        ("系統", "blocked_word"),
        ("管理員", "blocked_word"),
        ("客户服务", "blocked_word"),
        ("客戶服務8", "blocked_word"),
        ("admin007", "blocked_word"),
        ("ᴀᴅᴍɪɴ", "blocked_word"),
        ("管理一号", "blocked_word"),
        ("加·微·信", "blocked_word"),
    ],
)
def test_names_that_are_refused(name: str, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        Lists.of(built_in()).name(name)
    assert refused.value.code == code and refused.value.field == "name"


@pytest.mark.parametrize(
    "name",
    ["王", "老王", "Ann", "иван", "天津·老王 2", "administrators", "たろう", "Zoë", "系统之外", "Rod", "badminton"],
)
def test_names_that_are_fine(name: str) -> None:
    assert Lists.of(built_in()).name(f"  {name} ") == name


def test_the_skeleton_folds_what_looks_alike() -> None:
    assert skeleton("Zоë 0l") == skeleton("zoe oI")
    assert skeleton("老王") != skeleton("老玉")


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("bob", "bᴏb"), ("bob", "ʙOʙ"), ("工人", "エ人"), ("張三", "张三"), ("BOB", "ΒΟΒ"), ("paypal", "раураl"),
        ("МАМА", "мама"), ("modern", "rnodern"), ("三八", "三ハ"), ("Łukasz", "lukasz"),
    ],
)  # fmt: skip
def test_s14_these_two_names_are_taken_for_each_other(name: str, other: str) -> None:
    """S14: Unicode's confusables, small capitals, variants of Chinese characters."""
    assert skeleton(name) == skeleton(other)


@pytest.mark.parametrize("text", ["加*微*信", "加 微\n信", "加！微！信", "加🀄微🀄信"])
def test_s14_a_blocked_word_is_found_between_signs(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        Lists.of(built_in()).refuse(text, "notice")
    assert refused.value.code == "blocked_word"


async def test_profile_avatar_and_password_change(guest: Any, http: httpx.AsyncClient) -> None:
    anna = await guest()
    assert (await anna.refused("PATCH", "/me", {"password": "new password"}))[2] == "password"
    await anna.post("/accounts", {"name": "天津老王", "password": "correct horse"})
    assert (await anna.refused("PATCH", "/me", {"password": "new password"}))[1] == "wrong_password"
    change = {"avatar": "seed7", "password": "new password", "old_password": "correct horse"}
    assert (await anna.call("PATCH", "/me", change)).json()["avatar"] == "seed7"
    assert (await http.post("/v1/sessions", json={"name": "天津老王", "password": "new password"})).status_code == 200
    assert await anna.refused("PATCH", "/me", {"avatar": "no/slash"}) == (422, "invalid", "avatar")
    assert await anna.refused("PATCH", "/me", {"admin": True}) == (422, "invalid", "admin")


async def test_blocking_and_reporting(guest: Any) -> None:
    anna, ben = await guest("安娜"), await guest("小本")
    await anna.post("/me/blocks", {"user": ben.id})
    await anna.post("/me/blocks", {"user": ben.id})
    assert [row["name"] for row in (await anna.get("/me/blocks"))["items"]] == ["小本"]
    assert (await anna.refused("POST", "/me/blocks", {"user": anna.id}))[:2] == (422, "invalid")
    assert (await anna.refused("POST", "/me/blocks", {"user": "nobody"}))[:2] == (404, "not_found")
    await anna.call("DELETE", f"/me/blocks/{ben.id}")
    assert (await anna.get("/me/blocks"))["items"] == []
    filed = await anna.post("/me/reports", {"user": ben.id, "reason": "abuse", "text": "骂人"})
    assert filed["id"]
    report = {"user": ben.id, "reason": "abuse", "round": "not.mine.1"}
    assert await anna.refused("POST", "/me/reports", report) == (422, "invalid", "round")


async def test_export_holds_everything_and_deletion_leaves_a_pseudonym(
    guest: Any, archive: Archive, live: RoomsInMemory, http: httpx.AsyncClient
) -> None:
    anna, ben = await guest("安娜"), await guest("小本")
    await store_round(archive, finished((anna.id, ben.id), [(1, 0, 6)]))
    data = (await anna.get("/me/export"))["data"]
    assert data["profile"]["name"] == "安娜" and len(data["rounds"]) == 1 and data["ladder"][0]["points"] == 6
    assert "password_hash" not in str(data) and "token" not in str(data)
    room = await anna.post("/rooms", {"variant": "tianjin"})
    assert (await anna.call("DELETE", "/me", {"device_token": anna.tokens["device_token"]})).status_code == 204
    assert (await anna.refused("GET", "/me"))[:2] == (401, "not_signed_in")
    assert await live.claims(room["id"]) == set()
    told = await ben.get("/rounds/match1.1")
    assert told["seats"][0]["name"].startswith("已注销")
    device = (await http.post("/v1/guests", json={"device_token": anna.tokens["device_token"]})).json()
    assert device["user"]["id"] != anna.id


async def test_an_owner_hands_his_circle_over_before_he_goes(guest: Any) -> None:
    anna = await guest()
    await anna.post("/circles", {"name": "老友"})
    assert (await anna.refused("DELETE", "/me", {"device_token": anna.tokens["device_token"]}))[:2] == (409, "conflict")


def test_access_tokens_are_short_and_refresh_tokens_long() -> None:
    from app.api.people.identity import ACCESS, REFRESH

    assert timedelta(minutes=1) < ACCESS < timedelta(hours=1) < REFRESH
