"""A match as one file: it names nobody, it is read again by the commands, and nothing that was changed gets in."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from app.cli.main import main
from app.records.bundle import bundle, read_records
from app.records.codec import sealed
from app.records.upcast import upcast

GOLDEN = Path(__file__).parents[1] / "golden"
_ROUND = json.loads((GOLDEN / "guizhou.json").read_text("utf-8"))["rounds"][0]["record"]


def _match() -> dict[str, Any]:
    """Two rounds of a match as it is exported: one record under two numbers."""
    first = upcast(copy.deepcopy(_ROUND))
    return bundle("room.1", "guizhou", [sealed({**first, "round_no": number}) for number in (1, 2)])


def _written(folder: Path, match: dict[str, Any]) -> str:
    path = folder / "match.json"
    path.write_text(json.dumps(match, indent=1), "utf-8")
    return str(path)


def test_an_exported_match_is_shown_and_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _written(tmp_path, _match())
    assert main(["verify", path]) == 0
    said = capsys.readouterr().out
    assert "round 1:" in said and "round 2:" in said and "DIFFERS" not in said and "room.1" not in said
    assert main(["replay", path]) == 0
    assert capsys.readouterr().out.count("the round is over") == 2


def _points(match: dict[str, Any]) -> None:
    lines = [e for entry in match["records"][1]["entries"] for e in entry["events"] if e["type"] == "points_moved"]
    lines[-1]["lines"][0]["points"] += 1


def _order(match: dict[str, Any]) -> None:
    match["records"].reverse()


def _other(match: dict[str, Any]) -> None:
    match["match"] = "another"


def _empty(match: dict[str, Any]) -> None:
    match["records"] = []


def _later(match: dict[str, Any]) -> None:
    match["format"] = 2


@pytest.mark.parametrize("change", [_points, _order, _other, _empty, _later])
@pytest.mark.parametrize("command", ["verify", "replay"])
def test_what_was_changed_gets_nowhere(change: Any, command: str, tmp_path: Path) -> None:
    match = _match()
    change(match)
    assert main([command, _written(tmp_path, match)]) == 1


def test_a_commitment_is_of_one_round(tmp_path: Path) -> None:
    assert main(["verify", _written(tmp_path, _match()), "--commitment", "00"]) == 1


def test_single_records_and_a_record_a_line_are_read_too() -> None:
    one = json.dumps(_ROUND).encode()
    assert len(read_records(one)) == 1 and len(read_records(one + b"\n" + one)) == 2
