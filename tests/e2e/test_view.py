"""The client's fold, replay and shuffle check, run in the browser on the golden streams of the kernel."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import People

pytestmark = pytest.mark.browser

GOLDEN = sorted((Path(__file__).parent.parent / "golden").glob("*.json"))


def _rounds(path: Path) -> list[dict[str, Any]]:
    rounds: list[dict[str, Any]] = json.loads(path.read_text())["rounds"]
    return rounds


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_client_folds_to_the_same_views_as_the_server(people: People, path: Path) -> None:
    person = people()
    person.load("golden.js")
    result = person.page.evaluate("(rounds) => folded(rounds)", _rounds(path))
    assert result["compared"] > 5
    assert result["wrong"] == []


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_record_replays_to_what_each_seat_saw_and_its_shuffle_is_checked(people: People, path: Path) -> None:
    person = people()
    person.load("golden.js")
    assert person.page.evaluate("(rounds) => replayed(rounds)", _rounds(path)) == []


@pytest.mark.parametrize(("slug", "check"), [("tangshan", "priced"), ("guizhou", "marked")])
def test_prices_and_roles_on_show_are_those_of_the_rules(people: People, slug: str, check: str) -> None:
    person = people()
    person.load("golden.js")
    rows = json.loads((GOLDEN[0].parent / "faces" / f"{slug}.json").read_text())
    assert person.page.evaluate(f"([slug, rows]) => {check}(slug, rows)", [slug, rows]) == []


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_round_is_compared_with_what_the_page_kept_before_the_deal(people: People, path: Path) -> None:
    """S5: commitment, own contribution and dealer are those kept at ready; nothing kept is said to be nothing kept."""
    person = people()
    person.load("golden.js")
    for found in person.page.evaluate("(rounds) => anchored(rounds)", _rounds(path)):
        assert found == {"held": [True, True], "missed": [False, False, False], "alone": True, "kept": None}
