"""Quick phrases (快捷短语): heard by all, but by nobody who has muted him who says them; a reload changes nothing."""

import pytest

from tests.e2e.conftest import People
from tests.e2e.person import Person

pytestmark = pytest.mark.browser

_LISTEN = """() => {
  window.heard = [];
  new MutationObserver(() => {
    for (const said of document.querySelectorAll(".said"))
      if (!window.heard.includes(said.textContent)) window.heard.push(said.textContent);
  }).observe(document.body, { childList: true, subtree: true });
}"""


def _say(person: Person, code: str, text: str) -> None:
    """Say a phrase; over once its bubble has gone by itself, when everybody has long had it."""
    person.click("[data-do=phrases]")
    person.click(f"[data-phrase={code}]")
    person.see(f".said:has-text('{text}')")
    person.page.wait_for_selector(".said", state="detached")


def _heard(person: Person) -> list[str]:
    return list(person.page.evaluate("() => window.heard"))


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
        person.page.evaluate(_LISTEN)
    _say(other, "hello", "大家好")
    assert _heard(one) == ["大家好"]
    _switch_mute(one)
    _say(other, "nice", "打得漂亮")
    assert _heard(one) == ["大家好"]
    one.page.reload()
    one.see(".hand .tilebtn")
    one.page.evaluate(_LISTEN)
    _say(other, "thanks", "谢谢")
    assert _heard(one) == []
    _say(one, "unlucky", "手气不好")
    assert _heard(other)[-1] == "手气不好", "he who mutes is heard himself"
    _switch_mute(one)
    _say(other, "sorry", "不好意思")
    assert _heard(one) == ["手气不好", "不好意思"]


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
    guest.rest("POST", f"/rooms/{room['id']}/join", {})
    host.see(".chair:nth-child(2):has-text('占座中')")
    host.click("[data-kick='1']")
    host.see(".chair:nth-child(2).empty")
    assert guest.rest("GET", "/me/room")["room"] is None
