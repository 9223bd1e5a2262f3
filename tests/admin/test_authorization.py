"""The right to call each route: every route × nobody, guest, applicant, banned, member, manager, owner, operators'
roles.

A route without a row fails. Answers about absent objects count as allowed: the caller passed every check.
"""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from app.api.people.scopes import NEVER, SCOPE_OF
from app.refusal import MESSAGES, ErrorCode
from app.storage.archive.operators.scopes import ROLE_SCOPES
from tests.api.conftest import Player, StandingClock

ANYBODY, SIGNED_IN = "anybody", "signed in"
MEMBERS, MANAGERS, OWNER = ("member", "manager", "owner"), ("manager", "owner"), ("owner",)

ROWS: dict[str, str | tuple[str, ...]] = {
    **dict.fromkeys(
        ("accounts_sign_in_as_guest", "accounts_sign_in", "accounts_refresh", "accounts_sign_out",
         "accounts_recover",
         "variants_variants", "variants_rules", "variants_score", "history_shared", "operators_sign_in"),
        ANYBODY,
    ),
    **dict.fromkeys(
        ("accounts_make_account", "me_profile", "me_delete_me", "me_change_profile", "me_my_sessions",
         "me_end_other_sessions", "me_end_session",
         "accounts_recovery_codes_left", "accounts_make_recovery_codes", "me_export", "me_my_tokens", "me_make_token",
         "me_revoke_token", "me_my_bots", "me_declare_bot",
         "me_events", "rooms_invite_bot", "me_blocks", "me_block", "me_unblock", "me_report",
         "rooms_create_room", "rooms_room_state", "rooms_room_by_code", "rooms_join", "rooms_ticket", "rooms_leave",
         "rooms_my_room", "rooms_players", "rooms_lobby", "rooms_lobby_ticket", "rooms_quick_match",
         "history_my_matches", "history_my_rounds", "history_my_dealings", "history_my_statistics",
         "history_match_detail", "history_export_match", "history_round_detail", "history_record", "history_share",
         "ladder_the_best",
         "ladder_my_standing", "circles_my_circles", "circles_found_circle", "circles_apply"),
        SIGNED_IN,
    ),
    **dict.fromkeys(
        ("circles_circle_detail", "circles_circle_lobby", "circles_member_list", "circles_templates",
         "circles_matches", "circles_leaderboard", "circles_member_statistics", "circles_dealings"),
        MEMBERS,
    ),
    **dict.fromkeys(
        ("circles_dissolve_room", "circles_applications", "circles_approve", "circles_reject", "circles_remove",
         "circles_bans", "circles_ban", "circles_unban", "circles_save", "circles_replace", "circles_drop",
         "circles_pairs", "circles_keep_apart", "circles_let_together",
         "circles_webhooks", "circles_add_webhook", "circles_remove_webhook", "circles_resume_webhook",
         "circles_webhook_deliveries", "circles_replay_delivery"),
        MANAGERS,
    ),
    **dict.fromkeys(
        ("circles_change_circle", "circles_dissolve_circle", "circles_transfer", "circles_set_role"), OWNER
    ),
    **dict.fromkeys(
        ("operators_enrol", "operators_confirm_second_factor", "operators_who_am_i", "operators_my_tokens",
         "operators_make_token", "operators_revoke_token"),
        "operator: any",
    ),
    **dict.fromkeys(
        ("operators_live_rooms", "operators_room", "operators_nodes", "operators_counters", "operators_find_users",
         "operators_list_words",
         "operators_user", "operators_list_sanctions", "operators_alerts", "operators_refused_documents"),
        "operator: read",
    ),
    **dict.fromkeys(
        ("operators_kick", "operators_readmit", "operators_ban", "operators_mute", "operators_lift",
         "operators_reports", "operators_handle_report", "operators_put_word", "operators_take_word_out",
         "operators_seated_together", "operators_one_sided"),
        "operator: moderate",
    ),
    **dict.fromkeys(
        ("operators_dissolve", "operators_freeze", "operators_release", "operators_announce", "operators_drain",
         "operators_close_alert", "operators_retry_refused"),
        "operator: operate",
    ),
    **dict.fromkeys(
        ("operators_accounts", "operators_create_account", "operators_change_account", "operators_tokens_of",
         "operators_revoke_token_of", "operators_take_second_factor_away"),
        "operator: accounts",
    ),
    **dict.fromkeys(("operators_inspect_room", "operators_refused_document"), "operator: inspect"),
    "operators_audit_log": "operator: audit",
    "operators_adjust_ladder": "operator: ladder", "operators_export_record": "operator: export",
}  # fmt: skip
"""Operation → who may."""

