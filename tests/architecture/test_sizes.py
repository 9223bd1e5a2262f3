"""Limits that keep the house readable: lines per file and per function, docstrings, names that say something."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.tree import ROOT, files, shown

FILE_LINES = 400
FUNCTION_LINES = 50
PACKAGE_MODULES = 12
_NAMES_THAT_SAY_NOTHING = {"utils", "util", "helpers", "helper", "common", "base", "manager", "data", "info", "misc"}
_GENERATED = {"requirements.lock"}


def _functions(path: Path) -> Iterator[tuple[str, int]]:
    """Name and length of every function; of one that is a flat `match` or a table, only what lies around that."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            flat = sum((part.end_lineno or 0) - part.lineno for part in node.body if _is_flat(part))
            doc = node.body[0] if ast.get_docstring(node) else None
            words = (doc.end_lineno or 0) - doc.lineno + 1 if doc is not None else 0
            yield f"{shown(path)}:{node.lineno} {node.name}", node.end_lineno - node.lineno + 1 - flat - words


def _is_flat(part: ast.stmt) -> bool:
    if isinstance(part, ast.Match):
        return True
    value = getattr(part, "value", None)
    return isinstance(value, ast.Dict | ast.List | ast.Tuple | ast.Set)


def test_no_file_is_too_long() -> None:
    for path in [*files(".py", ".js", ".ts", ".css", ".lua"), *files(below=".ci")]:
        lines = len(path.read_text().splitlines())
        assert lines <= FILE_LINES, f"{shown(path)} has {lines} lines: split it by what it is about"


def test_no_package_of_the_app_is_too_wide() -> None:
    modules = Counter(
        shown(path.parent)
        for path in files(".py", below="app")
        if path.name != "__init__.py" and path.parent.name != "versions"  # revisions of the schema: a chain, no package
    )
    assert {folder: number for folder, number in modules.items() if number > PACKAGE_MODULES} == {}


def test_no_function_of_the_app_is_too_long() -> None:
    too_long = [
        f"{name}: {lines} lines"
        for path in files(".py", below="app")
        for name, lines in _functions(path)
        if lines > FUNCTION_LINES
    ]
    assert too_long == []


def test_every_module_of_the_app_says_what_it_is() -> None:
    silent = [shown(path) for path in files(".py", below="app") if not ast.get_docstring(ast.parse(path.read_text()))]
    assert silent == []


def test_names_say_something() -> None:
    vague = [shown(path) for path in files(".py", below="app") if path.stem in _NAMES_THAT_SAY_NOTHING]
    vague += [
        shown(path) for path in (ROOT / "app").rglob("*") if path.is_dir() and path.name in _NAMES_THAT_SAY_NOTHING
    ]
    assert vague == []
