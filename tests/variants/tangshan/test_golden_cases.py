"""The worked examples of the rules page: the calculator gives every answer, and never reads one."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.variants.tangshan.calculator import score

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "cases.json").read_text(encoding="utf-8"))
ENTRIES = [pytest.param(name, entry, id=entry["id"]) for name in ("cases", "hands", "locks") for entry in GOLDEN[name]]


def stripped(entry: dict[str, Any]) -> dict[str, Any]:
    """The entry without its answers."""
    plain = {key: value for key, value in entry.items() if key not in ("expect", "clauses", "note")}
    if "steps" in plain:
        plain["steps"] = [{key: value for key, value in step.items() if key != "offer"} for step in plain["steps"]]
    return plain


def expected(name: str, entry: dict[str, Any]) -> dict[str, Any]:
    """The answers of the entry in the form of a result."""
    return {"offers": [step["offer"] for step in entry["steps"]]} if name == "locks" else entry["expect"]


@pytest.mark.parametrize(("name", "entry"), ENTRIES)
def test_calculator_gives_the_worked_answer(name: str, entry: dict[str, Any]) -> None:
    result = score(name, stripped(entry))
    wanted = expected(name, entry)
    assert {key: result.get(key) for key in wanted} == wanted


@pytest.mark.parametrize(("name", "entry"), ENTRIES)
def test_answers_in_the_entry_change_nothing(name: str, entry: dict[str, Any]) -> None:
    assert score(name, entry) == score(name, stripped(entry))


@pytest.mark.parametrize("entry", GOLDEN["cases"], ids=lambda entry: entry["id"])
def test_the_ledger_adds_up_to_the_net(entry: dict[str, Any]) -> None:
    """Every line has one payer and one receiver; their sum is `net` (TS-11.1)."""
    result = score("cases", entry)
    net = [0] * entry["players"]
    for line in result["ledger"]:
        assert line["source"] != line["target"] and line["points"] > 0
        net[line["source"]] -= line["points"]
        net[line["target"]] += line["points"]
    assert net == result["net"]