NOWHERE = "nowhere0000000000"
WHY = {"reason": "试"}
BODIES: dict[str, Any] = {
    "accounts_make_account": {"name": "某某", "password": "short but long"},
    "accounts_sign_in": {"name": "某某", "password": "x"}, "accounts_refresh": {"refresh_token": "x"},
    "accounts_recover": {"name": "某某", "code": "x", "password": "short but long"},
    "accounts_make_recovery_codes": {"password": "x"},
    "accounts_sign_out": {"refresh_token": "x"}, "me_block": {"user": NOWHERE},
    "me_make_token": {"label": "x", "scopes": ["read"]}, "rooms_invite_bot": {"bot": "某某"},
    "me_declare_bot": {"name": "某某", "password": "x"},
    "me_report": {"user": NOWHERE, "reason": "abuse"}, "rooms_create_room": {"variant": "none"},
    "rooms_quick_match": {"variant": "none"}, "variants_score": {"list": "hands", "entries": [{}]},
    "circles_found_circle": {"name": "新圈子"}, "circles_apply": {"code": "00000000"},
    "circles_change_circle": {"name": "新名字"}, "circles_transfer": {"user": NOWHERE},
    "circles_set_role": {"role": "manager"}, "circles_ban": {"user": NOWHERE},
    "circles_save": {"name": "常规", "variant": "tianjin"}, "circles_replace": {"name": "常规", "variant": "tianjin"},
    "circles_add_webhook": {"url": "https://example.org/x", "events": ["application"]},
    "circles_keep_apart": {"a": NOWHERE, "b": "nobody"}, "operators_sign_in": {"name": "某某", "password": "x"},
    "operators_make_token": {**WHY, "label": "x", "scopes": ["read"]},
    "operators_put_word": {**WHY, "kind": "blocked", "word": "某某"},
    "operators_enrol": {**WHY, "password": "x"},
    "operators_confirm_second_factor": {**WHY, "one_time_password": "000000"},
    "operators_create_account": {**WHY, "name": "某某", "role": "viewer", "password": "correct horse battery"},
    "operators_change_account": {**WHY, "disabled": True},
    "operators_kick": {**WHY, "user": NOWHERE},
    "operators_readmit": {**WHY, "user": NOWHERE}, "operators_announce": {**WHY, "text": "x"},
    "operators_adjust_ladder": {**WHY, "user": NOWHERE, "points": 1},
}  # fmt: skip
DESTRUCTIVE = ("circles_dissolve_circle", "me_end_other_sessions")

Call = tuple[str, str, str, Any]


def _calls(page: dict[str, Any], circle: str) -> list[Call]:
    """(operation, method, path, body) of every route, those that end something at last."""
    parts = {"circle": circle, "slug": "tianjin", "code": "000000"}
    found = []
    for path, item in page["paths"].items():
        for method, told in item.items():
            name = told["operationId"]
            names = [part["name"] for part in told.get("parameters", ()) if part["in"] == "path"]
            filled = path
            for part in names:
                value = "222222222222" if name == "history_shared" else parts.get(part, NOWHERE)
                filled = filled.replace(f"{{{part}}}", value)
            asked = [q for q in told.get("parameters", ()) if q["in"] == "query" and q.get("required")]
            said = [f"{q['name']}={q['schema'].get('enum', ['xx'])[0]}" for q in asked]
            query = "?" + "&".join(said) if said else ""
            body = BODIES.get(name, WHY if name.startswith("operators_") else {}) if "requestBody" in told else None
            found.append((name, method.upper(), filled.removeprefix("/v1") + query, body))
    return sorted(found, key=lambda call: call[0] in DESTRUCTIVE)


async def _past_the_guards(caller: Player | None, http: httpx.AsyncClient, call: Call) -> bool:
    name, method, path, body = call
    if caller is None:
        response = await http.request(method, f"/v1{path}", json=body)
    else:
        response = await caller.call(method, path, body)
    assert response.status_code < 500 and response.status_code != 429, (name, response.text)
    if response.status_code < 400:
        return True
    error = response.json()["error"]
    assert error["code"] != "malformed" and (response.status_code != 422 or "variant" in error.get("field", "")
                                             or "entries" in error.get("field", "")), (name, response.text)  # fmt: skip
    unseen = (
        isinstance(ROWS[name], tuple) and error["code"] == "not_found" and error["message"] == "there is no such circle"
    )
    sign_in_first = error["message"] in (MESSAGES[ErrorCode.NOT_SIGNED_IN], "an operator's token is needed")
    return not (unseen or sign_in_first or error["code"] == "forbidden")


