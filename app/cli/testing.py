"""`mj test`: the tests, in this environment. Arguments go to pytest as they are."""

import os
import sys

from app.embedded.places import ROOT


def main(argv: list[str]) -> int:
    """Become pytest, in the clone. Does not return."""
    os.chdir(ROOT)
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", "pytest", *argv])
