"""A plain search finds each clause of a game in the code and in the tests, or its page says where else it lives."""

import re
from pathlib import Path

import pytest

from app.cli.rules import APP, ROOT
from app.kernel.text.rules_page import CLAUSE_ID, clauses_of
from app.variants import VARIANTS

HERE = Path(__file__)
PAGES = {slug: clauses_of((APP / "variants" / slug / "RULES.md").read_text(encoding="utf-8")) for slug in VARIANTS}
CODE = [*APP.rglob("*.py"), *(APP / "web").rglob("*.js")]
TESTS = [path for suffix in ("*.py", "*.json") for path in (ROOT / "tests").rglob(suffix) if path != HERE]
TEXTS = {path: path.read_text(encoding="utf-8") for path in [*CODE, *TESTS] if "node_modules" not in path.parts}
PREFIXES = {next(iter(page)).split("-")[0] for page in PAGES.values()}
SECTIONS = {
    "tianjin": [8, 10, 7, 13, 12, 8, 4, 5, 10, 13, 4, 4, 6, 4, 5, 4, 4, 2],
    "guizhou": [6, 8, 5, 6, 5, 4, 10, 6, 4, 6, 9, 11, 10, 10, 3, 5, 2, 5, 5, 4],
    "tangshan": [6, 6, 4, 7, 6, 9, 10, 3, 9, 7, 12, 4, 4, 7, 4],
}
"""The number of clauses in each section of a page, from section 1 on."""
BESIDE = {"tianjin": [*[f"P{number}" for number in range(1, 10)], *[f"H{number}" for number in range(1, 15)]]}
"""Properties and hazards, which stand beside the clauses."""


def cited_in(paths: list[Path]) -> set[str]:
    """Every clause id that these files name in full."""
    return {found for path in paths if path in TEXTS for found in re.findall(rf"\b{CLAUSE_ID}\b", TEXTS[path])}


def own(slug: str) -> list[Path]:
    """The tests of a game, whose properties and hazards have short names."""
    return [path for path in TESTS if HERE.with_name(slug) in path.parents]


@pytest.mark.parametrize("slug", SECTIONS)
def test_the_page_states_every_clause_once_and_in_order(slug: str) -> None:
    text = (APP / "variants" / slug / "RULES.md").read_text(encoding="utf-8")
    prefix = next(iter(PAGES[slug])).split("-")[0]
    wanted = [
        f"{prefix}-{section}.{number}"
        for section, last in enumerate(SECTIONS[slug], 1)
        for number in range(1, last + 1)
    ]
    stated = re.findall(rf"^- \*\*({CLAUSE_ID})\*\*", text, re.MULTILINE)
    assert stated == [*wanted, *BESIDE.get(slug, [])] == list(PAGES[slug])


@pytest.mark.parametrize("slug", VARIANTS)
def test_each_clause_is_found_in_the_code_or_its_page_says_where_it_lives(slug: str) -> None:
    folder = APP / "variants" / slug
    found = cited_in([path for path in CODE if folder in path.parents])
    lost = [clause for clause, stated in PAGES[slug].items() if stated.elsewhere is None and clause not in found]
    assert not lost, f"no line of app/variants/{slug} cites {', '.join(lost)}"


@pytest.mark.parametrize("slug", VARIANTS)
def test_each_clause_is_found_in_the_tests(slug: str) -> None:
    found = cited_in(own(slug)) | {clause for clause in cited_in(TESTS) if "-" in clause}
    lost = [
        clause
        for clause, stated in PAGES[slug].items()
        if clause not in found and (stated.elsewhere is None or stated.elsewhere.startswith("tests/"))
    ]
    assert not lost, f"no test cites {', '.join(lost)}"


@pytest.mark.parametrize("slug", VARIANTS)
def test_the_places_that_a_page_names_exist(slug: str) -> None:
    places = {stated.elsewhere for stated in PAGES[slug].values() if stated.elsewhere}
    assert all((ROOT / place).exists() for place in places), places


def test_every_clause_that_is_cited_exists() -> None:
    real = {clause for page in PAGES.values() for clause in page}
    for path in TEXTS:
        unknown = {clause for clause in cited_in([path]) if clause[:2] in PREFIXES} - real
        assert not unknown, f"{path.relative_to(ROOT)} cites {', '.join(sorted(unknown))}"


def test_clauses_are_cited_in_full() -> None:
    """No section alone, no range, no number without its prefix: nothing of this kind can be searched for."""
    prefix = f"(?:{'|'.join(sorted(PREFIXES))})"
    short = re.compile(rf"\b{prefix}-\d+(?![.\d])|\b{prefix}-\d+\.\d+(?: ?[,…–/-] ?| and | to )\d")
    for path, text in TEXTS.items():
        if path.suffix != ".json":
            found = short.findall(text)
            assert not found, f"{path.relative_to(ROOT)}: {', '.join(found)}"
