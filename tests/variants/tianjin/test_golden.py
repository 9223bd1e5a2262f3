"""All golden cases: the calculator gives the worked answers, and never looks at them."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.kernel.ledger import Line, net
from app.variants.tianjin.calculator import score

CASES: dict[str, Any] = json.loads(Path(__file__).with_name("cases.json").read_text())
LISTS = ("cases", "hands", "walls", "ladder", "caps")
ANSWERS = {"expect", "ready", "pattern", "level", "name", "out", "offer"}
ENTRIES = [pytest.param(name, entry, id=entry["id"]) for name in LISTS for entry in CASES[name]]


@pytest.mark.parametrize(("name", "entry"), ENTRIES)
def test_a_golden_entry_is_right_with_its_answers_taken_away(name: str, entry: dict[str, Any]) -> None:
    asked = {key: value for key, value in entry.items() if key not in ANSWERS}
    expected = entry.get("expect") or {key: entry[key] for key in ("level", "name", "out") if key in entry}
    result = score(name, asked)
    assert {key: result[key] for key in expected} == expected
    assert result == score(name, entry)
    assert set(result) == set(expected) | ({"ledger"} if name == "cases" else set())


@pytest.mark.parametrize("entry", [pytest.param(entry, id=entry["id"]) for entry in CASES["cases"]])
def test_the_ledger_explains_every_point_of_a_settlement(entry: dict[str, Any]) -> None:
    """TJ-13.4: lines of win, kong_points, follow and cap, each with its clause, add up to the net."""
    result = score("cases", entry)
    clauses = {"win": "TJ-13.1", "kong_points": "TJ-13.2", "follow": "TJ-8.2", "cap": "TJ-14.3"}
    ledger: Any = result["ledger"]
    assert all(line["points"] > 0 and line["clause"] == clauses[line["reason"]] for line in ledger)
    lines = [Line(one["reason"], one["clause"], one["source"], one["target"], one["points"]) for one in ledger]
    assert list(net(lines, 4)) == result["net"]


def test_no_list_of_the_golden_file_is_forgotten() -> None:
    assert {name for name, value in CASES.items() if isinstance(value, list)} == set(LISTS)
    assert sum(len(CASES[name]) for name in LISTS) == len(ENTRIES) == 284
