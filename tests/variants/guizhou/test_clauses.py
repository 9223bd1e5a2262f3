"""Every clause of RULES.md is cited by some test of the project, or stands in a short table with the reason why not."""

import json
import re
from pathlib import Path

TESTS = Path(__file__).parents[2]
RULES = Path(__file__).parents[3] / "app" / "variants" / "guizhou" / "RULES.md"

CLAUSES_PER_SECTION = [6, 8, 5, 6, 5, 4, 10, 6, 4, 6, 9, 11, 10, 10, 3, 5, 2, 5, 5, 4]
"""Clauses of GZ-1, GZ-2 … GZ-20 on the rules page."""

UNTESTED = {
    "GZ-1.6": "says that no rule follows from a gap in the source: there is nothing to observe",
}


def all_clauses() -> set[str]:
    """Every id, section by section."""
    return {f"GZ-{section}.{number}" for section, n in enumerate(CLAUSES_PER_SECTION, 1) for number in range(1, n + 1)}


def cited(text: str) -> set[str]:
    """Ids in a text; `GZ-5.2, 5.3` counts as both."""
    found: set[str] = set()
    for group in re.finditer(r"GZ-\d+\.\d+(?:(?:, | and |–)\d+\.\d+)*", text):
        found |= {f"GZ-{number}" for number in re.findall(r"\d+\.\d+", group[0])}
    return found


def test_the_rules_text_has_every_clause_once() -> None:
    stated = re.findall(r"^- \*\*(GZ-\d+\.\d+)\*\*", RULES.read_text("utf-8"), re.MULTILINE)
    assert len(stated) == len(set(stated))
    assert set(stated) == all_clauses()


def test_every_clause_is_cited_by_a_test() -> None:
    here = Path(__file__).name
    named = set().union(*[cited(path.read_text("utf-8")) for path in TESTS.rglob("test_*.py") if path.name != here])
    golden = json.loads((Path(__file__).parent / "cases.json").read_text("utf-8"))
    named |= {clause for name in ("cases", "hands", "offers") for entry in golden[name] for clause in entry["clauses"]}
    assert all_clauses() - named - set(UNTESTED) == set()
    assert not named & set(UNTESTED), "no longer untested: take it out of the table"
