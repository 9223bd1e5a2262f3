"""Faults seen at the table from outside, by their ids: each test says what one notices."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import CDPSession

from tests.e2e.conftest import ADMIN_TOKEN, People
from tests.e2e.person import PATIENCE_MS, Person
from tests.e2e.scenes import Scene, scenes
from tests.e2e.stage import Stage

pytestmark = pytest.mark.browser

PHONE, LOW, DESK = (390, 844), (844, 390), (1440, 900)
SCREENS = pytest.mark.parametrize("screen", [PHONE, LOW, DESK], ids=lambda screen: "x".join(map(str, screen)))

_COVERED = """
(bar) => {
  const box = (e) => e.getBoundingClientRect();
  const b = box(document.querySelector(bar));
  const over = ({ width, left, right, top, bottom }) =>
    width && left < b.right - 2 && right > b.left + 2 && top < b.bottom - 2 && bottom > b.top + 2;
  const play = ".plate, .meld, .river svg, .centre, .hand .tilebtn, .dock button, .ting";
  const read = "[data-do=menu], .sheet .leaf, .sheet footer *";
  const shown = [...document.querySelectorAll(`${play}, ${read}`)].filter((e) => e.checkVisibility());
  return shown.filter((e) => over(box(e))).map((e) => e.className.baseVal ?? e.className);
}
"""
"""Controls and texts that a bar covers."""
_ON_TOP = """
(selector) => [...document.querySelectorAll(selector)].every((e) => {
  const r = e.getBoundingClientRect();
  const hit = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
  return r.width > 0 && (hit === e || e.contains(hit));
})
"""


def _touch(session: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    touches = [{"x": x, "y": y} for x, y in points]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def _my_turn(stage: Stage, slug: str = "guizhou") -> Scene:
    scene = scenes(slug)["late"]
    stage.put_on(scene)
    return scene


def test_a_tile_dragged_up_by_a_finger_is_discarded(people: People) -> None:
    """W1. Real touch: the browser must not take the drag for scrolling."""
    stage = Stage(people(PHONE), "guizhou")
    _my_turn(stage)
    tile = stage.person.find(".hand .tilebtn").last
    box = tile.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = stage.person.context.new_cdp_session(stage.person.page)
    _touch(session, "touchStart", (x, y))
    for step in range(1, 11):
        _touch(session, "touchMove", (x, y - 16 * step))
    assert stage.person.find(".release.armed").is_visible(), "the line says that letting go discards"
    _touch(session, "touchEnd")
    assert stage.act() == {"verb": "discard", "tiles": tile.get_attribute("data-tile")}


def test_a_tile_let_go_short_of_the_line_goes_home(people: People) -> None:
    """W1. A drag can be taken back, and a tap with a trembling finger is a tap."""
    stage = Stage(people(PHONE), "guizhou")
    _my_turn(stage)
    box = stage.person.find(".hand .tilebtn").last.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + 5
    session = stage.person.context.new_cdp_session(stage.person.page)
    for path in ([(x, y - 90), (x, y + 20)], [(x, y + 3)]):
        _touch(session, "touchStart", (x, y))
        for point in path:
            _touch(session, "touchMove", point)
        _touch(session, "touchEnd")
    stage.person.see(".tilebtn[aria-pressed=true]")
    assert stage.requests("act") == []


def _asks_to_dissolve(scene: Scene, **answers: bool) -> dict[str, Any]:
    vote = {"kind": "dissolve", "by": (scene.seat + 1) % 4, "left_ms": 40_000}
    said: list[bool | None] = [None] * scene.view["players"]
    said[(scene.seat + 1) % 4] = True
    return {**vote, "answers": said, **answers}


@SCREENS
@pytest.mark.parametrize("moment", ["won", "turn"])
def test_a_bar_stands_above_the_sheet_and_over_nothing_one_plays_with(
    people: People, screen: tuple[int, int], moment: str
) -> None:
    """W2. Vote, pause and lost line, over the settlement and in play."""
    stage, scene = Stage(people(screen), "guizhou"), scenes("guizhou")[moment]
    page = stage.person.page
    paused = {"on": True, "asked": [True] * scene.view["players"], "left_ms": 60_000}
    for match in ({"vote": _asks_to_dissolve(scene)}, {"pause": paused}):
        stage.put_on(scene.with_match(**match))
        stage.person.see(".bars .btn")
        assert page.evaluate(_ON_TOP, ".bars .btn"), "it can be pressed"
        assert page.evaluate(_ON_TOP, "[data-do=menu]"), "and the menu beside it"
        assert page.evaluate(_COVERED, ".bars > *") == []
    stage.put_on(scene)
    stage.person.context.set_offline(True)
    stage.person.see(".bars .banner .btn")
    assert page.evaluate(_ON_TOP, ".bars .btn")
    assert page.evaluate(_COVERED, ".bars > *") == []


def test_a_spectator_between_rounds_has_a_way_out_and_is_nobody(people: People) -> None:
    """W3."""
    stage, scene = Stage(people(DESK), "tianjin"), scenes("tianjin")["won"]
    stage.spectator = True
    stage.put_on(scene)
    person = stage.person
    assert person.find(".sheet .ledger .mine, .sheet .tabs, .sheet .seat.me").count() == 0
    assert person.find(".sheet .who b:text-is('我')").count() == 0
    person.click("[data-do=menu]")
    person.see(".drawer [data-item=回大厅]")
    person.click(".scrim")
    person.click(".sheet footer [data-do=lobby]")
    person.see(".lobby .game")


@pytest.mark.parametrize("seated", [True, False])
@pytest.mark.parametrize("kept", [True, False], ids=["after a reload", "at once"])
def test_every_sheet_has_a_way_out(people: People, seated: bool, kept: bool) -> None:
    """W3. Seated or not, with the settled view or only what the match keeps of it, between rounds and at the end."""
    stage, scene = Stage(people(PHONE), "tangshan"), scenes("tangshan")["won"]
    stage.spectator = not seated
    ranking = [{"seat": at, "user": f"u{at}", "name": "x", "total": 0, "rank": 1 + at} for at in range(4)]
    ended = {"reason": "finished", "ranking": ranking, "rounds": [], "note": None}
    settled = {"rounds_so_far": [{"round_no": 1, "nets": [0, 0, 0, 0], "outcome": "won"}]}
    for match in ({}, {"phase": "ended", "ended": ended}):
        stage.kept = kept
        stage.put_on(scene.with_match(**settled, **match))
        stage.person.click("[data-do=menu]")
        stage.person.see(f".drawer [data-item={'离开' if seated else '回大厅'}]")
        stage.person.click(".drawer .shut")


GOLDEN = Path(__file__).parent.parent / "golden" / "guizhou.json"
_NO_STEP = {"hold_ended"}
_METRICS = ("JSEventListeners", "Nodes")


def _held(person: Person, session: CDPSession) -> dict[str, int]:
    """Objects that the page keeps after everything else was freed."""
    for _ in range(3):
        session.send("HeapProfiler.collectGarbage")
    found = {m["name"]: int(m["value"]) for m in session.send("Performance.getMetrics")["metrics"]}
    return {name: found[name] for name in _METRICS}


def _as_at(first: dict[str, int], now: dict[str, int]) -> bool:
    """Does the page hold no more than at the first visit?"""
    return now["JSEventListeners"] <= first["JSEventListeners"] + 4 and now["Nodes"] <= first["Nodes"] * 1.1


def test_going_to_the_table_and_back_leaves_nothing_behind(people: People) -> None:
    """W4. Listeners and nodes are those of the first visit, after garbage collection."""
    person = people(DESK)
    room = person.open_room("tangshan")
    person.start()
    session = person.context.new_cdp_session(person.page)
    session.send("Performance.enable")
    session.send("HeapProfiler.enable")
    counts = []
    for _ in range(6):
        person.page.evaluate("() => { location.hash = '#/'; }")
        person.see(".lobby .resume")
        counts.append(_held(person, session))
        person.page.evaluate("(id) => { location.hash = `#/table/${id}`; }", room["id"])
        person.see(".app .seat.me .plate, .sheet")
    person.page.evaluate("() => { location.hash = '#/'; }")
    person.see(".lobby .resume")
    first, until = counts[1], time.monotonic() + PATIENCE_MS / 1000
    while not _as_at(first, counts[-1]) and time.monotonic() < until:  # timers of the table let go of it by and by
        person.page.evaluate("() => new Promise((done) => setTimeout(done, 500))")
        counts.append(_held(person, session))
    assert _as_at(first, counts[-1]), counts


def _covered_kong() -> tuple[dict[str, Any], int, int]:
    """A golden record, the step after its first closed kong, and whose it is."""
    [record] = [row["record"] for row in json.loads(GOLDEN.read_text())["rounds"] if "3 players, 598" in row["name"]]
    shown = [entry for entry in record["entries"] if any(e["type"] not in _NO_STEP for e in entry["events"])]
    for step, entry in enumerate(shown, start=1):
        for event in entry["events"]:
            if event["type"] == "meld_made" and event.get("face_down"):
                return record, step, event["seat"]
    raise AssertionError("no closed kong")


def test_an_open_replay_shows_closed_kongs_open(people: People) -> None:
    """W8. Face-down sets too: everything is open, and backs again from another's seat."""
    person = people(DESK)
    record, step, seat = _covered_kong()
    people_of = [{"name": f"牌友{at}", "avatar": "", "bot": False} for at in range(len(record["contributions"]))]
    share = {"record": record, "round": {"match_id": "none", "seats": people_of}}
    person.page.route("**/v1/shares/*", lambda route: route.fulfill(json=share))
    person.go(f"#/replay/12345678?step={step}")
    person.see(".replay .meld[aria-label*='闷豆']")
    assert person.find(".replay .meld .down").count() == 0
    person.find(".br select").first.select_option(str((seat + 1) % len(people_of)))
    person.see(".replay .meld .down")


