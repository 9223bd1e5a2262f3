"""`mj rules SLUG [CLAUSE]`: a clause of a game's RULES.md with the code and the tests that cite it, or all clauses."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Final

from app.kernel.text.rules_page import clauses_of
from app.variants import VARIANTS

APP: Final = Path(__file__).parents[1]
ROOT: Final = APP.parent
_SUFFIXES: Final = (".py", ".js", ".json")


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
