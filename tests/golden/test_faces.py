"""The golden files of the browser's faces match the present rules."""

import json

import pytest

from tests.golden.faces_writer import HERE, MADE


@pytest.mark.parametrize("slug", list(MADE))
def test_prices_and_roles_are_those_of_the_rules(slug: str) -> None:
    """If this fails the rules have changed: `python -m tests.golden.faces_writer`, then the face of the game."""
    assert json.loads((HERE / f"{slug}.json").read_bytes()) == MADE[slug]()
