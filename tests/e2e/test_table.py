"""At the table with others: phrases and muting, autoplay, pause, watching without seeing a hidden tile."""

import pytest

from tests.e2e.conftest import People
from tests.e2e.person import ROUND_MS, Person

pytestmark = pytest.mark.browser


def _two_at_a_table(people: People) -> tuple[Person, Person]:
    one, other = people(), people((360, 640))
    room = one.open_room("guizhou", {"players": 2})
    other.go(f"#/join/{room['code']}")
    other.see(".wait .code")
    one.click("[data-do=ready]")
    other.click("[data-do=ready]")
    one.see(".hand .tilebtn")
    other.see(".hand .tilebtn")
    return one, other


def test_a_phrase_stands_beside_its_seat_until_its_sender_is_muted(people: People) -> None:
    one, other = _two_at_a_table(people)
    one.watch_for(".seat.me .said")
    other.watch_for(".seat.top .said")
    one.click("[data-do=phrases]")
    one.click("[data-phrase=hello]")
    other.wait_to_see(".seat.top .said", "大家好")
    other.click("[data-do=menu]")
    other.click(".person button:has-text('静音')")
    for person in (one, other):
        person.page.wait_for_selector(".said", state="detached")
    one.click("[data-do=phrases]")
    one.click("[data-phrase=nice]")
    one.wait_to_see(".seat.me .said", "打得漂亮")
    assert other.saw(".seat.top .said") == ["大家好"]


def test_autoplay_is_said_and_taken_back_and_a_pause_needs_everybody(people: People) -> None:
    one, other = _two_at_a_table(people)
    one.click("[data-do=menu]")
    one.click("[data-item=托管]")
    assert "托管" in one.text(".autobar")
    other.see(".seat.top .chip:has-text('托管')")
    one.click(".autobar .btn")
    one.page.wait_for_selector(".autobar", state="detached")
    one.click("[data-do=menu]")
    one.click(".drawer .item:has-text('暂停')")
    assert "暂停" in other.text(".votebar")
    other.click(".votebar .btn")
    for person in (one, other):
        person.begin_play()
    for person in (one, other):
        person.see(".sheet", ROUND_MS)
        person.stop_play()
    other.see(".sheet")
    one.click("[data-do=table]")
    assert "暂停中" in one.text(".votebar")
    one.click(".votebar .btn")
    one.page.wait_for_selector(".votebar", state="detached")


def test_a_watcher_sees_discards_and_no_hidden_tile(people: People) -> None:
    player, watcher = people(), people((820, 1180))
    room = player.open_room("tangshan", spectators="all")
    player.start()
    watcher.go(f"#/table/{room['id']}")
    watcher.see(".ting:has-text('旁观中')")
    player.play_until(6)
    watcher.when("() => document.querySelectorAll('.river svg').length > 2")
    assert watcher.find(".hand .tilebtn, .dock button").count() == 0


def test_a_stranger_cannot_look_into_a_private_room(people: People) -> None:
    player, stranger = people(), people()
    room = player.open_room("guizhou")
    stranger.go(f"#/table/{room['id']}")
    stranger.see(".gone[data-reason=not_allowed]")
