"""Operators' rights by scope, and the log of their calls."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import insert

from app.records.upcast import upcast
from app.refusal import ErrorCode
from app.storage.archive.engine import Archive
from app.storage.archive.operators import operators
from app.storage.archive.operators.scopes import EXPLICIT, ROLE_SCOPES, SCOPES, Scope, granted
from app.storage.archive.play.rooms import close_room
from app.storage.archive.schema import admin_accounts
from app.storage.live.rooms.alerts import Alert
from app.tables.asks import OrderDissolve, OrderFreeze, OrderInspect, OrderMute, OrderRelease, OrderRemove
from app.tables.match.decide import Refused
from app.tables.outcomes import Done
from tests.admin.doubles import TablesInMemory
from tests.api.conftest import START, StandingClock
from tests.storage.archive.documents import finished, store_round

WHY = {"reason": "重复举报"}
PASSWORD = "a long password"

CALLS: list[tuple[Scope, str, str, Any]] = [
    ("read", "GET", "/rooms", None),
    ("read", "GET", "/rooms/room1", None),
    ("read", "GET", "/nodes", None),
    ("read", "GET", "/counters", None),
    ("read", "GET", "/users?name=a", None),
    ("read", "GET", "/users/ann", None),
    ("read", "GET", "/sanctions", None),
    ("inspect", "GET", "/rooms/room1/inspect?reason=x", None),
    ("operate", "POST", "/rooms/room1/freeze", WHY),
    ("operate", "POST", "/rooms/room1/release", WHY),
    ("moderate", "POST", "/rooms/room1/kick", {**WHY, "user": "ann"}),
    ("operate", "POST", "/announcements", {**WHY, "text": "维护"}),
    ("operate", "POST", "/nodes/n1/drain", WHY),
    ("moderate", "POST", "/users/ann/mute", WHY),
    ("moderate", "POST", "/users/ann/ban", WHY),
    ("moderate", "POST", "/sanctions/s/lift", WHY),
    ("moderate", "GET", "/reports", None),
    ("moderate", "POST", "/reports/r/handle", WHY),
    ("ladder", "POST", "/ladder/tianjin/adjust", {**WHY, "user": "ann", "points": 5}),
    ("export", "GET", "/records/match1.1", None),
    ("audit", "GET", "/audit", None),
    ("accounts", "GET", "/accounts", None),
    ("accounts", "POST", "/accounts", {**WHY, "name": "new one", "role": "viewer", "password": PASSWORD}),
    ("accounts", "PATCH", "/accounts/nobody", {**WHY, "disabled": True}),
    ("operate", "POST", "/rooms/room1/dissolve", WHY),
]


@pytest.fixture
async def played(archive: Archive, tables: TablesInMemory) -> None:
    """A round of ann, bob, cat and dan in room1, whose table runs."""
    await store_round(archive, finished(("ann", "bob", "cat", "dan")))
    tables.seat("room1", "ann")


@pytest.mark.usefixtures("played")
async def test_a_token_does_what_its_scopes_say_and_nothing_else(staff: Any) -> None:
    for scope in SCOPES:
        operator = await staff("admin", [scope])
        for needed, method, path, body in CALLS:
            response = await operator.call(method, f"/admin{path}", body)
            code = response.json()["error"]["code"] if response.status_code >= 400 else None
            if needed != scope:
                assert (response.status_code, code) == (403, "forbidden"), (scope, path)
            else:
                wider = path == "/accounts" and code == "forbidden"  # a viewer may read, which this token may not (S10)
                assert wider or code in (None, "not_found", "no_such_room", "name_taken"), (scope, path, response.text)


@pytest.mark.usefixtures("admin_app")
async def test_without_an_operators_token_there_is_nothing(
    http: httpx.AsyncClient, guest: Any, clock: StandingClock
) -> None:
    for _, method, path, body in CALLS:
        player = await guest()
        clock.pass_by(minutes=1)
        assert (await http.request(method, f"/v1/admin{path}", json=body)).status_code == 401
        assert (await player.call(method, f"/admin{path}", body)).status_code == 401


def test_no_token_has_inspect_unasked() -> None:
    for role, scopes in ROLE_SCOPES.items():
        assert not granted(role, None) & EXPLICIT
        assert granted(role, SCOPES) == scopes
    assert granted("admin", ["inspect"]) == {"inspect"} and granted("operator", ["inspect"]) == frozenset()


@pytest.mark.usefixtures("played")
async def test_hidden_tiles_need_the_explicit_scope_and_leave_a_trace(staff: Any, tables: TablesInMemory) -> None:
    boss = await staff("admin")
    assert (await boss.refused("GET", "/admin/rooms/room1/inspect", reason="x"))[1] == "forbidden"
    eyes = await staff("admin", ["inspect", "audit"])
    assert (await eyes.refused("GET", "/admin/rooms/room1/inspect"))[::2] == (422, "reason")
    seen = await eyes.get("/admin/rooms/room1/inspect", reason="投诉核查", everything=True)
    assert seen["table"]["view"] == {"hands": "all"} and tables.orders == [("room1", OrderInspect(True))]
    line = (await eyes.get("/admin/audit"))["items"][0]
    assert (line["action"], line["reason"], line["status"]) == ("inspect_room", "投诉核查", 200)


@pytest.mark.usefixtures("played")
async def test_dissolving_twice_is_dissolving_once(
    staff: Any, tables: TablesInMemory, archive: Archive, clock: StandingClock
) -> None:
    boss = await staff("operator")
    assert (await boss.post("/admin/rooms/room1/dissolve", WHY))["done"] is True
    again = await boss.post("/admin/rooms/room1/dissolve", WHY)
    assert again["done"] is False and "closed already" in again["note"]
    await close_room(archive, "room1", "operator", clock())
    assert "operator" in (await boss.post("/admin/rooms/room1/dissolve", WHY))["note"]
    assert tables.orders == [("room1", OrderDissolve("重复举报", by="operator"))]
    assert (await boss.refused("POST", "/admin/rooms/nowhere/dissolve", WHY))[:2] == (404, "no_such_room")
    assert (await boss.refused("POST", "/admin/rooms/room1/dissolve", {"reason": " "}))[::2] == (422, "reason")


@pytest.mark.usefixtures("played")
async def test_what_the_table_refuses_is_told(staff: Any, tables: TablesInMemory) -> None:
    boss = await staff("operator")
    tables.answer = Refused(ErrorCode.NOT_NOW)
    assert (await boss.refused("POST", "/admin/rooms/room1/release", WHY))[:2] == (409, "conflict")
    tables.answer = Refused(ErrorCode.MOVED)
    assert (await boss.refused("POST", "/admin/rooms/room1/release", WHY))[:2] == (503, "busy")
    tables.answer = Done()
    await boss.post("/admin/rooms/room1/freeze", WHY)
    await boss.post("/admin/rooms/room1/release", WHY)
    await boss.post("/admin/rooms/room1/kick", {**WHY, "user": "ann"})
    assert [order for _, order in tables.orders[2:]] == [
        OrderFreeze("重复举报"), OrderRelease(), OrderRemove("ann", kicked=True),
    ]  # fmt: skip


async def test_live_rooms_are_listed_page_by_page(staff: Any, tables: TablesInMemory) -> None:
    for n in range(5):
        tables.seat(f"room{n}", f"user{n}")
    boss = await staff("viewer")
    first = await boss.get("/admin/rooms", limit=3)
    rest = await boss.get("/admin/rooms", limit=3, cursor=first["cursor"])
    assert [row["id"] for row in first["items"] + rest["items"]] == [f"room{n}" for n in range(5)]
    assert rest["cursor"] is None and first["items"][0]["seats"][0] == {
        "user": "user0", "name": "somebody", "bot": False, "online": True,
    }  # fmt: skip


async def test_a_ban_ends_sessions_and_seats_and_holds_on_his_devices(
    staff: Any, guest: Any, http: httpx.AsyncClient, tables: TablesInMemory, clock: StandingClock
) -> None:
    boss, player = await staff("moderator"), await guest("捣乱")
    tables.seat("room9", player.id)
    ids = (await boss.post(f"/admin/users/{player.id}/ban", {**WHY, "minutes": 60, "devices": True}))["ids"]
    assert len(ids) == 2
    assert tables.orders == [("room9", OrderRemove(player.id, kicked=True))] and tables.calls == [
        ("void", player.id),
        ("disconnect", player.id),
    ]
    assert (await player.refused("GET", "/me"))[:2] == (403, "banned")
    device = {"device_token": player.tokens["device_token"]}
    for path, body in (("/guests", device), ("/tokens/refresh", {"refresh_token": player.tokens["refresh_token"]})):
        response = await http.post(f"/v1{path}", json=body)
        assert (response.status_code, response.json()["error"]["code"]) == (403, "banned"), path
    seen = await boss.get(f"/admin/users/{player.id}")
    assert (seen["sanctions"], seen["room"], seen["devices"]) == (["ban"], "room9", 1)
    clock.pass_by(minutes=61)
    again = (await http.post("/v1/guests", json=device)).json()
    assert again["user"]["id"] == player.id


async def test_a_ban_whose_table_does_not_answer_lets_no_token_of_before_in(
    staff: Any, guest: Any, tables: TablesInMemory
) -> None:
    boss, player = await staff("moderator"), await guest()
    tables.seat("room9", player.id)
    tables.silent.add("room9")
    assert (await boss.refused("POST", f"/admin/users/{player.id}/ban", WHY))[:2] == (503, "busy")
    assert tables.calls[:1] == [("void", player.id)]


async def test_a_ban_can_be_lifted(staff: Any, guest: Any) -> None:
    boss, player = await staff("moderator"), await guest()
    [ban] = (await boss.post(f"/admin/users/{player.id}/ban", WHY))["ids"]
    assert (await player.refused("GET", "/me"))[1] == "banned"
    await boss.post(f"/admin/sanctions/{ban}/lift", WHY)
    await player.get("/me")
    [row] = (await boss.get("/admin/sanctions", user=player.id))["items"]
    assert (row["in_force"], row["reason"], row["kind"]) == (False, "重复举报", "ban")
    assert (await boss.refused("POST", "/admin/users/nobody/ban", WHY))[:2] == (404, "not_found")


async def test_a_mute_works_at_once_and_is_lifted(staff: Any, guest: Any, tables: TablesInMemory) -> None:
    boss, player = await staff("moderator"), await guest()
    tables.seat("room9", player.id)
    [mute] = (await boss.post(f"/admin/users/{player.id}/mute", {**WHY, "minutes": 5}))["ids"]
    await player.get("/me")
    await boss.post(f"/admin/sanctions/{mute}/lift", WHY)
    assert tables.orders == [("room9", OrderMute(player.id, True, 300)), ("room9", OrderMute(player.id, False))]
    assert tables.calls == [("void", player.id)], "tokens of before know nothing of it"


async def test_a_ban_of_devices_reaches_those_who_share_them_on_their_way_back_too(
    staff: Any, guest: Any, http: httpx.AsyncClient, tables: TablesInMemory
) -> None:
    boss, player, brother, stranger = await staff("moderator"), await guest("捣乱"), await guest("弟弟"), await guest()
    await brother.post("/accounts", {"name": "弟弟二号", "password": "long enough a word"})
    shared = {"name": "弟弟二号", "password": "long enough a word", "device_token": player.tokens["device_token"]}
    assert (await http.post("/v1/sessions", json=shared)).status_code == 200
    await boss.post(f"/admin/users/{player.id}/ban", {**WHY, "devices": True})
    assert ("void", brother.id) in tables.calls and ("void", stranger.id) not in tables.calls


async def test_reports_are_seen_and_handled_once(staff: Any, guest: Any) -> None:
    boss, anna, ben = await staff("moderator"), await guest("安娜"), await guest("小本")
    await anna.post("/me/reports", {"user": ben.id, "reason": "cheating", "text": "看牌"})
    [report] = (await boss.get("/admin/reports"))["items"]
    assert (report["reporter"], report["reported"], report["text"]) == ("安娜", "小本", "看牌")
    await boss.post(f"/admin/reports/{report['id']}/handle", WHY)
    await boss.post(f"/admin/reports/{report['id']}/handle", WHY)
    assert (await boss.get("/admin/reports"))["items"] == []


@pytest.mark.usefixtures("played")
async def test_ladder_points_are_adjusted_with_a_reason(staff: Any, guest: Any) -> None:
    boss, anna = await staff("admin"), await guest()
    assert (await boss.post("/admin/ladder/tianjin/adjust", {**WHY, "user": "ann", "points": -8}))["points"] == 10
    assert (await boss.post("/admin/ladder/tianjin/adjust", {**WHY, "user": anna.id, "points": 200}))["points"] == 200
    assert (await anna.get("/ladder/tianjin/me"))["level_name"] == "二万"
    zero = {**WHY, "user": "ann", "points": 0}
    assert (await boss.refused("POST", "/admin/ladder/tianjin/adjust", zero))[::2] == (422, "points")
    for game in ("guizhou", "tangshan", "riichi"):
        refused = await boss.call("POST", f"/admin/ladder/{game}/adjust", {**zero, "points": 1})
        assert (refused.status_code, refused.json()["error"]) == (
            404,
            {
                "code": "not_found",
                "message": f"'{game}' has no ladder (等级); games with one: tianjin",
                "field": "slug",
            },
        )


async def test_announce_drain_count_and_find(staff: Any, guest: Any, tables: TablesInMemory) -> None:
    boss, anna = await staff("operator"), await guest("Anna_1")
    tables.seat("room1", anna.id)
    assert await boss.post("/admin/announcements", {**WHY, "text": "维护"}) == {"rooms": 1}
    assert (await boss.post("/admin/nodes/n1/drain", WHY))["done"]
    assert (await boss.refused("POST", "/admin/nodes/n7/drain", WHY))[:2] == (404, "not_found")
    counted = await boss.get("/admin/counters")
    assert counted["live"] == {"tables": 1} and counted["archive"]["users"] == 1
    assert [row["name"] for row in (await boss.get("/admin/users", name="ANN"))["items"]] == ["Anna_1"]
    assert (await boss.get("/admin/users", name="%"))["items"] == []


async def test_operators_sign_in_make_tokens_and_lose_them(staff: Any, http: httpx.AsyncClient) -> None:
    boss = await staff("admin")
    made = await boss.post("/admin/accounts", {**WHY, "name": "小张", "role": "operator", "password": PASSWORD})
    assert (
        await boss.refused("POST", "/admin/accounts", {**WHY, "name": "小张", "role": "viewer", "password": PASSWORD})
    )[1] == "name_taken"
    signed = await http.post("/v1/admin/sessions", json={"name": "小张", "password": "a long password"})
    assert signed.json()["scopes"] == ["export", "moderate", "operate", "read"]
    wrong = await http.post("/v1/admin/sessions", json={"name": "小张", "password": "a wrong password"})
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (401, "wrong_password")
    boss.tokens["access_token"], chang = (
        boss.tokens["access_token"],
        type(boss)("", {"access_token": signed.json()["token"]}, http),
    )
    assert (await chang.get("/admin/me"))["role"] == "operator"
    token = await chang.post("/admin/tokens", {**WHY, "label": "cron", "scopes": ["read"]})
    assert (await chang.refused("POST", "/admin/tokens", {**WHY, "label": "cron", "scopes": ["inspect"]}))[
        1
    ] == "forbidden"
    cron = type(boss)("", {"access_token": token["token"]}, http)
    await cron.get("/admin/nodes")
    mine = (await chang.get("/admin/tokens"))["items"]
    path = f"/admin/tokens/{next(row['id'] for row in mine if row['label'] == 'cron')}"
    assert (await chang.refused("DELETE", path))[::2] == (422, "reason")
    assert (await chang.call("DELETE", path, reason="不再需要")).status_code == 204
    assert (await cron.refused("GET", "/admin/nodes"))[0] == 401
    await boss.call("PATCH", f"/admin/accounts/{made['id']}", {**WHY, "role": "viewer"})
    assert (await chang.refused("POST", "/admin/nodes/n1/drain", WHY))[1] == "forbidden"
    await boss.call("PATCH", f"/admin/accounts/{made['id']}", {**WHY, "disabled": True})
    assert (await chang.refused("GET", "/admin/me"))[0] == 401


async def test_there_are_two_hundred_operators_at_most(staff: Any, archive: Archive) -> None:
    boss = await staff("admin")
    assert operators.ACCOUNTS_AT_MOST == 200
    rows = [{"id": f"a{n}", "name": f"op{n}", "role": "viewer", "password_hash": "x"} for n in range(198)]
    async with archive.begin() as db:
        await db.execute(insert(admin_accounts), rows)
    asked = {**WHY, "role": "viewer", "password": PASSWORD}
    await boss.post("/admin/accounts", {**asked, "name": "the last"})
    assert (await boss.refused("POST", "/admin/accounts", {**asked, "name": "too many"}))[:2] == (409, "conflict")
    assert len((await boss.get("/admin/accounts"))["items"]) == 200


@pytest.mark.usefixtures("played")
async def test_a_record_is_exported_as_it_was_stored(staff: Any) -> None:
    clerk = await staff("admin", ["export"])
    record = finished(("ann", "bob", "cat", "dan"))["record"]
    assert (await clerk.get("/admin/records/match1.1"))["record"] == upcast(record)
    assert (await clerk.refused("GET", "/admin/records/match1.2"))[:2] == (404, "not_found")


async def test_somebody_stays_admin(staff: Any) -> None:
    boss = await staff("admin")
    for change in ({"role": "viewer"}, {"disabled": True}):
        assert (await boss.refused("PATCH", f"/admin/accounts/{boss.id}", {**WHY, **change}))[:2] == (409, "conflict")
    other = await staff("admin")
    assert (await boss.call("PATCH", f"/admin/accounts/{other.id}", {**WHY, "role": "viewer"})).status_code == 200
    assert (await boss.refused("PATCH", f"/admin/accounts/{boss.id}", WHY))[:2] == (422, "invalid")


@pytest.mark.usefixtures("admin_app")
async def test_a_sign_in_lasts_one_shift(archive: Archive, http: httpx.AsyncClient, clock: StandingClock) -> None:
    from app.storage.archive.people import passwords

    async with archive.begin() as db:
        await operators.create_account(db, "夜班", "admin", await passwords.hashed("a long password"))
    body = {"name": "夜班", "password": "a long password", "scopes": ["inspect", "read"]}
    given = (await http.post("/v1/admin/sessions", json=body)).json()
    headers = {"Authorization": f"Bearer {given['token']}"}
    assert given["scopes"] == ["inspect", "read"]
    assert (await http.get("/v1/admin/me", headers=headers)).status_code == 200
    clock.pass_by(hours=11)
    assert (await http.get("/v1/admin/me", headers=headers)).status_code == 401


async def test_the_deployments_own_token_works_where_one_is_set(admin_app: FastAPI, http: httpx.AsyncClient) -> None:
    from dataclasses import replace

    from pydantic import SecretStr

    services = admin_app.state.admin_services
    settings = services.settings.model_copy(update={"admin_token": SecretStr("deployment token, long enough")})
    admin_app.state.admin_services = replace(services, settings=settings)
    headers = {"Authorization": "Bearer deployment token, long enough"}
    assert (await http.get("/v1/admin/me", headers=headers)).json()["name"] == "deployment"
    assert (await http.get("/v1/admin/tokens", headers=headers)).status_code == 403
    assert (await http.get("/v1/admin/me", headers={"Authorization": "Bearer other"})).status_code == 401
    assert START


async def test_a_new_password_ends_an_operators_other_tokens(staff: Any, http: Any) -> None:
    """S9: the one with which it was changed stays, also when it is one's own."""
    boss, other = await staff("admin"), await staff("moderator")
    accounts = {row["name"]: row["id"] for row in (await boss.get("/admin/accounts"))["items"]}
    mine = accounts[(await boss.get("/admin/me"))["name"]]
    theirs = accounts[(await other.get("/admin/me"))["name"]]
    for account in (mine, theirs):
        changed = {"password": "battery staple 12", "reason": "换密码"}
        assert (await boss.call("PATCH", f"/admin/accounts/{account}", changed)).status_code == 200
    assert (await boss.get("/admin/me"))["name"]
    assert (await other.refused("GET", "/admin/me"))[:2] == (401, "not_signed_in")


