"""`mj score FILE`: settle the entries of a file, one JSON object a line. The work is in `app/records/calculator.py`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, NoReturn

from app.kernel.errors import MalformedInput
from app.records.calculator import score_document
from app.variants import VARIANTS


def main(argv: list[str]) -> int:
    """Print every result in file order. Malformed input: nothing on standard output, one line of error, status 2."""
    parser = argparse.ArgumentParser(prog="mj score", description="settle the hands of a file, with every clause")
    parser.add_argument("file", type=Path, help="a case file: a variant and lists of entries, as JSON")
    path: Path = parser.parse_args(argv).file
    try:
        results = score_document(_read(path), VARIANTS)
    except MalformedInput as error:
        print(f"mj score: {path}: " + " ".join(str(error).split()), file=sys.stderr)
        return 2
    for result in results:
        print(json.dumps(result, ensure_ascii=False))
    return 0


def _read(path: Path) -> object:
    try:
        document: object = json.loads(path.read_bytes(), object_pairs_hook=_no_twins, parse_constant=_no_constant)
    except OSError as error:
        raise MalformedInput("file", error.strerror or str(error)) from error
    except MalformedInput:
        raise
    except (ValueError, RecursionError) as error:
        raise MalformedInput("file", f"not JSON: {error}") from error
    return document


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for at, (key, _) in enumerate(pairs) if any(key == other for other, _ in pairs[:at]))
        raise MalformedInput(twice, "stands twice in one object")
    return found


def _no_constant(text: str) -> NoReturn:
    raise MalformedInput("file", f"not JSON: {text} is no number")
