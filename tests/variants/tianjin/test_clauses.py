"""Every clause, law and hazard of RULES.md is cited by a test of this folder."""

import re
from pathlib import Path

import pytest

import app.variants.tianjin

TESTS = Path(__file__).parent
RULES = Path(app.variants.tianjin.__file__).with_name("RULES.md").read_text()
SECTIONS = {
    1: 8, 2: 10, 3: 7, 4: 13, 5: 12, 6: 8, 7: 4, 8: 5, 9: 9, 10: 13, 11: 4, 12: 4, 13: 6, 14: 4, 15: 4, 16: 4, 17: 4,
    18: 2,
}  # fmt: skip
IDS = [
    *(f"TJ-{section}.{number}" for section, last in SECTIONS.items() for number in range(1, last + 1)),
    *(f"P{number}" for number in range(1, 10)),
    *(f"H{number}" for number in range(1, 15)),
]
EXCEPTIONS = {
    "TJ-1.8": "the start rule of a match, one for all games: it is the match's, and tested there",
    "TJ-15.4": "which tables are ranked is the archive's knowledge, and tested there",
    "TJ-17.4": "says what is not a rule: think times are settings of a table",
}
"""Clauses that no test of the variant can show, and why."""

_CITED = re.compile(r"TJ-\d+\.\d+(?:(?:, | … | – )\d+\.\d+)*")


def _citations(text: str) -> set[str]:
    """Ids in a text; `TJ-4.9, 4.10` and `TJ-5.5 … 5.7` name every clause they span."""
    found = set(re.findall(r"\b[PH]\d+\b", text))
    for match in _CITED.findall(text):
        before = ""
        for sign, section, number in re.findall(r"(TJ-|, | … | – )(\d+)\.(\d+)", match):
            first = int(before.split(".")[1]) if sign in (" … ", " – ") else int(number)
            found |= {f"TJ-{section}.{each}" for each in range(first, int(number) + 1)}
            before = f"{section}.{number}"
    return found


@pytest.fixture(scope="module")
def cited() -> set[str]:
    sources = [path for path in TESTS.glob("test_*.py") if path.name != Path(__file__).name]
    return _citations("\n".join(path.read_text() for path in [*sources, TESTS / "cases.json"]))


def test_the_rules_page_states_every_clause_once() -> None:
    assert re.findall(r"^- \*\*((?:TJ-\d+\.|[PH])\d+)\*\*", RULES, re.MULTILINE) == IDS


@pytest.mark.parametrize("clause", [clause for clause in IDS if clause not in EXCEPTIONS])
def test_a_clause_is_cited_by_a_test(clause: str, cited: set[str]) -> None:
    assert clause in cited


def test_the_exceptions_are_clauses_and_say_why() -> None:
    assert set(EXCEPTIONS) < set(IDS) and all(EXCEPTIONS.values())
