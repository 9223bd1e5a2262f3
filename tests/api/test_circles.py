"""Circles (亲友圈): who may do what, as a matrix; joining, roles, templates, pairs kept apart, boards, the lobby."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, get_args

import pytest

from app.storage.archive.circles.rights import RIGHTS, ROLES, Permission, Role, may
from app.storage.archive.engine import Archive
from app.tables.asks import OrderDissolve
from tests.api.conftest import START, Player, StandingClock
from tests.api.doubles import RoomsInMemory
from tests.storage.archive.documents import finished, store_round


@dataclass
class Club:
    """A circle with one of each: owner, manager, member, applicant, stranger."""

    id: str
    code: str
    owner: Player
    manager: Player
    member: Player
    applicant: Player
    stranger: Player
    path: str

    def who(self, role: str) -> Player:
        found: Player = getattr(self, role)
        return found


@pytest.fixture
async def club(guest: Any) -> Club:
    """See `Club`."""
    owner, manager, member, applicant, stranger = [
        await guest(name) for name in ("老大", "管事", "小友", "来客", "路人")
    ]
    made = await owner.post("/circles", {"name": "河北路老友"})
    path = f"/circles/{made['id']}"
    for player in (manager, member):
        await player.post("/circles/join", {"code": made["code"]})
        await owner.post(f"{path}/applications/{player.id}/approve")
    await owner.call("PATCH", f"{path}/members/{manager.id}", {"role": "manager"})
    await applicant.post("/circles/join", {"code": made["code"], "message": "老王介绍的"})
    return Club(made["id"], made["code"], owner, manager, member, applicant, stranger, path)


CALLS: dict[str, tuple[Permission, str, str, Any]] = {
    "look": ("see", "GET", "", None),
    "members": ("see", "GET", "/members", None),
    "lobby": ("see", "GET", "/rooms", None),
    "history": ("see", "GET", "/matches", None),
    "board": ("see", "GET", "/leaderboard", None),
    "dealings": ("see", "GET", "/dealings", None),
    "list templates": ("see", "GET", "/templates", None),
    "statistics": ("see", "GET", "/members/{member}/statistics", None),
    "list applications": ("approve", "GET", "/applications", None),
    "approve": ("approve", "POST", "/applications/{applicant}/approve", None),
    "reject": ("approve", "POST", "/applications/{applicant}/reject", None),
    "list bans": ("ban", "GET", "/bans", None),
    "ban a stranger": ("ban", "POST", "/bans", {"user": "{stranger}"}),
    "unban": ("unban", "DELETE", "/bans/{stranger}", None),
    "rename": ("edit", "PATCH", "", {"name": "新名字"}),
    "notice": ("notice", "PATCH", "", {"notice": "周六晚八点"}),
    "save a template": ("templates", "POST", "/templates", {"name": "常规", "variant": "tianjin"}),
    "list pairs": ("apart", "GET", "/apart", None),
    "keep apart": ("apart", "POST", "/apart", {"a": "{member}", "b": "{manager}"}),
    "let together": ("apart", "DELETE", "/apart/{member}/{manager}", None),
    "dissolve": ("dissolve_circle", "DELETE", "", None),
}


@pytest.mark.parametrize("role", ["stranger", "member", "manager", "owner"])
async def test_every_call_asks_the_one_table(club: Club, role: str) -> None:
    people = {name: club.who(name).id for name in ("owner", "manager", "member", "applicant", "stranger")}
    for call, (deed, method, path, body) in CALLS.items():
        sent = body and {key: value.format(**people) for key, value in body.items()}
        response = await club.who(role).call(method, club.path + path.format(**people), sent)
        if role == "stranger":
            assert (response.status_code, response.json()["error"]["code"]) == (404, "not_found"), call
        elif may(role, deed):  # type: ignore[arg-type]
            assert response.status_code in (200, 201, 204) or call == "reject", (call, response.text)
        else:
            assert (response.status_code, response.json()["error"]["code"]) == (403, "forbidden"), call


TARGETS: dict[Permission, tuple[str, str, Any]] = {
    "set_role": ("PATCH", "/members/{target}", {"role": "member"}),
    "remove": ("DELETE", "/members/{target}", None),
    "ban": ("POST", "/bans", {"user": "{target}"}),
    "transfer": ("POST", "/transfer", {"user": "{target}"}),
}
PAIRS: list[tuple[Permission, Role, Role]] = [(deed, role, him) for deed in TARGETS for role in ROLES for him in ROLES]


async def _do(club: Club, deed: Permission, role: Role, target: Role) -> int:
    method, path, body = TARGETS[deed]
    him = club.who(target).id
    sent = body and {key: value.format(target=him) for key, value in body.items()}
    return (await club.who(role).call(method, club.path + path.format(target=him), sent)).status_code


@pytest.mark.parametrize(("deed", "role", "target"), [row for row in PAIRS if may(row[1], row[0], row[2])])
async def test_what_may_be_done_to_a_member_works(club: Club, deed: Permission, role: Role, target: Role) -> None:
    assert await _do(club, deed, role, target) == (200 if deed == "transfer" else 204)


async def test_what_may_not_be_done_to_a_member_is_forbidden(club: Club) -> None:
    for deed, role, target in PAIRS:
        if may(role, deed, target) or (deed == "remove" and role == target):
            continue
        assert await _do(club, deed, role, target) == 403, (deed, role, target)


def test_the_table_names_every_deed_and_no_role_may_more_than_a_higher_one() -> None:
    assert set(RIGHTS) == set(get_args(Permission))
    for deed in RIGHTS:
        owner, manager, member = RIGHTS[deed]
        if deed != "leave":
            assert owner >= manager >= member


async def test_joining_needs_the_code_and_an_answer(club: Club) -> None:
    assert (await club.stranger.refused("POST", "/circles/join", {"code": "00000000"}))[:2] == (404, "not_found")
    waiting = (await club.manager.get(f"{club.path}/applications"))["items"]
    assert [(row["name"], row["message"]) for row in waiting] == [("来客", "老王介绍的")]
    assert (await club.owner.get(club.path))["applications"] == 1
    await club.manager.post(f"{club.path}/applications/{club.applicant.id}/approve")
    assert (await club.applicant.get(club.path))["role"] == "member"
    assert (await club.applicant.refused("POST", "/circles/join", {"code": club.code}))[:2] == (409, "conflict")
    again = f"{club.path}/applications/{club.applicant.id}/approve"
    assert (await club.manager.refused("POST", again))[:2] == (404, "not_found")
    assert [row["id"] for row in (await club.applicant.get("/circles"))["items"]] == [club.id]


async def test_the_banned_stay_out_until_the_ban_is_taken_back(club: Club) -> None:
    await club.manager.post(f"{club.path}/bans", {"user": club.member.id, "reason": "骂人"})
    assert await club.member.refused("GET", club.path) == (404, "not_found", None)
    refused = await club.member.call("POST", "/circles/join", {"code": club.code})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "banned")
    assert refused.json()["error"]["message"].endswith(": 骂人"), "W17: they are told why"
    assert [row["reason"] for row in (await club.owner.get(f"{club.path}/bans"))["items"]] == ["骂人"]
    await club.owner.call("DELETE", f"{club.path}/bans/{club.member.id}")
    await club.member.post("/circles/join", {"code": club.code})


async def test_a_circle_is_handed_over_and_the_old_owner_may_leave(club: Club) -> None:
    leave = f"{club.path}/members/{club.owner.id}"
    assert (await club.owner.refused("DELETE", leave))[:2] == (409, "conflict")
    await club.owner.post(f"{club.path}/transfer", {"user": club.member.id})
    assert (await club.member.get(club.path))["role"] == "owner"
    assert (await club.owner.get(club.path))["role"] == "manager"
    assert (await club.owner.call("DELETE", leave)).status_code == 204


async def test_templates_keep_all_options_and_open_rooms(club: Club) -> None:
    path = f"{club.path}/templates"
    saved = await club.manager.post(
        path, {"name": "五块", "variant": "tianjin", "rules": {"base": 5}, "settings": {"think_s": 9}}
    )
    assert saved["rules"]["rounds"] == 8 and saved["settings"]["claim_s"] == 8
    assert (await club.manager.refused("POST", path, {"name": "五块", "variant": "tianjin"}))[:2] == (409, "name_taken")
    wrong = {"name": "错的", "variant": "tianjin", "rules": {"base": 0}}
    assert await club.manager.refused("POST", path, wrong) == (422, "invalid", "rules.base")
    room = await club.member.post("/rooms", {"circle": club.id, "template": saved["id"]})
    assert (room["kind"], room["circle"], room["rules"]["base"], room["settings"]["think_s"]) == (
        "circle",
        club.id,
        5,
        9,
    )
    changed = await club.owner.call(
        "PUT", f"{path}/{saved['id']}", {"name": "十块", "variant": "tianjin", "rules": {"base": 10}}
    )
    assert changed.json()["rules"]["base"] == 10
    await club.owner.call("DELETE", f"{path}/{saved['id']}")
    assert (await club.member.get(path))["items"] == []
    assert (await club.owner.refused("DELETE", f"{path}/{saved['id']}"))[:2] == (404, "not_found")


async def test_a_circles_rooms_are_for_its_members_and_its_managers_dissolve_them(
    club: Club, live: RoomsInMemory
) -> None:
    asked = {"variant": "tianjin", "circle": club.id}
    assert (await club.stranger.refused("POST", "/rooms", asked))[:2] == (404, "not_found")
    room = await club.member.post("/rooms", asked)
    for method, path in (("GET", ""), ("POST", "/join"), ("POST", "/ticket")):
        refused = await club.stranger.refused(method, f"/rooms/{room['id']}{path}", None if method == "GET" else {})
        assert refused[:2] == (403, "not_allowed")
    assert (await club.stranger.refused("GET", f"/codes/{room['code']}"))[:2] == (403, "not_allowed")
    lobby = (await club.manager.get(f"{club.path}/rooms"))["items"]
    assert [(row["id"], sum(seat is None for seat in row["live"]["seats"])) for row in lobby] == [(room["id"], 3)]
    dissolve = f"{club.path}/rooms/{room['id']}/dissolve"
    assert (await club.member.refused("POST", dissolve, {}))[:2] == (403, "forbidden")
    assert (await club.manager.call("POST", dissolve, {"reason": "散了"})).status_code == 204
    assert live.orders == [(room["id"], OrderDissolve("散了", by="circle"))]
    foreign = await club.stranger.post("/rooms", {"variant": "tianjin"})
    elsewhere = f"{club.path}/rooms/{foreign['id']}/dissolve"
    assert (await club.owner.refused("POST", elsewhere, {}))[:2] == (404, "no_such_room")


async def test_members_may_watch_where_the_room_says_members(club: Club, live: RoomsInMemory) -> None:
    room = await club.member.post("/rooms", {"variant": "tianjin", "circle": club.id, "spectators": "members"})
    await club.manager.post(f"/rooms/{room['id']}/ticket")
    assert live.tickets == [(f"room:{room['id']}", club.manager.id, True)]


async def test_pairs_kept_apart_never_sit_together(club: Club, live: RoomsInMemory) -> None:
    await club.owner.post(f"{club.path}/apart", {"a": club.member.id, "b": club.manager.id})
    await club.owner.post(f"{club.path}/apart", {"a": club.manager.id, "b": club.member.id})
    pairs = (await club.manager.get(f"{club.path}/apart"))["items"]
    assert [{pair["a"]["name"], pair["b"]["name"]} for pair in pairs] == [{"小友", "管事"}]
    room = await club.member.post("/rooms", {"variant": "tianjin", "circle": club.id})
    join = f"/rooms/{room['id']}/join"
    assert (await club.manager.refused("POST", join, {}))[:2] == (409, "room_full")
    await club.owner.post(join)
    await club.owner.call("DELETE", f"{club.path}/apart/{club.manager.id}/{club.member.id}")
    await club.manager.post(join)
    assert (await club.owner.refused("POST", f"{club.path}/apart", {"a": club.stranger.id, "b": club.member.id}))[
        0
    ] == 404
    assert (await club.owner.refused("POST", f"{club.path}/apart", {"a": club.member.id, "b": club.member.id}))[
        0
    ] == 422


async def test_history_board_and_statistics_of_a_circle(club: Club, archive: Archive, clock: StandingClock) -> None:
    ids = [club.owner.id, club.manager.id, club.member.id, club.stranger.id]
    about = {"circle": club.id, "ranked": False, "host": club.owner.id}
    await store_round(archive, finished(ids, room=about, at=START - timedelta(days=40)))
    await store_round(archive, finished(ids, [(1, 2, 30)], round_no=2, winner=2, room=about, at=START))
    await store_round(archive, finished(ids, [], round_no=3, outcome="void", room=about, at=START))
    [match] = (await club.member.get(f"{club.path}/matches"))["items"]
    assert (match["rounds"], match["net"]) == (2, None)
    week = (await club.member.get(f"{club.path}/leaderboard", period="week"))["items"]
    assert (week[0]["rank"], week[0]["user_id"], week[0]["net"]) == (1, club.member.id, 30)
    assert [row["rank"] for row in week] == [1, 2, 2, 4]
    ever = await club.member.get(f"{club.path}/leaderboard", period="all")
    assert {row["user_id"]: row["net"] for row in ever["items"]}[club.owner.id] == 18 and ever["since"] is None
    members = {row["name"]: row["played"] for row in (await club.owner.get(f"{club.path}/members"))["items"]}
    assert members["小友"]["rounds"] == 2 and members["小友"]["net"] == 24
    [sums] = (await club.owner.get(f"{club.path}/members/{club.member.id}/statistics"))["items"]
    assert (sums["wins"], sums["win_rate"]) == (1, 0.5)
    dealings = (await club.owner.get(f"{club.path}/dealings", limit=4))["items"]
    assert len(dealings) == 4 and {row["is_dealer"] for row in dealings} == {True, False}
    assert (await club.member.get("/records/match1.1"))["record"]["match"] == "match1"
    await club.applicant.refused("GET", "/records/match1.1")


async def test_a_member_who_did_not_play_reads_the_circles_records(club: Club, archive: Archive) -> None:
    ids = [club.owner.id, club.manager.id, club.stranger.id, club.applicant.id]
    await store_round(archive, finished(ids, room={"circle": club.id, "ranked": False, "host": club.owner.id}))
    await club.member.get("/records/match1.1")
    await club.stranger.get("/records/match1.1")


async def test_a_dissolved_circle_is_gone_with_its_rooms(club: Club, live: RoomsInMemory) -> None:
    room = await club.member.post("/rooms", {"variant": "tianjin", "circle": club.id})
    assert (await club.owner.call("DELETE", club.path)).status_code == 204
    assert {order[0] for order in live.orders} == {room["id"]}
    assert (await club.member.get("/circles"))["items"] == []
    assert (await club.owner.refused("GET", club.path))[:2] == (404, "not_found")
    assert (await club.stranger.refused("POST", "/circles/join", {"code": club.code}))[:2] == (404, "not_found")


@pytest.mark.parametrize("text", ["赌 博", "Fuck", "代充 便宜"])
async def test_blocked_words_are_refused_everywhere(club: Club, text: str) -> None:
    assert (await club.owner.refused("PATCH", club.path, {"notice": f"来 {text} 啊"}))[1:] == ("blocked_word", "notice")
    assert (await club.stranger.refused("POST", "/circles/join", {"code": club.code, "message": text}))[
        1
    ] == "blocked_word"
    assert (await club.owner.refused("POST", "/circles", {"name": text}))[1] == "blocked_word"


async def test_a_long_list_of_members_begins_with_those_in_charge_and_is_read_to_its_end(club: Club) -> None:
    """W18: the owner is on the first page however many came later."""
    seen: list[tuple[str, str]] = []
    cursor = None
    while True:
        page = await club.member.get(f"{club.path}/members", limit=1, **({"cursor": cursor} if cursor else {}))
        seen += [(row["id"], row["role"]) for row in page["items"]]
        cursor = page["cursor"]
        if cursor is None:
            break
    by_role = [(club.owner.id, "owner"), (club.manager.id, "manager"), (club.member.id, "member")]
    assert seen == by_role
    for forged in ("MjAyNi0xMS0zMFQwMDowMDowMCswMDowMCB4", "MjAyNi0xMS0zMFQwMDowMDowMCswMDowMCB4IDk5"):
        assert (await club.member.refused("GET", f"{club.path}/members", cursor=forged))[::2] == (422, "cursor")


async def test_whoever_looks_at_a_circle_is_told_of_every_change(club: Club, live: RoomsInMemory) -> None:
    """W12: an application, its answer, a role, a notice."""
    live.changed_circles.clear()
    await club.stranger.post("/circles/join", {"code": club.code})
    await club.owner.post(f"{club.path}/applications/{club.stranger.id}/approve")
    await club.owner.call("PATCH", f"{club.path}/members/{club.stranger.id}", {"role": "manager"})
    await club.owner.call("PATCH", club.path, {"notice": "周五晚八点"})
    await club.owner.call("DELETE", f"{club.path}/members/{club.stranger.id}")
    assert live.changed_circles == [club.id] * 5
