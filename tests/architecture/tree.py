"""The files of the project as the architecture tests see them: what would be committed, nothing that was made."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MADE = {
    ".git",
    ".venv",
    ".data",
    "__pycache__",
    "build",
    "dist",
    "node_modules",
    "package-lock.json",
    "uv.lock",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    ".hypothesis",
    ".import_linter_cache",
}


def files(*suffixes: str, below: str = ".") -> Iterator[Path]:
    """Every file below this folder of the clone, those with one of these suffixes if any are given."""
    todo = [ROOT / below]
    while todo:
        for path in sorted(todo.pop().iterdir()):
            if path.name in MADE or path.name.startswith(".venv-") or path.name.endswith(".egg-info"):
                continue
            if path.is_dir():
                todo.append(path)
            elif not suffixes or path.suffix in suffixes:
                yield path


def shown(path: Path) -> str:
    """The path as a person would write it."""
    return str(path.relative_to(ROOT))


def built_wheel(folder: Path) -> Path:
    """The project's wheel, built in `folder` from a copy of what is under version control, or soon will be."""
    for path in files():
        copy = folder / "clone" / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    build = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", build, str(folder)], cwd=folder / "clone", check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel
