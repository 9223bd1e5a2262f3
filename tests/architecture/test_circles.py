"""No circle of imports between modules, also none that is hidden: in a function, or behind TYPE_CHECKING."""

import ast
from pathlib import Path

from tests.architecture.tree import ROOT, files

Graph = dict[str, set[str]]


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports(modules: dict[str, str]) -> Graph:
    """Module → the modules of this project that its text imports, wherever in it."""
    graph: Graph = {}
    for name, text in modules.items():
        found: set[str] = set()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
                found |= {full if full in modules else node.module for full in names}
        graph[name] = (found & modules.keys()) - {name}
    return graph


def circles(graph: Graph) -> list[set[str]]:
    """Sets of modules that all reach one another."""
    reach = {name: _reached(graph, name) for name in graph}
    found = [frozenset(other for other in reach[name] if name in reach[other]) for name in graph]
    return [set(circle) for circle in set(found) if circle]


def _reached(graph: Graph, start: str) -> set[str]:
    seen: set[str] = set()
    to_see = [start]
    while to_see:
        for other in graph[to_see.pop()] - seen:
            seen.add(other)
            to_see.append(other)
    return seen


def test_no_modules_import_each_other() -> None:
    found = circles(imports({_name(path): path.read_text() for path in files(".py", below="app")}))
    assert [sorted(circle) for circle in found] == []


def test_a_hidden_circle_is_found() -> None:
    hidden = {
        "app.a": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from app.b import B",
        "app.b": "def make():\n    from app import a\n    return a",
        "app.c": "import app.a",
    }
    assert circles(imports({"app": "", **hidden})) == [{"app.a", "app.b"}]
