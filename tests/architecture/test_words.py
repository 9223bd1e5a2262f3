"""Docstrings and comments are plain sentences: subject, verb, object, and `they` for a person."""

import re
from pathlib import Path

import pytest

from tests.architecture.prose import prose
from tests.architecture.tree import ROOT, files, shown

_RIDDLE = re.compile(r"(?:^|[.:] )(?:(?:Who|Whoever|Whom|Whose|Whatever|Of) [a-z]|So many\b)")
"""A sentence that opens with a relative clause, or with a genitive: the reader meets its subject last."""
_MALE = re.compile(r"\b(?:he|him|his|himself)\b", re.IGNORECASE)


def faults(path: Path, text: str) -> list[str]:
    """Line and words of each sentence in the file's prose that opens with a relative clause or makes a person male."""
    found = []
    for line, words in prose(path, text):
        found += [f"{line}: {words[hit.start() :][:60]}" for hit in _RIDDLE.finditer(words)]
        found += [f"{line}: {words[max(0, hit.start() - 30) :][:60]}" for hit in _MALE.finditer(words)]
    return found


def test_docstrings_and_comments_are_plain_sentences() -> None:
    found = []
    for path in files(".py", ".js", ".css", ".lua"):
        if path.is_relative_to(ROOT / "app") or path.is_relative_to(ROOT / "tests"):
            found += [f"{shown(path)}:{fault}" for fault in faults(path, path.read_text())]
    assert found == []


RELATIVE = "Who leaves is out."
GENITIVE = "Of two the later counts."
MALE = "The player loses his seat."


@pytest.mark.parametrize("sentence", [RELATIVE, GENITIVE, MALE, "So many may wait.", "One seat: Whose it is."])
@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("a.py", '"""{}"""\n'),
        ("a.py", 'def f() -> None:\n    """Do it. {}"""\n'),
        ("a.py", 'LIMIT = 3\n"""A limit.\n\n{}"""\n'),
        ("a.py", "limit = 3  # {}\n"),
        ("a.py", "# A comment over two lines.\n# {}\n"),
        ("a.js", "/** A function.\n * {} @param x */\n"),
        ("a.js", 'const url = "https://a.b"; // {}\n'),
        ("a.css", "/* {} */\n"),
        ("a.lua", "local a = 1\n-- {}\n"),
    ],
)
def test_a_planted_sentence_is_found(name: str, source: str, sentence: str) -> None:
    assert len(faults(Path(name), source.format(sentence))) == 1


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("a.py", f'TEXT = "{RELATIVE}"\n'),
        ("a.js", f'const text = "// {RELATIVE}";\n'),
        ("a.lua", f'local text = "-- {MALE}"\n'),
        ("a.py", "# The player who leaves is out, with the hand of tiles.\n"),
    ],
)
def test_texts_of_the_program_and_plain_sentences_pass(name: str, source: str) -> None:
    assert faults(Path(name), source) == []
