"""Assembles `quezhuo-client`: the player of this tree and the kernel whose fold it needs, under one name of their own.

The kernel needs msgspec and has no I/O, so the package carries it whole; only the names of the imports differ.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Final

_APP: Final = Path(__file__).parents[1]
OWN: Final = Path(__file__).parent / "python"
NAME: Final = "quezhuo_client"
MOVED: Final = {"app.sdk.client": NAME, "app.sdk.examples": f"{NAME}.examples", "app.kernel": f"{NAME}.kernel"}
"""Package of this tree → what it is called in the package."""
_IMPORT: Final = re.compile(r"^(from|import) (" + "|".join(map(re.escape, MOVED)) + r")\b", re.MULTILINE)


def assemble(out: Path, version: str, license_text: str) -> None:
    """Write the source tree of the package into the folder `out`, which is made when missing. Raises OSError."""
    for package, name in MOVED.items():
        home = _APP.joinpath(*package.split(".")[1:])
        for path in home.rglob("*.py"):
            copy = out.joinpath(*name.split("."), path.relative_to(home))
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(_IMPORT.sub(_moved, path.read_text("utf-8")), "utf-8")
    (out / NAME / "py.typed").touch()
    shutil.copyfile(OWN / "README.md", out / "README.md")
    (out / "LICENSE").write_text(license_text, "utf-8")
    described = (OWN / "pyproject.toml").read_text("utf-8")
    (out / "pyproject.toml").write_text(described.replace('version = "0.0.0"', f'version = "{version}"'), "utf-8")


def _moved(found: re.Match[str]) -> str:
    return f"{found[1]} {MOVED[found[2]]}"
