"""Assembles `@quezhuo/client`: modules of the page as they are, the types beside them, and those of the protocol."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Final

from app.sdk.typescript import declarations

_APP: Final = Path(__file__).parents[1]
OWN: Final = Path(__file__).parent / "js"
PAGE: Final = _APP / "web" / "static"
MODULES: Final = ("socket.js", "view.js", "rest.js", "verify.js", "sha256.js")
"""Modules of the page that know no page."""


def assemble(out: Path, version: str, license_text: str) -> None:
    """Write the package into the folder `out`, which is made when it is missing. Raises OSError."""
    out.mkdir(parents=True, exist_ok=True)
    for path in OWN.iterdir():
        shutil.copyfile(path, out / path.name)
    for name in MODULES:
        shutil.copyfile(PAGE / name, out / name)
    schema = json.loads((_APP / "protocol" / "v1" / "schema.json").read_text("utf-8"))
    (out / "protocol.d.ts").write_text(declarations(schema), "utf-8")
    (out / "LICENSE").write_text(license_text, "utf-8")
    described = json.loads((out / "package.json").read_text("utf-8"))
    (out / "package.json").write_text(json.dumps({**described, "version": version}, indent=2) + "\n", "utf-8")
