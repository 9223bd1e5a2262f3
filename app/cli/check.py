"""`mj check`: everything that must hold before a change is shown to others, quickest first."""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from app.embedded.places import ROOT

STEPS: dict[str, tuple[str, ...]] = {
    "format": ("ruff", "format", "--check", "--quiet", "."),
    "lint": ("ruff", "check", "."),
    "types": ("mypy", "--strict", "app"),
    "contracts": ("lint-imports",),
    "tests": ("pytest", "-q"),
}


def main(argv: list[str]) -> int:
    """Run the steps named in `argv`, or all. Returns 0 when all hold; goes on after one that does not."""
    parser = argparse.ArgumentParser(prog="mj check", description="Format, lint, types, import contracts, tests.")
    parser.add_argument("steps", nargs="*", metavar="STEP", help=f"some of: {', '.join(STEPS)} (all)")
    chosen = parser.parse_args(argv).steps or list(STEPS)
    if unknown := [name for name in chosen if name not in STEPS]:
        parser.error(f"there is no step '{unknown[0]}'")
    failed = [name for name in chosen if not _holds(name)]
    print(f"mj check: {'failed: ' + ', '.join(failed) if failed else 'all good'}", flush=True)
    return 1 if failed else 0


def _holds(name: str) -> bool:
    """Run one step with the tools of this environment, in the clone."""
    print(f"── {name}", flush=True)
    began = time.monotonic()
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    done = subprocess.run(STEPS[name], cwd=ROOT, env={**os.environ, "PATH": tools}, check=False)
    print(f"   {name}: {'ok' if done.returncode == 0 else 'FAILED'} in {time.monotonic() - began:.1f} s", flush=True)
    return done.returncode == 0
