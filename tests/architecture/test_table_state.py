"""A table keeps its state to itself: its attributes are private, and no module outside writes one of them."""

import ast

from tests.architecture.tree import ROOT, files, shown

TABLE = ROOT / "app" / "tables" / "actor.py"
LIVE = ROOT / "app" / "tables" / "live.py"


def _attributes(cls: ast.ClassDef) -> set[str]:
    """The attributes that the class's own code assigns on `self`."""
    return {name for name, base in _written(cls) if base == "self"}


def _written(tree: ast.AST) -> set[tuple[str, str]]:
    """Attribute and what it is written on, for every assignment to an attribute."""
    found = set()
    for node in ast.walk(tree):
        targets = (
            node.targets
            if isinstance(node, ast.Assign)
            else [node.target]
            if isinstance(node, ast.AugAssign | ast.AnnAssign)
            else []
        )
        for target in targets:
            for part in ast.walk(target):
                if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store):
                    found.add((part.attr, ast.unparse(part.value)))
    return found


def _class(path: object, name: str) -> ast.ClassDef:
    tree = ast.parse(TABLE.read_text() if path == TABLE else LIVE.read_text())
    return next(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == name)


def test_all_attributes_of_a_table_but_its_id_are_private() -> None:
    attributes = _attributes(_class(TABLE, "Table"))
    assert "_live" in attributes, "the test reads what it should"
    assert {name for name in attributes if not name.startswith("_")} == {"table_id"}


def test_no_module_outside_writes_an_attribute_of_a_table_or_of_its_live_state() -> None:
    private = {name for name in _attributes(_class(TABLE, "Table")) if name.startswith("_")}
    live = _attributes(_class(LIVE, "LiveState"))
    wrong = []
    for path in files(".py", below="app/tables"):
        if path in (TABLE, LIVE):
            continue
        for name, base in _written(ast.parse(path.read_text())):
            if (name in private | live and base in ("table", "live")) or base.endswith(("._live", "table")):
                wrong.append(f"{shown(path)}: {base}.{name}")
    for below in ("app/api", "app/service", "app/admin", "app/lab", "app/storage", "app/serving", "app/cli"):
        for path in files(".py", below=below):
            wrong += [
                f"{shown(path)}: {base}.{name}"
                for name, base in _written(ast.parse(path.read_text()))
                if base in ("table", "self.table")
            ]
    assert wrong == []


def test_the_table_alone_writes_its_live_state() -> None:
    """`actor.Table` may switch `deserted`; everything else of `LiveState` is written by its own methods."""
    outside = {(name, base) for name, base in _written(ast.parse(TABLE.read_text())) if base in ("live", "self._live")}
    assert outside <= {("deserted", "live")}
