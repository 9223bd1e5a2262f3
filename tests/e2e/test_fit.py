"""It fits: four screens, two languages, keyboard and drag, accessibility, weight of the first load, smooth discards."""

import json
import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.e2e.conftest import People
from tests.e2e.person import Person

pytestmark = pytest.mark.browser

SCREENS = [(360, 640), (640, 360), (820, 1180), (1440, 900)]
FIRST_LOAD_BYTES = 150_000
TASK_US = 50_000

_MEASURE = """
() => {
  const inside = (e) => {
    const r = e.getBoundingClientRect();
    return r.width && (r.left < -1 || r.right > innerWidth + 1 || r.top < -1 || r.bottom > innerHeight + 1) ? [e.className, r.left, r.right, r.top, r.bottom] : null;
  };
  const shown = [...document.querySelectorAll('.hand .tilebtn, .dock button, .river svg, .plate, .centre, .app header button, .app nav button')].filter((e) => e.checkVisibility());
  const small = [...document.querySelectorAll('.dock button')].filter((e) => e.getBoundingClientRect().height < 48).map((e) => e.textContent);
  const tiles = [...document.querySelectorAll('.hand .tilebtn')].map((e) => e.getBoundingClientRect().width);
  const river = [...document.querySelectorAll('.river svg.qt')].map((e) => e.getBoundingClientRect().width);
  return { outside: shown.map(inside).filter(Boolean), small, tile: Math.min(...tiles), river: Math.min(99, ...river), wide: document.documentElement.scrollWidth - innerWidth };
}
"""


def _until_discards(person: Person, count: int) -> None:
    person.begin_play()
    person.page.wait_for_function(
        "(n) => document.querySelectorAll('.river svg').length >= n || !document.querySelector('.overlay').hidden", arg=count
    )
    person.stop_play()


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: "x".join(map(str, screen)))
@pytest.mark.parametrize("slug", ["tianjin", "tangshan"])
def test_everything_of_a_table_is_on_the_screen(people: People, screen: tuple[int, int], slug: str) -> None:
    person = people(screen)
    person.open_room(slug)
    person.start()
    _until_discards(person, 24)
    measured = person.page.evaluate(_MEASURE)
    assert measured["outside"] == []
    assert measured["small"] == []
    assert measured["wide"] <= 0
    assert measured["tile"] >= 31
    assert measured["river"] >= 20


@pytest.mark.parametrize("screen", [(360, 640), (1440, 900)], ids=lambda screen: "x".join(map(str, screen)))
def test_pages_have_no_accessibility_violations(people: People, screen: tuple[int, int]) -> None:
    person = people(screen)
    person.see(".lobby .game")
    _axe(person)
    for path, sign in (("#/me", ".two"), ("#/ladder", ".levels"), ("#/admin", "#op-secret"), ("#/history", ".rows-box > *")):
        person.go(path)
        person.see(sign)
        _axe(person)
    person.open_room("tianjin", {"rounds": 1})
    _axe(person)
    person.start()
    _until_discards(person, 8)
    _axe(person)
    person.click("[data-do=menu]")
    _axe(person)
    person.click(".drawer .shut")
    person.play_round()
    _axe(person)
    person.click("[data-do=ranking]")
    _axe(person)


def _axe(person: Person) -> None:
    found = Axe().run(person.page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]})
    told = [f"{v['id']}: {v['nodes'][0]['html'][:160]}" for v in found.response["violations"]]
    assert told == [], f"{person.page.url}: {json.dumps(told, ensure_ascii=False, indent=1)}"


def test_english_is_english_everywhere(people: People) -> None:
    person = people((390, 844), "en")
    person.see(".lobby .game")
    person.rest("PATCH", "/me", {"name": "Winnie"})
    for path, sign in (("#/me", ".two"), ("#/", ".circle-list .none"), ("#/ladder", ".levels"), ("#/history", ".rows-box > *"), ("#/admin", "#op-secret")):
        person.go(path)
        person.see(sign)
        _no_chinese(person, path)
    for slug in ("tianjin", "guizhou", "tangshan"):
        person.open_room(slug, {"rounds": 1})
        _no_chinese(person, f"{slug} waiting")
        person.start()
        _until_discards(person, 6)
        _no_chinese(person, slug)
        person.play_round()
        _no_chinese(person, f"{slug} settlement")
        person.rest("POST", f"/rooms/{person.page.url.split('/')[-1]}/leave")
    person.go("#/")
    person.click("header [lang=zh]")
    assert person.text(".play h2") == "快速开始"


