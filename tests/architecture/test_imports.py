"""Dependencies point one way: the contracts in `pyproject.toml`, and that they name every package there is."""

import subprocess
import sys
import tomllib
from pathlib import Path

from tests.architecture.tree import ROOT


def test_every_import_contract_holds() -> None:
    linter = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[done.stdout.find("Contracts") :] + done.stderr


def test_nothing_imports_the_test_tools_or_the_tests() -> None:
    for path in (ROOT / "app").rglob("*.py"):
        text = path.read_text()
        for name in ("pytest", "hypothesis", "tests"):
            assert f"\nimport {name}" not in text, path
            assert f"\nfrom {name}" not in text, path


def test_a_contract_can_fail() -> None:
    """The contracts are worth something only if a wrong import is found: the pure packages must be listed whole."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    pure = next(contract for contract in contracts if contract["id"] == "pure")
    assert pure["source_modules"] == ["app.kernel", "app.variants", "app.records", "app.bots"]
    assert {"asyncio", "time", "random", "logging", "pydantic", "app.settings"} <= set(pure["forbidden_modules"])
