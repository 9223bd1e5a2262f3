"""Every moment of every game on every screen: nothing cut off or overlapping, each offered action sent as offered."""

import json
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from app.variants import VARIANTS
from tests.e2e.conftest import People
from tests.e2e.person import Person
from tests.e2e.scenes import Scene, scenes
from tests.e2e.stage import Stage
from tests.e2e.test_words import AXE_RULES

pytestmark = pytest.mark.browser

SLUGS = pytest.mark.parametrize("slug", list(VARIANTS))
SCREENS = [(360, 640), (640, 360), (768, 1024), (1440, 900)]


def _stage(people: People, slug: str, screen: tuple[int, int] = (1440, 900), lang: str = "zh") -> Stage:
    return Stage(people(screen, lang), slug)


@SLUGS
@pytest.mark.parametrize(("lang", "screens"), [("zh", SCREENS), ("en", SCREENS[:2])], ids=["zh", "en"])
def test_nothing_overlaps_or_is_cut_off(people: People, slug: str, lang: str, screens: list[tuple[int, int]]) -> None:
    stage = _stage(people, slug, screens[0], lang)
    stage.person.load("fit.js")
    faults: dict[str, list[str]] = {}
    for width, height in screens:
        stage.person.page.set_viewport_size({"width": width, "height": height})
        for moment, scene in scenes(slug).items():
            stage.put_on(scene)
            if found := stage.person.page.evaluate("() => misplaced()"):
                faults[f"{moment} {width}x{height}"] = found
    assert faults == {}, json.dumps(faults, ensure_ascii=False, indent=1)


def _rare(scene: Scene) -> list[dict[str, Any]]:
    """The offers of a scene, less plain discards."""
    assert scene.decision is not None
    return [o for o in scene.decision["options"] if o["verb"] != "discard"]


def _choose(stage: Stage, key: str, at: int) -> None:
    """Press a button of the dock, and the choice behind it."""
    stage.person.click(f".dock [data-key={key}]")
    if stage.person.find(".pick .opt").count():
        stage.person.find(".pick .opt").nth(at).click()


_KEYS = {"sit": "sit-{choice}", "pull": "pull-{choice}"}


def _key(option: dict[str, Any]) -> str:
    if option["verb"] == "extend" and option["choice"] != "xi_add":
        return "kong"
    verb = str(option["verb"])
    return _KEYS.get(verb, verb).format(choice=str(option.get("choice")).lower())


@SLUGS
def test_every_offer_is_one_or_two_taps_away_and_sent_as_offered(people: People, slug: str) -> None:
    stage = _stage(people, slug)
    for moment in ("opening", "turn", "claim", "rob", "late"):
        if (scene := scenes(slug).get(moment)) is None:
            continue
        offered: dict[str, list[dict[str, Any]]] = {}
        for option in _rare(scene):
            offered.setdefault(_key(option), []).append(option)
        for key, options in offered.items():
            for at, option in enumerate(options):
                stage.put_on(scene)
                _choose(stage, key, at)
                assert stage.act() == option, f"{moment} {key}"


@pytest.mark.parametrize("declare", [True, False])
def test_a_declaration_shows_only_what_leaves_the_hand_ready(people: People, declare: bool) -> None:
    stage, scene = _stage(people, "guizhou", (360, 640)), scenes("guizhou")["opening"]
    stage.put_on(scene)
    assert scene.decision is not None
    ready = {o["tiles"] for o in scene.decision["options"] if o.get("choice")}
    if declare:
        stage.person.click(".dock [data-key=declare]")
    bright = stage.person.find(".hand .tilebtn:not([aria-disabled])")
    kinds = set(bright.evaluate_all("(all) => all.map((x) => x.dataset.tile)"))
    assert kinds == ready if declare else kinds > ready
    bright.first.click()
    stage.person.find(".hand .tilebtn[aria-pressed=true]").click()
    assert stage.act()["verb"] == "discard"
    assert stage.act().get("choice") == ("declare_ready" if declare else None)


@SLUGS
def test_waits_and_what_is_left_are_right_after_every_tile_that_shows(people: People, slug: str) -> None:
    stage, scene = _stage(people, slug), scenes(slug)["ready"]
    stage.put_on(scene)
    stage.person.see(".ting:not(.idle)")
    [hint] = scene.hints
    shown = {wait["tile"]: wait["left"] for wait in hint["waits"]}
    assert _left(stage) == sum(shown.values())
    asked = len(stage.requests("hints"))
    tile = max(shown, key=lambda kind: shown[kind])
    if not shown[tile]:
        return
    other, before = (scene.seat + 1) % scene.view["players"], stage.person.table()
    stage.tell("events", events=[
        {"type": "tile_drawn", "seat": other, "end": "head", "left": 40},
        {"type": "tile_discarded", "seat": other, "tile": tile},
    ])  # fmt: skip
    stage.person.see_move(before)
    assert _left(stage) == sum(shown.values()) - 1
    assert len(stage.requests("hints")) == asked, "a tile of another is counted here, not asked about"


def _left(stage: Stage) -> int:
    """The number of copies left of all kinds together, as the strip shows it."""
    person = stage.person
    if person.find(".more-waits[aria-expanded=false]").count():
        person.click(".more-waits")
    waits = ".all-waits .w" if person.find(".all-waits").count() else ".ting .w"
    return sum(int(text.lstrip("×")) for text in person.find(f"{waits} small b").all_inner_texts())


@SLUGS
def test_everybody_can_use_the_table_and_the_settlement(people: People, slug: str) -> None:
    stage = _stage(people, slug, (360, 640))
    for moment in ("claim", "won"):
        stage.put_on(scenes(slug)[moment])
        if moment == "claim" and stage.person.find(".dock [aria-expanded=false]").count():
            stage.person.click(".dock [aria-expanded=false]")
        found = Axe().run(stage.person.page, options={"runOnly": AXE_RULES})
        told = [f"{v['id']}: {v['nodes'][0]['html'][:160]}" for v in found.response["violations"]]
        assert told == [], f"{slug} {moment}: {json.dumps(told, ensure_ascii=False, indent=1)}"


def test_every_text_can_be_read_in_every_theme_on_every_mat(people: People) -> None:
    """Issue 16, point 5. AA against the worst colour behind a text, in the lobby, at the table and in the sheet."""
    person = people((820, 1180))
    person.load("contrast.js")
    faint = {f"lobby {look}": found for look in _LOOKS[::3] if (found := _faint(person, *look))}
    stage = Stage(person, "tianjin")
    for moment in ("claim", "late", "won"):
        stage.put_on(scenes("tianjin")[moment])
        faint |= {f"{moment} {look}": found for look in _LOOKS if (found := _faint(person, *look))}
    assert faint == {}, json.dumps(faint, ensure_ascii=False, indent=1)


_LOOKS = [(theme, mat) for theme in ("dark", "light") for mat in ("pine", "indigo", "mulberry")]


def _faint(person: Person, theme: str, mat: str) -> list[str]:
    put_on = "([theme, mat]) => Object.assign(document.documentElement.dataset, { theme, mat })"
    person.page.evaluate(put_on, [theme, mat])
    return list(person.page.evaluate("() => faint()"))


def test_who_is_played_for_sees_it_and_takes_over_by_one_tap(people: People) -> None:
    stage, scene = _stage(people, "tianjin", (640, 360)), scenes("tianjin")["turn"]
    seats = scene.seats(autoplay=True)
    other = (scene.seat + 1) % 4
    seats[other] |= {"autoplay": True}
    seats[(scene.seat + 2) % 4] |= {"online": False}
    stage.put_on(scene.with_match(seats=seats))
    person = stage.person
    assert "托管" in person.text(".autobar")
    assert person.text(".seat.right .chip.warn") == "托管"
    assert person.text(".seat.top .chip.warn") == "离线"
    assert not person.find(".dock [data-key]").first.is_visible()
    person.click(".autobar .btn")
    assert stage.wait_for("autoplay") == [{"on": False}]


