"""A table that is alive: tiles keep their elements and fly, calls and wins are seen, tiles are marked."""

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import People
from tests.e2e.scenes import scenes
from tests.e2e.stage import Stage

pytestmark = pytest.mark.browser

GOLDEN = Path(__file__).parent.parent / "golden"
DESK, PHONE = (1440, 900), (390, 844)

_FOLLOWED = """
async ({ views, wilds }) => {
  const { follow, noPieces } = await import("/static/table/identity.js");
  let pieces = noPieces();
  return views.map((view) => (pieces = follow(pieces, view, wilds)));
}
"""


def _ids(seat: dict[str, Any]) -> list[int]:
    drawn = [seat["drawn"]] if seat["drawn"] else []
    return [piece["id"] for piece in [*seat["hand"], *drawn, *seat["row"], *itertools.chain(*seat["melds"])]]


def _seat(hand: str | None, count: int, row: str = "", melds: Any = (), drawn: str | None = None) -> dict[str, Any]:
    return {"hand": hand, "count": count, "drawn": drawn, "melds": list(melds), "row": row}


def _view(*seats: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"seats": list(seats), "turn": 0, "last": None, "laid": None, **more}


def test_a_tile_is_the_same_from_hand_to_river_to_set(people: People) -> None:
    """Drawn, thrown out of equal ones, claimed by another: one id all the way, and no id twice."""
    pong = [{"kind": "pong", "count": 3, "tiles": "5p5p5p", "taken": "5p", "source_seat": 0}]
    views = [
        _view(_seat("1m5p5p7z", 4), _seat(None, 4)),
        _view(_seat("1m5p5p5p7z", 5, drawn="5p"), _seat(None, 4)),
        _view(_seat("1m5p5p7z", 4, row="5p"), _seat(None, 4), last=[0, "5p"]),
        _view(_seat("1m5p5p7z", 4), _seat(None, 2, melds=pong), turn=1),
        _view(_seat("1m5p5p7z", 4), _seat(None, 1, row="9s", melds=pong), turn=1, last=[1, "9s"]),
    ]
    person = people()
    first, drawn, thrown, claimed, last = [
        step["seats"] for step in person.page.evaluate(_FOLLOWED, {"views": views, "wilds": []})
    ]
    assert [p["id"] for p in drawn[0]["hand"]] == [p["id"] for p in first[0]["hand"]], "what one holds stays what it is"
    tile = thrown[0]["row"][0]
    assert tile["id"] == drawn[0]["drawn"]["id"] and tile["own"], "the drawn one of three equal ones has gone, as drawn"
    assert tile["id"] in [p["id"] for p in claimed[1]["melds"][0]]
    assert {p["id"] for p in claimed[1]["melds"][0]} <= {tile["id"], *(p["id"] for p in first[1]["hand"])}
    assert last[1]["row"][0]["id"] in [p["id"] for p in claimed[1]["hand"]]
    for step in (first, drawn, thrown, claimed, last):
        ids = [n for seat in step for n in _ids(seat)]
        assert len(ids) == len(set(ids))


@pytest.mark.parametrize("slug", ["tianjin", "guizhou", "tangshan"])
def test_ids_are_unique_through_whole_rounds(people: People, slug: str) -> None:
    """Golden rounds from a seat and open: every tile on the table has one id, and the number of tiles is right."""
    person = people()
    person.load("golden.js")
    rounds = json.loads((GOLDEN / f"{slug}.json").read_text())["rounds"]
    assert person.page.evaluate("(rounds) => identified(rounds)", rounds) == []


def test_a_discard_flies_from_the_hand_and_never_delays_input(people: People) -> None:
    """The element in the river is the one that was in the hand; it moves for less than a fifth of a second."""
    stage = Stage(people(DESK, motion=True), "guizhou")
    scene = scenes("guizhou")["late"]
    stage.put_on(scene)
    page = stage.person.page
    page.evaluate("() => { window.flown = document.querySelector('.hand .low .tilebtn:last-child svg'); }")
    tile = str(stage.person.find(".hand .tilebtn").last.get_attribute("data-tile"))
    before = stage.person.table()
    stage.tell("events", events=[{"type": "tile_discarded", "seat": scene.seat, "tile": tile}])
    stage.person.see_move(before)
    flight = """() => {
      const [moving] = window.flown.getAnimations();
      return [window.flown.closest(".river") !== null, moving?.effect.getComputedTiming().duration ?? 0];
    }"""
    kept, lasts = page.evaluate(flight)
    assert kept
    assert 0 < lasts <= 200


