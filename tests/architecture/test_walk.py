"""The walk through the house names files and functions that exist, and rows are numbered in order."""

import ast
import re

import pytest

from tests.architecture.tree import ROOT

PAGE = (ROOT / "app" / "README.md").read_text("utf-8")
STOPS = re.findall(r"^\| (\d+) \| `([\w/.]+)`(?: `(\w+)`)? \|", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("path", "function"), [(path, function) for _, path, function in STOPS])
def test_a_stop_is_there(path: str, function: str) -> None:
    file = ROOT / "app" / path
    assert file.exists()
    if function:
        tree = ast.parse(file.read_text("utf-8"))
        names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
        assert function in names, f"{path} has no {function}"


def test_the_stops_are_numbered() -> None:
    assert [int(number) for number, _, _ in STOPS] == list(range(1, len(STOPS) + 1)) and len(STOPS) >= 20


def test_every_file_named_in_the_text_exists() -> None:
    for path in re.findall(r"`([a-z_0-9/]+\.(?:py|md|lua))`", PAGE):
        assert (ROOT / "app" / path).exists(), path