def _no_chinese(person: Person, where: str) -> None:
    text = person.page.evaluate(
        "() => [...document.querySelectorAll('body *')].filter((e) => !e.closest('svg, [lang=zh], #say, .lv, .help') && e.checkVisibility())"
        ".flatMap((e) => [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.textContent)).join('|')"
    )
    left = [part for part in text.split("|") if re.search(r"[\u4e00-\u9fff]", part) and part != "換成中文" and "中文" not in part]
    assert left == [], where


def test_a_round_goes_by_keyboard_alone(people: People) -> None:
    person = people()
    person.open_room("guizhou")
    person.start()
    for _ in range(300):
        if person.find(".seat.me.active").count() and person.find(".dock .claim").count():
            break
        person.page.keyboard.press("Escape")
        person.page.wait_for_timeout(50)
    before = len(person.hand())
    person.page.evaluate("() => document.activeElement?.blur?.()")
    person.page.keyboard.press("ArrowRight")
    assert person.page.evaluate("() => document.activeElement.className").startswith("tilebtn")
    person.page.keyboard.press("ArrowLeft")
    person.page.keyboard.press("Enter")
    assert person.find(".tilebtn[aria-pressed=true]").count() == 1
    assert person.page.evaluate("() => document.activeElement.getAttribute('aria-pressed')") == "true"
    person.page.keyboard.press("Enter")
    person.page.wait_for_function("(n) => document.querySelectorAll('.hand .tilebtn').length < n", arg=before)


def test_a_wild_is_asked_for_before_it_goes_and_a_drag_discards(people: People) -> None:
    person = people((820, 1180))
    person.open_room("tianjin")
    person.start()
    for _ in range(400):
        person.page.evaluate("() => document.querySelector('.dock [data-key=pass], .dock [data-key=sit-false], .dock [data-key=pull-0]')?.click()")
        if person.find(".seat.me.active").count() and person.find(".dock .claim").count() and person.find(".hand .tilebtn").count():
            break
        person.page.wait_for_timeout(50)
    tiles = person.find(".hand .tilebtn")
    before = tiles.count()
    box = tiles.last.bounding_box()
    assert box is not None
    person.page.mouse.move(box["x"] + 20, box["y"] + 30)
    person.page.mouse.down()
    person.page.mouse.move(box["x"] + 20, box["y"] - 60, steps=4)
    person.page.mouse.up()
    if person.find("#toast:has-text('混儿')").count():
        person.find(".hand .tilebtn[aria-pressed=true]").click()
    person.page.wait_for_function("(n) => document.querySelectorAll('.hand .tilebtn').length < n", arg=before)


def test_the_first_load_is_light(people: People) -> None:
    person = people()
    session = person.context.new_cdp_session(person.page)
    session.send("Network.enable")
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    person.page.goto("about:blank")
    person.go("#/")
    person.click("[data-practice=tianjin]")
    person.see(".hand .tilebtn, .dock [data-key]")
    assert 0 < sum(sizes) < FIRST_LOAD_BYTES


def test_discarding_shifts_nothing_and_blocks_nothing(people: People) -> None:
    person = people((390, 844), motion=True)
    person.open_room("guizhou", claim_hold_ms=100)
    person.start()
    session = person.context.new_cdp_session(person.page)
    events: list[dict[str, object]] = []
    session.on("Tracing.dataCollected", lambda data: events.extend(data["value"]))
    done: list[bool] = []
    session.on("Tracing.tracingComplete", lambda _: done.append(True))
    config = {"includedCategories": ["devtools.timeline", "toplevel", "disabled-by-default-devtools.timeline"]}
    session.send("Tracing.start", {"traceConfig": config, "transferMode": "ReportEvents"})
    _until_discards(person, 20)
    session.send("Tracing.end")
    for _ in range(100):
        if done:
            break
        person.page.wait_for_timeout(50)
    renderer = {e["pid"] for e in events if e.get("name") == "UpdateLayoutTree" or e.get("name") == "Layout"}
    tasks = [e for e in events if e.get("name") in ("RunTask", "ThreadControllerImpl::RunTask") and e["pid"] in renderer]
    long = [e for e in tasks if int(str(e.get("tdur", e.get("dur", 0)))) > TASK_US]
    shifts = [e for e in events if e.get("name") == "LayoutShift"]
    assert tasks
    assert long == []
    assert shifts == []
