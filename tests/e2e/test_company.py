"""Quick phrases (快捷短语): heard by all except those who muted the speaker; a reload changes nothing."""

import pytest

from tests.e2e.conftest import People
from tests.e2e.person import Person

pytestmark = pytest.mark.browser


def _say(person: Person, code: str, text: str) -> None:
    """Say a phrase; over once its bubble, which the speaker sees too, has gone by itself."""
    person.click("[data-do=phrases]")
    person.click(f"[data-phrase={code}]")
    person.wait_to_see(".said", text)
    person.page.wait_for_selector(".said", state="detached")


def _switch_mute(person: Person) -> None:
    person.click("[data-do=menu]")
    person.click("[data-person-do=mute]")


def test_who_is_muted_is_not_heard_also_after_a_reload(people: People) -> None:
    one, other = people(), people((390, 844))
    room = one.open_room("guizhou", {"players": 2})
    other.go(f"#/join/{room['code']}")
    other.see(".wait .code")
    for person in (one, other):
        person.click(".wait [data-do=ready]")
    for person in (one, other):
        person.see(".hand .tilebtn")
        person.watch_for(".said")
    _say(other, "hello", "大家好")
    one.wait_to_see(".said", "大家好")
    _switch_mute(one)
    _say(other, "nice", "打得漂亮")
    _say(one, "smile", "😄")  # the table tells everybody everything in one order
    assert one.saw(".said") == ["大家好", "😄"]
    one.page.reload()
    one.see(".hand .tilebtn")
    one.watch_for(".said")
    _say(other, "thanks", "谢谢")
    _say(one, "unlucky", "手气不好")
    assert one.saw(".said") == ["手气不好"]
    other.wait_to_see(".said", "手气不好")  # the muting player is still heard
    _switch_mute(one)
    other.watch_for(".said")
    one.click("[data-emote=clap]")  # at the seat, in one tap
    other.wait_to_see(".said", "👏")
    one.click("[data-person='1']")
    assert "胜率" in one.text(".drawer .record")
    one.click(".drawer .shut")
    _say(other, "sorry", "不好意思")
    one.wait_to_see(".said", "不好意思")


def test_a_place_held_for_one_who_has_not_come_is_shown_and_can_be_cleared(people: People) -> None:
    host, guest = people(), people((360, 640), lang="en")
    room = host.open_room("guizhou", {"players": 3})
    guest.see("main")
    guest.rest("POST", f"/rooms/{room['id']}/join", {"seat": 2})
    host.see(".chair:nth-child(3):has-text('占座中，还没进来')")
    guest.go("#/")
    guest.click(".resume")
    guest.see(".chair:nth-child(3):has-text('Not ready')")
    host.see(".chair:nth-child(3):has-text('未准备')")
    guest.click("[data-do=leave]")
    guest.see(".lobby .game")
    guest.wait_to_be_free()
    guest.rest("POST", f"/rooms/{room['id']}/join", {})
    host.see(".chair:nth-child(2):has-text('占座中')")
    host.click("[data-kick='1']")
    host.click("dialog [type=submit]")
    host.see(".chair:nth-child(2).empty")
    guest.wait_to_be_free()


def test_everybody_sees_whose_room_it_is(people: People) -> None:
    host, guest = people(), people((360, 640))
    room = host.open_room("guizhou", {"players": 2})
    guest.go(f"#/join/{room['code']}")
    for person in (host, guest):
        person.see(".chair:nth-child(2):not(.empty)")
        assert person.find(".chair .host").all_inner_texts() == ["房主"]
        person.see(".chair:nth-child(1) .host")
