"""`mj test`: the tests, in this environment. Arguments go to pytest as they are."""

import os
import sys

from app.embedded.places import ROOT

_MINUTES_OF_A_CORE = 30
"""The whole suite with a browser, on one core."""


def main(argv: list[str]) -> int:
    """Become pytest, in the clone. Does not return. The whole suite runs on all cores, unless `-n` says otherwise."""
    os.chdir(ROOT)
    whole = all(word.startswith("-") for word in argv) and not any(word.startswith(("-n", "-k", "-m")) for word in argv)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if whole and cores > 1:
        print(f"mj: all tests on {cores} cores, about {-(-_MINUTES_OF_A_CORE // cores)} minutes", flush=True)
        argv = ["-n", str(cores), *argv]
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", "pytest", *argv])
