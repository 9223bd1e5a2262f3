"""Around a table: creating by the form, joining by code and link, seats, dissolving, circles, accounts."""

import re

import pytest

from tests.e2e.conftest import People

pytestmark = pytest.mark.browser


def test_a_room_made_by_the_form_is_joined_by_code_and_by_link(people: People) -> None:
    host, friend, third = people((390, 844)), people((390, 844)), people()
    host.click("[data-k=create]")
    host.click(".pickgame button:nth-child(3)")
    host.click(".create .seg label:has-text('3人拐')")
    rounds = host.find(".create input[name=rounds]")
    rounds.fill("900")
    rounds.blur()
    assert rounds.input_value() == "64", "what the rules do not allow cannot be sent"
    rounds.fill("4")
    rounds.blur()
    host.click(".create [type=submit]")
    code = host.see(".wait .code").get_attribute("aria-label") or ""
    digits = re.sub(r"\D", "", code)
    assert "3人拐" in host.text(".wait .agreed")
    host.when("() => document.querySelector('.wait .qr').naturalWidth > 0")
    friend.click("[data-k=join]")
    for digit in digits:
        friend.click(f".pad .key:has-text('{digit}')")
    friend.click(".join .btn.main")
    friend.see(".wait .code")
    host.watch_for("#toast")
    host.click("[data-do=copy]")
    host.wait_to_see("#toast", "已复制房间链接")
    link = host.page.evaluate("() => navigator.clipboard.readText()")
    third.page.goto(link)
    third.see(".wait .code")
    host.see(".chair:nth-child(3) b")
    host.when("() => !document.querySelector('.chair.empty')")
    host.click("[data-kick='2']")
    host.click("dialog [type=submit]")
    third.see(".gone[data-reason=removed]")
    friend.click("[data-seat='2']")
    host.see(".chair:nth-child(2).empty")
    host.click("[data-do=dissolve]")
    host.click("dialog [type=submit]")
    friend.see(".gone[data-reason=host]")
    host.see(".gone")


def test_the_running_room_is_offered_again_in_the_lobby(people: People) -> None:
    person = people()
    room = person.open_room("guizhou")
    person.go("#/")
    person.click(".resume")
    person.see(".wait .code")
    assert room["id"] in person.page.url


def test_a_vote_dissolves_the_room_for_everybody(people: People) -> None:
    one, other = people(), people((360, 640))
    room = one.open_room("guizhou", {"players": 2})
    other.go(f"#/join/{room['code']}")
    other.see(".wait .code")
    one.click("[data-do=ready]")
    other.click("[data-do=ready]")
    one.see(".hand .tilebtn")
    one.click("[data-do=menu]")
    one.click("[data-item=申请解散]")
    one.click("dialog [type=submit]")
    assert "解散" in other.text(".votebar")
    other.click("[data-vote=no]")
    one.page.wait_for_selector("[data-vote]", state="detached")
    other.click("[data-do=menu]")
    other.click("[data-item=申请解散]")
    other.click("dialog [type=submit]")
    one.click("[data-vote=yes]")
    other.see(".sheet.rank[data-reason=voted]")
    assert "解散" in one.text(".sheet.rank[data-reason=voted] .sub")
    one.wait_to_be_free()
    one.click(".sheet a[href='#/']")
    one.see(".lobby .game")
    assert one.find(".resume").count() == 0


def test_quick_match_brings_two_strangers_to_one_table(people: People) -> None:
    one, other = people(), people()
    for person in (one, other):
        person.see(".game[data-variant=tianjin]")
    one.click(".game[data-variant=tianjin]")
    one.see(".wait .chairs")
    other.click(".game[data-variant=tianjin]")
    other.see(".wait .chairs")
    assert one.page.url.split("/")[-1] == other.page.url.split("/")[-1]
    one.see(".chair.ready:nth-child(2)")
    for person in (one, other):
        person.click("[data-do=leave]")
        person.see(".lobby .game")


def test_a_circle_with_a_saved_game_and_a_live_lobby(people: People) -> None:
    owner, guest = people(), people()
    owner.click("[data-do=new-circle]")
    owner.see("dialog input").fill("河北路老友")
    owner.click("dialog [type=submit]")
    code = re.sub(r"\D", "", owner.text(".circle-page header .btn"))
    guest.click("[data-do=join-circle]")
    guest.see("dialog input").fill(code)
    guest.watch_for("#toast")
    guest.click("dialog [type=submit]")
    guest.wait_to_see("#toast", "河北路老友")
    owner.page.reload()
    owner.click("[data-approve]")
    owner.see("h2:has-text('成员 2')")
    owner.click("[data-do=template]")
    owner.see("form input").fill("常规八盘")
    owner.click("form .btn.main")
    guest.go("#/")
    guest.click(".circle")
    guest.see(".tables .none:has-text('没有人开桌')")
    owner.click("[data-template]")
    owner.see(".wait .code")
    guest.click("[data-join]")
    guest.see(".wait .code")
    owner.see(".chair:nth-child(2) b")


def test_a_guest_becomes_an_account_and_signs_in_elsewhere(people: People) -> None:
    person, elsewhere = people(path="#/me"), people(path="#/me")
    person.see("#me-new-name").fill("天津老王")
    person.find("#me-new-password").fill("correct horse")
    person.click("form:has(#me-new-name) [type=submit]")
    person.see("button:has-text('退出登录')")
    elsewhere.see("#me-old-name").fill("天津老王")
    elsewhere.find("#me-old-password").fill("wrong horse!")
    elsewhere.watch_for("#toast")
    elsewhere.click("form:has(#me-old-name) [type=submit]")
    elsewhere.wait_to_see("#toast", "不对")
    elsewhere.find("#me-old-password").fill("correct horse")
    elsewhere.click("form:has(#me-old-name) [type=submit]")
    elsewhere.see("button:has-text('退出登录（天津老王）')")
    elsewhere.click("button:has-text('退出登录')")
    elsewhere.see(".lobby .meb small:has-text('游客')")
