"""`mj rules`: a clause with what cites it, all clauses, and one sentence for what does not exist."""

from pathlib import Path

import pytest

from app.cli import main, rules
from app.kernel.text.rules_page import Clause, clauses_of
from app.variants import VARIANTS


def test_a_clause_is_printed_with_the_code_and_the_tests_that_cite_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["rules", "tianjin", "TJ-4.9"]) == 0
    text, code, tests = capsys.readouterr().out.split("\n\n")
    assert text.startswith("TJ-4.9  补牌从尾部")
    assert any(line.startswith("  app/variants/tianjin/wall.py:") for line in code.splitlines())
    assert any(line.startswith("  tests/variants/tianjin/test_wall.py:") for line in tests.splitlines())


@pytest.mark.parametrize("slug", VARIANTS)
def test_without_a_clause_all_are_listed(slug: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["rules", slug]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 90 and all(len(line.split()) > 1 for line in lines)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["mahjong"], "mj rules: there is no game 'mahjong'; known are tianjin, guizhou, tangshan."),
        (["guizhou", "TJ-4.9"], "mj rules: guizhou has no clause 'TJ-4.9'; they run from GZ-1.1 to GZ-20.4."),
    ],
)
def test_what_does_not_exist_is_said_in_one_sentence(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(["rules", *words]) == 2
    printed = capsys.readouterr()
    assert printed.err.splitlines() == [said] and not printed.out


def test_a_longer_number_is_another_clause(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "ROOT", tmp_path)
    (tmp_path / "code.py").write_text("# AB-1.1\n# AB-1.10, AB-11.1\n# (AB-1.1), AB-2.1\n")
    assert rules.citing("AB-1.1", tmp_path) == ["code.py:1", "code.py:3"]


def test_an_installed_wheel_has_no_tests_and_prints_the_code_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "app").symlink_to(rules.APP)
    monkeypatch.setattr(rules, "ROOT", tmp_path)
    monkeypatch.setattr(rules, "APP", tmp_path / "app")
    assert main.main(["rules", "tangshan", "TS-10.2"]) == 0
    said = capsys.readouterr().out
    assert "code:" in said and "tests:" not in said


def test_a_page_says_where_a_clause_lives() -> None:
    page = (
        "# 1\n- **AB-1.1** one\n  more\n- **AB-1.2** two（运行时：app/tables）\n"
        "## 2（测试：tests/laws）\n- **AB-2.1** x\n"
    )
    found = clauses_of(page)
    assert found["AB-1.1"] == Clause("one\n  more", None)
    assert [clause.elsewhere for clause in found.values()] == [None, "app/tables", "tests/laws"]
