"""No failure of the list is without a test, and no test that is named has gone."""

import ast
from pathlib import Path

import pytest

from tests.reliability.rows import IDS, ROWS

_ROOT = Path(__file__).parents[2]


def test_the_list_is_whole_and_each_row_says_what_a_person_would_notice() -> None:
    assert sorted(ROWS) == sorted(IDS) and len(set(IDS)) == len(IDS) == 55
    assert all(notice and tests for notice, tests in ROWS.values())


@pytest.mark.parametrize("row", IDS)
def test_every_test_of_a_row_exists(row: str) -> None:
    for node in ROWS[row][1]:
        file, name = node.split("::")
        tree = ast.parse((_ROOT / file).read_text())
        found = [part for part in ast.walk(tree) if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)]
        assert name in {part.name for part in found}, node
