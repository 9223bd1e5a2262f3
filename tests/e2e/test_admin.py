"""The operators' page: nothing without a token; live rooms, dissolving with a reason, the log of it."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import ADMIN_TOKEN, People
from tests.e2e.person import Person

pytestmark = pytest.mark.browser


def _operator(people: People) -> Person:
    person = people(path="#/admin")
    person.see("#op-secret").fill(ADMIN_TOKEN)
    person.click("form [type=submit]")
    person.see(".admin-box .card")
    return person


def test_without_a_good_token_nothing_is_shown(people: People) -> None:
    person = people(path="#/admin")
    person.see("#op-secret").fill("guessed")
    person.watch_for("#toast")
    person.click("form [type=submit]")
    person.wait_to_see("#toast")
    assert person.find(".admin-box").count() == 0


def test_an_operator_dissolves_a_room_with_a_reason(people: People) -> None:
    player = people()
    room = player.open_room("guizhou")
    player.start()
    operator = _operator(people)
    operator.click(f"[data-room='{room['id']}'] [data-do=dissolve]")
    operator.click("dialog [type=submit]")
    assert operator.find("dialog[open]").count() == 1, "no order without a reason"
    operator.find("dialog input").fill("牌局卡住")
    operator.click("dialog [type=submit]")
    player.see(".sheet.rank[data-reason=operator]")
    operator.page.wait_for_selector(f"[data-room='{room['id']}']", state="detached")
    operator.click("a[href='#/admin/audit']")
    line = operator.see("tr:has-text('牌局卡住')")
    assert room["id"] in line.inner_text()


def test_hidden_tiles_are_shown_to_operators_only_with_a_reason(people: People) -> None:
    player = people()
    room = player.open_room("guizhou")
    player.start()
    operator = _operator(people)
    operator.click(f"[data-room='{room['id']}'] [data-do=inspect]")
    operator.see("dialog input").fill("有人投诉")
    operator.click("dialog [type=submit]")
    assert operator.see(".inspection .hand-seen svg").get_attribute("aria-label"), "tiles have names"
    expect(operator.find(".inspection .seats-seen > li")).to_have_count(4)
    assert operator.find(".inspection .hand-seen svg").count() >= 52


def test_a_table_is_stopped_and_goes_on_and_a_bot_is_seen_as_one(people: People) -> None:
    player = people()
    room = player.open_room("guizhou")
    player.start()
    operator = _operator(people)
    row = f"[data-room='{room['id']}']"
    operator.find("[data-keep=find]").fill(room["code"])
    operator.when("() => document.querySelectorAll('.room').length === 1")
    expect(operator.find(f"{row} .sitting li:has-text('电脑')")).to_have_count(3)
    for order, sign in (("freeze", ".chip.warn"), ("release", "[data-do=freeze]")):
        operator.click(f"{row} [data-do={order}]")
        operator.see("dialog input").fill("查看投诉")
        operator.click("dialog [type=submit]")
        operator.see(f"{row} {sign}")


def test_a_banned_player_is_told_so_and_comes_back_after_the_ban_is_lifted(people: People) -> None:
    player, name = people(), "老捣乱"
    player.see(".lobby .game")
    player.rest("PATCH", "/me", {"name": name})  # the names that guests are given come twice among a hundred
    operator = _operator(people)
    operator.click("a[href='#/admin/people']")
    operator.see("form input").fill(name)
    operator.click("form [type=submit]")
    operator.click(f"li:has-text('{name}') [data-do=ban]")
    operator.see("dialog input").fill("辱骂")
    operator.click("dialog [type=submit]")
    operator.see(f".rows li:has-text('{name}'):has-text('辱骂')")
    player.go("#/me")
    assert "账号被限制" in player.text(".gone")
    held = operator.find(".rows li:has-text('辱骂') .btn")
    for left in (held.count() - 1, held.count() - 2):  # the person and the device
        held.first.click()
        operator.see("dialog input").fill("道歉了")
        operator.click("dialog [type=submit]")
        operator.page.wait_for_selector("dialog", state="detached")
        expect(held).to_have_count(left)
    player.click(".gone .btn.main")
    player.see(".two")


def test_the_log_lists_orders_and_looks_only_when_wanted(people: People) -> None:
    operator = _operator(people)
    operator.click("[data-do=announce]")
    operator.see("dialog input").fill("今晚十点维护")
    operator.watch_for("#toast")
    operator.click("dialog [type=submit]")
    operator.wait_to_see("#toast")
    operator.click("a[href='#/admin/audit']")
    assert "公告" in operator.text("tr:has-text('今晚十点维护')")
    assert operator.find("tr:has-text('看一桌')").count() == 0
    operator.click(".log-all input")
    operator.see("tr:has-text('看一桌')")
    operator.click("a[href='#/admin/nodes']")
    operator.see("[data-do=drain]")
    assert operator.find(".counters dd").count() > 10
