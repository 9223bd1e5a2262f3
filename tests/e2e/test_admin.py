"""The operators' page: nothing without a token; live rooms, dissolving with a reason, the log of it."""

import pytest

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
    person.click("form [type=submit]")
    person.see("#toast")
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
    assert len(operator.text(".inspection")) > 200