def test_one_is_told_who_refused_to_dissolve(people: People) -> None:
    """W9."""
    stage, scene = Stage(people(PHONE), "guizhou"), scenes("guizhou")["turn"]
    stage.put_on(scene.with_match(vote=_asks_to_dissolve(scene)))
    stage.person.see(".votebar [data-vote=no]")
    other = (scene.seat + 2) % scene.view["players"]
    refused = {"number": 1, "by": (scene.seat + 1) % 4, "no": [other]}
    stage.tell("events", events=[], match=scene.with_match(refused=refused).match_view())
    name = scene.seats()[other]["name"]
    assert f"{name} 不同意" in stage.person.text(".bars")


def test_a_vote_that_runs_out_is_told_too(people: People) -> None:
    """W9."""
    stage, scene = Stage(people(PHONE), "guizhou"), scenes("guizhou")["turn"]
    stage.put_on(scene.with_match(vote=_asks_to_dissolve(scene)))
    stage.person.see(".votebar [data-vote=no]")
    refused = {"number": 1, "by": (scene.seat + 1) % 4, "no": []}
    stage.tell("events", events=[], match=scene.with_match(refused=refused).match_view())
    assert "没有全部同意" in stage.person.text(".bars .votebar:not(:has([data-vote]))")


def test_dissolving_and_kicking_ask_first(people: People) -> None:
    """W10. A slip of the finger closes no room, throws nobody out and calls no vote."""
    host, guest = people(PHONE), people(PHONE)
    room = host.open_room("guizhou", {"players": 2})
    guest.go(f"#/join/{room['code']}")
    guest.see(".wait .code")
    for button in ("[data-do=dissolve]", "[data-kick='1']"):
        host.click(button)
        host.click("dialog .quiet")
    host.page.wait_for_selector("dialog", state="detached")
    guest.click("[data-do=ready]")
    host.click("[data-do=ready]")
    host.see(".hand .tilebtn")
    host.click("[data-do=menu]")
    host.click("[data-item=申请解散]")
    host.click("dialog .quiet")
    host.page.wait_for_selector("dialog", state="detached")
    assert host.find(".votebar").count() == 0
    host.click("[data-do=menu]")
    host.click("[data-item=申请解散]")
    host.click("dialog [type=submit]")
    guest.see(".votebar [data-vote=yes]")


