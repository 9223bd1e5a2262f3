"""Texts that are forbidden everywhere in the project: one machine's paths, registries' hosts, skipped tests, money."""

import ast
import re
from pathlib import Path

from tests.architecture.tree import MADE, ROOT, files, shown

_HERE = Path(__file__)
_MACHINE = re.compile(r"/(?:work|root|Users)/\w|/tmp/\w+/|/home/(?!app\b)\w")
_HOSTS = re.compile("|".join(map(re.escape, ("pypi.org", "pythonhosted.org", "npmjs.", "debian.org", "docker.io"))))
_UNREAD = {".png", ".ico", ".woff2", ".jpg", ".webp", ".gz", ".db"}


def _texts() -> list[tuple[Path, str]]:
    return [(path, path.read_text()) for path in files() if path.suffix not in _UNREAD and path != _HERE]


def test_no_path_of_one_machine() -> None:
    found = [f"{shown(path)}: {hit[0]}" for path, text in _texts() if (hit := _MACHINE.search(text))]
    assert found == []


def test_no_registry_is_named() -> None:
    found = [f"{shown(path)}: {hit[0]}" for path, text in _texts() if (hit := _HOSTS.search(text))]
    assert found == []


def test_no_test_is_skipped_or_expected_to_fail() -> None:
    wrong = []
    for path in files(".py", below="tests"):
        for node in ast.walk(ast.parse(path.read_text())):
            name = node.attr if isinstance(node, ast.Attribute) else ""
            if name in {"skip", "skipif", "xfail", "importorskip"}:
                wrong.append(f"{shown(path)}:{getattr(node, 'lineno', 0)} {name}")
    assert wrong == []


def test_no_blanket_silence() -> None:
    blanket = re.compile(r"#\s*(noqa|type:\s*ignore)\s*($|[^:\[\s])", re.MULTILINE)
    found = [shown(path) for path in files(".py") if path != _HERE and blanket.search(path.read_text())]
    assert found == []


def test_top_level_holds_what_the_design_says_and_nothing_else() -> None:
    allowed = {
        "pyproject.toml",
        "requirements.lock",
        "README.md",
        "LICENSE",
        "Dockerfile",
        "docker-compose.yml",
        "migrations",
        "app",
        "tests",
    }
    present = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")} - MADE
    assert {name for name in present if not name.endswith(".egg-info")} <= allowed
