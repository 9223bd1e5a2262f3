"""Everybody can use it: no accessibility violation on any screen, and English that is English everywhere."""

import json
import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.e2e.conftest import People
from tests.e2e.person import Person

pytestmark = pytest.mark.browser

AXE_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
_PAGES = (
    ("#/me", ".two"),
    ("#/", ".circle-list .none"),
    ("#/ladder", ".levels"),
    ("#/history", ".rows-box > *"),
    ("#/statistics", ".none"),
    ("#/dealings", ".rows-box > *"),
    ("#/glossary", ".glossary"),
    ("#/admin", "#op-secret"),
)
_TEXTS = """
() => [...document.querySelectorAll("body *")]
  .filter((e) => !e.closest("svg, [lang=zh], #say, .lv") && e.checkVisibility())
  .flatMap((e) => [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.textContent))
"""
"""The text of the page, without parts marked as Chinese, drawn on tiles, or meant for screen readers."""


@pytest.mark.parametrize("screen", [(360, 640), (1440, 900)], ids=lambda screen: "x".join(map(str, screen)))
def test_pages_have_no_accessibility_violations(people: People, screen: tuple[int, int]) -> None:
    person = people(screen)
    for path, sign in _PAGES if screen[0] < 600 else _PAGES[1:2]:
        person.go(path)
        person.see(sign)
        _axe(person)
    _circle_and_form(person)
    person.open_room("tianjin")
    _axe(person)
    person.start()
    person.play_until(8)
    _axe(person)
    person.click("[data-do=menu]")
    _axe(person)
    _settlement_and_ranking(people(screen))


def _settlement_and_ranking(person: Person) -> None:
    person.open_room("tianjin", {"rounds": 1})
    person.start()
    person.play_round()
    _axe(person)
    person.click("[data-do=ranking]")
    _axe(person)


def _circle_and_form(person: Person) -> None:
    """The create form of each game, one's own circle, and a template for it."""
    person.go("#/")
    person.see(".lobby .game")
    if person.find("[data-k=create]").is_visible():
        person.click("[data-k=create]")
    person.click(".create summary")
    for game in range(1, 4):
        person.click(f".pickgame button:nth-child({game})")
        _axe(person)
    circle = person.rest("POST", "/circles", {"name": "邻里"})
    person.go(f"#/circle/{circle['id']}")
    person.see(".board .none")
    _axe(person)
    person.click("[data-do=template]")
    person.see("form .fields")
    _axe(person)


def _axe(person: Person) -> None:
    found = Axe().run(person.page, options={"runOnly": AXE_RULES})
    told = [f"{v['id']}: {v['nodes'][0]['html'][:160]}" for v in found.response["violations"]]
    assert told == [], f"{person.page.url}: {json.dumps(told, ensure_ascii=False, indent=1)}"


def test_english_is_english_everywhere(people: People) -> None:
    person = people((390, 844), "en")
    person.see(".lobby .game")
    person.rest("PATCH", "/me", {"name": "Winnie"})
    for path, sign in _PAGES:
        person.go(path)
        person.see(sign)
        _no_chinese(person, path)
    person.go("#/")
    person.click("[data-k=create]")
    for place, slug in enumerate(("tianjin", "guizhou", "tangshan"), start=1):
        person.click(f".pickgame button:nth-child({place})")
        assert person.find(".create .help").count() >= 3
        _no_chinese(person, f"{slug} form")
    for slug in ("tianjin", "guizhou", "tangshan"):
        person.open_room(slug, {"rounds": 1})
        _no_chinese(person, f"{slug} waiting")
        person.start()
        _no_chinese(person, slug)
        person.play_round()
        _no_chinese(person, f"{slug} settlement")
        person.rest("POST", f"/rooms/{person.page.url.split('/')[-1]}/leave")
        person.wait_to_be_free()
    person.go("#/")
    person.click("header [lang=zh]")
    assert person.text(".play h2") == "快速开始"


def _no_chinese(person: Person, where: str) -> None:
    left = [text for text in person.page.evaluate(_TEXTS) if re.search(r"[\u4e00-\u9fff]", text)]
    assert left == [], where
