"""Subjects of commits since the rule was made: one imperative sentence of at most 72 characters."""

import re
import subprocess

import pytest

from tests.architecture.tree import ROOT

LONGEST = 72
_SINCE = "2026-12-01T09:30:00Z"
_NOT_IMPERATIVE = re.compile(r"^(A|An|The|Who|What|Of|It|No|Some|All|\w+ed|\w+ing)\b")


def wrong(subject: str) -> str | None:
    """The fault of a subject, or None."""
    if len(subject) > LONGEST:
        return f"{len(subject)} characters"
    if not subject[:1].isupper() or subject.endswith(".") or ";" in subject:
        return "not one sentence with a capital letter and no full stop"
    return "not imperative" if _NOT_IMPERATIVE.match(subject) else None


def test_new_commits_have_plain_subjects() -> None:
    log = subprocess.run(
        ["git", "log", "--no-merges", f"--since={_SINCE}", "--format=%s"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = {subject: reason for subject in log.stdout.splitlines() if (reason := wrong(subject))}
    assert found == {}


@pytest.mark.parametrize(
    "subject",
    ["Who was quiet is not sure of his tables", "Refuse a forged cursor; count guesses", "x" * 73, "Added a test"],
)
def test_a_riddle_a_list_and_a_novel_are_refused(subject: str) -> None:
    assert wrong(subject)