async def test_an_alert_is_seen_and_closed_once(staff: Any, tables: TablesInMemory) -> None:
    """A16."""
    boss = await staff("admin")
    tables.alarms["room1"] = Alert("room1", "frozen", "a bug", 5)
    assert (await boss.get("/admin/alerts"))["items"] == [
        {"room": "room1", "what": "frozen", "text": "a bug", "at": "1970-01-01T00:00:00.005000Z"}
    ]
    assert (await boss.post("/admin/alerts/room1/close", WHY))["done"] is True
    assert (await boss.get("/admin/alerts"))["items"] == []
    assert (await boss.refused("POST", "/admin/alerts/room1/close", WHY))[:2] == (404, "not_found")


async def test_refused_documents_are_seen_exported_and_handed_over_again(staff: Any, tables: TablesInMemory) -> None:
    """A16."""
    boss, inspector = await staff("admin"), await staff("admin", ["inspect"])
    tables.aside["room1"] = {"3": {"kind": "round"}, "end": {"kind": "ended"}}
    assert (await boss.get("/admin/refused"))["items"] == [{"room": "room1", "names": ["3", "end"]}]
    whole = await inspector.get("/admin/refused/room1/3", reason="why")
    assert whole == {"document": {"kind": "round"}}
    assert (await inspector.refused("GET", "/admin/refused/room1/9?reason=why"))[0] == 404
    assert (await boss.post("/admin/refused/room1/retry", WHY))["note"] == "2 queued again"
    assert (await boss.refused("POST", "/admin/refused/room1/retry", WHY))[0] == 404
