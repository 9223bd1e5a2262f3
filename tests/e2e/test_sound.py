"""Sounds after the first tap, and calls for a player whose tab is hidden."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Route

from tests.e2e.conftest import People
from tests.e2e.person import Person

pytestmark = pytest.mark.browser

_EARS = (Path(__file__).parent / "ears.js").read_text()


def _listening(people: People, viewport: tuple[int, int] = (390, 844)) -> Person:
    """A person whose device notes what it plays, speaks and shows."""
    person = people(viewport)
    person.page.add_init_script(_EARS)
    person.go("#/")
    person.see(".lobby .game")
    return person


def _heard(person: Person, what: str) -> list[str]:
    return [str(x) for x in person.page.evaluate("(what) => window.ears[what]", what)]


def _hide(person: Person, hidden: bool) -> None:
    person.page.evaluate("(hidden) => window.ears.hide(hidden)", hidden)


def test_a_table_is_heard_after_the_first_tap_and_speaks_chinese(people: People) -> None:
    person = _listening(people)
    assert _heard(person, "opened") == [], "no device is opened before somebody taps"
    person.open_room("guizhou")
    person.start()
    person.my_turn()
    person.find(".hand .tilebtn").last.click()
    person.find(".hand .tilebtn[aria-pressed=true]").click()
    person.when("() => window.ears.played > 20 && window.ears.said.length >= 2")
    assert _heard(person, "opened") == ["AudioContext"]
    assert all(line.startswith("zh-CN:") for line in _heard(person, "said"))
    assert any(line[-1] in "万条筒" for line in _heard(person, "said")), "tiles are called by their names"
    assert "15" in _heard(person, "buzzed"), "it is felt that it is my turn"


def test_off_is_off_also_after_a_reload(people: People) -> None:
    person = _listening(people)
    person.go("#/me")
    person.click("[data-set=audible]")
    person.page.reload()
    person.see("[data-set=audible]:not(:checked)")
    person.open_room("guizhou")
    person.start()
    person.my_turn()
    person.find(".hand .tilebtn").last.click()
    person.find(".hand .tilebtn[aria-pressed=true]").click()
    person.when("() => shownTable().length > 0")
    assert (_heard(person, "opened"), _heard(person, "said")) == ([], [])


def test_the_last_seconds_tick(people: People) -> None:
    person = _listening(people)
    person.open_room("guizhou", think_s=6)
    person.start()
    person.my_turn()
    before = int(person.page.evaluate("() => window.ears.pitches.filter((f) => f > 1700 && f < 1800).length"))
    person.when(
        "(n) => window.ears.pitches.filter((f) => f > 1700 && f < 1800).length >= n + 3", before
    )  # a wood block of 1750 Hz, once a second


def test_a_voice_pack_takes_the_place_of_voice_and_sounds(people: People) -> None:
    person = _listening(people)
    asked: list[str] = []
    manifest = {"name": "天津话", "words": {}, "sounds": {"clack": "clack.ogg"}}

    def serve(route: Route) -> None:
        name = route.request.url.rsplit("/", 1)[-1]
        asked.append(name)
        if name == "packs.json":
            route.fulfill(json=[{"slug": "tianjin", "name": "天津话"}])
        elif name == "manifest.json":
            route.fulfill(body=json.dumps(manifest), content_type="application/json")
        else:
            route.fulfill(status=404)

    person.page.route("**/voices/**", serve)
    person.go("#/me")
    person.see("label:has-text('报牌声音') select").select_option(label="天津话")
    person.open_room("guizhou")
    person.start()
    person.my_turn()
    person.find(".hand .tilebtn").last.click()
    person.find(".hand .tilebtn[aria-pressed=true]").click()
    person.when("() => window.ears.said.length >= 1")
    assert {"packs.json", "manifest.json", "clack.ogg"} <= set(asked), "what the pack lacks is made by the page"


def test_a_hidden_tab_calls_for_me(people: People) -> None:
    person, guest = _listening(people), people()
    person.context.grant_permissions(["notifications"], origin=person.url)
    person.go("#/me")
    person.click("[data-set=notify]")
    person.see("[data-set=notify]:checked")
    room = person.open_room("guizhou", {"players": 2})
    guest.go(f"#/join/{room['code']}")
    guest.see(".wait .code")
    person.click(".wait [data-do=ready]")
    _hide(person, True)
    guest.click(".wait [data-do=ready]")
    person.when("() => window.ears.shown.some((x) => x.includes('人齐了'))")
    guest.see(".seat.active")
    if guest.find(".seat.me.active").count():  # else the hidden one is asked first, and nobody moves before that
        guest.my_turn()
        guest.find(".hand .tilebtn").last.click()
        guest.find(".hand .tilebtn[aria-pressed=true]").click()
    person.when("() => document.title.startsWith('● 轮到你了')")
    person.when("() => window.ears.shown.some((x) => x.includes('轮到你了'))")
    guest.click("[data-do=menu]")
    guest.click("[data-item=申请解散]")
    if guest.find("dialog [type=submit]").count():
        guest.click("dialog [type=submit]")
    person.when("() => window.ears.shown.some((x) => x.includes('申请解散'))")
    _hide(person, False)
    person.when("() => !document.title.startsWith('●')")
