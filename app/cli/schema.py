"""`mj schema`: write the protocol's schema files; `--check`: are they current, and do they keep what v1 promised?"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from app.protocol.v1 import compatible, schema


def main(argv: list[str]) -> int:
    """Returns 0 when all holds. 1: a file is not current, or a client of the released schema would break."""
    parser = argparse.ArgumentParser(prog="mj schema", description="write or check the protocol's schema files")
    parser.add_argument("--check", action="store_true", help="change nothing, say what is wrong")
    parser.add_argument("--against", type=Path, metavar="FILE", help="another schema than that of the last release")
    parser.add_argument("--release", action="store_true", help="make this schema the one that later ones must keep to")
    asked = parser.parse_args(argv)
    wrong = _wrong(compatible.released() if asked.against is None else json.loads(asked.against.read_text("utf-8")))
    if asked.check:
        stale = [name for name, text in schema.files().items() if (schema.HERE / name).read_text("utf-8") != text]
        wrong += [f"{name} is not current: run `mj schema`, and note the change in CHANGES.md" for name in stale]
    elif not wrong:
        schema.write()
        if asked.release:
            compatible.RELEASED.write_text(compatible.written_for_release(schema.json_schema()), "utf-8")
    for line in wrong:
        print(f"mj schema: {line}", file=sys.stderr)
    return 1 if wrong else 0


def _wrong(old: compatible.Json) -> list[str]:
    return [f"v1 only grows: {line}" for line in compatible.breaks(old, schema.json_schema())]