def test_a_tap_beside_an_open_drawer_closes_it_and_does_nothing_else(people: People) -> None:
    """W13. Also while one's clock runs: the tap picks no tile."""
    stage = Stage(people(PHONE), "guizhou")
    _my_turn(stage)
    for button in ("[data-do=menu]", "[data-do=phrases]", "[data-person]"):
        stage.person.click(button)
        stage.person.see(".drawer")
        stage.person.page.mouse.click(PHONE[0] - 12, PHONE[1] - 40)
        stage.person.page.wait_for_selector(".drawer", state="hidden")
    assert stage.person.find(".tilebtn[aria-pressed=true]").count() == 0


def test_what_is_left_stands_in_the_middle_before_the_wilds_are_known(people: People) -> None:
    """W15."""
    stage, scene = Stage(people(DESK), "tianjin"), scenes("tianjin")["opening"]
    stage.put_on(scene)
    middle = "(s) => { const r = document.querySelector(s).getBoundingClientRect(); return r.left + r.width / 2; }"
    centre, wall = (stage.person.page.evaluate(middle, part) for part in (".centre", ".centre .wall"))
    assert stage.person.find(".centre .aside").count() == 0
    assert abs(centre - wall) < 3


@pytest.mark.parametrize("slug", ["tianjin", "guizhou", "tangshan"])
@pytest.mark.parametrize("moment", ["won", "exhausted"])
def test_what_i_won_or_lost_is_the_largest_number(people: People, slug: str, moment: str) -> None:
    """W16. Mine first, at any seat; what the hand is worth stands smaller beside it."""
    if (scene := scenes(slug).get(moment)) is None:
        return
    stage = Stage(people(PHONE), slug)
    stage.put_on(scene)
    points = scene.view["points"][scene.seat]
    told = stage.person.text(".sheet .mine b").replace("−", "-").replace("+", "")
    assert int(told) == points
    size = "(all) => Math.max(...all.map((e) => parseFloat(getComputedStyle(e).fontSize)))"
    mine = stage.person.find(".sheet .mine b").evaluate_all(size)
    others = stage.person.find(".sheet :is(b, h1, h2, p, span, small, i):not(.mine b)").evaluate_all(size)
    assert mine > others


def test_players_read_why_an_operator_closed_their_room(people: People) -> None:
    """W17. In the middle of a match, where the ranking is shown, and before it began."""
    why = "设备维护，十分钟后回来"
    running, waiting = people(PHONE), people(PHONE)
    first = running.open_room("guizhou", {"players": 2})
    running.start()
    second = waiting.open_room("tianjin")
    for room in (first, second):
        path = f"{running.url}/v1/admin/rooms/{room['id']}/dissolve"
        headers = {"Authorization": f"Bearer {ADMIN_TOKEN}"}
        assert running.page.request.post(path, headers=headers, data={"reason": why}).ok
    assert why in running.text(".sheet.rank[data-reason=operator]")
    assert why in waiting.text(".gone[data-reason=operator]")
