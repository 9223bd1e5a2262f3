"""The prose in the code: docstrings and comments of Python, comments of JavaScript, CSS and Lua."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

_BLOCK = re.compile(r"/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`", re.DOTALL)
_TO_LINE_END = {".js": "//", ".lua": "--"}
_MARKS = re.compile(r"^[\s*#/-]*", re.MULTILINE)

Piece = tuple[int, str]
"""The first line's number and the text of one docstring, or of one comment over any number of lines."""


def prose(path: Path, text: str) -> list[Piece]:
    """The docstrings and comments of a source file, in the order of the file."""
    if path.suffix == ".py":
        return sorted([*_docstrings(text), *_joined(_hashes(text))])
    return sorted([*_blocks(text), *_joined(_line_comments(text, _TO_LINE_END.get(path.suffix)))])


def _docstrings(text: str) -> Iterator[Piece]:
    """Every string that stands alone as a statement: of modules, classes, functions and, below them, of names."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, " ".join(node.value.value.split())


def _hashes(text: str) -> Iterator[Piece]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def _blocks(text: str) -> Iterator[Piece]:
    for hit in _BLOCK.finditer(text):
        yield text.count("\n", 0, hit.start()) + 1, " ".join(_MARKS.sub("", hit[0].removesuffix("*/")).split())


def _line_comments(text: str, mark: str | None) -> Iterator[Piece]:
    """Comments to the end of a line; a mark within a string is none."""
    if mark is None:
        return
    for number, line in enumerate(text.splitlines(), 1):
        bare = _STRING.sub(lambda hit: "_" * len(hit[0]), line)
        if (at := bare.find(mark)) >= 0:
            yield number, line[at:]


def _joined(comments: Iterator[Piece]) -> Iterator[Piece]:
    """Comments on lines that follow each other, as one text."""
    first, last, words = 0, -1, ""
    for number, text in comments:
        plain = _MARKS.sub("", text).strip()
        if number == last + 1 and words:
            last, words = number, f"{words} {plain}"
            continue
        if words:
            yield first, words
        first, last, words = number, number, plain
    if words:
        yield first, words
