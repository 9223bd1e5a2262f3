"""`mj sdk KIND OUT`: write a client's package into a folder. The work is in `app/sdk`."""

from __future__ import annotations

import argparse
import sys
from importlib.metadata import distribution
from pathlib import Path

from app.sdk import js_package, python_package

_KINDS = {"js": js_package.assemble, "python": python_package.assemble}


def main(argv: list[str]) -> int:
    """Write the package. 0: it is there; 1: the folder cannot be written."""
    parser = argparse.ArgumentParser(prog="mj sdk", description="write a client's package into a folder")
    parser.add_argument("kind", choices=sorted(_KINDS), help="js: @quezhuo/client; python: quezhuo-client")
    parser.add_argument("out", type=Path, help="the folder; files of the same names are replaced")
    asked = parser.parse_args(argv)
    ours = distribution("quezhuo")
    try:
        _KINDS[asked.kind](asked.out, ours.version, ours.read_text("licenses/LICENSE") or "")
    except OSError as error:
        print(f"mj sdk: {error}", file=sys.stderr)
        return 1
    print(f"{asked.out}: {asked.kind} client {ours.version}")
    return 0