def test_nothing_flies_where_no_motion_is_wanted(people: People) -> None:
    stage = Stage(people(DESK), "guizhou")
    scene = scenes("guizhou")["late"]
    stage.put_on(scene)
    tile = str(stage.person.find(".hand .tilebtn").last.get_attribute("data-tile"))
    before = stage.person.table()
    stage.tell("events", events=[{"type": "tile_discarded", "seat": scene.seat, "tile": tile}])
    stage.person.see_move(before)
    running = "() => [...document.querySelectorAll('.app .qt')].flatMap((e) => e.getAnimations()).length"
    assert stage.person.page.evaluate(running) == 0


def test_a_call_stands_in_large_letters_at_its_seat(people: People) -> None:
    stage = Stage(people(PHONE), "guizhou")
    scene = scenes("guizhou")["claim"]
    stage.put_on(scene)
    thrower, tile = scene.view["last"]
    other = next(seat for seat in range(scene.view["players"]) if seat not in (thrower, scene.seat))
    stage.person.watch_for(".fx .call")
    pong = {"type": "meld_made", "seat": other, "meld": len(scene.view["seats"][other]["melds"]), "kind": "pong"}
    more = {"tiles": tile * 3, "count": 3, "source": "row", "source_seat": thrower, "taken": tile}
    stage.tell("events", events=[{**pong, **more}])
    stage.person.wait_to_see(".fx .call", "碰")


def test_a_win_is_seen_on_the_table_and_a_tap_leads_to_its_sheet(people: People) -> None:
    """Whole rounds by clicking, until one is won: the ribbon says who and for how much, then the sheet comes."""
    person = people(DESK)
    person.open_room("guizhou", {"players": 2, "rounds": 8}, think_s=60)
    person.start()
    person.watch_for(".ribbon .winner")
    for _ in range(8):
        person.play_round()
        if person.saw(".ribbon .winner"):
            break
        person.click(".sheet [data-do=ready]")
        person.page.wait_for_selector(".sheet", state="hidden")
    [said, *_] = person.saw(".ribbon .winner")
    assert re.match(r"(我|电脑2) (自摸|接炮|杠上开花|抢杠)", said)
    assert person.find(".ribbon").count() == 0, "the sheet has taken its place"


def test_copies_of_a_picked_tile_and_the_tile_of_the_clock_are_marked(people: People) -> None:
    stage = Stage(people(DESK), "guizhou")
    scene = scenes("guizhou")["late"]
    stage.silence = {"verb": "discard", "tiles": scene.decision["options"][0]["tiles"]} if scene.decision else None
    stage.put_on(scene)
    person = stage.person
    kinds = person.hand()
    shown = "".join(seat["row"] for seat in scene.view["seats"])
    kind = max(kinds, key=lambda k: shown.count(k))
    person.click(f".hand [data-tile='{kind}']")
    person.see(".hand .tilebtn[aria-pressed=true]")
    assert person.find(".river .qt.same").count() == [shown[at : at + 2] for at in range(0, len(shown), 2)].count(kind)
    timed = str(stage.silence["tiles"]) if stage.silence else ""
    assert timed in kinds
    assert "到时打出" in str(person.find(f".hand [data-tile='{timed}']").last.get_attribute("aria-label"))


def test_a_full_screen_is_filled(people: People) -> None:
    """W15. At 1920×1080 the hand has tiles of 80 px and the discards of 44, and the table spans the screen."""
    stage = Stage(people((1920, 1080)), "tangshan")
    stage.put_on(scenes("tangshan")["late"])
    size = "(s) => { const r = document.querySelector(s).getBoundingClientRect(); return [r.width, r.height]; }"
    page = stage.person.page
    assert page.evaluate(size, ".app")[0] == 1920
    assert page.evaluate(size, ".hand .tilebtn")[0] >= 80
    assert page.evaluate(size, ".r-me .qt")[0] >= 44
    page.set_viewport_size({"width": 2560, "height": 1440})
    assert page.evaluate(size, ".app")[0] == 2560
    assert page.evaluate(size, ".hand .tilebtn")[0] >= 108
    assert page.evaluate(size, ".r-me .qt")[0] >= 58


def test_dice_and_what_they_are_for_are_shown(people: People) -> None:
    """Both throws of a deal with two, and the tile that was turned."""
    person = people(DESK)
    person.open_room("tianjin")
    person.watch_for(".fx .opening")
    person.start()
    for said in ("开牌墙", "开混"):
        person.wait_to_see(".fx .opening", said)
    person.see(".seat.me .frame.bamboo")  # a newcomer's level
    person.see(".seat.me .avatar .host")
