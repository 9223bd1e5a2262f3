"""The source tree with a fourth game: its folder and its line in the registry, and not one other file touched."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from app.embedded.places import ROOT

SLUG = "erren"
_HERE = Path(__file__).parent
_LINE = '    "tangshan",\n'
_MAIN = "import sys; from app.cli.main import main; sys.exit(main(sys.argv[1:]))"


@contextlib.contextmanager
def tree_with_fourth_game() -> Iterator[Path]:
    """A copy of the tree, readable by every account, thrown away afterwards."""
    root = Path(tempfile.mkdtemp(prefix="mj-four-"))
    root.chmod(0o755)
    try:
        for folder in ("app", "migrations"):
            shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", root)
        for path in (_HERE / SLUG).iterdir():
            if path.is_file():
                text = path.read_text("utf-8").replace(f"tests.variants.fourth.{SLUG}", f"app.variants.{SLUG}")
                target = root / "app" / "variants" / SLUG / path.name
                target.parent.mkdir(exist_ok=True)
                target.write_text(text, "utf-8")
        registry = root / "app" / "variants" / "__init__.py"
        before = registry.read_text("utf-8")
        assert before.count(_LINE) == 1
        registry.write_text(before.replace(_LINE, f'{_LINE}    "{SLUG}",\n'), "utf-8")
        yield root
    finally:
        shutil.rmtree(root, ignore_errors=True)


def run(root: Path, *argv: str) -> str:
    """A command of the tree's own command line. Returns what it said; it must succeed."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", _MAIN, *argv], cwd=root, env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-1500:] + done.stderr[-1500:]
    return done.stdout
