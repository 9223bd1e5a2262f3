"""`mj rules SLUG [CLAUSE]`: a clause of a game's RULES.md with the code and the tests that cite it, or all clauses."""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.variants import VARIANTS

APP: Final = Path(__file__).parents[1]
ROOT: Final = APP.parent
CLAUSE_ID: Final = r"(?:[A-Z]{2}-\d+\.\d+|[PH]\d+)"
"""The number of a clause: two capitals, section, number; or, in 天津麻将, the number of a property or a hazard."""
_CLAUSE: Final = re.compile(rf"^- \*\*({CLAUSE_ID})\*\* *(.*)$")
_ELSEWHERE: Final = re.compile(r"（(运行时|测试)：((?:app|tests)/[\w/.]+)）|（(无代码)）")
_SUFFIXES: Final = (".py", ".js", ".json")


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause. `elsewhere`: where the page says that it lives, None when it lives in the code of its game.

    `elsewhere` is a path below the root, or empty for a clause that needs no code.
    """

    text: str
    elsewhere: str | None


def clauses_of(page: str) -> dict[str, Clause]:
    """The clauses of a rules page by id. A mark in the heading of a section holds for all its clauses."""
    found: dict[str, Clause] = {}
    head, current = None, None
    for line in page.splitlines():
        if line.startswith("#"):
            head, current = _elsewhere(line), None
        elif match := _CLAUSE.match(line):
            current = match[1]
            mark = _elsewhere(line)
            found[current] = Clause(match[2], head if mark is None else mark)
        elif current is not None and line.strip():
            clause = found[current]
            mark = _elsewhere(line)
            found[current] = Clause(f"{clause.text}\n{line}", clause.elsewhere if mark is None else mark)
    return found


def _elsewhere(line: str) -> str | None:
    mark = _ELSEWHERE.search(line)
    return None if mark is None else mark[2] or ""


def citing(clause: str, folder: Path) -> list[str]:
    """`path:line` of every line below `folder` that cites the clause in full, sorted by path."""
    cited = re.compile(rf"(?<![\w-]){re.escape(clause)}(?!\.?\d)")
    return [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sorted(folder.rglob("*"))
        if path.suffix in _SUFFIXES and "node_modules" not in path.parts
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if cited.search(line)
    ]


def main(argv: list[str]) -> int:
    """Print the clause, or all of them. An unknown game or clause: one sentence of error, status 2."""
    parser = argparse.ArgumentParser(
        prog="mj rules", description="clauses of a game, and the code and tests that cite them"
    )
    parser.add_argument("slug", help=", ".join(VARIANTS))
    parser.add_argument("clause", nargs="?", help="such as XX-4.9; without it all clauses are listed")
    asked = parser.parse_args(argv)
    if asked.slug not in VARIANTS:
        print(f"mj rules: there is no game '{asked.slug}'; known are {', '.join(VARIANTS)}.", file=sys.stderr)
        return 2
    clauses = clauses_of((APP / "variants" / asked.slug / "RULES.md").read_text(encoding="utf-8"))
    if asked.clause is None:
        for clause, stated in clauses.items():
            print(f"{clause:<9}{stated.text.splitlines()[0]}")
        return 0
    if asked.clause not in clauses:
        ids = list(clauses)
        print(
            f"mj rules: {asked.slug} has no clause '{asked.clause}'; they run from {ids[0]} to {ids[-1]}.",
            file=sys.stderr,
        )
        return 2
    print(f"{asked.clause}  {clauses[asked.clause].text}")
    for name, folder in (("code", APP), ("tests", ROOT / "tests")):
        if folder.is_dir():  # an installed wheel has no tests
            lines = citing(asked.clause, folder)
            print("\n".join([f"\n{name}:", *[f"  {line}" for line in lines or ["none"]]]))
    return 0
