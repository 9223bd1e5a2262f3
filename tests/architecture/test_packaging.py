"""The installation: a lock that pins everything and names no index, and a wheel with the data files in it."""

import re
import tomllib
import zipfile
from pathlib import Path

from tests.architecture.tree import ROOT, built_wheel, files, shown

_DATA = (".md", ".lua", ".json", ".html", ".css", ".js", ".mjs", ".ts", ".toml", ".svg", ".png", ".webmanifest")


def _lock() -> list[str]:
    return re.split(r"\n(?=\S)", (ROOT / "requirements.lock").read_text().strip())


def test_every_version_is_pinned_with_hashes_and_nothing_else_is_said() -> None:
    entry = re.compile(r"[a-z0-9-]+(\[[a-z,]+\])?==[^\s;]+( ; [^\\]+)? \\\n(    --hash=sha256:[0-9a-f]{64}( \\\n|$))+")
    for text in _lock():
        assert entry.fullmatch(text), text.splitlines()[0]


def test_whatever_the_project_asks_for_is_in_the_lock() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    asked = [
        *project["project"]["dependencies"],
        *project["dependency-groups"]["dev"],
        *project["build-system"]["requires"],
    ]
    locked = {re.split(r"[\[=]", text)[0] for text in _lock()}
    for requirement in asked:
        assert re.split(r"[\[><=;!~ ]", requirement)[0].lower() in locked, f"{requirement}: make the lock again"


def test_the_wheel_holds_the_whole_package_and_nothing_beside_it(tmp_path: Path) -> None:
    wheel = built_wheel(tmp_path)
    names = set(zipfile.ZipFile(wheel).namelist())
    expected = {shown(path) for path in files(".py", *_DATA, below="app") if not shown(path).startswith("app/lab/")}
    assert expected - names == set()
    assert [name for name in names if name.startswith("app/lab/")] == [], "the test kit serves nobody"
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"app"}
