"""Rules where they are needed: why something is not offered, what an offer does, a clause over the table, a search."""

import json

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.e2e.conftest import People
from tests.e2e.person import Person
from tests.e2e.scenes import scenes
from tests.e2e.stage import Stage
from tests.e2e.test_words import AXE_RULES

pytestmark = pytest.mark.browser

BOX = "dialog.rules-box"


def _usable(person: Person) -> None:
    found = Axe().run(person.page, options={"runOnly": AXE_RULES})
    told = [f"{v['id']}: {v['nodes'][0]['html'][:160]}" for v in found.response["violations"]]
    assert told == [], json.dumps(told, ensure_ascii=False, indent=1)


def test_a_player_whose_hand_looks_complete_is_told_why_it_may_not_win(people: People) -> None:
    """M2: the offer was just absent. The page asks the server, "?" lights up, the clause is one tap further."""
    stage, scene = Stage(people((360, 640)), "tianjin"), scenes("tianjin")["ready"]
    person, tile = stage.person, scene.hints[0]["waits"][0]["tile"]
    stage.put_on(scene)
    person.see(".ting:not(.idle)")
    stage.reasons = [{"action": {"verb": "win"}, "code": "no_discard_win", "clause": "TJ-5.9"}]
    other = (scene.seat + 1) % scene.view["players"]
    stage.tell("events", events=[
        {"type": "tile_drawn", "seat": other, "end": "head", "left": 40},
        {"type": "tile_discarded", "seat": other, "tile": tile},
    ])  # fmt: skip
    stage.wait_for("why_not")
    person.click("[data-do=help].lit")
    person.see(f"{BOX} .reasons")
    assert "只能自摸或杠开" in person.find(f"{BOX} .reasons").inner_text()
    _usable(person)
    person.click(f"{BOX} [data-clause='TJ-5.9']")
    person.see(f"{BOX} .found")
    assert "抢杠" in person.find(f"{BOX} .found").inner_text()
    person.page.keyboard.press("Escape")
    person.page.keyboard.press("Escape")
    assert person.find(BOX).count() == 0


@pytest.mark.parametrize("lang", ["zh-Hant", "en"])
def test_a_prompt_explains_each_answer_and_marks_that_of_silence(people: People, lang: str) -> None:
    stage, scene = Stage(people((360, 640), lang), "tangshan"), scenes("tangshan")["claim"]
    stage.silence = {"verb": "pass"}
    stage.put_on(scene)
    stage.person.click("[data-do=help]")
    stage.person.see(f"{BOX} .offers")
    assert scene.decision is not None
    verbs = {option["verb"] for option in scene.decision["options"]}
    shown = stage.person.find(f"{BOX} [data-offer]").evaluate_all("(all) => all.map((x) => x.dataset.offer)")
    assert {key.split(".")[0] for key in shown} == verbs
    words = stage.person.find(f"{BOX} .offers").inner_text()
    assert ("No answer passes" if lang == "en" else "過") in words
    assert stage.person.find(f"{BOX} [data-offer=pass] .chip.hot").count() == 1
    _usable(stage.person)


def test_the_rules_are_searched_and_a_settlement_leads_to_its_clause(people: People) -> None:
    """M1: RULES.md was served nowhere, and the clause chip could not be tapped through."""
    stage = Stage(people((360, 640)), "guizhou")
    person = stage.person
    stage.put_on(scenes("guizhou")["won"])
    person.find(".ledger details").first.evaluate("(line) => { line.open = true; }")
    person.find(".ledger .chip.clause").first.click()
    person.see(f"{BOX} .found")
    field = person.find(f"{BOX} input[type=search]")
    field.fill("通行证")
    shown = person.find(f"{BOX} .clause-text:visible").all_inner_texts()
    assert shown and all("通行证" in text for text in shown)
    field.fill("no such rule")
    person.see(f"{BOX} .none:not(:empty)")
    _usable(person)
