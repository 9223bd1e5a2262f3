"""`mj audit`: known faults (pip-audit) and licences of what the server runs with, by its part of the lock.

It asks a database of faults, so it needs the network and `pip install --group audit`: it is run by hand, never in CI.
The licences are those that the installed packages state.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import Final

from app.embedded.places import ROOT, StartError

LOCK: Final = ROOT / "app/serving/compose/requirements.lock"
_PINNED: Final = re.compile(r"^([A-Za-z0-9_.-]+)==(\S+)", re.MULTILINE)
ALLOWED: Final = frozenset({
    "0BSD", "Apache-2.0", "BSD", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-0", "MPL-2.0", "PSF-2.0",
    "PostgreSQL", "Unlicense", "Zlib",
})  # fmt: skip
"""Licences under which the server may be given away with a package. MPL: its own files only, which we do not change."""
_NAMES: Final = (
    ("mozilla public license 2.0", "MPL-2.0"), ("apache", "Apache-2.0"), ("bsd", "BSD"), ("mit", "MIT"),
    ("isc", "ISC"), ("python software foundation", "PSF-2.0"), ("psf", "PSF-2.0"), ("unlicense", "Unlicense"),
)  # fmt: skip
"""Names of licences as packages write them, in small letters → the identifier."""


def main(argv: list[str]) -> int:
    """Print what was found. 0: no known fault, all licences allowed; 1: something to look at. Raises StartError."""
    parser = argparse.ArgumentParser(prog="mj audit", description="known faults and licences of what the server needs")
    parser.add_argument("--licences", action="store_true", help="only the licences; needs no network")
    given = parser.parse_args(argv)
    pins = pinned(LOCK)
    problems = 0
    for name, licence in licences(name for name, _ in pins).items():
        fine = licence is None or allowed(licence)
        problems += not fine
        print(f"  {'ok     ' if fine else 'UNKNOWN'}  {name:<24}{licence or 'not installed on this platform'}")
    print(f"{len(pins)} packages, {problems} licences to look at")
    faults = 0 if given.licences else _known_faults(LOCK)
    return 1 if problems or faults else 0


def pinned(lock: Path) -> list[tuple[str, str]]:
    """(name, version) of each package of a lock."""
    return _PINNED.findall(lock.read_text("utf-8"))


def licences(names: Iterable[str]) -> dict[str, str | None]:
    """Package → its licence as it states it; "" when it states none, None when it is not installed here."""
    found: dict[str, str | None] = {}
    for name in names:
        try:
            found[name] = _licence(metadata.metadata(name))
        except metadata.PackageNotFoundError:
            found[name] = None
    return found


def allowed(licence: str) -> bool:
    """True for an expression of allowed licences: one of those between OR, all of those between AND."""
    either = [part.strip(" ()") for part in re.split(r"\bOR\b", licence)]
    return any(all(_identifier(each.strip(" ()")) in ALLOWED for each in re.split(r"\bAND\b", part)) for part in either)


def _licence(told: metadata.PackageMetadata) -> str:
    classes = [line.rpartition(" :: ")[2] for line in told.get_all("Classifier") or () if line.startswith("License ::")]
    stated = next((told[name].strip() for name in ("License-Expression", "License") if name in told), "")
    short = stated if 0 < len(stated) < 60 and "\n" not in stated else ""
    return short or " OR ".join(classes) or stated[:60]


def _identifier(licence: str) -> str:
    if licence in ALLOWED:
        return licence
    small = licence.lower()
    return next((known for text, known in _NAMES if re.search(rf"\b{re.escape(text)}\b", small)), licence)


def _known_faults(lock: Path) -> int:
    """The exit status of pip-audit. Raises StartError when it is not installed."""
    command = [sys.executable, "-m", "pip_audit", "--strict", "--disable-pip", "--require-hashes", "-r", str(lock)]
    try:
        metadata.version("pip-audit")
    except metadata.PackageNotFoundError:
        raise StartError("pip-audit is not installed: `pip install --group audit`.") from None
    return subprocess.run(command, check=False).returncode
