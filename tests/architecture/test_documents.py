"""The pages keep their form: decisions are indexed and have a status, and the index is whole."""

import re
from pathlib import Path

from tests.architecture.tree import ROOT, files, shown

_DECISIONS = (ROOT / "app" / "DECISIONS.md").read_text()
_CITED = re.compile(r"(?<![\w/.-])((?:[\w-]+/)*[\w-]+\.md)\b")
_HEADING = re.compile(r"^## (.*)$", re.MULTILINE)


def test_every_decision_is_numbered_dated_and_has_a_status() -> None:
    headings = _HEADING.findall(_DECISIONS)
    assert [heading.split(" · ")[0] for heading in headings] == [f"D{n}" for n in range(1, len(headings) + 1)]
    for section in re.split(r"^## ", _DECISIONS, flags=re.MULTILINE)[1:]:
        body = section.split("\n", 1)[1]
        assert re.match(r"20\d\d-\d\d-\d\d · (in force|superseded by D\d+)", body), section.splitlines()[0]


def test_every_decision_is_in_the_index_once() -> None:
    index = _DECISIONS.split("## D1 ", 1)[0]
    listed = re.findall(r"\bD\d+\b", index)
    assert sorted(listed) == sorted(set(listed))
    assert set(listed) == {heading.split(" · ")[0] for heading in _HEADING.findall(_DECISIONS)}


def test_every_superseded_decision_names_one_that_knows_it() -> None:
    sections = {part.split(" ", 1)[0]: part for part in re.split(r"^## ", _DECISIONS, flags=re.MULTILINE)[1:]}
    for number, section in sections.items():
        for later in re.findall(r"superseded by (D\d+)", section):
            assert re.search(rf"supersedes .*\b{number}\b", sections[later]), (
                f"{later} does not say that it supersedes {number}"
            )


def _exists(cited: str, near: Path) -> bool:
    """A page may be named from the root, from `app/`, from the citing file's folder or one above it, or by its end."""
    above = [folder for folder in near.parents if folder == ROOT or ROOT in folder.parents]
    if any((place / cited).exists() for place in (ROOT, ROOT / "app", *above)):
        return True
    return any(shown(path).endswith(f"/{cited}") for path in files(".md", below="app"))


def test_every_page_that_is_cited_exists() -> None:
    """No docstring, comment or page cites a page that is not in the repository."""
    missing = [
        f"{shown(path)}: {cited}"
        for path in files(".py", ".md", ".js", ".lua", ".toml")
        for cited in _CITED.findall(path.read_text("utf-8"))
        if not _exists(cited, path)
    ]
    assert missing == []
