"""`mj shots`: pictures of every screen, game, language and theme, to be looked at after a change of the page.
`mj shots frames`: how smoothly the table moves on a slow processor.

The scenes are those of the browser tests, so the command needs the source tree, Chromium and the test dependencies.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main(argv: list[str]) -> int:
    """Take the pictures that `argv` asks for (`--help` tells). Returns the exit status."""
    root = Path(__file__).parents[2]
    frames = argv[:1] == ["frames"]
    module, words = ("tests.e2e.frames", argv[1:]) if frames else ("tests.e2e.shots", argv)
    return subprocess.run([sys.executable, "-m", module, *words], cwd=root, check=False).returncode