def test_every_route_has_a_row(app: FastAPI, admin_app: FastAPI) -> None:
    """A new route without a row fails."""
    routes = {call[0] for call in _calls(admin_app.openapi(), "c")}
    assert routes == ROWS.keys()


@pytest.fixture
async def people(guest: Any) -> dict[str, Player]:
    """Somebody of every kind, around one circle; the key `circle` is not among them."""
    kinds = ("owner", "manager", "member", "applicant", "banned", "guest")
    found = {kind: await guest() for kind in kinds}
    circle = await found["owner"].post("/circles", {"name": "老友圈"})
    path = f"/circles/{circle['id']}"
    for kind in ("manager", "member", "applicant", "banned"):
        await found[kind].post("/circles/join", {"code": circle["code"]})
    for kind in ("manager", "member"):
        await found["owner"].post(f"{path}/applications/{found[kind].id}/approve")
    await found["owner"].call("PATCH", f"{path}/members/{found['manager'].id}", {"role": "manager"})
    await found["owner"].post(f"{path}/bans", {"user": found["banned"].id})
    found["owner"].tokens["circle"] = circle["id"]
    return found


async def test_players_come_past_the_guards_they_should(
    admin_app: FastAPI, people: dict[str, Player], http: httpx.AsyncClient, clock: StandingClock
) -> None:
    """Outsiders first, so that what is changed by those who may does not help them."""
    calls = _calls(admin_app.openapi(), people["owner"].tokens["circle"])
    for kind in ("nobody", "guest", "banned", "applicant", "member", "manager", "owner"):
        caller = people.get(kind)
        for number, call in enumerate(calls):
            if number % 10 == 0:
                clock.pass_by(minutes=1)
                if caller is not None:
                    fresh = await http.post("/v1/guests", json={"device_token": caller.tokens["device_token"]})
                    caller.tokens |= fresh.json()
            if call[0].startswith("operators_"):
                clock.pass_by(seconds=60)  # wrong operators' tokens are few a minute
            row = ROWS[call[0]]
            allowed = row == ANYBODY or (caller is not None and (row == SIGNED_IN or kind in row))
            if isinstance(row, str) and row.startswith("operator"):
                allowed = False
            assert await _past_the_guards(caller, http, call) is allowed, (kind, call)


def test_every_route_of_signed_in_players_has_a_scope_or_is_closed_to_personal_tokens() -> None:
    """A new route without a row in `scopes.py` fails here; until then the server refuses it to every such token."""
    for_players = {name for name, who in ROWS.items() if who == SIGNED_IN or isinstance(who, tuple)}
    assert for_players == SCOPE_OF.keys() | NEVER
    assert not SCOPE_OF.keys() & NEVER


async def test_personal_tokens_come_past_the_guards_of_their_scope_only(
    admin_app: FastAPI, people: dict[str, Player], http: httpx.AsyncClient, clock: StandingClock
) -> None:
    """The owner may do everything, so what is refused is refused for the token's sake."""
    owner = people["owner"]
    calls = [call for call in _calls(admin_app.openapi(), owner.tokens["circle"]) if ROWS[call[0]] != ANYBODY]
    for scope in ("play", "read", "circle"):
        made = await owner.post("/me/tokens", {"label": "x", "scopes": [scope]})
        bearer = Player(owner.id, {"access_token": made["token"]}, http)
        for call in calls:
            clock.pass_by(seconds=60)
            assert await _past_the_guards(bearer, http, call) is (SCOPE_OF.get(call[0]) == scope), (scope, call)
        fresh = await http.post("/v1/guests", json={"device_token": owner.tokens["device_token"]})
        owner.tokens |= fresh.json()


async def test_operators_come_past_the_guards_of_their_role(
    admin_app: FastAPI, staff: Any, http: httpx.AsyncClient, clock: StandingClock
) -> None:
    calls = [call for call in _calls(admin_app.openapi(), "c") if call[0].startswith("operators_")]
    for role, scopes in ROLE_SCOPES.items():
        operator = await staff(role, sorted(scopes))
        for call in calls:
            row = str(ROWS[call[0]])
            scope = row.removeprefix("operator: ")
            allowed = row == ANYBODY or scope in ("any", *scopes)
            clock.pass_by(seconds=10)
            assert await _past_the_guards(operator, http, call) is allowed, (role, call)
