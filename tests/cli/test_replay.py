"""`mj replay`: every step of a true record, nothing of a hidden hand, and nothing of a record that was changed."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli.main import main
from app.variants import VARIANTS

GOLDEN = Path(__file__).parents[1] / "golden"


def _record(slug: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((GOLDEN / f"{slug}.json").read_text("utf-8"))["rounds"][0]["record"]
    return found


def _file(folder: Path, *records: dict[str, Any]) -> str:
    path = folder / "kept.json"
    path.write_text("\n".join(json.dumps(record) for record in records), "utf-8")
    return str(path)


@pytest.mark.parametrize("slug", list(VARIANTS))
def test_a_record_is_shown_to_its_end(slug: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", _file(tmp_path, _record(slug))]) == 0
    said = capsys.readouterr().out
    assert f"{VARIANTS[slug].meta.name_zh} {VARIANTS[slug].meta.name_en}, round" in said
    assert "the round is over" in said.rsplit(", step ", 1)[1]
    assert "··" not in said


def test_patterns_and_reasons_have_the_names_of_their_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", _file(tmp_path, _record("tianjin"))]) == 0
    said = capsys.readouterr().out
    assert " wins 提溜" in said and ": 胡牌" in said and "(TJ-13.1)" in said


def test_a_seat_sees_no_other_hand_before_they_are_laid_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", _file(tmp_path, _record("guizhou")), "--seat", "1"]) == 0
    before = [page for page in capsys.readouterr().out.split("\n\n贵州") if " discards " in page]
    assert before and all("··········" in page for page in before)


def test_a_match_is_one_file_with_a_record_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = _record("tangshan")
    assert main(["replay", _file(tmp_path, record, record)]) == 0
    assert capsys.readouterr().out.count("the round is over") == 2


def test_a_record_that_does_not_verify_is_not_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed = _record("tianjin")
    changed["seed"] = "0" * 64
    assert main(["replay", _file(tmp_path, _record("tianjin"), changed)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("mj replay: ") and "record 2" in said.err and "differs" in said.err


def test_a_seat_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", _file(tmp_path, _record("guizhou")), "--seat", "4"]) == 1
    assert "--seat" in capsys.readouterr().err