def test_saving_is_said_and_what_is_refused_comes_back(people: People) -> None:
    stage, scene = _stage(people, "tangshan"), scenes("tangshan")["claim"]
    stage.put_on(scene)
    stage.tell("saving", on=True)
    assert "保存" in stage.person.text(".banner")
    stage.tell("saving", on=False)
    stage.person.page.wait_for_selector(".banner", state="detached")
    stage.refuse = "not_now"
    stage.person.watch_for("#toast")
    stage.person.click(".dock [data-key=pass]")
    stage.person.wait_to_see("#toast")
    stage.person.see(".dock [data-key=pass]")


def test_the_last_round_can_be_looked_at_while_the_next_is_played(people: People) -> None:
    stage, won, turn = _stage(people, "guizhou"), scenes("guizhou")["won"], scenes("guizhou")["turn"]
    person = stage.person
    stage.put_on(won)
    points = person.find(".sheet .dl").all_inner_texts()
    stage.put_on(turn)
    person.page.wait_for_selector(".overlay", state="hidden")
    person.click("[data-do=menu]")
    person.click("[data-item=看上一局]")
    assert person.find(".sheet .dl").all_inner_texts() == points
    person.click(".sheet [data-do=table]")
    person.page.wait_for_selector(".overlay", state="hidden")


def test_a_seat_opens_what_it_has_laid_and_mutes_its_person_for_good(people: People) -> None:
    stage, scene = _stage(people, "tianjin", (360, 640)), scenes("tianjin")["late"]
    stage.put_on(scene)
    person, seat = stage.person, (scene.seat + 1) % 4
    person.click(f"[data-person='{seat}']")
    tiles = scene.view["seats"][seat]
    assert person.find(".drawer .thrown svg").count() == len(tiles["row"]) // 2
    assert person.find(".drawer .melds .meld").count() == len(tiles["melds"])
    person.click(".drawer [data-person-do=mute]")
    assert person.find(".seat.right .chip:has-text('已静音')").count() == 1
    person.watch_for(".said")
    person.watch_for(".seat.top .said")
    stage.tell("chat", seat=seat, code="hello")
    stage.tell("chat", seat=(seat + 1) % 4, code="nice")
    person.wait_to_see(".seat.top .said", "打得漂亮")
    assert person.saw(".said") == ["打得漂亮"]
    person.page.reload()
    person.see(".seat.right .chip:has-text('已静音')")


def test_a_spectator_chooses_the_seat_from_which_to_watch(people: People) -> None:
    """Issue 16, point 9."""
    stage, scene = _stage(people, "tianjin"), scenes("tianjin")["late"]
    stage.spectator = True
    stage.put_on(scene)
    person = stage.person
    shown = person.text(".seat.me .nm")
    right = person.text(".seat.right .nm")
    person.click(".seat.right .plate")
    person.click(".drawer [data-do=watch]")
    person.see(f".seat.me .nm:text-is('{right}')")
    assert person.text(".seat.left .nm") == shown


def test_an_open_line_of_the_ledger_stays_open_when_somebody_is_ready(people: People) -> None:
    stage, scene = _stage(people, "tangshan", (360, 640)), scenes("tangshan")["won"]
    stage.put_on(scene)
    person = stage.person
    person.click(".sheet .ledger summary")
    clause = person.text(".sheet details[open] .how .chip")
    assert "TS-" in clause
    seats = [{**seat, "ready": at == (scene.seat + 1) % 4} for at, seat in enumerate(scene.seats())]
    stage.tell("events", events=[], match=scene.with_match(seats=seats).match_view())
    stage.tell("countdown", what="next_round", left_ms=20_000)
    person.see(".sheet [data-do=ready] .clock")
    assert person.text(".sheet details[open] .how .chip") == clause
