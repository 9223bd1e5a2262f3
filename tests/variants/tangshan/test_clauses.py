"""Every clause of `RULES.md` is cited by a test, and no test cites a clause that does not exist."""

import json
import re
from pathlib import Path

import app.variants.tangshan

HERE = Path(__file__).parent
RULES = (Path(app.variants.tangshan.__file__).parent / "RULES.md").read_text(encoding="utf-8")
CLAUSES = re.findall(r"^- \*\*(TS-\d+\.\d+)\*\*", RULES, re.MULTILINE)
CITATION = re.compile(r"TS-\d+\.\d+")
ELSEWHERE: dict[str, str] = {
    "TS-13.3": "the order of a match is reckoned by the table runtime; here only the option `rounds`",
    "TS-13.4": "the start rule and leaving are the match's, one for all games; here only META and autoplay",
    "TS-14.4": "channels beyond events and views (logs, records as served) are tested where they are built",
    "TS-15.4": "durations are settings of the table; here only the suggested defaults in META",
}
"""Clauses that tests of this folder can show in part only, with the reason."""


def cited_by_tests() -> set[str]:
    """Clause ids in the text of the tests of this folder and in the golden cases."""
    found: set[str] = set()
    for path in sorted(HERE.glob("test_*.py")):
        if path.name != Path(__file__).name:
            found.update(CITATION.findall(path.read_text(encoding="utf-8")))
    golden = json.loads((HERE / "cases.json").read_text(encoding="utf-8"))
    for name in ("cases", "hands", "locks"):
        for entry in golden[name]:
            found.update(entry["clauses"])
    return found


def test_the_rules_have_all_their_clauses_once() -> None:
    numbers = [6, 6, 4, 7, 6, 9, 10, 3, 9, 7, 12, 4, 4, 7, 4]
    """How many clauses each of the fifteen sections has."""
    wanted = [f"TS-{part}.{place}" for part, many in enumerate(numbers, 1) for place in range(1, many + 1)]
    assert sorted(CLAUSES) == sorted(wanted)
    assert len(CLAUSES) == len(set(CLAUSES))


def test_every_clause_is_cited_by_a_test() -> None:
    missing = set(CLAUSES) - cited_by_tests()
    assert not missing, f"no test cites {sorted(missing)}"
    assert set(ELSEWHERE) <= set(CLAUSES)


def test_every_citation_names_a_real_clause() -> None:
    assert cited_by_tests() <= set(CLAUSES)


def test_clauses_cited_in_the_code_are_real() -> None:
    folder = Path(app.variants.tangshan.__file__).parent
    for path in folder.rglob("*.py"):
        unknown = set(CITATION.findall(path.read_text(encoding="utf-8"))) - set(CLAUSES)
        assert not unknown, f"{path.name} cites {sorted(unknown)}"
