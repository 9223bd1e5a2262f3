"""A fourth game that has no face of its own is played in the page: one folder and one line are enough."""

from collections.abc import Iterator

import pytest

from app.lab.chaos.running import Running, own_server
from tests.e2e.conftest import People
from tests.variants.fourth.tree import SLUG, tree_with_fourth_game

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    """The server of a tree that has the fourth game."""
    with tree_with_fourth_game() as root, own_server(root=root) as running:
        yield running


def test_it_is_played_to_a_settlement_that_adds_up(people: People) -> None:
    person = people((390, 844))
    person.open_room(SLUG, {"rounds": 1})
    person.start()
    person.play_round()
    changes = [
        int(text.replace("−", "-").replace("+", "") or 0) for text in person.find(".sheet .seats .dl").all_inner_texts()
    ]
    assert len(changes) == 2 and sum(changes) == 0
    assert person.find(".sheet .fair:not(.bad)").count() == 1, "the shuffle is checked in the page"
